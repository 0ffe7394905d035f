import {
  cutWord,
  exactText,
  joinWords,
  leadingText,
  replaceInWord,
  spanOfWords,
} from "./command_parts.ts";
import { directoryAfter, UNKNOWN_DIRECTORY } from "./directory.ts";
import type { EnvironmentChange, LauncherEffect, ShellWord, WordPart } from "./facts.ts";
import { type LauncherCall, optionsOf, readLauncherCall } from "./launcher_options.ts";
import type { LauncherGrammar } from "./launcher_grammar.ts";
import { LAUNCHERS } from "./launchers.ts";
import { SUBCOMMAND_LAUNCHERS } from "./subcommand_launchers.ts";
import { MAX_ITERATIONS } from "./limits.ts";
import type { Draft, Frame, Printed, Reading } from "./reading.ts";
import { launchFrame, runAsChild, runInput } from "./run_script.ts";
import { makeWord } from "./word_builder.ts";

/** A launcher that a command's words call. */
export interface FoundLauncher {
  readonly name: string;
  readonly grammar: LauncherGrammar;
  /** Where the launcher's own words begin. */
  readonly from: number;
}

/** The launcher that a command is, by its name and, for some, its subcommand. */
export function launcherOf(name: string, words: readonly ShellWord[]): FoundLauncher | null {
  const grammar = LAUNCHERS.get(name);
  const family = SUBCOMMAND_LAUNCHERS.get(name);
  if (family !== undefined) {
    const options = optionsOf(family.options);
    let index = 1;
    for (; index < words.length; index++) {
      const text = leadingText(words[index]);
      if (!text.startsWith("-")) break;
      const option = options.get(text);
      if (option?.separate) index++;
    }
    const first = exactText(words[index]) ?? "";
    const second = exactText(words[index + 1]) ?? "";
    const two = own(family.subcommands, `${first} ${second}`);
    if (two !== undefined) {
      return { name: `${name} ${first} ${second}`, grammar: two, from: index + 2 };
    }
    const one = own(family.subcommands, first);
    if (one !== undefined) return { name: `${name} ${first}`, grammar: one, from: index + 1 };
  }
  return grammar === undefined ? null : { name, grammar, from: 1 };
}

/** Reads what a launcher launches. */
export function launch(
  reading: Reading,
  draft: Draft,
  found: FoundLauncher,
  frame: Frame,
): Printed {
  const { name, grammar } = found;
  const { words } = draft;
  const { state } = reading;
  const call = readLauncherCall(words, found.from, grammar);
  reading.spend(words.length);
  if (call.launchesNothing) return null;
  if (call.unknown !== null) {
    reading.doubt(
      "unknown-option",
      `${name} with the option ${call.unknown.text}, which is not in our table`,
      call.unknown.span,
    );
  }
  const effects = effectsOf(grammar, call);
  const far = effects.includes("remote") || effects.includes("container");
  const inner = launchFrame(frame, draft, name, effects, "launcher");
  if (grammar.transparent) draft.role = "launches";

  const mark = state.mark();
  const environment = assignmentsOf(call);
  for (const change of environment) {
    const parts = change.value?.parts;
    state.setVariable(
      change.name,
      parts === undefined
        ? { kind: "unknown", source: "variable" }
        : { kind: "set", parts, elements: null, exported: true },
    );
    state.addEnvironment(change);
  }
  enterDirectory(reading, call);
  if (far) state.becomeRemote();
  let printed: Printed = null;
  for (const { meaning, word, value, option } of call.values) {
    if (meaning !== "script") continue;
    const script = optionValue(word, value, option);
    runAsChild(reading, script, inner, null, !far);
  }
  const rest = [...splitWords(call), ...words.slice(call.rest)];
  const command = withItems(reading, draft, name, rest, call);
  printed = runRest(reading, draft, { name, grammar, call, far }, command, inner);
  if (!grammar.inShell) state.restore(mark);
  return printed;
}

/** What of a launcher matters for the command that it launches. */
interface Launch {
  readonly name: string;
  readonly grammar: LauncherGrammar;
  readonly call: LauncherCall;
  readonly far: boolean;
}

