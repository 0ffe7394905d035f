/**
 * The lines that no table of the guards can say anything about, told without loading those tables.
 *
 * Most lines that an agent runs look at something: `git status`, `ls src`, `npm test`. What is listed here names no file
 * that a guard would look at and does nothing that a fact is about. A line that is not listed is judged in full; tests
 * compare the two over every word that the tables know.
 *
 * @module
 */

import { isWordOf, type WordList, wordList } from "../shell/word_list.ts";
import type { Directory, Redirection, ShellReading, SimpleCommand } from "../shell/facts.ts";

/** Programs that print, or look at names only. Their operands are never read as files. */
export const LOOKING: WordList = wordList(
  "echo printf true false test pwd whoami id which ls dir tree du df ps uname basename dirname realpath nproc uptime sleep",
);

/** Subcommands of `git` that only look, whatever follows them but what {@linkcode mayName} says. */
export const LOOKING_GIT: WordList = wordList(
  "status log diff show rev-parse rev-list ls-files ls-tree blame shortlog describe merge-base show-ref for-each-ref " +
    "cat-file count-objects name-rev whatchanged show-branch diff-tree diff-index diff-files version",
);

/** Those of them that print what is in the files they are given: they take options here, and no operands. */
export const SHOWING_GIT: WordList = wordList("log diff show blame cat-file whatchanged");

/** Subcommands of a project's own tools. They take options here, and no operands. */
export const PROJECT_TASKS: Readonly<Record<string, string>> = {
  npm: " test t outdated version ls ",
  pnpm: " test outdated ls ",
  yarn: " test outdated ",
  cargo: " build check test clippy fmt doc tree metadata ",
  make: " test check build lint format ",
  go: " build test vet fmt version ",
};

/**
 * Programs that pass on what they are given on their input, and the letters of their options: those that stand alone, and
 * those that a number follows. They take no files here.
 */
export const FILTERS: Readonly<Record<string, readonly [alone: string, numbered: string]>> = {
  cat: ["nAbeEsTv", ""],
  head: ["qv", "nc"],
  tail: ["qv", "nc"],
  wc: ["lwcmL", ""],
  sort: ["bdfghinrRuV", "k"],
  uniq: ["cdui", ""],
  cut: ["", "fc"],
  grep: ["vicnwxqhHEFP", "ABCm"],
};

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

function isQuiet(command: SimpleCommand, cwd: string): boolean {
  const { program, words } = command;
  if (program.kind !== "named" || program.place !== "search") return false;
  const { name } = program;
  // What these print is never read as a file, known or not.
  const isPrinter = name === "echo" || name === "printf";
  for (let index = 1; index < words.length; index++) {
    const { value, text, globs, splits } = words[index];
    if (isPrinter && value === null) {
      if (mayName(text) || mayName(text.slice(1))) return false;
    } else if (value === null || globs || splits || mayName(value) || mayName(text)) return false;
  }
  if (isWordOf(LOOKING, name)) return true;
  if (name === "cd") return isQuietChange(command, cwd);
  if (Object.hasOwn(FILTERS, name)) return isQuietFilter(name, words);
  if (words.length < 2) return false;
  const subcommand = words[1].value!;
  if (name === "git") {
    return isWordOf(LOOKING_GIT, subcommand) &&
      (!isWordOf(SHOWING_GIT, subcommand) || isWithoutOperands(words, subcommand === "log"));
  }
  if (
    !Object.hasOwn(PROJECT_TASKS, name) || !PROJECT_TASKS[name].includes(` ${subcommand} `)
  ) return false;
  for (let index = 2; index < words.length; index++) {
    if (!isOneOption(words[index].value!)) return false;
  }
  return isFarFromSecrets(command, cwd);
}

/** Whether all words after the subcommand are options; `-n` may have its number. */
function isWithoutOperands(words: SimpleCommand["words"], isCounted: boolean): boolean {
  for (let index = 2; index < words.length; index++) {
    const value = words[index].value!;
    if (value.startsWith("-")) continue;
    // With its patches a history reads the files that it is given.
    if (!isCounted || words[index - 1].value !== "-n" || !isNumber(value)) return false;
    for (const { value: other } of words) if (!isCountOption(other!)) return false;
  }
  return true;
}

/** Options of a history that say how much is shown, and never what was in the files. */
const COUNT_OPTIONS = " git log -n --oneline --stat --graph --all --decorate --no-color ";

function isCountOption(word: string): boolean {
  return COUNT_OPTIONS.includes(` ${word} `) || isNumber(word);
}

/** Options out of the table, and for `grep` the one pattern. */
function isQuietFilter(name: string, words: SimpleCommand["words"]): boolean {
  const [alone, numbered] = FILTERS[name];
  let patterns = name === "grep" ? 1 : 0;
  for (let index = 1; index < words.length; index++) {
    const word = words[index].value!;
    if (!word.startsWith("-")) {
      if (patterns-- === 0 || word === "") return false;
    } else if (word.length > 1 && numbered.includes(word[1])) {
      const number = word.length > 2 ? word.slice(2) : words[++index]?.value ?? "";
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
function isQuietChange(command: SimpleCommand, cwd: string): boolean {
  const { words } = command;
  if (words.length !== 2) return false;
  const to = words[1].value!;
  return /^\/?(?:[A-Za-z0-9_][\w.-]*\/)*[A-Za-z0-9][A-Za-z0-9-]*$/.test(to) &&
    isFarFromSecrets(command, cwd, to);
}

/** Whether no folder in which a command may run, or one below it, holds secrets. */
function isFarFromSecrets(command: SimpleCommand, cwd: string, below = ""): boolean {
  if (isNearSecrets(command.directory, cwd, below)) return false;
  for (const other of command.otherDirectories) if (isNearSecrets(other, cwd, below)) return false;
  return true;
}

function isNearSecrets(directory: Directory, cwd: string, below: string): boolean {
  if (directory.base !== "start" && directory.base !== "root") return true;
  const folder = directory.base === "root"
    ? directory.path
    : directory.path === "."
    ? cwd
    : `${cwd}/${directory.path}`;
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
