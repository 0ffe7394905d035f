import type { WordPart as Node } from "unbash";
import type { Reading } from "./reading.ts";

/** Whether a quoted text is `"$@"` alone and there is nothing in it: then it is no word at all. */
export function standsForNothing(reading: Reading, parts: readonly Node[]): boolean {
  const [part] = parts;
  if (parts.length !== 1 || !part.text.includes("@")) return false;
  const match = /^\$(?:@|\{@\}|\{(\w+)\[@\]\})$/.exec(part.text);
  if (match === null) return false;
  const name = match[1];
  if (name === undefined) return reading.state.flags.positional?.length === 0;
  const variable = reading.state.variable(name);
  return variable?.kind === "unset" || variable?.kind === "set" && variable.elements?.length === 0;
}
