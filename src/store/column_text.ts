/**
 * Makes a text fit for a text column: NUL ends a text early in some drivers and is refused by others, and half a
 * surrogate pair is no character. Both become U+FFFD.
 */
export function columnText(text: string): string {
  if (!text.includes("\0") && text.isWellFormed()) return text;
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}
