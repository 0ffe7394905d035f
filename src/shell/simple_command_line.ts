/**
 * The fast path: lines of one plain command are read without the parser, and without loading it.
 *
 * @module
 */

import type { Program, ShellReading, ShellWord, SimpleCommand } from "./facts.ts";
import { FAMILIES, FAMILY_WORDS, FILE_INTERPRETERS, OPENING_PROGRAMS } from "./opening_programs.ts";
import { SYSTEM_FOLDERS } from "./system_folders.ts";

/**
 * Tells whether a line is one command whose words are the pieces between its spaces, and that starts
 * nothing but itself; then {@linkcode readSimpleCommandLine} reads it.
 *
 * `false` says nothing of a line: the full reader must look.
 */
export function isSimpleCommandLine(text: string): boolean {
  if (!SIMPLE.test(text) || text.length > MAX_SIMPLE) return false;
  const words = text.split(" ").filter((word) => word !== "");
  const [program] = words;
  if (program === undefined || program.endsWith("/") || NOT_A_PROGRAM.test(program)) return false;
  if (words.some((word) => word.startsWith("="))) return false;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (OPENING_PROGRAMS.has(name)) return false;
  if (FAMILIES.has(name) && words.some((word) => FAMILY_WORDS.has(word))) return false;
  const plain = name.replace(VERSION, "");
  if (OPENING_PROGRAMS.has(plain)) return false;
  if (!FILE_INTERPRETERS.has(name) && !FILE_INTERPRETERS.has(plain)) return true;
  return words.length === 1 || !/^-|^eval$/.test(words[1]);
}

/**
 * Reads a line for which {@linkcode isSimpleCommandLine} is true; gives what the full reader would give.
 *
 * @returns `null` for all other lines.
 */
export function readSimpleCommandLine(text: string): ShellReading | null {
  if (!isSimpleCommandLine(text)) return null;
  const words: ShellWord[] = [];
  for (let start = 0; start < text.length;) {
    const space = text.indexOf(" ", start);
    const end = space === -1 ? text.length : space;
    if (end > start) words.push(plainWord(text.slice(start, end), start, end));
    start = end + 1;
  }
  const program = programOf(words[0].text);
  const command: SimpleCommand = Object.freeze({
    index: 0,
    span: { start: words[0].span.start, end: words[words.length - 1].span.end },
    program,
    words,
    unseenOperands: null,
    assignments: NONE,
    redirections: NONE,
    stdin: INHERITED,
    environment: NONE,
    directory: START,
    otherDirectories: NONE,
    reach: NONE,
    joinedBy: null,
    parent: null,
    role: "runs",
    opens: NONE,
    launchers: NONE,
    effects: NONE,
    code: NONE,
    canonical: canonical(program, words),
  });
  return Object.freeze({
    text,
    outcome: "commands",
    understood: true,
    reasons: NONE,
    commands: Object.freeze([command]),
    steps: (text.length >> 3) + 2 + words.length,
  });
}

/** Characters that mean themselves to every shell, and the space. */
const SIMPLE = /^[\w./:=@,+ -]*$/;

/** Longest line that is read here, in characters. */
const MAX_SIMPLE = 4_096;

/** Assignments and reserved words. */
const NOT_A_PROGRAM =
  /^(?:[A-Za-z_]\w*\+?=.*|if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|time|coproc|in)$/;

/** What is behind an interpreter's name: `3.12`. */
const VERSION = /[\d.]+(?:\.exe)?$|\.exe$/;

const NONE: readonly never[] = Object.freeze([]);
const INHERITED = Object.freeze({ kind: "inherited" as const });
const START = Object.freeze({ base: "start" as const, path: "." });

function plainWord(text: string, start: number, end: number): ShellWord {
  return {
    value: text,
    known: "known",
    parts: [{ kind: "text", text }],
    globs: false,
    quoted: false,
    splits: false,
    text,
    span: { start, end },
  };
}

function programOf(path: string): Program {
  const slash = path.lastIndexOf("/");
  if (slash === -1) return { kind: "named", name: path, path, place: "search" };
  const place = SYSTEM_FOLDERS.includes(path.slice(0, slash)) ? "system" : "elsewhere";
  return { kind: "named", name: path.slice(slash + 1), path, place };
}

function canonical(program: Program, words: readonly ShellWord[]): string {
  const texts = words.map((word) => word.text);
  if (program.kind === "named" && program.place === "system") texts[0] = program.name;
  return texts.join(" ");
}
