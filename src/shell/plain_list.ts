/**
 * The second fast path: lists and pipelines of plain commands are read without the parser, and without loading it. Most
 * lines that an agent writes are of this kind: `cd app && npm test 2>&1 | tail -40`.
 *
 * @module
 */

import { directoryAfter, sameDirectory, START_DIRECTORY } from "./directory.ts";
import type {
  Directory,
  Program,
  ReachStep,
  Redirection,
  ShellReading,
  ShellWord,
  SimpleCommand,
  StandardInput,
} from "./facts.ts";
import { FILE_INTERPRETERS } from "./opening_programs.ts";
import { quoteText } from "./quote_text.ts";
import { keep, type Memory, recall } from "./remembered.ts";
import { isPlainCode, programOf, startsNothing, withoutVersion } from "./simple_command_line.ts";
import { isWordOf, type WordList } from "./word_list.ts";

/** Longest line that is read here, in characters. */
const MAX_LENGTH = 4_096;

/** Builtins that change what later commands mean, or that are more than they seem. */
const STATEFUL: WordList =
  " alias bg bind break builtin caller cd compopt continue declare dirs disown exit export fc fg " +
  "getopts help history jobs kill let local logout popd pushd read readonly return set shift shopt " +
  "suspend times type typeset ulimit umask unalias unset wait ";

/** Programs whose output is known: in front of a pipe it is what the next command reads. */
const PRINTERS: WordList =
  " : true false mkdir touch chmod sleep echo printf pwd which dirname basename seq ";

/** What a program does to the commands around it. */
type ProgramRole = "prints" | "runs-input" | "changes-shell" | "none";

const ROLES: Memory<ProgramRole> = { asked: 0, known: null };

function roleOf(name: string): ProgramRole {
  return recall(ROLES, name) ?? keep(ROLES, name, tellRole(name));
}

function tellRole(name: string): ProgramRole {
  if (isWordOf(PRINTERS, name)) return "prints";
  if (isWordOf(FILE_INTERPRETERS, withoutVersion(name))) return "runs-input";
  return isWordOf(STATEFUL, name) ? "changes-shell" : "none";
}

/** A command as it is found: its words and redirections, and what stands in front of it. */
interface Piece {
  readonly words: ShellWord[];
  readonly redirections: Redirection[];
  readonly joinedBy: "&&" | "||" | ";" | "|" | null;
  end: number;
}

/**
 * Reads a line of plain commands joined by `&&`, `||`, `;` and `|`; gives what the full reader would give.
 *
 * Words are plain, or in quotes without an expansion; the only redirections are `2>&1` and those to `/dev/null`; the only
 * command that changes anything for those behind it is one `cd` at the beginning.
 *
 * @returns `null` for all other lines: the full reader must look.
 */
export function readPlainList(text: string): ShellReading | null {
  if (text.length > MAX_LENGTH) return null;
  const pieces = piecesOf(text);
  if (pieces === null) return null;
  const commands: SimpleCommand[] = [];
  let directory: Directory = START_DIRECTORY;
  let otherDirectories: readonly Directory[] = [];
  // Up to the first `;` a `cd` at the beginning has worked.
  let inFirstList = true;
  for (let first = 0; first < pieces.length;) {
    let last = first;
    while (last + 1 < pieces.length && pieces[last + 1].joinedBy === "|") last++;
    const { joinedBy } = pieces[first];
    if (joinedBy === ";" && inFirstList) {
      inFirstList = false;
      if (!sameDirectory(directory, START_DIRECTORY)) otherDirectories = [START_DIRECTORY];
    }
    // Behind `||` the `cd` has failed, or not.
    if (joinedBy === "||" && inFirstList && directory !== START_DIRECTORY) return null;
    const span = { start: pieces[first].words[0].span.start, end: pieces[last].end };
    const reach: ReachStep[] = [];
    if (joinedBy === "&&") reach.push({ kind: "and", span, name: null });
    if (joinedBy === "||") reach.push({ kind: "or", span, name: null });
    if (last > first) reach.push({ kind: "pipe", span, name: null });
    for (let index = first; index <= last; index++) {
      const piece = pieces[index];
      const command = commandOf(text, piece, index, directory, otherDirectories, reach);
      if (command === null || command.program.kind !== "named") return null;
      const { name } = command.program;
      const role = roleOf(name);
      if (index < last && (role === "prints" || hidesOutput(piece))) return null;
      if (index > first && role === "runs-input") return null;
      if (role === "changes-shell") {
        const isChange = name === "cd" && command.program.place === "search";
        if (!isChange || index > 0 || last > 0 || !isPlainChange(piece)) return null;
        directory = directoryAfter(directory, piece.words[1].parts);
      }
      commands.push(command);
    }
    first = last + 1;
  }
  return {
    text,
    outcome: "commands",
    understood: true,
    reasons: [],
    commands,
    steps: (text.length >> 3) + 2 * commands.length,
  };
}

