import { assign } from "./assign.ts";
import { cutWord, exactText, joinWords, leadingText } from "./command_parts.ts";
import { directoryAfter, UNKNOWN_DIRECTORY } from "./directory.ts";
import type { Directory, EnvironmentChange, ShellWord } from "./facts.ts";
import { formatted } from "./known_output.ts";
import type { Draft, Frame, Printed, Reading } from "./reading.ts";
import { INPUT_NAMES, launchFrame, positionalOf, runFile } from "./run_script.ts";
import type { Variable } from "./shell_state.ts";

/** What a builtin does to the shell, or makes it run; what it prints when that is known. */
export type Builtin = (
  reading: Reading,
  draft: Draft,
  frame: Frame,
  name: string,
) => Printed | undefined;

const UNKNOWN: Variable = Object.freeze({ kind: "unknown", source: "variable" });

/** The builtins that change what later words mean, or that run text. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["cd", (reading, draft) => changeDirectory(reading, draft, false)],
  ["chdir", (reading, draft) => changeDirectory(reading, draft, false)],
  ["pushd", (reading, draft) => changeDirectory(reading, draft, true)],
  ["popd", popDirectory],
  ["export", declare("export")],
  ["readonly", declare("assignment")],
  ["local", declare("assignment")],
  ["declare", declare("assignment")],
  ["typeset", declare("assignment")],
  ["unset", unset],
  ["set", set],
  ["shopt", shopt],
  ["shift", shift],
  ["alias", alias],
  ["unalias", undefined_],
  ["eval", evaluate],
  ["source", source],
  [".", source],
  ["trap", trap],
  ["read", read],
  ["mapfile", mapfile],
  ["readarray", mapfile],
  ["getopts", getopts],
  ["let", assignArithmetic],
  ["printf", print],
  ["hash", hash],
  ["enable", enable],
  ["compgen", complete],
  ["complete", complete],
  ["bind", bind],
]);

function undefined_(): undefined {
  return undefined;
}

function changeDirectory(reading: Reading, draft: Draft, push: boolean): Printed {
  const { state } = reading;
  const { flags } = state;
  const operands = draft.words.slice(1).filter((word, index, all) =>
    !/^-[LPen@]+$/.test(word.value ?? "") &&
    !(word.value === "--" && all.findIndex((other) => other.value === "--") === index)
  );
  const to = (from: Directory): Directory => {
    const [operand] = operands;
    if (operand === undefined) {
      if (push) return UNKNOWN_DIRECTORY;
      const home = state.variable("HOME");
      if (home === undefined) return { base: "home", user: null, path: "." };
      return home.kind === "set" ? directoryAfter(from, home.parts) : UNKNOWN_DIRECTORY;
    }
    const text = exactText(operand);
    if (text === "-") return flags.previousDirectory;
    if (push && text !== null && /^[+-]\d+$/.test(text)) return UNKNOWN_DIRECTORY;
    if (operand.splits || operand.globs) return UNKNOWN_DIRECTORY;
    const searched = state.variable("CDPATH") !== undefined && !/^\.{0,2}\//.test(text ?? "/");
    return searched ? UNKNOWN_DIRECTORY : directoryAfter(from, operand.parts);
  };
  const directory = to(flags.directory);
  const relative = directory.base !== "root" && directory.base !== "home";
  state.flags = {
    ...flags,
    directory,
    otherDirectories: relative ? flags.otherDirectories.map(to) : [],
    previousDirectory: flags.directory,
    directoryStack: push ? [...flags.directoryStack, flags.directory] : flags.directoryStack,
  };
  return NOTHING;
}

function popDirectory(reading: Reading, draft: Draft): Printed {
  const { state } = reading;
  const { directoryStack, directory } = state.flags;
  const top = draft.words.length > 1 ? undefined : directoryStack[directoryStack.length - 1];
  state.flags = {
    ...state.flags,
    directory: top ?? UNKNOWN_DIRECTORY,
    otherDirectories: [],
    previousDirectory: directory,
    directoryStack: directoryStack.slice(0, -1),
  };
  return null;
}

const NOTHING: Printed = Object.freeze([]);

function declare(usual: EnvironmentChange["how"]): Builtin {
  return (reading, draft) => {
    let how = usual;
    let plain = true;
    for (const word of draft.words.slice(1)) {
      const text = leadingText(word);
      if (/^[-+][A-Za-z]+$/.test(text) && word.value === text) {
        if (text.startsWith("-") && text.includes("x")) how = "export";
        if (/[niaAluc]/.test(text)) plain = false;
        continue;
      }
      const match = /^([A-Za-z_]\w*)(\+?=)?/.exec(text);
      if (match === null) continue;
      const [head, name, operator] = match;
      if (operator === undefined) {
        exportVariable(reading, name, how, plain);
        continue;
      }
      const value = plain && !word.text.includes("=(") ? cutWord(word, head.length) : null;
      const fact = { name, value, append: operator === "+=", span: word.span };
      assign(reading, { fact, elements: null }, how);
    }
    return NOTHING;
  };
}

function exportVariable(
  reading: Reading,
  name: string,
  how: EnvironmentChange["how"],
  plain: boolean,
): void {
  const { state } = reading;
  const old = state.variable(name);
  if (!plain) state.setVariable(name, UNKNOWN);
  else if (how === "export" && old?.kind === "set") {
    state.setVariable(name, { ...old, exported: true });
  }
}

function unset(reading: Reading, draft: Draft): undefined {
  for (const word of draft.words.slice(1)) {
    const name = exactText(word);
    if (name === "-f") return;
    if (name !== null && /^\w+$/.test(name)) reading.state.setVariable(name, { kind: "unset" });
  }
}

function set(reading: Reading, draft: Draft): undefined {
  const { state } = reading;
  const words = draft.words.slice(1);
  let index = 0;
  for (; index < words.length; index++) {
    const text = exactText(words[index]);
    if (text === null || !/^[-+]/.test(text)) break;
    if (text === "--" || text === "-") {
      index++;
      state.flags = { ...state.flags, positional: positionalOf(draft, words.slice(index)) };
      return;
    }
    const on = text.startsWith("-");
    if (text.includes("e")) state.flags = { ...state.flags, stopsOnError: on };
    if (text.endsWith("o") && exactText(words[++index]) === "errexit") {
      state.flags = { ...state.flags, stopsOnError: on };
    }
  }
  if (index < words.length) {
    state.flags = { ...state.flags, positional: positionalOf(draft, words.slice(index)) };
  }
}

function shopt(reading: Reading, draft: Draft): undefined {
  const texts = draft.words.map((word) => word.value);
  if (!texts.includes("expand_aliases")) return;
  const { state } = reading;
  if (texts.includes("-s")) state.flags = { ...state.flags, expandsAliases: true };
  if (texts.includes("-u")) state.flags = { ...state.flags, expandsAliases: false };
}

function shift(reading: Reading, draft: Draft): undefined {
  const { state } = reading;
  const { positional } = state.flags;
  const count = draft.words.length === 1 ? "1" : exactText(draft.words[1]) ?? "";
  const left = positional !== null && /^\d{1,4}$/.test(count)
    ? positional.slice(Number(count))
    : null;
  state.flags = { ...state.flags, positional: left };
}

function alias(reading: Reading, draft: Draft): undefined {
  for (const word of draft.words.slice(1)) {
    const match = /^([^\s=/$`]+)=/.exec(leadingText(word));
    if (match === null) continue;
    const value = cutWord(word, match[0].length);
    if (value.value === null) {
      reading.doubt("rebound", `the alias ${match[1]} is known only when it is set`, word.span);
    } else reading.state.setAlias(match[1], { text: value.value, span: word.span });
  }
}

function evaluate(reading: Reading, draft: Draft, frame: Frame): Printed {
  const words = draft.words.slice(exactText(draft.words[1]) === "--" ? 2 : 1);
  draft.role = "launches";
  if (words.length === 0) return NOTHING;
  return reading.readScript(
    joinWords(words),
    launchFrame(frame, draft, "eval", ["shell"], "script"),
  );
}

function source(reading: Reading, draft: Draft, frame: Frame, name: string): Printed {
  const [file, ...others] = draft.words.slice(exactText(draft.words[1]) === "--" ? 2 : 1);
  if (file === undefined) return null;
  const inner = launchFrame(frame, draft, name, ["shell"], "script");
  if (INPUT_NAMES.has(exactText(file) ?? "") && exactText(file) !== "-") {
    if (draft.stdin.kind === "text") return reading.readScript(draft.stdin.word, inner);
    if (draft.stdin.kind === "inherited") return null;
    reading.doubt("unknown-script", `${name} runs what it reads`, draft.span);
    return null;
  }
  const written = reading.writtenFile(draft, file);
  if (written !== undefined) return reading.readScript(written, inner);
  return runFile(reading, draft, file, inner, positionalOf(draft, others));
}

function trap(reading: Reading, draft: Draft, frame: Frame): undefined {
  const words = draft.words.slice(exactText(draft.words[1]) === "--" ? 2 : 1);
  const [action] = words;
  if (words.length < 2 || /^(?:-|-[lp]+|\d*)$/.test(exactText(action) ?? "x")) return;
  const { state } = reading;
  const mark = state.mark();
  reading.readScript(action, launchFrame(frame, draft, "trap", ["later", "shell"], "script"));
  state.restore(mark);
}

function read(reading: Reading, draft: Draft): undefined {
  const names: string[] = [];
  const words = draft.words.slice(1);
  let plain = true;
  for (let index = 0; index < words.length; index++) {
    const text = exactText(words[index]);
    if (text === null) continue;
    if (text.startsWith("-")) {
      if (/[adinNptu]$/.test(text) && text !== "-i") {
        if (/[adnNu]$/.test(text)) plain = false;
        if (text.endsWith("a")) names.push(exactText(words[index + 1]) ?? "");
        index++;
      }
    } else names.push(text);
  }
  if (names.length === 0) names.push("REPLY");
  const known = plain && names.length === 1 && draft.stdin.kind === "text"
    ? draft.stdin.word.value
    : null;
  const looped = draft.reach.some((step) => step.kind === "loop" || step.kind === "condition");
  for (const name of names) {
    if (!/^[A-Za-z_]\w*$/.test(name)) continue;
    const value: Variable = known === null || looped ? { kind: "unknown", source: "stdin-item" } : {
      kind: "set",
      parts: textParts(known.split("\n", 1)[0].trim()),
      elements: null,
      exported: false,
    };
    reading.state.setVariable(name, value);
  }
}

function textParts(text: string): readonly { kind: "text"; text: string }[] {
  return text === "" ? [] : [{ kind: "text", text }];
}

function mapfile(reading: Reading, draft: Draft, frame: Frame): undefined {
  runOption(reading, draft, frame, "-C");
  const last = exactText(draft.words[draft.words.length - 1]);
  const name = draft.words.length > 1 && last !== null && /^[A-Za-z_]\w*$/.test(last)
    ? last
    : "MAPFILE";
  reading.state.setVariable(name, UNKNOWN);
}

function getopts(reading: Reading, draft: Draft): undefined {
  for (const name of [exactText(draft.words[2]), "OPTARG"]) {
    if (name !== null && /^\w+$/.test(name)) reading.state.setVariable(name, UNKNOWN);
  }
}

function assignArithmetic(reading: Reading, draft: Draft): undefined {
  for (const word of draft.words.slice(1)) {
    for (const [, name] of (word.value ?? "").matchAll(/([A-Za-z_]\w*)/g)) {
      if (reading.state.variable(name) !== undefined) reading.state.setVariable(name, UNKNOWN);
    }
  }
}

/** `printf -v name` assigns; else it prints, which is told elsewhere. */
function print(reading: Reading, draft: Draft): Printed | undefined {
  const [option, target, ...operands] = draft.words.slice(1);
  const text = option === undefined ? "" : leadingText(option);
  if (!text.startsWith("-v")) return undefined;
  const attached = text.length > 2 ? text.slice(2) : null;
  const name = attached ?? exactText(target);
  const rest: readonly ShellWord[] = attached === null
    ? operands
    : target === undefined
    ? []
    : [target, ...operands];
  if (name === null || !/^[A-Za-z_]\w*$/.test(name)) return NOTHING;
  const parts = formatted(rest);
  reading.state.setVariable(
    name,
    parts === null ? UNKNOWN : { kind: "set", parts, elements: null, exported: false },
  );
  return NOTHING;
}

