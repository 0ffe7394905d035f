import type { Runtime } from "../runtime/port.ts";
import { isPostgres } from "./location.ts";
import type { OpenSqliteOptions } from "./open_sqlite.ts";
import { type SignalStore, StoreError } from "./port.ts";

/**
 * Opens a signal store by its location. The library for PostgreSQL is loaded only when it is needed.
 *
 * @param runtime The runtime.
 * @param store The absolute path of an SQLite file, or a `postgres://` URL.
 * @param options How long to wait, and whether to make a file that is not there.
 * @throws {StoreError} When it cannot be opened.
 */
export async function openStore(
  runtime: Runtime,
  store: string,
  options: OpenSqliteOptions = {},
): Promise<SignalStore> {
  if (isPostgres(store)) {
    const { postgresStore } = await import("./postgres_store.ts");
    return await postgresStore(store, { timeoutMs: options.patienceMs });
  }
  const { sqliteStore } = await import("./sqlite_store.ts");
  return await sqliteStore(runtime, store, options);
}

/**
 * An opener for `bindPersistence` that opens a store only when it is there already (D5-5): a program that
 * nobody asked to record leaves no file behind.
 */
export function existingStore(runtime: Runtime, store: string): () => Promise<SignalStore | null> {
  return async () => {
    try {
      return await openStore(runtime, store, { create: false });
    } catch (error) {
      if (error instanceof StoreError && error.code === "missing") return null;
      throw error;
    }
  };
}
