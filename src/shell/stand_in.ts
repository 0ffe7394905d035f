import type { ShellWord, WordPart } from "./facts.ts";
import type { ShellState } from "./shell_state.ts";

/** How the variables begin that stand in a script for what its text does not say. */
const PREFIX = "__gatehouse_part_";

/**
 * The text of a script that a word carries. Where a part of it is not text, a variable stands in that
 * holds the part, so that the script can be parsed and the part is found again in its words.
 *
 * @param next The number of the next stand-in.
 * @returns The text, and how many stand-ins were made.
 */
export function scriptText(
  state: ShellState,
  word: ShellWord,
  next: number,
): { readonly text: string; readonly made: number } {
  let text = "";
  let made = 0;
  for (const part of word.parts) {
    if (part.kind === "text" || part.kind === "glob") text += part.text;
    else {
      const name = PREFIX + (next + made++);
      state.setVariable(name, { kind: "set", parts: [part], elements: null, exported: true });
      text += `\${${name}}`;
    }
  }
  return { text, made };
}

/** A quoted text of a script, with the parts that stand-ins in it hold. */
export function withStandIns(state: ShellState, text: string): readonly WordPart[] {
  if (!text.includes(PREFIX)) return text === "" ? [] : [{ kind: "text", text }];
  const parts: WordPart[] = [];
  for (const piece of text.split(/(\$\{__gatehouse_part_\d+\})/)) {
    const variable = piece.startsWith("${") ? state.variable(piece.slice(2, -1)) : undefined;
    if (variable?.kind === "set") parts.push(...variable.parts);
    else if (piece !== "") parts.push({ kind: "text", text: piece });
  }
  return parts;
}
