/**
 * Lists of words that are looked up at every call of the hook: plain texts, since a set would have to be filled at every
 * start, and only for one look.
 *
 * @module
 */

/** Words, each between two spaces, also the first and the last. */
export type WordList = string;

/** Makes a list of words that are written with one space between them. */
export function wordList(words: string): WordList {
  return ` ${words} `;
}

/** Whether a text is one of the words. */
export function isWordOf(list: WordList, text: string): boolean {
  return !text.includes(" ") && list.includes(` ${text} `);
}

/** The words. */
export function wordsOf(list: WordList): string[] {
  return list.trim().split(" ");
}
