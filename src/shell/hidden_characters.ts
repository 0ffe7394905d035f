import type { Span } from "./facts.ts";

/** A character that a reader does not see, or that shows him the text in another order. */
export interface HiddenCharacter {
  /** `U+200B` */
  readonly name: string;
  readonly span: Span;
}

/**
 * Control characters but tab, line feed and the carriage return before it; soft hyphen, joiners, fillers,
 * zero-width and direction-changing characters, line and paragraph separators, tags.
 */
const HIDDEN =
  // deno-lint-ignore no-control-regex
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\r(?!\n)|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Joiners that belong to writing systems and to emoji: nothing is hidden behind a letter beyond ASCII. */
const JOINERS = /[\u200c\u200d]/;

/** Nearly every line has nothing but printable ASCII, tabs and line ends. */
const SUSPECT = /[^\t\n\x20-\x7e]/;

const NONE: readonly HiddenCharacter[] = Object.freeze([]);

/** Finds the first few characters of a text that a reader cannot see. */
export function hiddenCharacters(text: string, limit = 8): readonly HiddenCharacter[] {
  if (!SUSPECT.test(text)) return NONE;
  const found: HiddenCharacter[] = [];
  for (const match of text.matchAll(HIDDEN)) {
    const [character] = match;
    const start = match.index;
    if (JOINERS.test(character) && start > 0 && text.charCodeAt(start - 1) > 0x7f) continue;
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    found.push({ name: `U+${code}`, span: { start, end: start + character.length } });
    if (found.length >= limit) break;
  }
  return found;
}
