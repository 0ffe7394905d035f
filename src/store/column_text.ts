/**
 * Makes a text fit for a text column: NUL ends a text early in some drivers and is refused by others, and half a
 * surrogate pair is no character. Both become U+FFFD.
 */
export function columnText(text: string): string {
  return (text.includes("\0") ? text.replaceAll("\0", "\ufffd") : text).toWellFormed();
}
