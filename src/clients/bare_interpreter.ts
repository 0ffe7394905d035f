/**
 * Finds programs that would read what to run from the terminal.
 *
 * Codex types into a running program (`write_stdin`) without asking any hook. A shell that was started bare
 * would then run whatever is typed, unseen. This is a net with known meshes: it knows the usual
 * programs, not every one that can start another.
 *
 * @module
 */

import type { ShellReading, SimpleCommand } from "../shell/facts.ts";
import { isWordOf, type WordList } from "../shell/word_list.ts";

/** How a program that can read commands from the terminal is kept from doing so. */
interface Interpreter {
  /** Options that carry the program text, so that nothing is read; `-c`. */
  readonly code: readonly string[];
  /** Options that make it read from the terminal although there is a script. */
  readonly interactive: readonly string[];
  /** Options whose next word is their value, not a script. */
  readonly valued: readonly string[];
  /** How many operands it needs before it no longer reads commands; `never`: it always reads them. */
  readonly operands: number | "never";
}

const shell: Interpreter = {
  code: ["-c"],
  interactive: ["-i", "-s"],
  valued: ["-o", "+o", "-O", "+O", "--rcfile", "--init-file"],
  operands: 1,
};
const script = (code: readonly string[], valued: readonly string[] = []): Interpreter => ({
  code,
  interactive: ["-i", "--interactive"],
  valued,
  operands: 1,
});
const always: Interpreter = { code: [], interactive: [], valued: [], operands: "never" };

/** The names of the programs, which are asked for at every call; a test compares them with the table. */
export const INTERPRETER_NAMES: WordList =
  " sh bash dash zsh ksh mksh ash fish csh tcsh nu elvish xonsh pwsh python pypy node ruby perl " +
  "php lua luajit R julia ipython tclsh guile irb pry ghci iex erl gdb lldb expect screen tmux " +
  "script sudo doas su ed ex vi vim nvim emacs sqlite psql mysql mariadb ssh xargs parallel ";

/** The programs, by the last part of their path, version numbers left out. Made for a line that names one. */
export const interpreters = (): ReadonlyMap<string, Interpreter> =>
  new Map<string, Interpreter>([
    ...[
      "sh",
      "bash",
      "dash",
      "zsh",
      "ksh",
      "mksh",
      "ash",
      "fish",
      "csh",
      "tcsh",
      "nu",
      "elvish",
      "xonsh",
    ]
      .map((name) => [name, shell] as const),
    [
      "pwsh",
      script(["-c", "-command", "-Command", "-e", "-EncodedCommand", "-f", "-File", "-file"]),
    ],
    ["python", script(["-c", "-m", "--version", "-V", "-h", "--help"], ["-W", "-X"])],
    ["pypy", script(["-c", "-m", "--version"], ["-W", "-X"])],
    [
      "node",
      script(["-e", "--eval", "-p", "--print", "-v", "--version", "-h", "--help", "--test"], [
        "-r",
        "--require",
        "--import",
      ]),
    ],
    ["ruby", script(["-e", "-v", "--version"], ["-I", "-r"])],
    ["perl", script(["-e", "-E", "-v", "-V", "--version"], ["-I", "-M"])],
    ["php", {
      code: ["-r", "-v", "-m", "-l"],
      interactive: ["-a"],
      valued: ["-d", "-c"],
      operands: 1,
    }],
    ["lua", script(["-e", "-v"], ["-l"])],
    ["luajit", script(["-e", "-v"], ["-l"])],
    ["R", script(["-e", "-f", "CMD"])],
    ["julia", script(["-e", "--eval", "-E"])],
    ["ipython", script(["-c", "-m"])],
    ["tclsh", script([])],
    ["guile", script(["-c"])],
    ["irb", always], // Ruby's prompt
    ["pry", always],
    ["ghci", always], // Haskell's prompt; `:!` runs a shell
    ["iex", always],
    ["erl", script(["-eval", "-noshell", "-noinput"])],
    ["gdb", { code: ["-batch", "--batch"], interactive: [], valued: [], operands: "never" }], // `shell`
    ["lldb", { code: ["-b", "--batch"], interactive: [], valued: [], operands: "never" }],
    ["expect", script(["-c"])],
    ["screen", {
      code: ["-ls", "-list", "-X", "-dmS", "-dm"],
      interactive: [],
      valued: [],
      operands: "never",
    }],
    ["tmux", script([])], // with a command it runs that; alone it opens a shell
    ["script", { code: ["-c", "--command"], interactive: [], valued: [], operands: "never" }], // a shell with a log
    ["sudo", {
      code: [],
      interactive: ["-i", "-s", "--login", "--shell"],
      valued: ["-u", "-g"],
      operands: 1,
    }],
    ["doas", { code: [], interactive: ["-s"], valued: ["-u"], operands: 1 }],
    ["su", { code: ["-c", "--command"], interactive: [], valued: [], operands: "never" }],
    ["ed", always], // `!` runs a shell
    ["ex", always],
    ["vi", always],
    ["vim", always],
    ["nvim", { code: ["--headless"], interactive: [], valued: [], operands: "never" }],
    ["emacs", { code: ["--batch", "-batch"], interactive: [], valued: [], operands: "never" }],
    ["sqlite", {
      code: [],
      interactive: ["-interactive"],
      valued: ["-cmd", "-init", "-separator"],
      operands: 2,
    }], // `.shell`
    ["psql", {
      code: ["-c", "--command", "-f", "--file", "-l", "--list"],
      interactive: [],
      valued: [],
      operands: "never",
    }], // `\!`
    ["mysql", { code: ["-e", "--execute"], interactive: [], valued: [], operands: "never" }], // `system`
    ["mariadb", { code: ["-e", "--execute"], interactive: [], valued: [], operands: "never" }],
    ["ssh", {
      code: ["-V", "-N", "-G", "-Q"],
      interactive: [],
      valued: [
        "-p",
        "-i",
        "-l",
        "-o",
        "-F",
        "-L",
        "-R",
        "-D",
        "-J",
        "-c",
        "-m",
        "-b",
        "-E",
        "-W",
        "-S",
      ],
      operands: 2,
    }],
    ["xargs", always], // what is typed becomes the words of a command
    ["parallel", always],
  ]);

