/**
 * The lines that no table of the guards can say anything about, told without loading those tables.
 *
 * Most lines that an agent runs look at something: `git status`, `ls src`, `npm test`. What is listed here names no file
 * that a guard would look at and does nothing that a fact is about. A line that is not listed is judged in full; tests
 * compare the two over every word that the tables know.
 *
 * @module
 */

import { isWordOf, type WordList } from "../shell/word_list.ts";
import type { Directory, Redirection, ShellReading, SimpleCommand } from "../shell/facts.ts";

/** Programs that print, or look at names only. Their operands are never read as files. */
export const LOOKING: WordList =
  " echo printf true false test pwd whoami id which ls dir tree du df ps uname basename dirname " +
  "realpath nproc uptime sleep ";

/** Subcommands of `git` that only look, whatever follows them but what {@linkcode mayName} says. */
export const LOOKING_GIT: WordList =
  " status log diff show rev-parse rev-list ls-files ls-tree blame shortlog describe merge-base " +
  "show-ref for-each-ref cat-file count-objects name-rev whatchanged show-branch diff-tree diff-index " +
  "diff-files version ";

/** Those of them that print what is in the files they are given: they take options here, and no operands. */
export const SHOWING_GIT: WordList = " log diff show blame cat-file whatchanged ";

/** Tools of a project itself. Their subcommands of {@linkcode tasksOf} take options here, and no operands. */
export const PROJECT_TOOLS: WordList = " npm pnpm yarn cargo make go ";

/** The quiet subcommands of one of {@linkcode PROJECT_TOOLS}. */
export function tasksOf(tool: string): WordList {
  switch (tool) {
    case "npm":
      return " test t outdated version ls ";
    case "pnpm":
      return " test outdated ls ";
    case "yarn":
      return " test outdated ";
    case "cargo":
      return " build check test clippy fmt doc tree metadata ";
    case "make":
      return " test check build lint format ";
    case "go":
      return " build test vet fmt version ";
    default:
      return "  ";
  }
}

/** Programs that pass on what they are given on their input. They take no files here. */
export const FILTERS: WordList = " cat head tail wc sort uniq cut grep ";

/** The letters of a filter's options: those that stand alone, and those that a number follows. */
export function filterOptions(filter: string): readonly [alone: string, numbered: string] {
  switch (filter) {
    case "cat":
      return ["nAbeEsTv", ""];
    case "head":
    case "tail":
      return ["qv", "nc"];
    case "wc":
      return ["lwcmL", ""];
    case "sort":
      return ["bdfghinrRuV", "k"];
    case "uniq":
      return ["cdui", ""];
    case "cut":
      return ["", "fc"];
    case "grep":
      return ["vicnwxqhHEFP", "ABCm"];
    default:
      return ["", ""];
  }
}

/** Ways to a command that change nothing of what it does. */
const PLAIN_WAYS = " pipe and or background negation subshell group substitution ";

/**
 * Whether the guards on commands and on paths have nothing to say of a line, wherever they let an agent work: all its
 * commands are plain, and each is quiet in every folder in which it may run.
 *
 * @param cwd The absolute folder the line starts in.
 * @returns `false` says nothing: the guards must look.
 */
export function isQuietLine(reading: ShellReading, cwd: string): boolean {
  if (reading.commands.length === 0 || reading.reasons.length > 0 || !reading.understood) {
    return false;
  }
  for (const command of reading.commands) {
    if (!isPlain(command) || !isQuiet(command, cwd)) return false;
  }
  return true;
}

/** Whether a command is its words, what it reads, and nothing else. */
function isPlain(command: SimpleCommand): boolean {
  if (
    command.role !== "runs" || command.environment.length > 0 || command.assignments.length > 0 ||
    command.opens.length > 0 || command.code.length > 0 || command.effects.length > 0 ||
    command.launchers.length > 0 || command.unseenOperands !== null ||
    command.stdin.kind === "other"
  ) return false;
  for (const { kind } of command.reach) if (!PLAIN_WAYS.includes(` ${kind} `)) return false;
  for (const redirection of command.redirections) {
    if (!isPlainRedirection(redirection)) return false;
  }
  return true;
}

/** Whether a redirection touches no file: a descriptor, a text on the line, or what goes nowhere. */
function isPlainRedirection({ effect, target }: Redirection): boolean {
  return effect === "duplicate" || effect === "close" || effect === "text" ||
    target.value === "/dev/null";
}

/**
 * The same of a line that is one plain command, told of its words alone.
 *
 * @param words The pieces of the line, as `simpleWords` gives them.
 */
export function isQuietCommand(words: readonly string[], cwd: string): boolean {
  if (words[0].includes("/")) return false;
  for (let index = 1; index < words.length; index++) if (mayName(words[index])) return false;
  return areQuietWords(words, (below) => !isNearSecrets(cwd, below));
}

function isQuiet(command: SimpleCommand, cwd: string): boolean {
  const { program, words } = command;
  if (program.kind !== "named" || program.place !== "search") return false;
  const { name } = program;
  // What these print is never read as a file, known or not.
  const isPrinter = name === "echo" || name === "printf";
  const values = [name];
  for (let index = 1; index < words.length; index++) {
    const { value, text, globs, splits } = words[index];
    if (isPrinter && value === null) {
      if (mayName(text) || mayName(text.slice(1))) return false;
      values.push(text);
    } else {
      if (value === null || globs || splits || mayName(value) || mayName(text)) return false;
      values.push(value);
    }
  }
  return areQuietWords(values, (below) => isFarFromSecrets(command, cwd, below));
}

