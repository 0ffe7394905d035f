import { directoryText } from "./directory.ts";
import type { ShellWord, StandardInput, WordPart } from "./facts.ts";
import type { Draft, Printed } from "./reading.ts";

/** Longest text that is decoded or computed, in characters: it may be decoded once per stage of a pipe. */
const MAX_TEXT = 16_384;

/** Most lines that `seq` is followed for. */
const MAX_SEQUENCE = 64;

/**
 * What a command prints on its standard output, for programs whose output follows from their words and
 * their input; `null` for all others. Redirections are not looked at.
 */
export function knownOutput(draft: Draft): Printed {
  const { program } = draft;
  if (program.kind !== "named" || draft.unseenOperands !== null) return null;
  const print = PRINTERS.get(program.name);
  return print === undefined ? null : print(draft.words.slice(1), draft);
}

/** Tells what a program prints, from its operands and its input. */
type Printer = (operands: readonly ShellWord[], draft: Draft) => Printed;

const NOTHING: readonly WordPart[] = Object.freeze([]);
const printNothing: Printer = () => NOTHING;

const PRINTERS: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ...[":", "true", "false", "cd", "export", "unset", "mkdir", "touch", "chmod", "sleep"]
    .map((name): [string, Printer] => [name, printNothing]),
  ["echo", echo],
  ["printf", formatted],
  [
    "cat",
    (operands, { stdin }) => operands.every(({ value }) => value === "-") ? textOf(stdin) : null,
  ],
  ["tee", (_, { stdin }) => textOf(stdin)],
  [
    "pwd",
    (_, { directory, otherDirectories }) =>
      otherDirectories.length > 0
        ? null
        : [{ kind: "directory", directory }, { kind: "text", text: "\n" }],
  ],
  [
    "base64",
    (operands, { stdin }) =>
      operands.some(({ value }) => /^(?:-d|-D|--decode|-di)$/.test(value ?? ""))
        ? decoded(stdin, fromBase64)
        : null,
  ],
  [
    "xxd",
    (operands, { stdin }) =>
      /^(?:-r -p|-p -r|-rp|-pr)$/.test(operands.map(({ value }) => value).join(" "))
        ? decoded(stdin, fromHexadecimal)
        : null,
  ],
  ["rev", (operands, { stdin }) => operands.length === 0 ? decoded(stdin, reversedLines) : null],
  ["which", located],
  ["command", (operands) => operands[0]?.value === "-v" ? located(operands.slice(1)) : null],
  ["dirname", (operands) => partOfPath(operands, "folder")],
  ["basename", (operands) => partOfPath(operands, "base")],
  ["seq", sequence],
]);

/** The format language of `printf`, as far as it is followed; `null` for more. */
export function formatted(operands: readonly ShellWord[]): Printed {
  const skip = operands[0]?.value === "--" ? 1 : 0;
  const format = operands[skip] === undefined ? null : exact(operands[skip]);
  if (format === null || format.startsWith("-")) return null;
  const values = operands.slice(skip + 1);
  if (values.some((word) => word.splits || word.globs)) return null;
  const parts: WordPart[] = [];
  let next = 0;
  do {
    const before = next;
    for (
      const [piece] of format.matchAll(
        /%[^a-zA-Z%]*[a-zA-Z%]|\\(?:x[\da-fA-F]{1,2}|[0-7]{1,3}|.)|[^%\\]+|[%\\]/gs,
      )
    ) {
      if (piece[0] === "\\") {
        const text = unescaped(piece);
        if (text === null) return null;
        parts.push({ kind: "text", text });
      } else if (piece === "%%") parts.push({ kind: "text", text: "%" });
      else if (piece === "%s") parts.push(...values[next++]?.parts ?? []);
      else if (piece === "%b") {
        const value = values[next++];
        const text = value === undefined ? "" : unescapedText(exact(value));
        if (text === null) return null;
        parts.push({ kind: "text", text });
      } else if (piece === "%d" || piece === "%i") {
        const value = values[next++];
        if (value !== undefined && !/^-?\d+$/.test(exact(value) ?? "")) return null;
        parts.push({ kind: "text", text: value?.value ?? "0" });
      } else if (piece[0] === "%") return null;
      else parts.push({ kind: "text", text: piece });
    }
    if (next === before) break;
  } while (next < values.length);
  return joined(parts);
}

function echo(operands: readonly ShellWord[]): Printed {
  let first = 0;
  let newline = true;
  let escapes = false;
  for (; first < operands.length; first++) {
    const option = operands[first].value;
    if (option === null || !/^-[neE]+$/.test(option)) break;
    if (option.includes("n")) newline = false;
    escapes = option.lastIndexOf("e") > option.lastIndexOf("E") || escapes && !option.includes("E");
  }
  const parts: WordPart[] = [];
  for (let index = first; index < operands.length; index++) {
    const word = operands[index];
    if (index > first) parts.push({ kind: "text", text: " " });
    // Patterns become file names; an unquoted unknown value loses its spacing only.
    if (word.globs) return null;
    parts.push(...word.parts);
  }
  if (newline) parts.push({ kind: "text", text: "\n" });
  const all = joined(parts);
  if (!escapes) return all;
  if (all.length > 1 || all[0]?.kind !== "text") return all.length === 0 ? all : null;
  const text = unescapedText(all[0].text);
  return text === null ? null : [{ kind: "text", text }];
}

