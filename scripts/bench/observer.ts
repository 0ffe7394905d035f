import { measure } from "mitata";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { runtime } from "../../src/runtime/current.ts";
import type { SqliteDatabase } from "../../src/runtime/port.ts";
import { SessionObserver } from "../../src/session/observer.ts";
import { Signal } from "../../src/signals/signal.ts";
import { ToolDecided, type ToolDecision } from "../../src/signals/tool_signals.ts";
import { openSqlite } from "../../src/store/open_sqlite.ts";
import type { SignalStore } from "../../src/store/port.ts";
import { postgresStore } from "../../src/store/postgres_store.ts";
import { sqliteStore } from "../../src/store/sqlite_store.ts";
import type { BenchRow } from "./row.ts";

/** What is compared is measured by turns, so that a change of the machine's clock meets both. */
const ROUNDS = 5;
const ENOUGH_NS = 150e6;
/** Signals a round of batches writes; each batch has a hundred. */
const BATCHED = 20_000;
const BATCH = 100;
/** Appends a round of single transactions writes. */
const SINGLE = 4_000;
/** The same on a server, where each is a round trip. */
const SERVER = 800;

const DECISION: ToolDecision = {
  tool: "bash",
  action: "",
  callId: "toolu_01ABCDEF",
  behavior: "allow",
  reason: "allowed by a rule",
  reasonCode: "rule",
  control: "policy",
  rule: "git *",
  place: { file: "/repo/gatehouse.yaml", line: 12 },
  advice: null,
  rewritten: false,
  durationMs: 0.4,
  notices: [],
  results: [],
};
const PAYLOAD = JSON.stringify(DECISION);