/** Whether the next command in a pipe gets nothing, which is known then. */
function hidesOutput({ redirections }: Piece): boolean {
  for (const { descriptor } of redirections) if (descriptor === 1) return true;
  return false;
}

/** `cd` to one folder that is written plainly. */
function isPlainChange({ words, redirections }: Piece): boolean {
  return words.length === 2 && redirections.length === 0 && words[1].value !== "" &&
    !words[1].text.startsWith("-");
}

/** Cuts a line at its operators; `null` when it has anything else. */
function piecesOf(text: string): Piece[] | null {
  const pieces: Piece[] = [];
  let piece: Piece = { words: [], redirections: [], joinedBy: null, end: 0 };
  let at = 0;
  while (true) {
    while (text.charCodeAt(at) === SPACE) at++;
    const joint = at < text.length ? operatorAt(text, at) : ";";
    if (joint !== null) {
      if (piece.words.length === 0) return null;
      pieces.push(piece);
      // A list may end with one semicolon.
      if (at === text.length || (joint === ";" && text.slice(at + 1).trim() === "")) return pieces;
      piece = { words: [], redirections: [], joinedBy: joint, end: 0 };
      at += joint.length;
      continue;
    }
    const redirection = redirectionAt(text, at);
    if (redirection !== null) {
      if (piece.words.length === 0) return null;
      piece.redirections.push(redirection);
      at = piece.end = redirection.span.end;
    } else {
      const word = wordAt(text, at);
      if (word === null) return null;
      piece.words.push(word);
      at = piece.end = word.span.end;
    }
    // Nothing may be glued to what was read.
    if (at < text.length && text.charCodeAt(at) !== SPACE && operatorAt(text, at) === null) {
      return null;
    }
  }
}

function operatorAt(text: string, at: number): "&&" | "||" | ";" | "|" | null {
  const code = text.charCodeAt(at);
  if (code !== AMPERSAND && code !== BAR && code !== SEMICOLON) return null;
  const next = text.charCodeAt(at + 1);
  if (code === AMPERSAND) {
    return next === AMPERSAND && text.charCodeAt(at + 2) !== AMPERSAND ? "&&" : null;
  }
  if (code === BAR) return next === BAR ? "||" : next === AMPERSAND ? null : "|";
  return next === SEMICOLON || next === AMPERSAND ? null : ";";
}

const SPACE = 32;
const DOUBLE_QUOTE = 34;
const AMPERSAND = 38;
const SINGLE_QUOTE = 39;
const TWO = 50;
const SEMICOLON = 59;
const EQUALS = 61;
const GREATER = 62;
const BAR = 124;
const TILDE = 126;

/** The redirections that are followed, as they may be written. */
const REDIRECTIONS = ["2>&1", "2>/dev/null", ">/dev/null", "2> /dev/null", "> /dev/null"] as const;

function redirectionAt(text: string, at: number): Redirection | null {
  const code = text.charCodeAt(at);
  if (code !== TWO && code !== GREATER) return null;
  for (const written of REDIRECTIONS) {
    if (!text.startsWith(written, at)) continue;
    const end = at + written.length;
    const isDuplicate = written === "2>&1";
    const target = isDuplicate ? "1" : "/dev/null";
    return {
      operator: isDuplicate ? ">&" : ">",
      descriptor: written.startsWith("2") ? 2 : 1,
      effect: isDuplicate ? "duplicate" : "write",
      target: knownWord(target, target, false, end - target.length, end),
      span: { start: at, end },
    };
  }
  return null;
}

