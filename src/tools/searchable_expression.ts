/** Characters of a line that are looked at: an expression may take a time that grows steeply with the length. */
const MAX_SEARCHED_CHARACTERS = 2_000;

/** A repeated group that itself repeats something: the shape that can take for ever, `(a+)+`. */
const NESTED_REPETITION = /\((?:\\.|\[(?:\\.|[^\]\\])*\]|[^()\\])*[+*}](?:\\.|[^()\\])*\)[+*{]/;

/**
 * Makes a search of lines by an expression, for where git cannot search.
 *
 * @throws {Error} when the expression is not valid, or has a shape that can take for ever.
 */
export function searchableExpression(
  pattern: string,
  options: { readonly literal: boolean; readonly ignore_case: boolean },
): (line: string) => boolean {
  const source = options.literal ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : pattern;
  if (NESTED_REPETITION.test(source)) {
    throw new Error(`Cannot search for ${pattern}: a repetition inside a repetition may never end`);
  }
  let expression: RegExp;
  try {
    expression = new RegExp(source, options.ignore_case ? "i" : "");
  } catch (error) {
    throw new Error(`Cannot search for ${pattern}: ${(error as Error).message}`);
  }
  return (line) => expression.test(line.slice(0, MAX_SEARCHED_CHARACTERS));
}
