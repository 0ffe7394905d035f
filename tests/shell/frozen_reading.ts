import type { ShellReading } from "../../src/shell/facts.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";

/**
 * A line's reading with everything in it frozen. Readings are not frozen themselves, since that is dear; who judges one
 * that is can be seen to change nothing in it.
 */
export function frozenReading(line: string): ShellReading {
  return freezeAll(readCommandLine(line));
}

/** Freezes a value and all that it holds. */
export function freezeAll<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) freezeAll(inner);
  return value;
}