/** Whether a line names one of the programs at all: most lines do not, and need not be read. */
export function namesInterpreter(line: string): boolean {
  let start = 0;
  for (let at = 0; at <= line.length; at++) {
    if (at < line.length && isNameCode(line.charCodeAt(at))) continue;
    if (at > start && isInterpreter(line.slice(start, at))) return true;
    start = at + 1;
  }
  return false;
}

/** Letters, digits and the dot. */
function isNameCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) || code === 46;
}

function isInterpreter(name: string): boolean {
  if (isWordOf(INTERPRETER_NAMES, name)) return true;
  const last = name[name.length - 1];
  const hasMore = (last >= "0" && last <= "9") || last === "." || last === "e" || last === "E";
  return hasMore && isWordOf(INTERPRETER_NAMES, programName(name));
}

/**
 * The first program of a line that would read from the terminal what to run; `null` when none is seen.
 *
 * A program that reads from a pipe, a file or a here-document does not.
 */
export function bareInterpreter(reading: ShellReading): string | null {
  return reading.commands.find(isBare)?.words[0].text ?? null;
}

function isBare(command: SimpleCommand): boolean {
  if (command.program.kind !== "named" || command.stdin.kind !== "inherited") return false;
  const interpreter = interpreters().get(programName(command.program.name));
  if (interpreter === undefined) return false;
  // What is typed into xargs becomes the words of a command; other launchers hand the terminal on, and what they start
  // is looked at by itself.
  if (command.role === "launches") return command.unseenOperands !== null || isFeeder(command);
  let operands = 0;
  let isInteractive = false;
  const words = command.words.slice(1).map((word) => word.value ?? word.text);
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (interpreter.code.includes(word)) {
      return isInteractive && interpreter.interactive.includes("-i");
    }
    if (interpreter.interactive.includes(word) || word === "-") isInteractive = true;
    else if (interpreter.valued.includes(word)) index++;
    else if (!/^[-+]/.test(word)) {
      operands++;
      // What follows a script are the script's own words.
      if (operands === interpreter.operands) break;
    }
  }
  const isEnough = interpreter.operands !== "never" && operands >= interpreter.operands;
  return isInteractive || !isEnough;
}

/** Whether a launcher makes commands of what it reads. */
function isFeeder(command: SimpleCommand): boolean {
  return command.program.kind === "named" && /^(?:xargs|parallel)$/.test(command.program.name);
}

/** The program's name without its version: `python` for `python3.12`. */
function programName(name: string): string {
  return name.replace(/\.exe$/i, "").replace(/(?<=[a-zA-Z])-?[0-9][0-9.]*$/, "");
}
