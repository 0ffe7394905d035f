import type { WordPart } from "./facts.ts";
import { STEPS_PER_WORD } from "./limits.ts";
import type { Expansion } from "./parameter_expansion.ts";

/** How many steps it is to put an expansion into a word. */
export function expansionLength(expansion: Expansion): number {
  if (expansion.kind === "unknown-words") return 1;
  if (expansion.kind === "value") return partsLength(expansion.parts);
  let length = expansion.words.length * STEPS_PER_WORD;
  for (const parts of expansion.words) length += partsLength(parts);
  return length;
}

function partsLength(parts: readonly WordPart[]): number {
  let length = 0;
  for (const part of parts) length += part.kind === "text" ? part.text.length : 1;
  return length;
}
