/**
 * The lines that no table of the guards can say anything about, told without loading those tables.
 *
 * Most lines that an agent runs look at something: `git status`, `ls src`, `npm test`. What is listed here names no file
 * that a guard would look at and does nothing that a fact is about. A line that is not listed is judged in full; tests
 * compare the two over every word that the tables know.
 *
 * @module
 */

import type { ShellReading, SimpleCommand } from "../shell/facts.ts";

/** Programs that print, or look at names only. Their operands are never read as files. */
export const LOOKING: ReadonlySet<string> = new Set(
  "echo printf true false test pwd whoami id which ls dir tree du df ps uname basename dirname realpath nproc uptime sleep"
    .split(" "),
);

/** Subcommands of `git` that only look, whatever follows them but what {@linkcode mayName} says. */
export const LOOKING_GIT: ReadonlySet<string> = new Set(
  ("status log diff show rev-parse rev-list ls-files ls-tree blame shortlog describe merge-base show-ref for-each-ref " +
    "cat-file count-objects name-rev whatchanged show-branch diff-tree diff-index diff-files version")
    .split(" "),
);

/** Those of them that print what is in the files they are given: they take options here, and no operands. */
export const SHOWING_GIT: ReadonlySet<string> = new Set(
  "log diff show blame cat-file whatchanged".split(" "),
);

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
 * Whether the guards on commands and on paths have nothing to say of a line, wherever they let an agent work.
 *
 * @param cwd The absolute folder the line starts in.
 * @returns `false` says nothing: the guards must look.
 */
export function isQuietLine(reading: ShellReading, cwd: string): boolean {
  const [command] = reading.commands;
  return command !== undefined && reading.commands.length === 1 && reading.reasons.length === 0 &&
    reading.understood && isPlain(command) && isQuiet(command, cwd);
}

/** Whether a command is its words and nothing else. */
function isPlain(command: SimpleCommand): boolean {
  return command.role === "runs" && command.redirections.length === 0 &&
    command.environment.length === 0 && command.assignments.length === 0 &&
    command.opens.length === 0 && command.code.length === 0 && command.effects.length === 0 &&
    command.reach.length === 0 && command.unseenOperands === null &&
    command.stdin.kind === "inherited" && command.directory.base === "start" &&
    command.words.every((word) => word.value !== null && !word.globs && !word.splits);
}

function isQuiet({ program, words }: SimpleCommand, cwd: string): boolean {
  if (program.kind !== "named" || program.place !== "search") return false;
  for (let index = 1; index < words.length; index++) if (mayName(words[index].value!)) return false;
  if (LOOKING.has(program.name)) return true;
  if (words.length < 2) return false;
  const subcommand = words[1].value!;
  if (program.name === "git") {
    return LOOKING_GIT.has(subcommand) &&
      (!SHOWING_GIT.has(subcommand) ||
        words.every(({ value }, index) => index < 2 || value!.startsWith("-")));
  }
  return Object.hasOwn(PROJECT_TASKS, program.name) &&
    PROJECT_TASKS[program.name].includes(` ${subcommand} `) && !mayHoldSecrets(cwd) &&
    words.every(({ value }, index) => index < 2 || isOneOption(value!));
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
  return word.startsWith("--o") || word.startsWith("-o") || word === "add" || word === "stage" ||
    word === "hash-object" || word.startsWith("//") || word.startsWith("\\\\");
}

/**
 * Whether any name in a folder may be that of a secret: below a folder with a dot or a keychain, and in the folders of
 * the system that hold some. A folder that is not written plainly may be any of them.
 */
function mayHoldSecrets(cwd: string): boolean {
  if (!PLAIN_FOLDER.test(cwd)) return true;
  const folder = `${cwd.toLowerCase()}/`;
  return folder.includes("/.") || folder.includes("/library/") ||
    SECRET_TOPS.some((top) => folder.startsWith(top));
}

const PLAIN_FOLDER = /^\/[\w@+ ./-]*$/;

const SECRET_TOPS = ["/etc/", "/proc/", "/dev/", "/run/", "/var/", "//"] as const;
