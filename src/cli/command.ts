/**
 * What every command is given, and how it fails.
 *
 * @module
 */

import type { Runtime } from "../runtime/port.ts";
import type { Style } from "./style.ts";

/** What a command may use. */
export interface CommandContext {
  readonly runtime: Runtime;
  /** Prints text and a line end on standard output. */
  print(text: string): Promise<void>;
  /** Prints text and a line end on standard error. */
  printError(text: string): Promise<void>;
  /** Colours for standard output; plain when it is no terminal. */
  readonly style: Style;
  /** Colours for standard error; plain when it is no terminal. */
  readonly errorStyle: Style;
}

/** A command: reads its arguments, calls what does the work, prints, and returns the exit code. */
export type Command = (args: readonly string[], context: CommandContext) => Promise<number>;

/** Wrong arguments. Ends the program with exit code 2, the message and a hint at the command's help. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
