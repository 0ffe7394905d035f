import type { Runtime, SqliteDatabase, SqliteRow, SqliteValue } from "../runtime/port.ts";
import { columnText } from "./column_text.ts";
import {
  DEFAULT_PATIENCE_MS,
  openSqlite,
  type OpenSqliteOptions,
  whenFree,
} from "./open_sqlite.ts";
import {
  DEFAULT_PAGE_SIZE,
  type PruneReport,
  type Retention,
  type SearchOptions,
  type SessionDetails,
  type SignalFilter,
  type SignalRecord,
  type SignalStore,
  type StoredSession,
  type StoredSignal,
  type StoreStats,
} from "./port.ts";
import { pruneSqlite, sqliteBytes } from "./prune_sqlite.ts";
import { storeError } from "./store_errors.ts";

const UPSERT_SESSION = `INSERT INTO sessions (id, client, cwd, started_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET client = COALESCE(sessions.client, excluded.client),
    cwd = COALESCE(sessions.cwd, excluded.cwd), started_at = MIN(sessions.started_at, excluded.started_at)
  WHERE (sessions.client IS NULL AND excluded.client IS NOT NULL)
    OR (sessions.cwd IS NULL AND excluded.cwd IS NOT NULL) OR excluded.started_at < sessions.started_at`;