/** @param isFar Whether no folder in which the command may run, or one below it, holds secrets. */
function areQuietWords(words: readonly string[], isFar: (below: string) => boolean): boolean {
  const name = words[0];
  if (isWordOf(LOOKING, name)) return true;
  if (name === "cd") return isQuietChange(words, isFar);
  if (isWordOf(FILTERS, name)) return isQuietFilter(words);
  if (words.length < 2) return false;
  const subcommand = words[1];
  if (name === "git") {
    return isWordOf(LOOKING_GIT, subcommand) &&
      (!isWordOf(SHOWING_GIT, subcommand) || isWithoutOperands(words, subcommand === "log"));
  }
  if (!isWordOf(PROJECT_TOOLS, name) || !isWordOf(tasksOf(name), subcommand)) return false;
  for (let index = 2; index < words.length; index++) {
    if (!isOneOption(words[index])) return false;
  }
  return isFar("");
}

/** Whether all words after the subcommand are options; `-n` may have its number. */
function isWithoutOperands(words: readonly string[], isCounted: boolean): boolean {
  for (let index = 2; index < words.length; index++) {
    const value = words[index];
    if (value.startsWith("-")) continue;
    // With its patches a history reads the files that it is given.
    if (!isCounted || words[index - 1] !== "-n" || !isNumber(value)) return false;
    for (const other of words) if (!isCountOption(other)) return false;
  }
  return true;
}

/** Options of a history that say how much is shown, and never what was in the files. */
const COUNT_OPTIONS = " git log -n --oneline --stat --graph --all --decorate --no-color ";

function isCountOption(word: string): boolean {
  return COUNT_OPTIONS.includes(` ${word} `) || isNumber(word);
}

/** Options out of the table, and for `grep` the one pattern. */
function isQuietFilter(words: readonly string[]): boolean {
  const name = words[0];
  const [alone, numbered] = filterOptions(name);
  let patterns = name === "grep" ? 1 : 0;
  for (let index = 1; index < words.length; index++) {
    const word = words[index];
    if (!word.startsWith("-")) {
      if (patterns-- === 0 || word === "") return false;
    } else if (word.length > 1 && numbered.includes(word[1])) {
      const number = word.length > 2 ? word.slice(2) : words[++index] ?? "";
      if (!isNumber(number)) return false;
    } else if (!isNumber(word.slice(1)) || (name !== "head" && name !== "tail")) {
      if (word === "-") return false;
      for (let at = 1; at < word.length; at++) if (!alone.includes(word[at])) return false;
    }
  }
  return true;
}

/** A number as an option takes it: `20`, `+3`. */
function isNumber(text: string): boolean {
  const start = text.startsWith("+") ? 1 : 0;
  for (let at = start; at < text.length; at++) if (text[at] < "0" || text[at] > "9") return false;
  return text.length > start;
}

/** `cd` into a folder whose name is no secret's: its last part has neither a dot nor a low line. */
function isQuietChange(words: readonly string[], isFar: (below: string) => boolean): boolean {
  if (words.length !== 2) return false;
  const to = words[1];
  return /^\/?(?:[A-Za-z0-9_][\w.-]*\/)*[A-Za-z0-9][A-Za-z0-9-]*$/.test(to) &&
    isFar(to);
}

/** Whether no folder in which a command may run, or one below it, holds secrets. */
function isFarFromSecrets(command: SimpleCommand, cwd: string, below: string): boolean {
  if (mayBeNearSecrets(command.directory, cwd, below)) return false;
  for (const other of command.otherDirectories) {
    if (mayBeNearSecrets(other, cwd, below)) return false;
  }
  return true;
}

function mayBeNearSecrets(directory: Directory, cwd: string, below: string): boolean {
  if (directory.base !== "start" && directory.base !== "root") return true;
  const folder = directory.base === "root"
    ? directory.path
    : directory.path === "."
    ? cwd
    : `${cwd}/${directory.path}`;
  return isNearSecrets(folder, below);
}

function isNearSecrets(folder: string, below: string): boolean {
  return mayHoldSecrets(folder) ||
    (below !== "" && mayHoldSecrets(below.startsWith("/") ? below : `${folder}/${below}`));
}

/** One option without a value: letters that stand together may hold one that names a file. */
function isOneOption(word: string): boolean {
  return word.startsWith("--") ? !word.includes("=") : word.startsWith("-") && word.length === 2;
}

/**
 * Whether a word may name what a command writes (`--output`, also shortened), what `git` takes into the repository, or a
 * file on another machine.
 */
function mayName(word: string): boolean {
  return (word.startsWith("--o") && word !== "--oneline") || word.startsWith("-o") ||
    word === "add" || word === "stage" ||
    word === "hash-object" || word.startsWith("//") || word.startsWith("\\\\") ||
    word.startsWith('"//') || word.startsWith("'//") || word.startsWith('"\\\\') ||
    word.startsWith("'\\\\");
}

/**
 * Whether any name in a folder may be that of a secret: below a folder with a dot or a keychain, and in the folders of
 * the system that hold some. A folder that is not written plainly may be any of them.
 */
function mayHoldSecrets(cwd: string): boolean {
  if (!/^\/[\w@+ ./-]*$/.test(cwd)) return true;
  const folder = `${cwd.toLowerCase()}/`;
  return folder.includes("/.") || folder.includes("/library/") ||
    SECRET_TOPS.some((top) => folder.startsWith(top));
}

const SECRET_TOPS = ["/etc/", "/proc/", "/dev/", "/run/", "/var/", "//"] as const;