function hash(reading: Reading, draft: Draft): undefined {
  if (draft.words.some((word) => /^-[A-Za-z]*p/.test(leadingText(word)))) {
    reading.doubt("rebound", "hash -p gives a name another program", draft.span);
  }
}

function enable(reading: Reading, draft: Draft): undefined {
  if (draft.words.some((word) => /^-[A-Za-z]*[fn]/.test(leadingText(word)))) {
    reading.doubt("rebound", "enable gives a name another meaning", draft.span);
  }
}

function complete(reading: Reading, draft: Draft, frame: Frame): undefined {
  runOption(reading, draft, frame, "-C");
}

function bind(reading: Reading, draft: Draft): undefined {
  if (draft.words.some((word) => leadingText(word).startsWith("-x"))) {
    reading.doubt("unknown-script", "bind -x makes a key run text", draft.span);
  }
}

/** Reads the text that an option makes the shell run. */
function runOption(reading: Reading, draft: Draft, frame: Frame, option: string): void {
  const at = draft.words.findIndex((word) => leadingText(word).startsWith(option));
  if (at === -1) return;
  const text = leadingText(draft.words[at]);
  const script = text === option ? draft.words[at + 1] : cutWord(draft.words[at], option.length);
  if (script === undefined) return;
  const { state } = reading;
  const mark = state.mark();
  const name = draft.program.kind === "named" ? draft.program.name : option;
  reading.readScript(script, launchFrame(frame, draft, name, ["shell"], "script"));
  state.restore(mark);
}
