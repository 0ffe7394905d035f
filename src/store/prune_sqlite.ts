import type { SqliteDatabase } from "../runtime/port.ts";
import type { PruneReport, Retention } from "./port.ts";

/** Rows a transaction deletes at most: other writers get their turn in between. */
const CHUNK = 5_000;
/** The same for a quick look, which reads as many rows even when none goes. */
const QUICK_CHUNK = 500;

/** The bytes of a database's file, and those of its pages that hold something. */
export function sqliteBytes(database: SqliteDatabase): { file: number; used: number } {
  const pragma = (name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
  const size = pragma("page_size");
  const pages = pragma("page_count");
  return { file: pages * size, used: (pages - pragma("freelist_count")) * size };
}

/**
 * Removes what is older than the retention allows, then the oldest until the size fits, then sessions that are
 * as old and have nothing left; and gives the space back to the system.
 *
 * "Oldest" is the order of arrival when the size is at stake: no session's newest rows go before another's oldest.
 */
export function pruneSqlite(database: SqliteDatabase, retention: Retention): PruneReport {
  const before = sqliteBytes(database);
  const now = retention.now ?? Date.now() / 1_000;
  let signals = 0;
  let sessions = 0;
  if (retention.maxAgeSeconds !== undefined) {
    const oldest = now - retention.maxAgeSeconds;
    const removed = retention.quick === true
      ? olderFirst(database, oldest)
      : older(database, oldest);
    signals += removed;
    if (removed > 0 || retention.quick !== true) sessions += emptySessions(database, oldest);
  }
  if (retention.maxBytes !== undefined) {
    const removed = untilItFits(database, retention.maxBytes);
    signals += removed;
    if (removed > 0) sessions += emptySessions(database, now);
  }
  if (signals + sessions > 0) giveBack(database);
  return { signals, sessions, bytesBefore: before.file, bytesAfter: sqliteBytes(database).file };
}

/** Removes what is too old, wherever it stands. */
function older(database: SqliteDatabase, oldest: number): number {
  const statement = database.prepare(
    `DELETE FROM session_signals WHERE rowid IN
      (SELECT rowid FROM session_signals WHERE ts < ? LIMIT ${CHUNK})`,
  );
  return inChunks(database, CHUNK, () => statement.run(oldest).changes);
}

/** Removes what is too old of what arrived first, and stops where that is not too old any more. */
function olderFirst(database: SqliteDatabase, oldest: number): number {
  const first = database.prepare("SELECT ts FROM session_signals ORDER BY rowid LIMIT 1").get();
  if (first === null || Number(first.ts) >= oldest) return 0;
  const statement = database.prepare(
    `DELETE FROM session_signals WHERE ts < ? AND rowid IN
      (SELECT rowid FROM session_signals ORDER BY rowid LIMIT ${QUICK_CHUNK})`,
  );
  return inChunks(database, QUICK_CHUNK, () => statement.run(oldest).changes);
}

function inChunks(database: SqliteDatabase, size: number, deleteChunk: () => number): number {
  let removed = 0;
  while (true) {
    const chunk = database.transaction(deleteChunk);
    removed += chunk;
    if (chunk < size) return removed;
  }
}

function untilItFits(database: SqliteDatabase, maxBytes: number): number {
  const deleteOldest = database.prepare(
    "DELETE FROM session_signals WHERE rowid IN (SELECT rowid FROM session_signals ORDER BY rowid LIMIT ?)",
  );
  let removed = 0;
  while (true) {
    const { used } = sqliteBytes(database);
    if (used <= maxBytes) return removed;
    const rows = Number(
      database.prepare("SELECT COUNT(*) AS count FROM session_signals").get()?.count,
    );
    if (rows === 0) return removed;
    // As many as their share of the excess, in chunks: rows differ in size, so it is looked at again.
    let wanted = Math.max(1, Math.ceil(rows * (1 - maxBytes / used)));
    while (wanted > 0) {
      const chunk = database.transaction(() => deleteOldest.run(Math.min(wanted, CHUNK)).changes);
      if (chunk === 0) break;
      removed += chunk;
      wanted -= chunk;
    }
  }
}

function emptySessions(database: SqliteDatabase, olderThan: number): number {
  return database.transaction(() =>
    database.prepare(
      `DELETE FROM sessions WHERE started_at < ? AND NOT EXISTS
        (SELECT 1 FROM session_signals WHERE session_id = sessions.id)`,
    ).run(olderThan).changes
  );
}

function giveBack(database: SqliteDatabase): void {
  // The pragma frees a page for each row that is read from it.
  database.prepare("PRAGMA incremental_vacuum").all();
  database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
}
