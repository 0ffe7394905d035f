import { STEPS_PER_WORD } from "./limits.ts";
import type { Expansion } from "./parameter_expansion.ts";

/** How many steps it is to put an expansion into a word. */
export function expansionLength(expansion: Expansion): number {
  if (expansion.kind === "unknown-words") return 1;
  let length = expansion.kind === "words" ? expansion.words.length * STEPS_PER_WORD : 0;
  for (const parts of expansion.kind === "words" ? expansion.words : [expansion.parts]) {
    for (const part of parts) length += part.kind === "text" ? part.text.length : 1;
  }
  return length;
}
