/**
 * Records on their way into a store: one small file for each hook call, in a private folder.
 *
 * A hook that opened SQLite would take half as long again; a file of its own costs it a twentieth. Nothing is
 * shared, so nothing is waited for: two hundred hooks at once write two hundred files. Whoever opens the store
 * next takes them in ({@linkcode drainSpool}): first the rows are committed, then the files are removed. A
 * drain that is killed in between meets the same files again, and the records' ids keep them from being stored
 * twice. A file that was cut short by a kill has no line end: nobody was told that it was written.
 *
 * @module
 */

import type { Runtime } from "../runtime/port.ts";
import { FileSystemError } from "../runtime/port.ts";
import type { StoreLocation } from "./location.ts";
import type { SessionDetails, SignalRecord } from "./port.ts";
import { stableId } from "./stable_id.ts";

/** What one file holds: a session and some of its records. */
export interface SpooledRecords {
  readonly session: SessionDetails;
  readonly records: readonly SignalRecord[];
}

/** Only the user may look into the folder; the files in it need no more. */
const PRIVATE_FOLDER = 0o700;

/** The folder in which records for a store wait. Each store has its own. */
export function spoolFolder({ store, stateFolder }: StoreLocation): string {
  return `${stateFolder}/spool/${stableId(store)}`;
}

/**
 * Writes one file. It is kept when the promise resolves, whatever happens to the process then.
 *
 * @throws {FileSystemError} When it cannot be written.
 */
export async function spoolRecords(
  runtime: Runtime,
  location: StoreLocation,
  spooled: SpooledRecords,
): Promise<void> {
  const folder = spoolFolder(location);
  const name = `${spoolStamp()}-${crypto.randomUUID()}.json`;
  const text = `${JSON.stringify(spooled)}\n`;
  try {
    await runtime.fs.dropFile(`${folder}/${name}`, text);
  } catch (error) {
    if (!(error instanceof FileSystemError) || error.code !== "not-found") throw error;
    await runtime.fs.makeDirectory(location.stateFolder, { mode: PRIVATE_FOLDER });
    const { prepareLosses } = await import("./losses.ts");
    await prepareLosses(runtime, location.stateFolder);
    await runtime.fs.makeDirectory(folder, { mode: PRIVATE_FOLDER });
    await runtime.fs.dropFile(`${folder}/${name}`, text);
  }
}

let written = 0;

/** The beginning of a file's name: names sort by time, and those of one program by the order it wrote them in. */
function spoolStamp(): string {
  const milliseconds = Date.now().toString().padStart(14, "0");
  return `${milliseconds}-${(written++).toString().padStart(8, "0")}`;
}

/** Milliseconds since the epoch when a file was written, by its name. */
export function spooledAt(name: string): number {
  return Number.parseInt(name, 10);
}

/** Reads a spool file; `null` when it is not whole, or not ours. */
export function parseSpooled(text: string): SpooledRecords | null {
  if (!text.endsWith("\n")) return null;
  try {
    const { session, records } = JSON.parse(text) as SpooledRecords;
    const isWhole = typeof session.id === "string" && Array.isArray(records) &&
      records.every((record) =>
        typeof record.id === "string" && typeof record.kind === "string" &&
        typeof record.opId === "string" && typeof record.ts === "number" &&
        typeof record.payload === "string"
      );
    return isWhole ? { session, records } : null;
  } catch {
    return null;
  }
}
