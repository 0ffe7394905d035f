import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, test } from "node:test";
import { runtime } from "../../src/runtime/current.ts";
import { drainStore } from "../../src/store/drain_store.ts";
import { openStore } from "../../src/store/open_store.ts";
import type { SignalStore } from "../../src/store/port.ts";
import { startWorker, type Worker } from "./run_worker.ts";
import { skipPostgres, testDatabase } from "./test_postgres.ts";

/** How long competing writers write, in milliseconds; an environment variable makes it longer by hand. */
const WRITING_MS = Number(process.env.GATEHOUSE_TEST_WRITING_MS ?? 2_000);
const WRITERS = 8;

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-processes-"));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits until every worker is in the middle of its writing, not of its start. */
async function untilWriting(workers: readonly Worker[], count: number): Promise<void> {
  while (workers.some((worker) => acknowledged(worker).length < count)) {
    if (workers.some(({ child }) => child.exitCode !== null)) {
      assert.fail("a worker ended by itself");
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The ids a worker was told are kept. */
function acknowledged(worker: Worker): string[] {
  return worker.lines().filter((line) => line !== "" && !line.startsWith("done"));
}

async function everySignal(
  store: SignalStore,
  session: string,
): Promise<{ ids: Set<string>; seqs: number[] }> {
  const ids = new Set<string>();
  const seqs: number[] = [];
  while (true) {
    const page = await store.read(session, { afterSeq: seqs.at(-1) ?? 0, limit: 5_000 });
    if (page.length === 0) return { ids, seqs };
    for (const { id, seq } of page) {
      ids.add(id);
      seqs.push(seq);
    }
  }
}

/** No gap, no double, nothing acknowledged missing. */
async function assertComplete(
  store: SignalStore,
  session: string,
  kept: readonly string[],
): Promise<void> {
  const { ids, seqs } = await everySignal(store, session);
  assert.equal(ids.size, seqs.length);
  assert.deepEqual([seqs[0], seqs.at(-1)], [1, seqs.length]);
  for (const [index, seq] of seqs.entries()) {
    if (seq !== index + 1) assert.fail(`seq ${seq} stands at place ${index + 1}`);
  }
  assert.deepEqual(kept.filter((id) => !ids.has(id)), []);
}

async function competingWriters(url: string): Promise<void> {
  const workers = Array.from(
    { length: WRITERS },
    () => startWorker("append", url, "shared", String(WRITING_MS)),
  );
  await Promise.all(workers.map((worker) => worker.ended));
  const kept = workers.flatMap(acknowledged);
  for (const worker of workers) {
    assert.match(worker.lines().at(-1) ?? "", /^done 0 \d+$/);
    assert.ok(acknowledged(worker).length > 0, "a writer never got its turn");
  }
  const store = await openStore(runtime, url);
  try {
    await assertComplete(store, "shared", kept);
    assert.equal((await store.stats()).signals, kept.length);
  } finally {
    await store.close();
  }
}

async function killedWriters(url: string): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const workers = Array.from({ length: 3 }, () => startWorker("append", url, "shared", "60000"));
    await untilWriting(workers, 50);
    for (const worker of workers) worker.child.kill("SIGKILL");
    await Promise.all(workers.map((worker) => worker.ended));
    const store = await openStore(runtime, url);
    try {
      await assertComplete(store, "shared", workers.flatMap(acknowledged));
    } finally {
      await store.close();
    }
  }
}

describe("many processes and one SQLite store", () => {
  test("eight processes appending to one session leave no gap, no double, no loss and no error", () =>
    withFolder((folder) => competingWriters(join(folder, "signals.db"))));

  test("killed in the middle of writes the store opens, is gapless, and misses nothing acknowledged", () =>
    withFolder(async (folder) => {
      const path = join(folder, "signals.db");
      await killedWriters(path);
      const database = await runtime.sqlite.open(path, { busyTimeoutMs: 1_000 });
      assert.deepEqual(database.prepare("PRAGMA integrity_check").all(), [{
        integrity_check: "ok",
      }]);
      database.close();
    }));
});

describe("many processes and one PostgreSQL store", () => {
  test("eight processes appending to one session leave no gap, no double, no loss and no error", {
    skip: skipPostgres,
  }, async () => {
    const database = await testDatabase();
    try {
      await competingWriters(database.url);
    } finally {
      await database.drop();
    }
  });

  test("killed in the middle of writes the session is gapless and misses nothing acknowledged", {
    skip: skipPostgres,
  }, async () => {
    const database = await testDatabase();
    try {
      await killedWriters(database.url);
    } finally {
      await database.drop();
    }
  });
});

describe("many hooks and one spool", () => {
  test("records of many programs at once all arrive, while others drain", () =>
    withFolder(async (folder) => {
      const [state, path] = [join(folder, "state"), join(folder, "signals.db")];
      const writers = Array.from(
        { length: 6 },
        () => startWorker("spool", state, path, "s", "100"),
      );
      const drains = Array.from({ length: 2 }, () => startWorker("drain", state, path));
      await Promise.all([...writers, ...drains].map((worker) => worker.ended));
      for (const writer of writers) assert.equal(writer.lines().at(-1), "done 100 0");
      const report = await drainStore(runtime, { store: path, stateFolder: state });
      assert.deepEqual([report.waiting, report.lost, report.failure], [0, 0, null]);
      const store = await openStore(runtime, path);
      await assertComplete(store, "s", writers.flatMap(acknowledged));
      assert.equal((await store.stats()).signals, 600);
      await store.close();
    }));

  test("killed in the middle, hooks and drains alike, nothing acknowledged is missing", () =>
    withFolder(async (folder) => {
      const [state, path] = [join(folder, "state"), join(folder, "signals.db")];
      const kept: string[] = [];
      for (let round = 0; round < 5; round++) {
        const writers = Array.from(
          { length: 2 },
          () => startWorker("spool", state, path, "s", "1000000"),
        );
        await untilWriting(writers, 100);
        const drain = startWorker("drain", state, path);
        await new Promise((resolve) => setTimeout(resolve, 40 + 30 * round));
        for (const worker of [...writers, drain]) worker.child.kill("SIGKILL");
        await Promise.all([...writers, drain].map((worker) => worker.ended));
        kept.push(...writers.flatMap(acknowledged));
      }
      const report = await drainStore(runtime, { store: path, stateFolder: state });
      assert.equal(report.failure, null);
      const store = await openStore(runtime, path);
      await assertComplete(store, "s", kept);
      await store.close();
    }));
});
