import type { ShellReading } from "../shell/facts.ts";
import { readPlainList } from "../shell/plain_list.ts";
import { readSimpleCommandLine } from "../shell/simple_command_line.ts";

/** Says what a line would run. */
export type LineReader = (text: string) => Promise<ShellReading>;

/** Reads command lines; each text once, and the parser is loaded only for a line that is more than plain commands. */
export function lineReader(): LineReader {
  let known: ShellReading | null = null;
  return async (text) => {
    if (known === null || known.text !== text) {
      known = readSimpleCommandLine(text) ?? readPlainList(text) ??
        (await import("../shell/read_command_line.ts")).readCommandLine(text);
    }
    return known;
  };
}
