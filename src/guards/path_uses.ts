/**
 * Which operands of which programs are files, and what is done with them.
 *
 * @module
 */

import type { ShellWord, SimpleCommand, WordPart } from "../shell/facts.ts";
import {
  type CommandWords,
  commandWords,
  givenOption,
  type OptionGrammar,
  wordText,
} from "./command_words.ts";
import { fileProgram, type PathUseKind } from "./file_programs.ts";
import { programGrammar } from "./program_grammar.ts";

/** One file that a command uses. */
export interface PathUse {
  readonly kind: PathUseKind;
  /** The word that names it, or a text taken out of a word. */
  readonly word: ShellWord | string;
  readonly from: "operand" | "redirection";
}

/** The grammar of a program's options, for its files: those whose values are files take values too. */
export function fileGrammar(program: string): OptionGrammar {
  const entry = fileProgram(program);
  const grammar = programGrammar(program);
  return {
    ...grammar,
    valued: [
      ...grammar.valued ?? [],
      ...entry?.valued ?? [],
      ...Object.keys(entry?.options ?? {}),
    ],
  };
}

/** The files that a command uses, by its redirections and by its operands. */
export function pathUses(command: SimpleCommand): readonly PathUse[] {
  const known = USES.get(command);
  if (known !== undefined) return known;
  const uses = readUses(command);
  USES.set(command, uses);
  return uses;
}

/** What was told before: several guards ask the same of a command. */
const USES = new WeakMap<SimpleCommand, readonly PathUse[]>();

function readUses(command: SimpleCommand): PathUse[] {
  const uses: PathUse[] = [];
  for (const { effect, target } of command.redirections) {
    const from = "redirection";
    if (effect === "read") uses.push({ kind: "read", word: target, from });
    else if (effect === "write") uses.push({ kind: "write", word: target, from });
    else if (effect === "append") uses.push({ kind: "append", word: target, from });
    else if (effect === "read-write") uses.push({ kind: "change", word: target, from });
  }
  if (command.program.kind !== "named") return uses;
  const { name, path, place } = command.program;
  if (place === "elsewhere") {
    uses.push({ kind: "run", word: command.words[0] ?? path, from: "operand" });
  }
  return [...uses, ...operandUses(name, command.words.slice(1))];
}

function operandUses(name: string, given: readonly ShellWord[]): PathUse[] {
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  return special === undefined ? tableUses(name, given) : special(given);
}

function tableUses(name: string, given: readonly ShellWord[]): PathUse[] {
  const entry = fileProgram(name);
  if (entry === null) return [];
  const words = commandWords(given, fileGrammar(name));
  const uses: PathUse[] = [];
  for (const [option, kind] of Object.entries(entry.options ?? {})) {
    const found = givenOption(words, [option]);
    if (found?.word != null) uses.push(use(kind, found.value, found.word));
  }
  const isInPlace = entry.inPlace !== undefined &&
    words.options.some((option) => entry.inPlace!.includes(option.name));
  const isPattern = entry.patternOptions !== undefined &&
    words.options.some((option) => entry.patternOptions!.includes(option.name));
  const toFolder = givenOption(words, ["-t", "--target-directory"]) !== null &&
    entry.last !== undefined;
  const { operands } = words;
  for (const [index, operand] of operands.entries()) {
    let kind: PathUseKind | "none" = isInPlace && entry.rest === "read" ? "change" : entry.rest;
    if (index === 0 && entry.first !== undefined && !isPattern) kind = entry.first;
    if (index === operands.length - 1 && index > 0 && entry.last !== undefined && !toFolder) {
      kind = entry.last;
    }
    if (kind === "none" || operand.text === "-") continue;
    // "host:path" is on another machine.
    if ((name === "rsync" || name === "scp") && /^[^/~.]*:/.test(operand.text)) continue;
    uses.push({ kind, word: operand.word, from: "operand" });
  }
  return uses;
}

/** An option's value as a use: of `--option=value` only what stands behind the sign. */
function use(kind: PathUseKind, value: string | null, word: ShellWord): PathUse {
  const before = wordText(word).length - (value ?? "").length;
  return { kind, word: before > 0 ? endOfWord(word, before) : word, from: "operand" };
}

/** A word without its first characters, which must be plain text. */
function endOfWord(word: ShellWord, before: number): ShellWord {
  const parts: WordPart[] = [];
  let left = before;
  for (const part of word.parts) {
    if (left > 0 && (part.kind === "text" || part.kind === "glob")) {
      const text = part.text.slice(left);
      left = Math.max(0, left - part.text.length);
      if (text !== "") parts.push({ kind: part.kind, text });
    } else parts.push(part);
  }
  return { ...word, value: word.value?.slice(before) ?? null, parts };
}

