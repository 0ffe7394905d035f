/**
 * A text as one shell word, in the one spelling gatehouse uses: bare where that is safe, else in
 * single quotes.
 */
export function quoteText(text: string): string {
  return isBare(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Whether the shell reads a text as itself, as a word among others. */
function isBare(text: string): boolean {
  return /^(?:[\w./:@,+%^-][\w./:=@,+%^~-]*|\{\}|\[|\])$/.test(text);
}