/** The observer against its floor, and each way into a store against the bare driver doing the same. */
export async function bench(): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
  try {
    return [
      ...await emitRows(),
      ...await batchRows(folder),
      ...await appendRows(folder),
      ...await serverRows(),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function emitRows(): Promise<BenchRow[]> {
  let seen: unknown = null;
  const ring = new Array(1_024);
  let at = 0;
  const listeners = Array.from({ length: 3 }, () => (event: unknown) => {
    seen = event;
  });
  const floor = () => {
    const event = { seq: at, ts: Date.now(), kind: "ToolDecided", data: DECISION };
    ring[at++ & 1_023] = event;
    for (const listener of listeners) listener(event);
  };
  const observer = new SessionObserver({ capacity: 1_024 });
  for (const listener of listeners) observer.observe(Signal, listener);
  const emit = () => observer.emit(new ToolDecided({ data: DECISION }));
  const best = { floor: Infinity, emit: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    best.floor = Math.min(best.floor, await nanoseconds(floor));
    best.emit = Math.min(best.emit, await nanoseconds(emit));
  }
  if (seen === null || observer.stats.events === 0) {
    throw new Error("Cannot measure: nobody was told");
  }
  return [
    orientation("event object, ring and loop over 3 listeners", best.floor, "ns"),
    orientation("emit to 3 subscribers", best.emit, "ns"),
    {
      name: "emit / event object, ring and loop",
      measured: best.emit / best.floor,
      unit: "x",
      goal: 3,
      must: 5,
    },
  ];
}

const INSERT = "INSERT INTO session_signals (id, session_id, seq, kind, op_id, ts, payload) " +
  "VALUES (?, ?, ?, ?, ?, ?, ?)";

async function rawDatabase(path: string): Promise<SqliteDatabase> {
  const database = await openSqlite(runtime, path);
  database.prepare("INSERT INTO sessions (id, started_at) VALUES ('s', 0)").run();
  return database;
}

/** `emit` into a store by the batched writer, against a loop that inserts ready rows into the same table. */
async function batchRows(folder: string): Promise<BenchRow[]> {
  const raw = await rawDatabase(join(folder, "raw_batches.db"));
  const insert = raw.prepare(INSERT);
  let seq = 0;
  const store = await sqliteStore(runtime, join(folder, "batches.db"));
  const observer = new SessionObserver({ capacity: 1_024 });
  observer.bindPersistence("s", store, { batchSize: BATCH });
  const best = { raw: 0, emit: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    best.raw = Math.max(
      best.raw,
      await perSecond(BATCHED, () => {
        for (let done = 0; done < BATCHED; done += BATCH) {
          raw.transaction(() => {
            for (let row = 0; row < BATCH; row++) {
              insert.run(crypto.randomUUID(), "s", ++seq, "ToolDecided", "c", 1.5, PAYLOAD);
            }
          });
        }
      }),
    );
    best.emit = Math.max(
      best.emit,
      await perSecond(BATCHED, async () => {
        for (let done = 0; done < BATCHED; done++) {
          await observer.emit(new ToolDecided({ data: DECISION }));
        }
        await observer.flush();
      }),
    );
  }
  const { written, lost } = observer.persistence!;
  if (lost > 0 || written !== BATCHED * ROUNDS) {
    throw new Error(`Cannot measure: ${lost} signals were lost`);
  }
  await observer.unbindPersistence();
  await store.close();
  raw.close();
  return [
    orientation("raw inserts, 100 a transaction", best.raw, "/s"),
    orientation("emit with a batched SQLite store", best.emit, "/s"),
    share("emit with a batched store / raw inserts", best.emit / best.raw, 0.75, 0.5),
  ];
}

/** One append in a transaction of its own, against the same statements on the bare driver. */
async function appendRows(folder: string): Promise<BenchRow[]> {
  const raw = await rawDatabase(join(folder, "raw_appends.db"));
  const last = raw.prepare(
    "SELECT COALESCE(MAX(seq), 0) + 1 AS seq FROM session_signals WHERE session_id = ?",
  );
  const insert = raw.prepare(INSERT);
  const store = await sqliteStore(runtime, join(folder, "appends.db"));
  const best = { raw: 0, append: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    best.raw = Math.max(
      best.raw,
      await perSecond(SINGLE, () => {
        for (let done = 0; done < SINGLE; done++) {
          raw.execute("BEGIN IMMEDIATE");
          const seq = Number(last.get("s")!.seq);
          insert.run(crypto.randomUUID(), "s", seq, "ToolDecided", "c", 1.5, PAYLOAD);
          raw.execute("COMMIT");
        }
      }),
    );
    best.append = Math.max(best.append, await perSecond(SINGLE, () => appendMany(store, SINGLE)));
  }
  await store.close();
  raw.close();
  return [
    orientation("raw append: begin, MAX(seq)+1, insert, commit", best.raw, "/s"),
    orientation("append in a transaction of its own", best.append, "/s"),
    share("append / raw append", best.append / best.raw, 0.85, 0.6),
  ];
}

/** The function of the measurement against which the goal was set: lock, MAX(seq)+1, insert, in one round trip. */
const RAW_FUNCTION =
  `CREATE FUNCTION bench_append(s TEXT, i TEXT, b JSON) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE n INTEGER;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext(s));
  SELECT COALESCE(MAX(seq), 0) + 1 INTO n FROM session_signals WHERE session_id = s;
  INSERT INTO session_signals (id, session_id, seq, kind, op_id, ts, payload) VALUES (i, s, n, 'ToolDecided', 'c', 1.5, b);
  RETURN n;
END $$`;

async function serverRows(): Promise<BenchRow[]> {
  const url = process.env.GATEHOUSE_TEST_POSTGRES;
  // The rows are about a server; `bun scripts/with_postgres.ts bun scripts/bench.ts` starts one.
  if (!url) return [orientation("append to PostgreSQL (no server)", 0, "/s")];
  const store = await postgresStore(url);
  const raw = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    await raw.unsafe("TRUNCATE sessions CASCADE");
    await raw`INSERT INTO sessions (id, started_at) VALUES ('s', 0)`;
    await raw.unsafe("DROP FUNCTION IF EXISTS bench_append");
    await raw.unsafe(RAW_FUNCTION);
    const best = { raw: 0, append: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      best.raw = Math.max(
        best.raw,
        await perSecond(SERVER, async () => {
          for (let done = 0; done < SERVER; done++) {
            await raw`SELECT bench_append('s', ${crypto.randomUUID()}, ${PAYLOAD}::text::json)`;
          }
        }),
      );
      best.append = Math.max(best.append, await perSecond(SERVER, () => appendMany(store, SERVER)));
    }
    return [
      orientation("one raw function call on PostgreSQL", best.raw, "/s"),
      orientation("append to PostgreSQL", best.append, "/s"),
      share("append to PostgreSQL / one raw function call", best.append / best.raw, 0.85, 0.6),
    ];
  } finally {
    await raw.end();
    await store.close();
  }
}

async function appendMany(store: SignalStore, count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    await store.append({ id: "t" }, [
      { id: crypto.randomUUID(), kind: "ToolDecided", opId: "c", ts: 1.5, payload: PAYLOAD },
    ]);
  }
}

async function nanoseconds(body: () => unknown): Promise<number> {
  const { p50 } = await measure(body, { min_cpu_time: ENOUGH_NS });
  return p50;
}

async function perSecond(count: number, body: () => void | Promise<void>): Promise<number> {
  const began = performance.now();
  await body();
  return count / ((performance.now() - began) / 1_000);
}

function orientation(name: string, measured: number, unit: string): BenchRow {
  return { name, measured, unit, goal: null, must: null };
}

function share(name: string, measured: number, goal: number, must: number): BenchRow {
  return { name, measured, unit: "x", goal, must, better: "higher" };
}