/** Programs whose operands need more than the table. */
const SPECIAL: Readonly<Record<string, (words: readonly ShellWord[]) => PathUse[]>> = {
  curl: (words) => [...tableUses("curl", words), ...sentFiles(words)],
  dd: (words) =>
    words.flatMap((word) => {
      const text = wordText(word);
      if (text.startsWith("of=")) return [use("write", text.slice(3), word)];
      return text.startsWith("if=") ? [use("read", text.slice(3), word)] : [];
    }),
  tar: tarUses,
  bsdtar: tarUses,
  find: (words) => {
    const uses: PathUse[] = [];
    for (const word of words) {
      if (/^[-(!]/.test(word.value ?? "")) break;
      uses.push({ kind: "read", word, from: "operand" });
    }
    for (const [index, word] of words.entries()) {
      if (/^-f(?:print0?|printf|ls)$/.test(word.value ?? "") && words[index + 1] !== undefined) {
        uses.push({ kind: "write", word: words[index + 1]!, from: "operand" });
      }
    }
    return uses;
  },
  git: (words) => {
    const globals = commandWords(words, programGrammar("git"));
    const [subcommand, ...rest] = globals.operands;
    const operands = commandWords(rest.map(({ word }) => word), {
      valued: ["-b", "--branch", "-o", "--depth"],
    });
    const uses: PathUse[] = [];
    const output = givenOption(operands, subcommand?.text === "archive" ? OUTPUT_OR_O : OUTPUT);
    if (output?.value && output.word !== null) {
      uses.push(use("write", output.value, output.word));
    }
    const folder = subcommand?.text === "format-patch"
      ? givenOption(operands, ["-o", "--output-directory"])
      : null;
    if (folder?.value && folder.word !== null) {
      uses.push(use("create", folder.value, folder.word));
    }
    if (subcommand?.text === "clone" && operands.operands.length > 1) {
      uses.push({ kind: "create", word: operands.operands.at(-1)!.word, from: "operand" });
    }
    return [...uses, ...shownByGit(subcommand?.text ?? "", operands)];
  },
  python: pythonUses,
  python3: pythonUses,
};

/** The options by which git writes to a file what it would print. */
const OUTPUT: readonly string[] = ["--output"];
const OUTPUT_OR_O: readonly string[] = ["--output", "-o"];

/** Subcommands of git that print what is in the files they are given, those outside the repository too. */
const SHOWING_GIT: ReadonlySet<string> = new Set(
  "blame annotate diff difftool show log whatchanged cat-file grep archive".split(" "),
);

/** Options by which a history shows what was in the files. */
const PATCH_OPTIONS: readonly string[] = [
  "-p",
  "-u",
  "--patch",
  "-U",
  "--unified",
  "-c",
  "--cc",
  "-L",
  "-G",
  "-m",
];

/** The files whose content git prints: operands, and the path behind a revision's colon. A revision is no harm as a path. */
function shownByGit(subcommand: string, words: CommandWords): PathUse[] {
  if (!SHOWING_GIT.has(subcommand)) return [];
  // A history without its patches prints names only.
  if (/^(?:log|whatchanged)$/.test(subcommand) && givenOption(words, PATCH_OPTIONS) === null) {
    return [];
  }
  const { operands } = words;
  return operands.flatMap(({ word, text }): PathUse[] => {
    if (word.globs) return [];
    const colon = text.indexOf(":");
    if (colon === -1) return [{ kind: "read", word, from: "operand" }];
    const path = text.slice(colon + 1);
    // ":/text" looks for a commit, ":(…)" is a pattern with words of its own.
    return /^[/(]/.test(path) || path === "" ? [] : [fromText("read", path)];
  });
}

/** Files that `curl` sends: `-d @file`, `-F name=@file`. */
function sentFiles(words: readonly ShellWord[]): PathUse[] {
  return words.flatMap((word, index) => {
    const before = words[index - 1]?.value ?? "";
    const text = word.value ?? "";
    const isData = /^(?:-d|-F|--data(?:-\w+)?|--form|--json|--url-query)$/.test(before);
    const joined = /^(?:--(?:data(?:-\w+)?|form|json)=|-[dF])(.+)$/.exec(text)?.[1];
    const file = /^(?:[\w.-]*=)?[@<]([^;]+)/.exec(isData ? text : joined ?? "")?.[1];
    return file === undefined || file === "-" ? [] : [fromText("read", file)];
  });
}

function tarUses(given: readonly ShellWord[]): PathUse[] {
  const [first, ...others] = given;
  // "tar xzf a.tgz": the first word may be letters without a dash.
  const letters = first?.value ?? "";
  const bundled = /^[a-zA-Z]+$/.test(letters) && others.length > 0;
  const uses: PathUse[] = [];
  const words: CommandWords = commandWords(bundled ? others : given, {
    valued: ["-f", "--file", "-C", "--directory", "-X", "-T", "--exclude", "--strip-components"],
  });
  const isWriting = bundled
    ? /[cru]/.test(letters)
    : givenOption(words, ["-c", "--create", "-r", "--append", "-u", "--update"]) !== null;
  const archive = bundled && letters.includes("f")
    ? words.operands[0]?.word
    : givenOption(words, ["-f", "--file"])?.word;
  if (archive != null) {
    uses.push({ kind: isWriting ? "write" : "read", word: archive, from: "operand" });
  }
  const folder = givenOption(words, ["-C", "--directory"]);
  if (folder?.word != null && !isWriting) uses.push(use("create", folder.value, folder.word));
  if (isWriting) {
    for (const { word } of words.operands.slice(bundled && letters.includes("f") ? 1 : 0)) {
      uses.push({ kind: "read", word, from: "operand" });
    }
  }
  return uses;
}

function pythonUses(given: readonly ShellWord[]): PathUse[] {
  const words = commandWords(given, { valued: ["-c", "-m", "-W", "-X"], stopsAtOperand: true });
  const module = givenOption(words, ["-m"])?.value;
  if (module === "venv") {
    const rest = words.operands.filter(({ text }) => !text.startsWith("-"));
    return rest.map(({ word }) => ({ kind: "create", word, from: "operand" }));
  }
  const [script] = words.operands;
  if (script === undefined || module != null || givenOption(words, ["-c"]) !== null) return [];
  return [{ kind: "run", word: script.word, from: "operand" }];
}

function fromText(kind: PathUseKind, text: string): PathUse {
  return { kind, word: text, from: "operand" };
}