const LAST_SEQ = "SELECT COALESCE(MAX(seq), 0) AS seq FROM session_signals WHERE session_id = ?";
const INSERT_SIGNAL = `INSERT INTO session_signals (id, session_id, seq, kind, op_id, ts, payload)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
const READ_PAGE = `SELECT id, session_id, seq, kind, op_id, ts, payload FROM session_signals
  WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?`;

/** The tool and the behavior stand in the payload; its JSON is written by us, without white space. */
const DENIED = `instr(payload, '"behavior":"deny"') > 0`;

/** Opens a signal store in an SQLite file. See {@linkcode openSqlite} for what it throws. */
export async function sqliteStore(
  runtime: Runtime,
  path: string,
  options: OpenSqliteOptions = {},
): Promise<SignalStore> {
  const database = await openSqlite(runtime, path, options);
  return new SqliteStore(database, path, options.patienceMs ?? DEFAULT_PATIENCE_MS);
}

class SqliteStore implements SignalStore {
  readonly backend = "sqlite";
  readonly #database: SqliteDatabase;
  readonly #path: string;
  readonly #patienceMs: number;
  #closed = false;

  constructor(database: SqliteDatabase, path: string, patienceMs: number) {
    this.#database = database;
    this.#path = path;
    this.#patienceMs = patienceMs;
  }

  append(session: SessionDetails, records: readonly SignalRecord[]): Promise<number> {
    return this.#asked(
      "write signals to",
      (database) => database.transaction(() => appendRecords(database, session, records)),
    );
  }

  read(
    sessionId: string,
    { afterSeq = 0, limit = DEFAULT_PAGE_SIZE }: { afterSeq?: number; limit?: number } = {},
  ): Promise<StoredSignal[]> {
    return this.#asked(
      "read signals from",
      (database) =>
        database.prepare(READ_PAGE).all(columnText(sessionId), afterSeq, limit).map(storedSignal),
    );
  }

  search(filter: SignalFilter, options: SearchOptions = {}): Promise<StoredSignal[]> {
    return this.#asked("read signals from", (database) => {
      const { sql, values } = searchQuery(filter, options);
      return database.prepare(sql).all(...values).map(storedSignal);
    });
  }

  sessions(
    { since, client, limit = DEFAULT_PAGE_SIZE }: {
      since?: number;
      client?: string;
      limit?: number;
    } = {},
  ): Promise<StoredSession[]> {
    // The last signal comes from an index; signals are counted only for the sessions that are shown.
    const sql = `SELECT listed.*,
        (SELECT COUNT(*) FROM session_signals WHERE session_id = listed.id) AS signals,
        (SELECT COUNT(*) FROM session_signals
          WHERE session_id = listed.id AND kind = 'ToolDecided') AS calls,
        (SELECT COUNT(*) FROM session_signals
          WHERE session_id = listed.id AND kind = 'ToolDecided' AND ${DENIED}) AS denials
      FROM (SELECT id, client, cwd, started_at, COALESCE(
          (SELECT MAX(ts) FROM session_signals WHERE session_id = sessions.id), started_at) AS last_at
        FROM sessions) AS listed
      WHERE last_at >= ? AND (? IS NULL OR client = ?) ORDER BY last_at DESC, id LIMIT ?`;
    return this.#asked(
      "list the sessions of",
      (database) =>
        database.prepare(sql).all(since ?? -1e18, client ?? null, client ?? null, limit)
          .map(storedSession),
    );
  }

  deleteSession(sessionId: string): Promise<boolean> {
    return this.#asked(
      "delete a session from",
      (database) =>
        database.transaction(() =>
          database.prepare("DELETE FROM sessions WHERE id = ?").run(columnText(sessionId)).changes >
            0
        ),
    );
  }

  prune(retention: Retention): Promise<PruneReport> {
    return this.#asked("prune", (database) => pruneSqlite(database, retention));
  }

  stats(): Promise<StoreStats> {
    return this.#asked("look at", (database) => {
      const sessions = database.prepare("SELECT COUNT(*) AS count FROM sessions").get();
      const span = database.prepare(
        "SELECT COUNT(*) AS count, MIN(ts) AS oldest, MAX(ts) AS newest FROM session_signals",
      ).get();
      const kinds = database.prepare(
        "SELECT kind, COUNT(*) AS count FROM session_signals GROUP BY kind ORDER BY count DESC, kind",
      ).all();
      return {
        backend: this.backend,
        sessions: Number(sessions?.count),
        signals: Number(span?.count),
        bytes: sqliteBytes(database).file,
        oldest: span?.oldest == null ? null : Number(span.oldest),
        newest: span?.newest == null ? null : Number(span.newest),
        kinds: kinds.map(({ kind, count }) => ({ kind: String(kind), count: Number(count) })),
      };
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#asked("close", (database) => database.close());
  }

  async #asked<Value>(what: string, body: (database: SqliteDatabase) => Value): Promise<Value> {
    try {
      return await whenFree(Date.now() + this.#patienceMs, () => body(this.#database));
    } catch (error) {
      throw storeError(what, this.#path, error);
    }
  }
}

/** Appends inside a transaction that is open already. Only what is new takes a number, so there are no gaps. */
function appendRecords(
  database: SqliteDatabase,
  session: SessionDetails,
  records: readonly SignalRecord[],
): number {
  if (records.length === 0) return 0;
  const id = columnText(session.id);
  const startedAt = session.startedAt ?? records[0].ts;
  database.prepare(UPSERT_SESSION).run(
    id,
    textOrNull(session.client),
    textOrNull(session.cwd),
    startedAt,
  );
  const last = Number(database.prepare(LAST_SEQ).get(id)?.seq);
  const insert = database.prepare(INSERT_SIGNAL);
  let added = 0;
  for (const { id: signalId, kind, opId, ts, payload } of records) {
    added += insert.run(
      columnText(signalId),
      id,
      last + added + 1,
      columnText(kind),
      columnText(opId),
      ts,
      payload,
    ).changes;
  }
  return added;
}

/** Newest first is the order of arrival, backwards: it needs no index beyond the document's. */
function searchQuery(
  filter: SignalFilter,
  { after, limit = DEFAULT_PAGE_SIZE, newestFirst = true }: SearchOptions,
): { sql: string; values: SqliteValue[] } {
  const conditions: string[] = [];
  const values: SqliteValue[] = [];
  const where = (condition: string, ...given: SqliteValue[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  if (filter.sessionId !== undefined) where("session_id = ?", columnText(filter.sessionId));
  if (filter.kinds !== undefined) {
    where(`kind IN (${filter.kinds.map(() => "?").join(", ") || "NULL"})`, ...filter.kinds);
  }
  if (filter.tool !== undefined) {
    where("instr(payload, ?) > 0", `"tool":${JSON.stringify(filter.tool)}`);
  }
  if (filter.behavior !== undefined) {
    where("instr(payload, ?) > 0", `"behavior":${JSON.stringify(filter.behavior)}`);
  }
  if (filter.opId !== undefined) where("op_id = ?", columnText(filter.opId));
  if (filter.since !== undefined) where("ts >= ?", filter.since);
  if (filter.idPrefix !== undefined) {
    where("id >= ? AND id < ?", filter.idPrefix, `${filter.idPrefix}\u{10ffff}`);
  }
  if (after !== undefined) {
    where(
      `rowid ${newestFirst ? "<" : ">"} (SELECT rowid FROM session_signals WHERE id = ?)`,
      after.id,
    );
  }
  const sql = `SELECT id, session_id, seq, kind, op_id, ts, payload FROM session_signals
    ${conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`}
    ORDER BY rowid ${newestFirst ? "DESC" : "ASC"} LIMIT ?`;
  return { sql, values: [...values, limit] };
}

function storedSignal(row: SqliteRow): StoredSignal {
  return Object.freeze({
    id: String(row.id),
    sessionId: String(row.session_id),
    seq: Number(row.seq),
    kind: String(row.kind),
    opId: String(row.op_id),
    ts: Number(row.ts),
    payload: String(row.payload),
  });
}

function storedSession(row: SqliteRow): StoredSession {
  return Object.freeze({
    id: String(row.id),
    client: row.client === null ? null : String(row.client),
    cwd: row.cwd === null ? null : String(row.cwd),
    startedAt: Number(row.started_at),
    lastAt: Number(row.last_at),
    signals: Number(row.signals),
    calls: Number(row.calls),
    denials: Number(row.denials),
  });
}

function textOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : columnText(text);
}
