import postgres from "postgres";
import { columnText } from "./column_text.ts";
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
  StoreError,
  type StoreErrorCode,
  type StoreStats,
} from "./port.ts";
import { MIGRATION_LOCK, POSTGRES_MIGRATIONS, POSTGRES_SCHEMA_VERSION } from "./postgres_schema.ts";
import { serverName } from "./location.ts";
import { within } from "./within.ts";

/** How a server is reached. */
export interface PostgresOptions {
  /** Connections at most. Default 4. */
  readonly connections?: number;
  /** Milliseconds one question may take, connecting included. Default 5,000. */
  readonly timeoutMs?: number;
}

/** Connections a program keeps at most: appends of one session wait for each other anyway. */
const CONNECTIONS = 4;
/** Milliseconds a question may take. */
const TIMEOUT_MS = 5_000;
/** Seconds an unused connection is kept. */
const IDLE_SECONDS = 20;

/** What PostgreSQL's own error codes mean for a store, by their beginning. */
const SERVER_CODES: readonly (readonly [string, StoreErrorCode])[] = [
  ["53100", "full"],
  ["53", "unreachable"], // no resources: too many connections, out of memory
  ["08", "unreachable"],
  ["57", "unreachable"], // shutting down, cancelled
  ["28", "unreachable"], // not let in
  ["3D", "missing"],
  ["25006", "read-only"],
  ["42501", "read-only"],
  ["55P03", "busy"],
  ["40", "busy"],
  ["XX001", "corrupt"],
  ["XX002", "corrupt"],
];

/**
 * Opens a signal store in a PostgreSQL database and brings its schema up to date under a lock.
 *
 * @param url `postgres://user:password@host:port/database`.
 * @throws {StoreError} `unreachable`, `missing`, `newer`, …; its message never has the password.
 */
