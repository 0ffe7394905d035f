/** A variable (or the beginning of several) that Bun's runtime reads from the environment, and how often it is named. */
export interface RuntimeVariable {
  readonly name: string;
  /** How often the name stands in Bun 1.4.5's executable; the same on all six targets. */
  readonly count: number;
  /** What the variable would do to a guarded call. */
  readonly harm: string;
}

/** The variables that could turn a guarded call into an unguarded one. */
export const RUNTIME_VARIABLES: readonly RuntimeVariable[] = [
  { name: "BUN_OPTIONS", count: 2, harm: "runs foreign code before ours (--preload)" },
  { name: "BUN_BE_BUN", count: 1, harm: "makes the binary plain Bun, which runs foreign scripts" },
  {
    name: "BUN_INSPECT",
    count: 11,
    harm: "opens a debugger, or waits for one until the client gives up",
  },
  { name: "BUN_BYTECODE_", count: 4, harm: "overwrites any file the user may write" },
];

/** Thrown when an executable does not name a variable as often as it was seen to. */
export class VariableCountError extends Error {
  override readonly name = "VariableCountError";
}

/**
 * Takes the names in {@linkcode RUNTIME_VARIABLES} out of an executable, in place, so that the runtime
 * asks for a variable that no environment can hold: the first letter becomes a NUL.
 *
 * Only the first byte changes, because a linker lets other texts share the end of this one. Where the
 * runtime's own JavaScript says `process.env.NAME` the letter stays: a NUL would break that script, and
 * it never runs without the variable.
 *
 * Throws {@linkcode VariableCountError} when a name is found another number of times: another version of
 * the runtime, to be looked at by a person.
 */
export function renameVariables(executable: Uint8Array): void {
  const bytes = Buffer.from(executable.buffer, executable.byteOffset, executable.byteLength);
  for (const { name, count } of RUNTIME_VARIABLES) {
    const found = positionsOf(bytes, name);
    if (found.length !== count) {
      throw new VariableCountError(
        `Cannot take ${name} out of the runtime: it is named ${found.length} times, not ${count}. ` +
          "Look at each place, then correct the count.",
      );
    }
    for (const position of found) {
      if (bytes[position - 1] !== DOT) bytes[position] = 0;
    }
  }
}

const DOT = ".".charCodeAt(0);

/** Where a text stands in bytes. */
export function positionsOf(bytes: Buffer, text: string): number[] {
  const positions: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) positions.push(at);
  return positions;
}
