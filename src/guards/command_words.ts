/**
 * The words of one command as its program takes them: options with their values, and operands.
 *
 * @module
 */

import type { ShellWord } from "../shell/facts.ts";

/** How a program reads its options. */
export interface OptionGrammar {
  /**
   * `getopt`: letters can stand together (`-rf`) and long options can be shortened (`--mi`). `exact`: letters can stand
   * together, long options are written out. `single-dash`: one dash before whole words (`-auto-approve`).
   */
  readonly style?: "getopt" | "exact" | "single-dash";
  /** The options that take a value, as the next word where it is not part of theirs. */
  readonly valued?: readonly string[];
  /** Whether the first operand ends the options (`git`'s own, `env`'s, …). */
  readonly stopsAtOperand?: boolean;
  /** Whether `-1` after the first word is an operand (`kill`: a group of processes). */
  readonly negativeOperands?: boolean;
}

/** An option that was given. */
export interface GivenOption {
  /** `-f`, `--force`, as written, one letter each. */
  readonly name: string;
  /** Its value's text; `null` when it has none. Unknown parts are {@linkcode UNKNOWN}. */
  readonly value: string | null;
  /** The word that carries the value. */
  readonly word: ShellWord | null;
}

/** An operand that was given. */
export interface GivenOperand {
  readonly text: string;
  readonly word: ShellWord;
  /** Whether it follows an option whose grammar is not known, so that it may be that option's value. */
  readonly afterOption: boolean;
}

/** The words of a command, read. */
export interface CommandWords {
  readonly options: readonly GivenOption[];
  readonly operands: readonly GivenOperand[];
  readonly style: "getopt" | "exact" | "single-dash";
}

/** Stands in a word's text for a part that is not known. No word can hold it otherwise. */
export const UNKNOWN = "\0";

/** Reads words, the program's own name left out, by a grammar. */
export function commandWords(
  words: readonly ShellWord[],
  grammar: OptionGrammar = {},
): CommandWords {
  const style = grammar.style ?? "getopt";
  const valued = new Set(grammar.valued);
  const options: GivenOption[] = [];
  const operands: GivenOperand[] = [];
  let open = true;
  let afterOption = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    const text = wordText(word);
    const isNegative = grammar.negativeOperands === true && index > 0 && /^-\d+$/.test(text);
    if (!open || isNegative || text === "-" || text === "" || !text.startsWith("-")) {
      operands.push({ text, word, afterOption });
      afterOption = false;
      if (grammar.stopsAtOperand) open = false;
      continue;
    }
    if (text === "--") {
      open = false;
      afterOption = false;
      continue;
    }
    const take = (name: string, value: string | null): void => {
      if (value === null && takesValue(valued, name, style) && index + 1 < words.length) {
        const next = words[++index]!;
        options.push({ name, value: wordText(next), word: next });
        afterOption = false;
      } else {
        options.push({ name, value, word: value === null ? null : word });
        afterOption = value === null;
      }
    };
    if (text.startsWith("--") || style === "single-dash") {
      const equals = text.indexOf("=");
      take(equals < 0 ? text : text.slice(0, equals), equals < 0 ? null : text.slice(equals + 1));
      continue;
    }
    for (let letter = 1; letter < text.length; letter++) {
      const name = `-${text[letter]}`;
      const rest = text.slice(letter + 1);
      if (rest !== "" && valued.has(name)) {
        take(name, rest.startsWith("=") ? rest.slice(1) : rest);
        break;
      }
      if (rest === "") take(name, null);
      else options.push({ name, value: null, word: null });
    }
  }
  return { options, operands, style };
}

/** The option of these names that was given last, shortened spellings included; `null` when none was. */
export function givenOption(words: CommandWords, names: readonly string[]): GivenOption | null {
  return words.options.findLast((option) =>
    names.some((name) => isSpelling(option.name, name, words.style))
  ) ?? null;
}

/** Whether `given` is a spelling of the option `name`. */
function isSpelling(given: string, name: string, style: CommandWords["style"]): boolean {
  if (given === name) return true;
  // "--m" is enough for a program that takes shortened options, when no other begins so.
  return style === "getopt" && name.startsWith("--") && given.length > 2 && name.startsWith(given);
}

function takesValue(
  valued: ReadonlySet<string>,
  name: string,
  style: CommandWords["style"],
): boolean {
  if (valued.has(name)) return true;
  if (style !== "getopt" || !name.startsWith("--") || name.length < 4) return false;
  for (const option of valued) if (option.startsWith(name)) return true;
  return false;
}

/** The text of a word: home is `~`, the running folder `.`, what is not known is {@linkcode UNKNOWN}. */
export function wordText(word: ShellWord): string {
  if (word.value !== null) return word.value;
  return word.parts.map((part) => {
    switch (part.kind) {
      case "text":
      case "glob":
        return part.text;
      case "home":
        return `~${part.user ?? ""}`;
      case "directory":
        return ".";
      case "unknown":
        return UNKNOWN;
      default:
        return part satisfies never;
    }
  }).join("");
}
