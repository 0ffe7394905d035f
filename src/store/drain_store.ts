import type { Runtime } from "../runtime/port.ts";
import { type DrainOptions, type DrainReport, drainSpool, waitingFiles } from "./drain_spool.ts";
import type { StoreLocation } from "./location.ts";
import { openStore } from "./open_store.ts";
import type { Retention, SignalStore } from "./port.ts";
import { StoreError } from "./port.ts";

/** What a store keeps when nobody says otherwise: a season, and no more than half a gigabyte. */
export const DEFAULT_RETENTION: Required<Pick<Retention, "maxAgeSeconds" | "maxBytes">> = Object
  .freeze({
    maxAgeSeconds: 90 * 24 * 3_600,
    maxBytes: 512 * 1_024 * 1_024,
  });

/** Milliseconds a hook waits for a store that is held by somebody else. */
const PATIENCE_MS = 250;

/**
 * Opens a store, takes in what waits for it, keeps it within its bounds, and closes it.
 *
 * Never rejects: what cannot be stored waits, and the report says why.
 */
export async function drainStore(
  runtime: Runtime,
  location: StoreLocation,
  options: DrainOptions & { readonly retention?: Retention } = {},
): Promise<DrainReport> {
  let store: SignalStore;
  try {
    store = await openStore(runtime, location.store, { patienceMs: PATIENCE_MS });
  } catch (error) {
    const failure = error instanceof StoreError
      ? error
      : new StoreError(String(error), "other", error);
    return await drainSpool(runtime, location, failing(failure), options);
  }
  try {
    const report = await drainSpool(runtime, location, store, options);
    if (report.drained > 0) {
      await store.prune({ ...DEFAULT_RETENTION, ...options.retention, quick: true });
    }
    return report;
  } catch (error) {
    // Only pruning can fail here, and it is tried again next time.
    const failure = error instanceof StoreError ? error : null;
    const waiting = (await waitingFiles(runtime, location)).length;
    return { drained: 0, waiting, lost: 0, failure };
  } finally {
    await store.close().catch(() => {});
  }
}

/** A store that could not be opened, as one that fails: the bound on what waits holds for it too. */
function failing(failure: StoreError): SignalStore {
  const refuse = () => Promise.reject(failure);
  return {
    backend: "sqlite",
    append: refuse,
    read: refuse,
    search: refuse,
    sessions: refuse,
    deleteSession: refuse,
    prune: refuse,
    stats: refuse,
    close: () => Promise.resolve(),
  };
}