function runRest(
  reading: Reading,
  draft: Draft,
  { name, grammar, call, far }: Launch,
  { words, unseen }: Command,
  inner: Frame,
): Printed {
  const ran = call.values.some(({ meaning }) => meaning === "script");
  const asShell = call.forShell ||
    (grammar.rest === "nothing" && grammar.effects.includes("shell"));
  const rest = grammar.rest === "script" && (call.given.has("-x") || call.given.has("--exec"))
    ? "words"
    : call.forShell
    ? "script"
    : grammar.rest;
  if (words.length === 0 || rest === "nothing" && !call.given.has("-c")) {
    // `sudo -s`, `su`, `ssh host`: a shell that reads its input.
    const reads = !ran && (asShell || rest === "script" && far);
    if (reads) return runInput(reading, draft, inner, [], name);
    if (rest !== "nothing") draft.role = "runs";
    return null;
  }
  switch (rest) {
    case "script":
      return runAsChild(reading, joinWords(words), inner, null, !far);
    case "scripts":
      for (const word of words) runAsChild(reading, word, inner, null, !far);
      return null;
    case "words":
    case "package":
    case "nothing":
      return reading.admit({
        words: rest === "package" ? [withoutVersion(words[0]), ...words.slice(1)] : words,
        span: spanOfWords(words),
        assignments: [],
        redirections: grammar.transparent
          ? draft.redirections.filter(({ descriptor }) => name !== "xargs" || descriptor !== 0)
          : [],
        environment: [],
        joinedBy: null,
        unseenOperands: unseen,
        lookup: grammar.inShell ? "builtin" : "path",
      }, unseen === null && name !== "xargs" ? inner : { ...inner, stdin: { kind: "other" } });
    default:
      return rest satisfies never;
  }
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function effectsOf(grammar: LauncherGrammar, call: LauncherCall): readonly LauncherEffect[] {
  const effects = [...grammar.effects];
  const add = (effect: LauncherEffect) => {
    if (!effects.includes(effect)) effects.push(effect);
  };
  if (call.assignments.length > 0) add("environment");
  if (call.values.some(({ meaning }) => meaning === "directory")) add("directory");
  if (call.values.some(({ meaning }) => meaning === "script")) add("shell");
  return effects;
}

function assignmentsOf(call: LauncherCall): EnvironmentChange[] {
  return call.assignments.map((word) => {
    const text = leadingText(word);
    const equals = text.indexOf("=");
    return { name: text.slice(0, equals), value: cutWord(word, equals + 1), how: "launcher" };
  });
}

function enterDirectory(reading: Reading, call: LauncherCall): void {
  const { state } = reading;
  for (const { meaning, word, value, option } of call.values) {
    if (meaning !== "directory") continue;
    const parts = optionValue(word, value, option).parts;
    state.flags = {
      ...state.flags,
      directory: word.globs ? UNKNOWN_DIRECTORY : directoryAfter(state.flags.directory, parts),
      otherDirectories: [],
    };
  }
}

/** The value of an option as a word: all of the next word, or what is behind the option in its own. */
function optionValue(word: ShellWord, value: string | null, option: string): ShellWord {
  if (value === word.value && value !== null) return word;
  const text = leadingText(word);
  if (text.startsWith(`${option}=`)) return cutWord(word, option.length + 1);
  if (/^-\w/.test(text) && value !== null && text.endsWith(value)) {
    return cutWord(word, text.length - value.length);
  }
  return word;
}

/** The words of `env -S 'a b'`. */
function splitWords(call: LauncherCall): ShellWord[] {
  const words: ShellWord[] = [];
  for (const { meaning, word, value, option } of call.values) {
    if (meaning !== "split") continue;
    const text = optionValue(word, value, option).value;
    if (text === null) {
      words.push(word);
      continue;
    }
    for (const [piece] of text.matchAll(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g)) {
      const plain = piece.replace(/"([^"]*)"|'([^']*)'|\\(.)/g, "$1$2$3");
      words.push(makeWord([{ kind: "text", text: plain }], word.text, word.span, true, false));
    }
  }
  return words;
}

interface Command {
  readonly words: readonly ShellWord[];
  readonly unseen: Draft["unseenOperands"];
}

/** Puts in the items that `xargs` and `parallel` take from their input or their words. */
function withItems(
  reading: Reading,
  draft: Draft,
  name: string,
  words: readonly ShellWord[],
  call: LauncherCall,
): Command {
  if (name !== "xargs" && name !== "parallel") return { words, unseen: draft.unseenOperands };
  const at = words.findIndex((word) => /^::::?\+?$/.test(word.value ?? ""));
  const own = at === -1 ? words : words.slice(0, at);
  const given = at === -1 || (words[at].value ?? "").startsWith("::::")
    ? null
    : words.slice(at + 1);
  const items = name === "parallel" && given !== null ? given : inputItems(reading, draft, call);
  const marker = call.values.find(({ meaning }) => meaning === "item");
  const text = marker === undefined ? name === "parallel" ? "{}" : null : marker.value || "{}";
  const unknown: WordPart = {
    kind: "unknown",
    source: name === "parallel" ? "found-file" : "stdin-item",
    text: text ?? "{}",
    name: null,
    mayBeEmpty: true,
  };
  const marked = text !== null && own.some((word) => word.value?.includes(text) ?? false);
  if (marked && text !== null) {
    const part = items?.length === 1 && items[0].parts.length === 1 ? items[0].parts[0] : unknown;
    return { words: own.map((word) => replaceInWord(word, text, part)), unseen: null };
  }
  if (own.length === 0) return { words: name === "parallel" ? items ?? [] : [], unseen: null };
  if (items !== null) return { words: [...own, ...items], unseen: null };
  if (name === "parallel") {
    return { words: [...own, makeWord([unknown], "{}", draft.span, false, false)], unseen: null };
  }
  return { words: own, unseen: "stdin" };
}

/** The items on the standard input; `null` when they are not known. */
function inputItems(reading: Reading, draft: Draft, call: LauncherCall): ShellWord[] | null {
  const { stdin } = draft;
  if (stdin.kind !== "text" || stdin.word.value === null) return null;
  if (["-a", "--arg-file", "-d", "--delimiter", "-E"].some((option) => call.given.has(option))) {
    return null;
  }
  const text = stdin.word.value;
  reading.spend(text.length);
  const zero = call.given.has("-0") || call.given.has("--null");
  const lines = call.values.some(({ meaning }) => meaning === "item");
  const pieces = zero ? text.split("\0") : lines ? text.split("\n") : text.split(/\s+/);
  const items = pieces.filter((piece) => piece !== "" && piece !== "\n");
  if (items.length > MAX_ITERATIONS || (!zero && /["'\\]/.test(text))) return null;
  const { span } = stdin.word;
  return items.map((item) => makeWord([{ kind: "text", text: item }], item, span, true, false));
}

/** `prisma@5.1` is `prisma`, `@scope/tool@1` is `@scope/tool`. */
function withoutVersion(word: ShellWord): ShellWord {
  const name = exactText(word);
  const at = name?.indexOf("@", 1) ?? -1;
  if (name === null || at === -1) return word;
  const text = name.slice(0, at);
  return makeWord([{ kind: "text", text }], word.text, word.span, word.quoted, false);
}