export async function postgresStore(
  url: string,
  options: PostgresOptions = {},
): Promise<SignalStore> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const store = new PostgresStore(url, timeoutMs, options.connections ?? CONNECTIONS);
  try {
    await store.migrate();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

class PostgresStore implements SignalStore {
  readonly backend = "postgres";
  readonly #sql: postgres.Sql;
  readonly #server: string;
  readonly #timeoutMs: number;

  constructor(url: string, timeoutMs: number, connections: number) {
    this.#server = serverName(url);
    this.#timeoutMs = timeoutMs;
    try {
      this.#sql = postgres(url, {
        max: connections,
        connect_timeout: Math.max(1, Math.ceil(timeoutMs / 1_000)),
        idle_timeout: IDLE_SECONDS,
        // Array types are not used, and asking for them costs a round trip on every connection.
        fetch_types: false,
        onnotice: () => {},
        connection: { application_name: "gatehouse", statement_timeout: timeoutMs },
      });
    } catch (error) {
      throw this.#failure("open the signal store", error);
    }
  }

  async migrate(): Promise<void> {
    await this.#asked("open the signal store", async (sql) => {
      // Most of the time there is nothing to do, and nothing to lock.
      if (await schemaVersion(sql, this.#server) === POSTGRES_SCHEMA_VERSION) return;
      await sql.begin(async (transaction) => {
        await transaction`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
        const found = await schemaVersion(transaction, this.#server);
        await transaction`CREATE TABLE IF NOT EXISTS gatehouse_schema (version INTEGER NOT NULL)`;
        for (const { version, sql: statements } of POSTGRES_MIGRATIONS) {
          if (version > found) await transaction.unsafe(statements);
        }
        await transaction`DELETE FROM gatehouse_schema`;
        await transaction`INSERT INTO gatehouse_schema VALUES (${POSTGRES_SCHEMA_VERSION})`;
      });
    });
  }

  append(session: SessionDetails, records: readonly SignalRecord[]): Promise<number> {
    if (records.length === 0) return Promise.resolve(0);
    const id = columnText(session.id);
    const client = textOrNull(session.client);
    const cwd = textOrNull(session.cwd);
    const since = session.startedAt ?? records[0].ts;
    return this.#asked("write signals to", async (sql) => {
      const [row] = records.length === 1
        ? await sql`SELECT gatehouse_append_one(${id}, ${client}, ${cwd}, ${since},
            ${columnText(records[0].id)}, ${columnText(records[0].kind)},
            ${columnText(records[0].opId)}, ${records[0].ts}, ${
          records[0].payload
        }::text::json) AS added`
        : await sql`SELECT gatehouse_append(${id}, ${client}, ${cwd}, ${since},
            ${recordsJson(records)}::text::json) AS added`;
      return Number(row.added);
    });
  }

  read(
    sessionId: string,
    { afterSeq = 0, limit = DEFAULT_PAGE_SIZE }: { afterSeq?: number; limit?: number } = {},
  ): Promise<StoredSignal[]> {
    return this.#asked(
      "read signals from",
      async (sql) =>
        (await sql`SELECT id, session_id, seq, kind, op_id, ts, payload::text AS payload
        FROM session_signals WHERE session_id = ${columnText(sessionId)} AND seq > ${afterSeq}
        ORDER BY seq LIMIT ${limit}`).map(storedSignal),
    );
  }

  search(
    filter: SignalFilter,
    { after, limit = DEFAULT_PAGE_SIZE, newestFirst = true }: SearchOptions = {},
  ): Promise<StoredSignal[]> {
    return this.#asked("read signals from", async (sql) => {
      const all = sql`TRUE`;
      const contains = (text: string) => sql`AND position(${text} IN payload::text) > 0`;
      const order = newestFirst
        ? sql`ORDER BY ts DESC, session_id DESC, seq DESC`
        : sql`ORDER BY ts, session_id, seq`;
      const conditions = sql`${all}
        ${
        filter.kinds === undefined
          ? sql``
          : sql`AND kind IN ${sql(filter.kinds.length === 0 ? [""] : [...filter.kinds])}`
      }
        ${filter.tool === undefined ? sql`` : contains(`"tool":${JSON.stringify(filter.tool)}`)}
        ${
        filter.behavior === undefined
          ? sql``
          : contains(`"behavior":${JSON.stringify(filter.behavior)}`)
      }
        ${filter.opId === undefined ? sql`` : sql`AND op_id = ${columnText(filter.opId)}`}
        ${filter.since === undefined ? sql`` : sql`AND ts >= ${filter.since}`}
        ${
        filter.idPrefix === undefined
          ? sql``
          : sql`AND starts_with(id, ${columnText(filter.idPrefix)})`
      }
        ${
        after === undefined
          ? sql``
          : newestFirst
          ? sql`AND (ts, session_id, seq) < (SELECT ts, session_id, seq FROM session_signals WHERE id = ${after.id})`
          : sql`AND (ts, session_id, seq) > (SELECT ts, session_id, seq FROM session_signals WHERE id = ${after.id})`
      }`;
      // Each session's newest come from the document's index; all of them together would be a sort of everything.
      const rows = await sql`SELECT found.* FROM sessions CROSS JOIN LATERAL
        (SELECT id, session_id, seq, kind, op_id, ts, payload::text AS payload
          FROM session_signals WHERE session_id = sessions.id AND ${conditions}
          ${order} LIMIT ${limit}) AS found
        ${
        filter.sessionId === undefined
          ? sql``
          : sql`WHERE sessions.id = ${columnText(filter.sessionId)}`
      }
        ${order} LIMIT ${limit}`;
      return rows.map(storedSignal);
    });
  }

  sessions(
    { since, client, limit = DEFAULT_PAGE_SIZE }: {
      since?: number;
      client?: string;
      limit?: number;
    } = {},
  ): Promise<StoredSession[]> {
    return this.#asked(
      "list the sessions of",
      async (sql) =>
        (await sql`SELECT listed.*, counted.* FROM
          (SELECT id, client, cwd, started_at, COALESCE(
            (SELECT MAX(ts) FROM session_signals WHERE session_id = sessions.id), started_at) AS last_at
            FROM sessions) AS listed
        CROSS JOIN LATERAL (SELECT COUNT(*) AS signals,
            COUNT(*) FILTER (WHERE kind = 'ToolDecided') AS calls,
            COUNT(*) FILTER (WHERE kind = 'ToolDecided'
              AND position('"behavior":"deny"' IN payload::text) > 0) AS denials
            FROM session_signals WHERE session_id = listed.id) AS counted
        WHERE last_at >= ${since ?? -1e18} ${
          client === undefined ? sql`` : sql`AND client = ${client}`
        }
        ORDER BY last_at DESC, id LIMIT ${limit}`).map(storedSession),
    );
  }

  deleteSession(sessionId: string): Promise<boolean> {
    return this.#asked(
      "delete a session from",
      async (sql) =>
        (await sql`DELETE FROM sessions WHERE id = ${columnText(sessionId)}`).count > 0,
    );
  }

  prune(retention: Retention): Promise<PruneReport> {
    return this.#asked("prune", async (sql) => {
      const bytesBefore = await bytesOf(sql);
      // Many programs share a server; what it keeps is for a person to prune.
      if (retention.quick === true) {
        return { signals: 0, sessions: 0, bytesBefore, bytesAfter: bytesBefore };
      }
      const now = retention.now ?? Date.now() / 1_000;
      let signals = 0;
      let sessions = 0;
      if (retention.maxAgeSeconds !== undefined) {
        const oldest = now - retention.maxAgeSeconds;
        signals += (await sql`DELETE FROM session_signals WHERE ts < ${oldest}`).count;
        sessions += await emptySessions(sql, oldest);
      }
      if (retention.maxBytes !== undefined) {
        if (signals > 0) await sql`VACUUM FULL session_signals`;
        signals += await untilItFits(sql, retention.maxBytes);
        sessions += await emptySessions(sql, now);
      }
      // A plain VACUUM keeps the space for later rows; this gives it back, and locks the table while it does.
      if (signals > 0) await sql`VACUUM FULL session_signals`;
      return { signals, sessions, bytesBefore, bytesAfter: await bytesOf(sql) };
    });
  }

  stats(): Promise<StoreStats> {
    return this.#asked("look at", async (sql) => {
      const [span] = await sql`SELECT COUNT(*) AS count, MIN(ts) AS oldest, MAX(ts) AS newest,
        (SELECT COUNT(*) FROM sessions) AS sessions FROM session_signals`;
      const kinds = await sql`SELECT kind, COUNT(*) AS count FROM session_signals
        GROUP BY kind ORDER BY count DESC, kind`;
      return {
        backend: this.backend,
        sessions: Number(span.sessions),
        signals: Number(span.count),
        bytes: await bytesOf(sql),
        oldest: span.oldest,
        newest: span.newest,
        kinds: kinds.map(({ kind, count }) => ({ kind: String(kind), count: Number(count) })),
      };
    });
  }

  async close(): Promise<void> {
    try {
      await this.#sql.end({ timeout: 1 });
    } catch {
      // A connection that cannot be closed is closed.
    }
  }

  async #asked<Value>(what: string, body: (sql: postgres.Sql) => Promise<Value>): Promise<Value> {
    try {
      return await within(this.#timeoutMs, `${what} ${this.#server}`, body(this.#sql));
    } catch (error) {
      throw this.#failure(what, error);
    }
  }

  #failure(what: string, cause: unknown): StoreError {
    if (cause instanceof StoreError) return cause;
    const code = String((cause as { code?: unknown } | null)?.code ?? "");
    const known = SERVER_CODES.find(([beginning]) => code.startsWith(beginning))?.[1];
    // Anything that is no answer of the server is a failure of the connection.
    const isAnswer = cause instanceof Error && cause.name === "PostgresError";
    const message = cause instanceof Error ? cause.message || code : String(cause);
    return new StoreError(
      `Cannot ${what} ${this.#server}: ${message}`,
      known ?? (isAnswer ? "other" : "unreachable"),
      cause,
    );
  }
}

/** Several records as one parameter: arrays would need their types asked for. */
function recordsJson(records: readonly SignalRecord[]): string {
  return JSON.stringify(records.map(({ id, kind, opId, ts, payload }) => ({
    id: columnText(id),
    kind: columnText(kind),
    op: columnText(opId),
    ts,
    payload,
  })));
}

async function schemaVersion(sql: postgres.ISql, server: string): Promise<number> {
  const [found] = await sql`SELECT to_regclass('gatehouse_schema') IS NOT NULL AS present`;
  if (!found.present) return 0;
  const [row] = await sql`SELECT MAX(version) AS version FROM gatehouse_schema`;
  const version = Number(row.version ?? 0);
  if (version > POSTGRES_SCHEMA_VERSION) {
    throw new StoreError(
      `Cannot use the signal store ${server}: a newer gatehouse wrote it (schema ${version}, this one ` +
        `knows ${POSTGRES_SCHEMA_VERSION}). Update gatehouse, or name another store with GATEHOUSE_STORE.`,
      "newer",
    );
  }
  return version;
}

async function bytesOf(sql: postgres.ISql): Promise<number> {
  const [row] = await sql`SELECT pg_total_relation_size('session_signals') AS bytes`;
  return Number(row.bytes);
}

async function emptySessions(sql: postgres.ISql, olderThan: number): Promise<number> {
  return (await sql`DELETE FROM sessions WHERE started_at < ${olderThan} AND NOT EXISTS
    (SELECT 1 FROM session_signals WHERE session_id = sessions.id)`).count;
}

/** Deletes the oldest rows' share of the excess. */
async function untilItFits(sql: postgres.Sql, maxBytes: number): Promise<number> {
  const bytes = await bytesOf(sql);
  if (bytes <= maxBytes) return 0;
  const [row] = await sql`SELECT COUNT(*) AS count FROM session_signals`;
  const wanted = Math.max(1, Math.ceil(Number(row.count) * (1 - maxBytes / bytes)));
  return (await sql`DELETE FROM session_signals WHERE id IN
    (SELECT id FROM session_signals ORDER BY ts, session_id, seq LIMIT ${wanted})`).count;
}

function storedSignal(row: postgres.Row): StoredSignal {
  return Object.freeze({
    id: row.id,
    sessionId: row.session_id,
    seq: Number(row.seq),
    kind: row.kind,
    opId: row.op_id,
    ts: Number(row.ts),
    payload: row.payload,
  });
}

function storedSession(row: postgres.Row): StoredSession {
  return Object.freeze({
    id: row.id,
    client: row.client,
    cwd: row.cwd,
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
