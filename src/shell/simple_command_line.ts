/**
 * The fast path: lines of one plain command are read without the parser, and without loading it.
 *
 * @module
 */

import type { Program, ShellReading, ShellWord, SimpleCommand } from "./facts.ts";
import { FAMILIES, FAMILY_WORDS, FILE_INTERPRETERS, OPENING_PROGRAMS } from "./opening_programs.ts";
import { SYSTEM_FOLDERS } from "./system_folders.ts";
import { keep, type Memory, recall } from "./remembered.ts";
import { isWordOf, type WordList } from "./word_list.ts";

/**
 * The words of a line that is one command whose words are the pieces between its spaces, and that starts
 * nothing but itself; {@linkcode readSimpleCommandLine} reads it.
 *
 * `null` says nothing of a line: the full reader must look.
 */
export function simpleWords(text: string): readonly string[] | null {
  if (text.length > MAX_SIMPLE || !isPlainText(text)) return null;
  const words: string[] = [];
  for (const word of text.split(" ")) {
    if (word.startsWith("=")) return null;
    if (word !== "") words.push(word);
  }
  if (words.length === 0) return null;
  const [program, operand] = words;
  return startsItself(kindOf(program), operand, words) ? words : null;
}

/** Whether a command of these plain words starts nothing but its own program. */
export function startsNothing(words: readonly ShellWord[]): boolean {
  const kind = kindOf(words[0].value!);
  if (kind === "plain") return true;
  const values: string[] = [];
  for (const { value } of words) values.push(value!);
  return startsItself(kind, values[1], values);
}

function startsItself(
  kind: ProgramKind,
  operand: string | undefined,
  words: readonly string[],
): boolean {
  if (kind === "plain") return true;
  if (kind === "opening") return false;
  if (kind !== "interpreter") {
    for (const word of words) if (isWordOf(FAMILY_WORDS, word)) return false;
    if (kind === "family") return true;
  }
  return operand === undefined || !(operand.startsWith("-") || operand === "eval");
}

/** What a program's words must be asked; `opening`: it may start something whatever they are. */
type ProgramKind = "opening" | "family" | "interpreter" | "family-and-interpreter" | "plain";

/** What was told before, by program: in a process that reads many lines the same programs come again. */
const KINDS: Memory<ProgramKind> = { asked: 0, known: null };

function kindOf(program: string): ProgramKind {
  return recall(KINDS, program) ?? keep(KINDS, program, tellKind(program));
}

function tellKind(program: string): ProgramKind {
  // A folder, an assignment, a reserved word.
  if (program.endsWith("/") || program.includes("=") || isWordOf(RESERVED_WORDS, program)) {
    return "opening";
  }
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (isWordOf(OPENING_PROGRAMS, name)) return "opening";
  const plain = withoutVersion(name);
  if (plain !== name && isWordOf(OPENING_PROGRAMS, plain)) return "opening";
  const isFamily = isWordOf(FAMILIES, name);
  const isInterpreter = isWordOf(FILE_INTERPRETERS, name) ||
    (plain !== name && isWordOf(FILE_INTERPRETERS, plain));
  return isFamily
    ? isInterpreter ? "family-and-interpreter" : "family"
    : isInterpreter
    ? "interpreter"
    : "plain";
}

/**
 * Reads a line of which {@linkcode simpleWords} tells the words; gives what the full reader would give.
 *
 * @returns `null` for all other lines.
 */
export function readSimpleCommandLine(text: string): ShellReading | null {
  if (simpleWords(text) === null) return null;
  const words: ShellWord[] = [];
  for (let start = 0; start < text.length;) {
    const space = text.indexOf(" ", start);
    const end = space === -1 ? text.length : space;
    if (end > start) words.push(plainWord(text.slice(start, end), start, end));
    start = end + 1;
  }
  const program = programOf(words[0].text);
  const none: readonly never[] = [];
  const command: SimpleCommand = {
    index: 0,
    span: { start: words[0].span.start, end: words[words.length - 1].span.end },
    program,
    words,
    unseenOperands: null,
    assignments: none,
    redirections: none,
    stdin: { kind: "inherited" },
    environment: none,
    directory: { base: "start", path: "." },
    otherDirectories: none,
    reach: none,
    joinedBy: null,
    parent: null,
    role: "runs",
    opens: none,
    launchers: none,
    effects: none,
    code: none,
    canonical: canonical(program, words),
  };
  return {
    text,
    outcome: "commands",
    understood: true,
    reasons: none,
    commands: [command],
    steps: (text.length >> 3) + 2 + words.length,
  };
}

/** Whether all characters of a text mean themselves to every shell, or are spaces. */
function isPlainText(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== SPACE && !isPlainCode(code)) return false;
  }
  return true;
}

/**
 * Whether a character means itself to every shell: letters, digits and `_./:=@,+-`. By hand, as all that the hook asks at
 * every call: an expression costs more to compile than to use.
 */
export function isPlainCode(code: number): boolean {
  if (code >= SMALL_A) return code <= SMALL_Z;
  if (code >= AT) return code <= LARGE_Z || code === UNDERSCORE;
  return code >= PLUS ? code <= COLON || code === EQUALS : false;
}

const SPACE = 32;
/** From `+` to `:` stand `,-./` and the digits; `@` stands before the capital letters. */
const PLUS = 43;
const COLON = 58;
const EQUALS = 61;
const AT = 64;
const LARGE_Z = 90;
const UNDERSCORE = 95;
const SMALL_A = 97;
const SMALL_Z = 122;

/** Longest line that is read here, in characters. */
const MAX_SIMPLE = 4_096;

const RESERVED_WORDS: WordList =
  " if then elif else fi for while until do done case esac select function time coproc in ";

/** An interpreter's name without what may follow it: `python` for `python3.12`. */
export function withoutVersion(name: string): string {
  const last = name.charCodeAt(name.length - 1);
  const isBare = last !== 46 && (last < 48 || last > 57) && !name.endsWith(".exe");
  return isBare ? name : cutVersion(name);
}

/** Without what is behind an interpreter's name: `3.12`. */
function cutVersion(name: string): string {
  return name.replace(/[\d.]+(?:\.exe)?$|\.exe$/, "");
}

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

/** The program that a plain word names. */
export function programOf(path: string): Program {
  const slash = path.lastIndexOf("/");
  if (slash === -1) return { kind: "named", name: path, path, place: "search" };
  const place = SYSTEM_FOLDERS.includes(path.slice(0, slash)) ? "system" : "elsewhere";
  return { kind: "named", name: path.slice(slash + 1), path, place };
}

function canonical(program: Program, words: readonly ShellWord[]): string {
  const inSystem = program.kind === "named" && program.place === "system";
  let line = inSystem ? program.name : words[0].text;
  for (let index = 1; index < words.length; index++) line += ` ${words[index].text}`;
  return line;
}
