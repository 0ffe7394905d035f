import type { Runtime } from "../runtime/port.ts";

/** What was lost of what should have been recorded. */
export interface Losses {
  /** Signals and records that could not be kept; at least so many, since hooks that run at once count over each other. */
  readonly lost: number;
  /** Milliseconds since the epoch of the first and the last loss; `null` when there was none. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** Why the last one was lost; `null` when nothing was. */
  readonly reason: string | null;
}

/** Nothing lost. */
export const NO_LOSSES: Losses = Object.freeze({
  lost: 0,
  firstMs: null,
  lastMs: null,
  reason: null,
});

/** The file's name in the state folder. */
const FILE = "losses.json";
/** A reason longer than this says no more. */
const LONGEST_REASON = 500;

/** Where the losses of a state folder are counted. */
export function lossesFile(stateFolder: string): string {
  return `${stateFolder}/${FILE}`;
}

/** Reads what was lost so far. Never rejects; a file that cannot be understood counts as one loss. */
export async function readLosses(runtime: Runtime, stateFolder: string): Promise<Losses> {
  let text: string;
  try {
    text = new TextDecoder().decode(await runtime.fs.readFile(lossesFile(stateFolder)));
  } catch {
    return NO_LOSSES;
  }
  try {
    const found = JSON.parse(text) as Partial<Losses>;
    return Object.freeze({
      lost: Number(found.lost) || 0,
      firstMs: typeof found.firstMs === "number" ? found.firstMs : null,
      lastMs: typeof found.lastMs === "number" ? found.lastMs : null,
      reason: typeof found.reason === "string" ? found.reason : null,
    });
  } catch {
    // Written while the disk was full, or being written now.
    return Object.freeze({ ...NO_LOSSES, lost: 1, reason: "the count itself was damaged" });
  }
}

/**
 * Adds to the count of what was lost. Never rejects: when even this cannot be written, nothing can.
 *
 * The file is written over in place. On a full disk that often still works, where a new file does not; that is
 * why {@linkcode prepareLosses} makes it beforehand.
 */
export async function countLoss(
  runtime: Runtime,
  stateFolder: string,
  lost: number,
  reason: unknown,
  nowMs: number = Date.now(),
): Promise<void> {
  const before = await readLosses(runtime, stateFolder);
  const message = reason instanceof Error ? reason.message : String(reason);
  await write(runtime, stateFolder, {
    lost: before.lost + lost,
    firstMs: before.firstMs ?? nowMs,
    lastMs: nowMs,
    reason: message.slice(0, LONGEST_REASON),
  });
}

/** Makes the count's file when it is not there, so that it has a place on the disk. Never rejects. */
export async function prepareLosses(runtime: Runtime, stateFolder: string): Promise<void> {
  if (!runtime.fs.exists(lossesFile(stateFolder))) {
    await write(runtime, stateFolder, NO_LOSSES);
  }
}

/** Begins to count anew, after a person has seen it. Never rejects. */
export async function clearLosses(runtime: Runtime, stateFolder: string): Promise<void> {
  await write(runtime, stateFolder, NO_LOSSES);
}

async function write(runtime: Runtime, stateFolder: string, losses: Losses): Promise<void> {
  try {
    await runtime.fs.dropFile(lossesFile(stateFolder), `${JSON.stringify(losses)}\n`);
  } catch {
    // Nothing is left to be tried.
  }
}
