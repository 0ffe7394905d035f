import assert from "node:assert/strict";
import fc from "fast-check";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { runtime } from "../../src/runtime/current.ts";
import type { Runtime } from "../../src/runtime/port.ts";
import { Signal } from "../../src/signals/signal.ts";
import { drainSpool, waitingFiles } from "../../src/store/drain_spool.ts";
import { drainStore } from "../../src/store/drain_store.ts";
import { serverName, type StoreLocation, storeLocation } from "../../src/store/location.ts";
import { clearLosses, countLoss, lossesFile, readLosses } from "../../src/store/losses.ts";
import { openStore } from "../../src/store/open_store.ts";
import { StoreError } from "../../src/store/port.ts";
import { recordCall } from "../../src/store/record_call.ts";
import { parseSpooled, spoolFolder, spoolRecords } from "../../src/store/spool.ts";
import { stableId } from "../../src/store/stable_id.ts";
import { storeHealth } from "../../src/store/store_health.ts";
import { record } from "./store_contract.ts";

async function withPlace(
  body: (location: StoreLocation, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-spool-"));
  try {
    await body({ store: join(folder, "signals.db"), stateFolder: join(folder, "state") }, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const spool = (location: StoreLocation, id: string, more = {}) =>
  spoolRecords(runtime, location, {
    session: { id: "s" },
    records: [record(id, { ts: Date.now() / 1_000, ...more })],
  });

describe("the spool", () => {
  test("records are drained in the order they were written, and their files go", () =>
    withPlace(async (location) => {
      for (let count = 0; count < 30; count++) await spool(location, `r${count}`);
      assert.equal((await waitingFiles(runtime, location)).length, 30);
      const report = await drainStore(runtime, location);
      assert.deepEqual(report, { drained: 30, waiting: 0, lost: 0, failure: null });
      assert.deepEqual(await waitingFiles(runtime, location), []);
      const store = await openStore(runtime, location.store);
      assert.deepEqual(
        (await store.read("s")).map(({ id }) => id),
        Array.from({ length: 30 }, (_, count) => `r${count}`),
      );
      await store.close();
    }));

  test("a drain that ended between commit and removal stores nothing twice", () =>
    withPlace(async (location) => {
      await spool(location, "a");
      await spool(location, "b");
      const keepsFiles: Runtime = {
        ...runtime,
        fs: { ...runtime.fs, remove: () => Promise.reject(new Error("killed")) },
      };
      const store = await openStore(runtime, location.store);
      await drainSpool(keepsFiles, location, store);
      assert.equal((await waitingFiles(runtime, location)).length, 2);
      await spool(location, "c");
      const report = await drainSpool(runtime, location, store);
      assert.deepEqual([report.drained, report.waiting], [3, 0]);
      assert.deepEqual((await store.read("s")).map(({ seq, id }) => [seq, id]), [
        [1, "a"],
        [2, "b"],
        [3, "c"],
      ]);
      await store.close();
    }));

  test("a drain takes no more files than it is told", () =>
    withPlace(async (location) => {
      for (let count = 0; count < 10; count++) await spool(location, `r${count}`);
      const report = await drainStore(runtime, location, { maxFiles: 4 });
      assert.deepEqual([report.drained, report.waiting], [4, 6]);
    }));

  test("a file that was cut short is left to its writer, and counted as lost when it is old", () =>
    withPlace(async (location) => {
      await spool(location, "a");
      const folder = spoolFolder(location);
      await writeFile(
        join(folder, `${String(Date.now()).padStart(14, "0")}-young.json`),
        '{"session":{"id"',
      );
      await writeFile(join(folder, "00000000000001-old.json"), '{"session":{"id"');
      await writeFile(join(folder, "00000000000002-other.json"), '{"session":7}\n');
      const report = await drainStore(runtime, location);
      assert.deepEqual([report.drained, report.lost, report.waiting], [1, 2, 1]);
      assert.equal((await readLosses(runtime, location.stateFolder)).lost, 2);
    }));

  test("a record that the store refuses for ever does not hold up the others", () =>
    withPlace(async (location) => {
      await spool(location, "a");
      await spool(location, "poison");
      await spool(location, "b");
      const store = await openStore(runtime, location.store);
      const picky = {
        ...store,
        deleteSession: store.deleteSession.bind(store),
        append: (
          session: Parameters<typeof store.append>[0],
          records: Parameters<typeof store.append>[1],
        ) =>
          records.some(({ id }) => id === "poison")
            ? Promise.reject(new StoreError("refused", "other"))
            : store.append(session, records),
      } as typeof store;
      const report = await drainSpool(runtime, location, picky);
      assert.deepEqual([report.drained, report.lost, report.waiting, report.failure], [
        2,
        1,
        0,
        null,
      ]);
      assert.deepEqual((await store.read("s")).map(({ seq, id }) => [seq, id]), [[1, "a"], [
        2,
        "b",
      ]]);
      assert.equal((await store.sessions()).length, 1);
      await store.close();
    }));

  test("a store that refuses everything loses nothing of what waits", () =>
    withPlace(async (location) => {
      await spool(location, "a");
      const refusing = {
        backend: "sqlite",
        append: () => Promise.reject(new StoreError("refused", "other")),
      } as unknown as Parameters<typeof drainSpool>[2];
      const report = await drainSpool(runtime, location, refusing);
      assert.deepEqual([report.drained, report.lost, report.waiting], [0, 0, 1]);
      assert.equal(report.failure?.message, "refused");
    }));

  test("only whole files of ours are read, whatever stands in a file", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const spooled = parseSpooled(`${text}\n`);
      assert.ok(spooled === null || typeof spooled.session.id === "string");
      assert.equal(parseSpooled(text.trimEnd()), null);
    }));
  });
});

