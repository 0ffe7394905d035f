import type { Runtime, SqliteDatabase } from "../runtime/port.ts";
import { SqliteError } from "../runtime/sqlite_error.ts";
import { journalModeFor } from "./journal_mode.ts";
import { StoreError } from "./port.ts";
import { MIGRATIONS, OLDEST_SQLITE, SCHEMA_VERSION } from "./sqlite_schema.ts";
import { storeError } from "./store_errors.ts";

/** How a database is opened. */
export interface OpenSqliteOptions {
  /** Make the file, and a private folder for it, when it is not there. Default `true`. */
  readonly create?: boolean;
  /** Milliseconds SQLite itself waits for a lock, during which the process does nothing else. Default 50. */
  readonly busyTimeoutMs?: number;
  /** Milliseconds after which waiting for other processes ends. Default 5,000. */
  readonly patienceMs?: number;
}

/** Milliseconds SQLite waits for a lock by itself: short, since the whole process waits with it. */
export const DEFAULT_BUSY_TIMEOUT_MS = 50;
/** Milliseconds a caller's write may wait for other processes in all. */
export const DEFAULT_PATIENCE_MS = 5_000;

/** Only the user may read and write the file. */
const PRIVATE_FILE = 0o600;
/** Only the user may look into the folder. */
const PRIVATE_FOLDER = 0o700;

/**
 * Opens a database file as a signal store's, and brings its schema up to date.
 *
 * The busy timeout is set before anything else is asked; migrations read the version again inside the lock, so
 * that of several processes one migrates.
 *
 * @throws {StoreError} `missing`, `busy`, `corrupt`, `read-only`, `full`, `newer` or `outdated`.
 */
export async function openSqlite(
  runtime: Runtime,
  path: string,
  options: OpenSqliteOptions = {},
): Promise<SqliteDatabase> {
  const busyTimeoutMs = options.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS;
  const deadline = Date.now() + (options.patienceMs ?? DEFAULT_PATIENCE_MS);
  let database: SqliteDatabase | null = null;
  try {
    await prepareFile(runtime, path, options.create ?? true);
    database = await runtime.sqlite.open(path, { busyTimeoutMs, create: false });
    const opened = database;
    await whenFree(deadline, () => versionOf(opened));
    if (versionOf(database) !== SCHEMA_VERSION) await migrate(runtime, database, path, deadline);
    // NORMAL: a crash of the machine may lose the last rows, a crash of the program none.
    database.execute("PRAGMA synchronous = NORMAL");
    database.execute("PRAGMA foreign_keys = ON");
    return database;
  } catch (error) {
    try {
      database?.close();
    } catch {
      // The first error is the one to tell.
    }
    throw storeError("open the signal store", path, error);
  }
}

/** Waits for other processes between tries, with jitter: SQLite's own waiting lets one writer starve others. */
export async function whenFree<Value>(deadline: number, body: () => Value): Promise<Value> {
  for (let attempt = 0;; attempt++) {
    try {
      return body();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= deadline) throw error;
      const longest = Math.min(LONGEST_PAUSE_MS, 2 ** attempt);
      await new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
    }
  }
}

/** Milliseconds between two tries at most. */
const LONGEST_PAUSE_MS = 50;

function isBusy(error: unknown): boolean {
  return error instanceof SqliteError &&
    (error.code === "SQLITE_BUSY" || error.code === "SQLITE_LOCKED");
}

async function prepareFile(runtime: Runtime, path: string, create: boolean): Promise<void> {
  if (runtime.fs.exists(path)) return;
  if (!create) {
    throw new StoreError(`Cannot open the signal store ${path}: there is none yet`, "missing");
  }
  const folder = path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")));
  if (folder !== "" && !runtime.fs.exists(folder)) {
    await runtime.fs.makeDirectory(folder, { mode: PRIVATE_FOLDER });
  }
  // SQLite would make it readable for others; its sidecars take over the file's own mode.
  await runtime.fs.appendFile(path, "", { mode: PRIVATE_FILE });
}

function versionOf(database: SqliteDatabase): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

async function migrate(
  runtime: Runtime,
  database: SqliteDatabase,
  path: string,
  deadline: number,
): Promise<void> {
  const found = versionOf(database);
  if (found > SCHEMA_VERSION) throw newer(path, found);
  checkLibrary(database, path);
  if (found === 0) {
    // Must stand before the first table; without it the file never shrinks.
    await whenFree(deadline, () => database.execute("PRAGMA auto_vacuum = INCREMENTAL"));
  }
  // The switch does not wait for locks, however long the timeout.
  const mode = journalModeFor(path, await mountsOf(runtime));
  await whenFree(deadline, () => database.execute(`PRAGMA journal_mode = ${mode}`));
  await whenFree(deadline, () => database.transaction(() => applyMigrations(database, path)));
}

function applyMigrations(database: SqliteDatabase, path: string): void {
  // Another process may have migrated while this one waited for the lock.
  const found = versionOf(database);
  if (found > SCHEMA_VERSION) throw newer(path, found);
  for (const { version, statements } of MIGRATIONS) {
    if (version <= found) continue;
    for (const statement of statements) database.execute(statement);
    database.execute(`PRAGMA user_version = ${version}`);
  }
}

function newer(path: string, found: number): StoreError {
  return new StoreError(
    `Cannot use the signal store ${path}: a newer gatehouse wrote it (schema ${found}, this one knows ` +
      `${SCHEMA_VERSION}). Update gatehouse, or name another store with GATEHOUSE_STORE.`,
    "newer",
  );
}

function checkLibrary(database: SqliteDatabase, path: string): void {
  const version = String(database.prepare("SELECT sqlite_version() AS version").get()?.version);
  const parts = version.split(".").map(Number);
  for (const [index, oldest] of OLDEST_SQLITE.entries()) {
    if (parts[index] > oldest) return;
    if (parts[index] < oldest) {
      throw new StoreError(
        `Cannot use the signal store ${path}: this system's SQLite is ${version}, and ` +
          `${OLDEST_SQLITE.join(".")} is needed`,
        "outdated",
      );
    }
  }
}

async function mountsOf(runtime: Runtime): Promise<string | null> {
  if (runtime.env.platform !== "linux") return null;
  try {
    return new TextDecoder().decode(await runtime.fs.readFile("/proc/self/mountinfo"));
  } catch {
    return null;
  }
}
