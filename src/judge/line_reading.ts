import type { ShellReading } from "../shell/facts.ts";
import { readSimpleCommandLine } from "../shell/simple_command_line.ts";

/** Reads command lines; each text once, and the parser is loaded only for a line that is more than one plain command. */
export class LineReader {
  // Not private to the language: each such name costs a hook more than a field.
  private text: string | null = null;
  private reading: ShellReading | null = null;

  /** What a line would run. */
  async read(text: string): Promise<ShellReading> {
    if (this.reading !== null && this.text === text) return this.reading;
    const reading = readSimpleCommandLine(text) ??
      (await import("../shell/read_command_line.ts")).readCommandLine(text);
    this.text = text;
    this.reading = reading;
    return reading;
  }
}