describe("recordCall", () => {
  test("never rejects, and counts what it could not keep", () =>
    withPlace(async (location) => {
      const call = { session: { id: "s" }, signals: [new Signal(), new Signal()], moment: "m" };
      await recordCall(runtime, location, call, "never");
      const full: Runtime = {
        ...runtime,
        fs: {
          ...runtime.fs,
          dropFile: (path, data) =>
            path.includes("/spool/")
              ? Promise.reject(new Error("no space left"))
              : runtime.fs.dropFile(path, data),
        },
      };
      await recordCall(full, location, call, "now");
      const losses = await readLosses(runtime, location.stateFolder);
      assert.deepEqual([losses.lost, losses.reason], [2, "no space left"]);
      const health = await storeHealth(runtime, location);
      assert.deepEqual([health.state, health.stats?.signals, health.losses.lost], ["fine", 2, 2]);
    }));

  test("signals that hold what JSON does not know are recorded too", () =>
    withPlace(async (location) => {
      const signals = [
        new Signal({ data: { big: 1n } }),
        new Signal({ data: new Error("x") }),
        new Signal({ data: "text" }),
      ];
      await recordCall(runtime, location, { session: { id: "s" }, signals, moment: "m" }, "now");
      const store = await openStore(runtime, location.store);
      assert.equal((await store.read("s")).length, 3);
      assert.ok((await store.read("s"))[0].payload.includes('"1"'));
      await store.close();
    }));
});

describe("losses", () => {
  test("are added up, tell the first and the last, and can be cleared", () =>
    withPlace(async ({ stateFolder }) => {
      await runtime.fs.makeDirectory(stateFolder);
      assert.equal((await readLosses(runtime, stateFolder)).lost, 0);
      await countLoss(runtime, stateFolder, 2, new Error("first"), 1_000);
      await countLoss(runtime, stateFolder, 3, "second", 2_000);
      assert.deepEqual({ ...await readLosses(runtime, stateFolder) }, {
        lost: 5,
        firstMs: 1_000,
        lastMs: 2_000,
        reason: "second",
      });
      await clearLosses(runtime, stateFolder);
      assert.equal((await readLosses(runtime, stateFolder)).lost, 0);
    }));

  test("a damaged count is one loss, and counting goes on", () =>
    withPlace(async ({ stateFolder }) => {
      await runtime.fs.makeDirectory(stateFolder);
      await writeFile(lossesFile(stateFolder), "");
      assert.equal((await readLosses(runtime, stateFolder)).lost, 1);
      await countLoss(runtime, stateFolder, 1, "x");
      assert.equal((await readLosses(runtime, stateFolder)).lost, 2);
    }));
});

describe("stableId", () => {
  test("is the same for the same text, differs for others, and looks like a UUID", () => {
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(fc.string(), (text) => {
        const id = stableId(text);
        assert.equal(id, stableId(text));
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        assert.equal(seen.get(id) ?? text, text);
        seen.set(id, text);
      }),
      { numRuns: 2_000 },
    );
    const many = new Set(
      Array.from({ length: 100_000 }, (_, index) => stableId(`session\0call-${index}\0m`)),
    );
    assert.equal(many.size, 100_000);
  });
});

describe("storeLocation", () => {
  const env = (variables: Record<string, string>) => ({
    ...runtime.env,
    get: (name: string) => variables[name],
  });
  const CASES: readonly (readonly [Record<string, string>, string | undefined, string])[] = [
    [{}, undefined, "/state/signals.db"],
    [{}, "/data/x.db", "/data/x.db"],
    [{}, "x.db", "/state/x.db"],
    [{ HOME: "/home/u" }, "~/x.db", "/home/u/x.db"],
    [{ GATEHOUSE_STORE: "/env.db" }, "/data/x.db", "/env.db"],
    [{ GATEHOUSE_STORE: "" }, "/data/x.db", "/data/x.db"],
    [{ GATEHOUSE_STORE: "postgres://u:p@h/d" }, undefined, "postgres://u:p@h/d"],
    [{}, "postgresql://h/d", "postgresql://h/d"],
  ];
  for (const [variables, configured, wanted] of CASES) {
    test(`${JSON.stringify(variables)} and ${configured} give ${wanted}`, () => {
      assert.equal(storeLocation(env(variables), "/state", configured).store, wanted);
    });
  }

  test("a server's name has neither user nor password", () => {
    assert.equal(serverName("postgres://u:hunter2@h:5432/d?x=1"), "postgres://h:5432/d");
    assert.equal(serverName("postgres://["), "postgres://…");
  });
});
