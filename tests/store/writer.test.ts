import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { runtime } from "../../src/runtime/current.ts";
import { SessionObserver } from "../../src/session/observer.ts";
import { Signal } from "../../src/signals/signal.ts";
import { existingStore, openStore } from "../../src/store/open_store.ts";
import { type SignalRecord, type SignalStore, StoreError } from "../../src/store/port.ts";
import { postgresStore } from "../../src/store/postgres_store.ts";
import { SignalWriter } from "../../src/store/writer.ts";
import { administer, skipPostgres, testDatabase } from "./test_postgres.ts";

/** A store whose appends wait, fail or succeed as the test says. */
function steeredStore(append: (records: readonly SignalRecord[]) => Promise<number>): SignalStore {
  return {
    backend: "sqlite",
    append: (_session: unknown, records: readonly SignalRecord[]) => append(records),
  } as unknown as SignalStore;
}

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-writer-"));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("SignalWriter", () => {
  test("writes in batches, in order, and flush waits for all of it", async () => {
    const batches: string[][] = [];
    const store = steeredStore((records) => {
      batches.push(records.map(({ payload }) => payload));
      return Promise.resolve(records.length);
    });
    const writer = new SignalWriter("s", store, { batchSize: 10, delayMs: 60_000 });
    for (let count = 0; count < 25; count++) writer.add(new Signal({ data: { count } }));
    await writer.flush();
    assert.deepEqual(
      batches.flat(),
      Array.from({ length: 25 }, (_, count) => `{"count":${count}}`),
    );
    assert.ok(batches.every((batch) => batch.length <= 10));
    assert.deepEqual(writer.counts, { written: 25, lost: 0 });
    await writer.close();
  });

  test("an emitter in a tight loop fills the batches, however slow the store is", async () => {
    const sizes: number[] = [];
    const store = steeredStore(async (records) => {
      sizes.push(records.length);
      await new Promise((resolve) => setTimeout(resolve, 1));
      return records.length;
    });
    const observer = new SessionObserver().bindPersistence("s", store, { delayMs: 60_000 });
    for (let count = 0; count < 1_050; count++) await observer.emit(count);
    await observer.flush();
    assert.deepEqual(sizes, [...Array(10).fill(100), 50]);
    await observer.unbindPersistence();
  });

  test("a signal alone is written after a moment, without a flush", async () => {
    const written = Promise.withResolvers<void>();
    const store = steeredStore((records) => {
      written.resolve();
      return Promise.resolve(records.length);
    });
    const writer = new SignalWriter("s", store, { delayMs: 1 });
    writer.add(new Signal());
    await written.promise;
    await writer.close();
  });

  test("what happens to a payload after it was added changes nothing", async () => {
    const payloads: string[] = [];
    const store = steeredStore((records) => {
      payloads.push(...records.map(({ payload }) => payload));
      return Promise.resolve(records.length);
    });
    const writer = new SignalWriter("s", store);
    const data = { step: 1 };
    writer.add(new Signal({ data }));
    data.step = 2;
    await writer.close();
    assert.deepEqual(payloads, ['{"step":1}']);
  });

  test("the buffer is bounded: what does not fit is dropped and counted", async () => {
    const gate = Promise.withResolvers<number>();
    const store = steeredStore(() => gate.promise);
    const writer = new SignalWriter("s", store, { batchSize: 5, bufferSize: 20 });
    for (let count = 0; count < 100; count++) {
      writer.add(new Signal());
      if (count === 10) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.ok(writer.counts.lost >= 70, String(writer.counts.lost));
    const { lost } = writer.counts;
    gate.resolve(5);
    await writer.close();
    assert.deepEqual(writer.counts, { written: 100 - lost, lost });
    writer.add(new Signal());
    assert.equal(writer.counts.lost, lost + 1);
  });

  test("a store that never answers is given up, and flush does not hang", async () => {
    const writer = new SignalWriter("s", steeredStore(() => new Promise(() => {})), {
      timeoutMs: 10,
    });
    writer.add(new Signal());
    await writer.flush();
    assert.deepEqual(writer.counts, { written: 0, lost: 1 });
    await writer.close();
  });

  test("a store that cannot be opened now is tried again the next time", async () => {
    const appended: SignalRecord[] = [];
    let tries = 0;
    const writer = new SignalWriter("s", () => {
      if (++tries === 1) return Promise.reject(new StoreError("not yet", "unreachable"));
      return Promise.resolve(steeredStore((records) => {
        appended.push(...records);
        return Promise.resolve(records.length);
      }));
    });
    writer.add(new Signal());
    await writer.flush();
    writer.add(new Signal());
    await writer.flush();
    assert.deepEqual([tries, appended.length, writer.counts.lost], [2, 1, 1]);
    await writer.close();
  });

  test("arguments are stored as it is told", async () => {
    const payloads: string[] = [];
    const store = steeredStore((records) => {
      payloads.push(...records.map(({ payload }) => payload));
      return Promise.resolve(records.length);
    });
    for (const mode of [undefined, "full", "none"] as const) {
      const writer = new SignalWriter("s", store, { arguments: mode });
      writer.add(new Signal({ data: { args: { command: "TOKEN=hunter2 ls" } } }));
      await writer.close();
    }
    assert.deepEqual(payloads, [
      '{"args":{"command":"TOKEN=[redacted:secret] ls"}}',
      '{"args":{"command":"TOKEN=hunter2 ls"}}',
      '{"args":null}',
    ]);
  });
});

