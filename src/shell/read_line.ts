import type { ShellReading } from "./facts.ts";
import { readPlainList } from "./plain_list.ts";
import { readSimpleCommandLine } from "./simple_command_line.ts";

/**
 * Says what a line would run, as `readCommandLine` does. The parser is loaded only for a line that is more than plain
 * commands.
 */
export async function readLine(text: string): Promise<ShellReading> {
  return readSimpleCommandLine(text) ?? readPlainList(text) ??
    (await import("./read_command_line.ts")).readCommandLine(text);
}