/** The word that begins at a place; `null` when some of it is not plain. */
function wordAt(text: string, start: number): ShellWord | null {
  if (text.charCodeAt(start) === EQUALS) return null;
  let value = "";
  /** Up to here the value is complete. */
  let taken = start;
  let quoted = false;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isPlainCode(code)) continue;
    if (code === SINGLE_QUOTE || code === DOUBLE_QUOTE) {
      quoted = true;
      const end = text.indexOf(code === SINGLE_QUOTE ? "'" : '"', at + 1);
      if (end === -1 || !isLiteral(text, at + 1, end, code === DOUBLE_QUOTE)) return null;
      value += text.slice(taken, at) + text.slice(at + 1, end);
      taken = end + 1;
      at = end;
    } else if (code !== TILDE || at === start || !isLetterOrDigit(text.charCodeAt(at - 1))) break;
  }
  if (at === start) return null;
  const written = text.slice(start, at);
  return knownWord(quoted ? value + text.slice(taken, at) : written, written, quoted, start, at);
}

/** `HEAD~1`: a tilde stands for a folder only at the beginning of a word, or behind a sign. */
function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Whether what stands between quotes is text that everyone can see, and nothing else. */
function isLiteral(text: string, start: number, end: number, isDouble: boolean): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code < SPACE || code > TILDE) return false;
    if (isDouble && !isPlainCode(code) && EXPANDING.includes(text[at])) return false;
  }
  return true;
}

/** What means something inside double quotes. */
const EXPANDING = "$`\\!";

function knownWord(
  value: string,
  text: string,
  quoted: boolean,
  start: number,
  end: number,
): ShellWord {
  return {
    value,
    known: "known",
    parts: value === "" ? [] : [{ kind: "text", text: value }],
    globs: false,
    quoted,
    splits: false,
    text,
    span: { start, end },
  };
}

function commandOf(
  text: string,
  { words, redirections, joinedBy, end }: Piece,
  index: number,
  directory: Directory,
  otherDirectories: readonly Directory[],
  reach: readonly ReachStep[],
): SimpleCommand | null {
  if (words[0].quoted || !startsNothing(words)) return null;
  const program = programOf(words[0].text);
  const stdin: StandardInput = joinedBy === "|"
    ? { kind: "pipe", from: [index - 1] }
    : { kind: "inherited" };
  return {
    index,
    span: { start: words[0].span.start, end },
    program,
    words,
    unseenOperands: null,
    assignments: NONE,
    redirections,
    stdin,
    environment: NONE,
    directory,
    otherDirectories,
    reach,
    joinedBy,
    parent: null,
    role: "runs",
    opens: NONE,
    launchers: NONE,
    effects: NONE,
    code: NONE,
    canonical: canonicalText(text, program, words),
  };
}

const NONE: readonly never[] = [];

function canonicalText(text: string, program: Program, words: readonly ShellWord[]): string {
  const isInSystem = program.kind === "named" && program.place === "system";
  const first = words[0];
  // Most commands are written in their canonical spelling already; a piece of the line is cheaper than a new text.
  let length = first.text.length;
  let isCanonical = !isInSystem;
  for (let at = 1; at < words.length; at++) {
    length += words[at].text.length + 1;
    isCanonical &&= isBare(words[at]);
  }
  const { start } = first.span;
  const { end } = words[words.length - 1].span;
  if (isCanonical && end - start === length) return text.slice(start, end);
  let line = isInSystem ? program.name : first.text;
  for (let at = 1; at < words.length; at++) {
    const word = words[at];
    line += isBare(word) ? ` ${word.text}` : ` ${quoteText(word.value!)}`;
  }
  return line;
}

function isBare({ quoted, text }: ShellWord): boolean {
  return !quoted && !text.includes("~");
}
