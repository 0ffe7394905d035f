import type { Word } from "unbash";
import type { ShellWord } from "./facts.ts";
import type { Reading } from "./reading.ts";
import { type Source, spanOf } from "./source.ts";
import { textWord } from "./word_builder.ts";

/** A word without anything to evaluate, bare or in one pair of quotes; `null` for any other. */
export function plainWord(reading: Reading, source: Source, word: Word): ShellWord | null {
  const { text, pos, end } = word;
  // Asked of the whole text: a piece of a text must be made before its characters can be.
  if (text.length === end - pos && isBare(source.text, pos, end)) {
    reading.spend(1);
    return textWord(text, text, spanOf(source, word), false);
  }
  const first = text.charCodeAt(0);
  if (first === SINGLE_QUOTE || first === DOUBLE_QUOTE) {
    if (!(first === SINGLE_QUOTE ? isSingleQuoted(text) : isDoubleQuoted(text))) return null;
    if (reading.standIns > 0 && text.includes("$")) return null;
    reading.spend(1);
    return textWord(text.slice(1, -1), text, spanOf(source, word), true);
  }
  if (text.length === end - pos || !isBare(text, 0, text.length)) return null;
  reading.spend(1);
  return textWord(text, text, spanOf(source, word), false);
}

/**
 * Whether the shell changes nothing in a text: letters, digits and `_./:@,+%-`, and `=` but in front, where it is
 * something to zsh. By hand: every word of every line is asked.
 */
function isBare(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    const bare = code >= SMALL_A && code <= SMALL_Z || code >= PLUS && code <= COLON ||
      code >= AT && code <= LARGE_Z || code === UNDERSCORE || code === PERCENT ||
      code === EQUALS && index > start;
    if (!bare) return false;
  }
  return end > start;
}

/** `'…'`, and no quote inside. */
function isSingleQuoted(text: string): boolean {
  return text.length > 1 && text.indexOf("'", 1) === text.length - 1;
}

/** `"…"`, and nothing inside that the shell puts something in place of. */
function isDoubleQuoted(text: string): boolean {
  return text.length > 1 && text.indexOf('"', 1) === text.length - 1 &&
    !text.includes("$") && !text.includes("`") && !text.includes("\\");
}

const [SINGLE_QUOTE, DOUBLE_QUOTE, EQUALS, UNDERSCORE, PERCENT] = [39, 34, 61, 95, 37] as const;
/** `+,-./`, the digits and `:` stand side by side, and so do `@` and the capital letters. */
const [PLUS, COLON, AT, LARGE_Z, SMALL_A, SMALL_Z] = [43, 58, 64, 90, 97, 122] as const;