describe("SessionObserver.bindPersistence", () => {
  test("D5-5 a supplied store is reused, and stays open when persistence ends", () =>
    withFolder(async (folder) => {
      const store = await openStore(runtime, join(folder, "signals.db"));
      const observer = new SessionObserver().bindPersistence("s", store);
      await observer.emit("one");
      await observer.unbindPersistence();
      assert.deepEqual((await store.read("s")).map(({ payload }) => payload), ['{"data":"one"}']);
      await store.close();
    }));

  test("D5-5 the default store is opened only when it exists", () =>
    withFolder(async (folder) => {
      const path = join(folder, "signals.db");
      const observer = new SessionObserver().bindPersistence("s", existingStore(runtime, path));
      await observer.emit("lost");
      await observer.flush();
      assert.equal(runtime.fs.exists(path), false);
      await (await openStore(runtime, path)).close();
      await observer.emit("kept");
      await observer.flush();
      assert.deepEqual(observer.persistence, { written: 1, lost: 1 });
      await observer.unbindPersistence();
      const store = await openStore(runtime, path);
      assert.deepEqual((await store.read("s")).map(({ payload }) => payload), ['{"data":"kept"}']);
      await store.close();
    }));

  test("D5-3 binding again replaces the binding", () =>
    withFolder(async (folder) => {
      const store = await openStore(runtime, join(folder, "signals.db"));
      const observer = new SessionObserver().bindPersistence("a", store);
      await observer.emit("one");
      observer.bindPersistence("b", store);
      await observer.emit("two");
      await observer.unbindPersistence();
      // The first writer ends by itself.
      while ((await store.read("a")).length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      assert.deepEqual((await store.read("a")).map(({ payload }) => payload), ['{"data":"one"}']);
      assert.deepEqual((await store.read("b")).map(({ payload }) => payload), ['{"data":"two"}']);
      await store.close();
    }));

  test("D5-6 a damaged store, a folder in its place and a missing folder alter no emission", () =>
    withFolder(async (folder) => {
      const damaged = join(folder, "damaged.db");
      await runtime.fs.writeFile(damaged, "no database ".repeat(1_000));
      for (const path of [damaged, folder, "/proc/none/signals.db"]) {
        const observer = new SessionObserver().bindPersistence("s", () => openStore(runtime, path));
        observer.observe(Signal, () => "seen");
        assert.deepEqual(await observer.emit("x"), [undefined, "seen"]);
        await observer.flush();
        assert.deepEqual(observer.persistence, { written: 0, lost: 1 }, path);
        await observer.unbindPersistence();
      }
    }));
});

describe("a PostgreSQL store that goes away", () => {
  test("a server that is not there is unreachable, and the message has no password", async () => {
    await assert.rejects(
      postgresStore("postgres://me:hunter2@127.0.0.1:1/db", { timeoutMs: 2_000 }),
      (error) => {
        assert.ok(error instanceof StoreError);
        assert.equal(error.code, "unreachable");
        assert.ok(!error.message.includes("hunter2"), error.message);
        return true;
      },
    );
  });

  test("a server that never answers is given up in time", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    await assert.rejects(
      postgresStore(`postgres://me@127.0.0.1:${port}/db`, { timeoutMs: 300 }),
      (error) => error instanceof StoreError && error.code === "unreachable",
    );
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  test("an address that is none is refused", async () => {
    await assert.rejects(postgresStore("postgres://%%%", { timeoutMs: 300 }), StoreError);
  });

  test("signals of the time without a connection are dropped and counted, later ones are written", {
    skip: skipPostgres,
  }, async () => {
    const database = await testDatabase();
    const name = new URL(database.url).pathname.slice(1);
    const store = await postgresStore(database.url, { timeoutMs: 2_000 });
    try {
      const observer = new SessionObserver().bindPersistence("s", store, { timeoutMs: 2_000 });
      await observer.emit("before");
      await observer.flush();
      await administer(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      await administer(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
      await observer.emit("while");
      await observer.flush();
      assert.deepEqual(observer.persistence, { written: 1, lost: 1 });
      await administer(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
      await observer.emit("after");
      await observer.flush();
      assert.deepEqual(observer.persistence, { written: 2, lost: 1 });
      assert.deepEqual((await store.read("s")).map(({ seq, payload }) => [seq, payload]), [
        [1, '{"data":"before"}'],
        [2, '{"data":"after"}'],
      ]);
      await observer.unbindPersistence();
    } finally {
      await store.close();
      await database.drop();
    }
  });

  test("a schema of a newer version is refused politely", { skip: skipPostgres }, async () => {
    const database = await testDatabase();
    try {
      const store = await postgresStore(database.url);
      await store.close();
      const sql = (await import("postgres")).default(database.url, { max: 1 });
      await sql`UPDATE gatehouse_schema SET version = 999`;
      await sql.end();
      await assert.rejects(
        postgresStore(database.url),
        (error) => error instanceof StoreError && error.code === "newer",
      );
    } finally {
      await database.drop();
    }
  });
});
