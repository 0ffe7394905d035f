import type { Runtime } from "../runtime/port.ts";
import { drainSpool, waitingFiles } from "./drain_spool.ts";
import { isPostgres, serverName, type StoreLocation } from "./location.ts";
import { type Losses, readLosses } from "./losses.ts";
import { openStore } from "./open_store.ts";
import { type SignalStore, StoreError, type StoreStats } from "./port.ts";

/** How a signal store is. */
export interface StoreHealth {
  /** The file, or the server without its password. */
  readonly store: string;
  /**
   * `fine`: it can be written. `unused`: nothing was ever recorded. `failing`: it cannot be opened or written.
   */
  readonly state: "fine" | "unused" | "failing";
  /** Why it fails; `null` when it does not. */
  readonly failure: StoreError | null;
  /** Records that wait to be taken in. They are not lost. */
  readonly waiting: number;
  /** What was lost. */
  readonly losses: Losses;
  /** What it holds; `null` when it cannot be read or is unused. */
  readonly stats: StoreStats | null;
}

/**
 * Looks how a store is, by taking in what waits for it; and whether the state folder, where records wait, can be
 * written. Never rejects.
 */
export async function storeHealth(runtime: Runtime, location: StoreLocation): Promise<StoreHealth> {
  const store = isPostgres(location.store) ? serverName(location.store) : location.store;
  const health = async (
    state: StoreHealth["state"],
    failure: StoreError | null,
    stats: StoreStats | null,
  ): Promise<StoreHealth> =>
    Object.freeze({
      store,
      state,
      failure,
      waiting: (await waitingFiles(runtime, location)).length,
      losses: await readLosses(runtime, location.stateFolder),
      stats,
    });
  const unwritable = await writingFails(runtime, location.stateFolder);
  if (unwritable !== null) return await health("failing", unwritable, null);
  const isUsed = isPostgres(location.store) || runtime.fs.exists(location.store) ||
    (await waitingFiles(runtime, location)).length > 0;
  if (!isUsed) return await health("unused", null, null);
  let opened: SignalStore | null = null;
  try {
    opened = await openStore(runtime, location.store, { patienceMs: PATIENCE_MS });
    const { failure } = await drainSpool(runtime, location, opened);
    return await health(failure === null ? "fine" : "failing", failure, await opened.stats());
  } catch (error) {
    const failure = error instanceof StoreError
      ? error
      : new StoreError(String(error), "other", error);
    return await health("failing", failure, null);
  } finally {
    await opened?.close().catch(() => {});
  }
}

/** Tries the state folder with a file; a folder that is not there yet is no failure. */
async function writingFails(runtime: Runtime, stateFolder: string): Promise<StoreError | null> {
  if (!runtime.fs.exists(stateFolder)) return null;
  const probe = `${stateFolder}/.probe-${crypto.randomUUID()}`;
  try {
    // More than a block, since the rest of a block that is in use may still be free.
    await runtime.fs.dropFile(probe, "x".repeat(PROBE_BYTES));
    return null;
  } catch (error) {
    return new StoreError(
      `Cannot record: the state folder ${stateFolder} cannot be written (${
        (error as Error).message
      })`,
      "read-only",
      error,
    );
  } finally {
    await runtime.fs.remove(probe).catch(() => {});
  }
}

/** Milliseconds to wait for a store that is held: a person is waiting for the answer. */
const PATIENCE_MS = 500;

/** Two blocks of most file systems. */
const PROBE_BYTES = 8_192;
