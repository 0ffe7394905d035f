/** What acts on a terminal, or turns the reading direction: controls, escapes, bidi marks, line separators. */
const ACTIVE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;

/**
 * Makes text safe to show: what others have written must not move the reader's cursor, change colours or reverse
 * the line. Such characters are shown as escapes.
 */
export function safeText(text: string): string {
  return text.replace(ACTIVE, (character) => {
    if (character === "\n") return "\\n";
    if (character === "\t") return "\\t";
    if (character === "\r") return "\\r";
    return `\\u{${character.charCodeAt(0).toString(16)}}`;
  });
}

/** Makes every text in a value safe to show. */
export function safeValue<Value>(value: Value): Value {
  if (typeof value === "string") return safeText(value) as Value;
  if (Array.isArray(value)) return value.map(safeValue) as Value;
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [safeText(name), safeValue(field)]),
    ) as Value;
  }
  return value;
}

/** Cuts text to a width, at a character's edge, and says so. */
export function cutText(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`;
}
