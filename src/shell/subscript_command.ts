/** A subscript with a command in it. */
const SUBSCRIPT = /\[[^\]]*(?:\$\(|`)/;

/** Builtins that evaluate the subscripts in their operands, even quoted ones. */
export const SUBSCRIPT_BUILTINS: ReadonlySet<string> = new Set([
  "test",
  "[",
  "let",
  "unset",
  "read",
  "declare",
  "typeset",
  "local",
  "export",
  "readonly",
  "mapfile",
  "readarray",
  "getopts",
  "wait",
]);

/**
 * Tells whether a text would run a command when the shell takes it for the name of a variable: in
 * arithmetic, in `test -v`, in `unset`, `a[$(cmd)]` runs `cmd` however it is quoted.
 */
export function hasSubscriptCommand(text: string | null): boolean {
  return text !== null && text.includes("[") && SUBSCRIPT.test(text);
}
