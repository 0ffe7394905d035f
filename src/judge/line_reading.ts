import type { ShellReading } from "../shell/facts.ts";
import { readLine } from "../shell/read_line.ts";

/** Says what a line would run. */
export type LineReader = (text: string) => Promise<ShellReading>;

/** Reads command lines; each text once, since several controls ask about the same. */
export function lineReader(): LineReader {
  let known: ShellReading | null = null;
  return async (text) => {
    if (known === null || known.text !== text) known = await readLine(text);
    return known;
  };
}