function textOf(stdin: StandardInput): Printed {
  return stdin.kind === "text" ? stdin.word.parts : null;
}

function decoded(stdin: StandardInput, decode: (text: string) => string | null): Printed {
  if (stdin.kind !== "text" || stdin.word.value === null) return null;
  if (stdin.word.value.length > MAX_TEXT) return null;
  const text = decode(stdin.word.value);
  return text === null ? null : [{ kind: "text", text }];
}

function fromBase64(text: string): string | null {
  try {
    return utf8(Uint8Array.from(atob(text.replace(/\s/g, "")), (one) => one.charCodeAt(0)));
  } catch {
    return null;
  }
}

function fromHexadecimal(text: string): string | null {
  const digits = text.replace(/\s/g, "");
  if (!/^(?:[\da-fA-F]{2})*$/.test(digits)) return null;
  return utf8(Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16)));
}

function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function reversedLines(text: string): string {
  return text.split("\n").map((one) => [...one].reverse().join("")).join("\n");
}

/** `which rm` finds what `rm` alone would run. */
function located(operands: readonly ShellWord[]): Printed {
  const name = operands.length === 1 ? exact(operands[0]) : null;
  return name !== null && /^[\w.+-]+$/.test(name) && !name.startsWith("-") ? line(name) : null;
}

function partOfPath(operands: readonly ShellWord[], part: "folder" | "base"): Printed {
  const path = operands.length === 1 ? exact(operands[0]) : null;
  if (path === null || path.endsWith("/")) return null;
  const at = path.lastIndexOf("/");
  if (part === "base") return line(path.slice(at + 1));
  return line(at === -1 ? "." : at === 0 ? "/" : path.slice(0, at));
}

function sequence(operands: readonly ShellWord[]): Printed {
  const numbers = operands.map((word) => word.value ?? "");
  if (numbers.length === 0 || numbers.length > 2) return null;
  if (!numbers.every((one) => /^-?\d{1,6}$/.test(one))) return null;
  const first = numbers.length === 1 ? 1 : Number(numbers[0]);
  const last = Number(numbers[numbers.length - 1]);
  if (last < first) return NOTHING;
  if (last - first >= MAX_SEQUENCE) return null;
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return line(all.join("\n"));
}

function exact(word: ShellWord): string | null {
  return word.globs ? null : word.value;
}

function line(text: string): Printed {
  return [{ kind: "text", text: `${text}\n` }];
}

const ESCAPES: Readonly<Record<string, string>> = Object.freeze({
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  "\\": "\\",
  '"': '"',
  "'": "'",
});

/** One escape sequence; `null` for one that is not followed. */
function unescaped(sequence: string): string | null {
  const body = sequence.slice(1);
  if (/^[0-7]+$/.test(body)) return String.fromCharCode(parseInt(body, 8) & 0xff);
  if (/^x[\da-fA-F]+$/.test(body)) return String.fromCharCode(parseInt(body.slice(1), 16));
  if (body === "c" || body === "u" || body === "U") return null;
  return ESCAPES[body] ?? sequence;
}

/** The escapes of `echo -e` and `%b`, where an octal number begins with 0. */
function unescapedText(text: string | null): string | null {
  if (text === null) return null;
  let stopped = false;
  const result = text.replace(/\\(?:x[\da-fA-F]{1,2}|0[0-7]{0,3}|[0-7]{1,3}|.)/gs, (sequence) => {
    const plain = unescaped(sequence);
    if (plain === null) stopped = true;
    return plain ?? "";
  });
  return stopped ? null : result;
}

function joined(parts: readonly WordPart[]): readonly WordPart[] {
  const result: WordPart[] = [];
  for (const part of parts) {
    const last = result[result.length - 1];
    if (part.kind === "text" && last?.kind === "text") {
      result[result.length - 1] = { kind: "text", text: last.text + part.text };
    } else if (part.kind !== "text" || part.text !== "") result.push(part);
  }
  return result;
}

/** How a file is remembered by what was written to it: its folder and name in one spelling. */
export function fileKey(folder: string, path: string): string {
  return path.startsWith("/") ? path : `${folder}/${withoutHere(path)}`;
}

function withoutHere(path: string): string {
  return path.startsWith("./") ? path.replace(/^(?:\.\/)+/, "") : path;
}

/** The key of a file that a command names; `null` when it is not known. */
export function fileKeyOf(draft: Draft, word: ShellWord): string | null {
  const path = exact(word);
  return path === null || path === "" ? null : fileKey(directoryText(draft.directory), path);
}
