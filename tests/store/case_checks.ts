/**
 * What each case about stores and observers comes to here, by its number.
 *
 * @module
 */

import assert from "node:assert/strict";
import { copyFile, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { safeText } from "../../src/cli/safe_text.ts";
import { runtime } from "../../src/runtime/current.ts";
import type { Runtime } from "../../src/runtime/port.ts";
import { SqliteError } from "../../src/runtime/sqlite_error.ts";
import { payloadText } from "../../src/signals/payload.ts";
import { prepareSignal } from "../../src/signals/record.ts";
import { redactText } from "../../src/signals/redact.ts";
import { Signal } from "../../src/signals/signal.ts";
import { ToolCompleted } from "../../src/signals/tool_signals.ts";
import { drainStore } from "../../src/store/drain_store.ts";
import { waitingFiles } from "../../src/store/drain_spool.ts";
import { journalModeFor } from "../../src/store/journal_mode.ts";
import type { StoreLocation } from "../../src/store/location.ts";
import { readLosses } from "../../src/store/losses.ts";
import { openStore } from "../../src/store/open_store.ts";
import { StoreError } from "../../src/store/port.ts";
import { recordCall } from "../../src/store/record_call.ts";
import { setStoreAside } from "../../src/store/set_store_aside.ts";
import { storeHealth } from "../../src/store/store_health.ts";
import { startWorker } from "./run_worker.ts";
import { smallDisk } from "./small_disk.ts";
import { record, records } from "./store_contract.ts";

/** How often a writer is killed; the report says 200, which is done by hand. */
const KILLS = Number(process.env.GATEHOUSE_TEST_KILLS ?? 6);

const call = (text: string, callId = "c1") =>
  new ToolCompleted({ data: { tool: "bash", action: "", callId, args: { command: text } } });

export async function recorded(
  location: StoreLocation,
  text = "ls",
  drain: "now" | "never" = "never",
): Promise<void> {
  await recordCall(runtime, location, {
    session: { id: "s" },
    signals: [call(text, text)],
    moment: "m",
  }, drain);
}

/** Counts the rows of session `s`, after taking in what waits. */
export async function rowsAfterDrain(location: StoreLocation): Promise<number> {
  const report = await drainStore(runtime, location);
  assert.equal(report.failure, null);
  const store = await openStore(runtime, location.store);
  try {
    return (await store.read("s")).length;
  } finally {
    await store.close();
  }
}

/** A runtime whose databases are as `change` makes them. */
function withDatabase(change: (sql: string) => unknown): Runtime {
  return {
    ...runtime,
    sqlite: {
      async open(path, options) {
        const database = await runtime.sqlite.open(path, options);
        return {
          ...database,
          prepare(sql) {
            const answer = change(sql);
            const statement = database.prepare(sql);
            return answer === undefined ? statement : { ...statement, get: () => answer as never };
          },
        };
      },
    },
  };
}

/** Each case's check. `folder` is empty and the test's own. */
export const CHECKS: Readonly<
  Record<string, (folder: string, location: StoreLocation) => void | Promise<void>>
> = {
  async c436(_folder, { store }) {
    const before = await runtime.sqlite.open(store, { busyTimeoutMs: 0 });
    before.execute("PRAGMA user_version = 0");
    before.close();
    const workers = Array.from(
      { length: 3 },
      (_, index) => startWorker("append", store, `s${index}`, "30"),
    );
    await Promise.all(workers.map((worker) => worker.ended));
    for (const worker of workers) assert.match(worker.lines().at(-1) ?? "", /^done 0 /);
  },

  c441() {
    const mounts = [
      "22 1 8:1 / / rw - ext4 /dev/sda1 rw",
      "30 22 0:40 / /shared rw - virtiofs shared rw",
      "31 30 0:41 / /shared/local rw - ext4 /dev/sdb rw",
      "32 22 0:42 / /mnt/with\\040space rw shared:1 - nfs4 server:/x rw",
      "33 22 0:43 / /home/u/cloud rw - fuse.sshfs u@h: rw",
      "34 22 0:44 / /var rw - nfs x rw",
      "35 34 0:45 / /var rw - tmpfs x rw",
    ].join("\n");
    assert.equal(journalModeFor("/home/u/signals.db", mounts), "WAL");
    assert.equal(journalModeFor("/shared/signals.db", mounts), "DELETE");
    assert.equal(journalModeFor("/shared/local/signals.db", mounts), "WAL");
    assert.equal(journalModeFor("/shared-too/signals.db", mounts), "WAL");
    assert.equal(journalModeFor("/mnt/with space/signals.db", mounts), "DELETE");
    assert.equal(journalModeFor("/home/u/cloud/signals.db", mounts), "DELETE");
    assert.equal(journalModeFor("/var/signals.db", mounts), "WAL");
    assert.equal(journalModeFor("/anything", null), "WAL");
    assert.equal(journalModeFor("/anything", ""), "WAL");
  },

  async c447(_folder, { store }) {
    for (let round = 0; round < KILLS; round++) {
      const worker = startWorker("append", store, "s", "60000");
      while (worker.lines().length < 100) {
        assert.equal(worker.child.exitCode, null);
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
      worker.child.kill("SIGKILL");
      await worker.ended;
      const database = await runtime.sqlite.open(store, { busyTimeoutMs: 1_000 });
      assert.deepEqual(database.prepare("PRAGMA integrity_check").all(), [{
        integrity_check: "ok",
      }]);
      const find = database.prepare("SELECT 1 AS found FROM session_signals WHERE id = ?");
      for (const id of worker.lines()) assert.deepEqual(find.get(id), { found: 1 });
      database.close();
    }
  },

  async c449(_folder, { store: path }) {
    const store = await openStore(runtime, path, { busyTimeoutMs: 5, patienceMs: 30 });
    await store.append({ id: "s" }, records("a", 10));
    const other = await runtime.sqlite.open(path, { busyTimeoutMs: 0 });
    const page = await store.read("s");
    other.execute("BEGIN IMMEDIATE");
    await assert.rejects(
      store.append({ id: "s" }, [record("late")]),
      (error) => error instanceof StoreError && error.code === "busy",
    );
    assert.equal(page.length, 10);
    other.execute("COMMIT");
    assert.equal(await store.append({ id: "s" }, [record("late")]), 1);
    other.close();
    await store.close();
  },

  async c450(_folder, location) {
    await (await openStore(runtime, location.store)).close();
    const holder = await runtime.sqlite.open(location.store, { busyTimeoutMs: 0 });
    holder.execute("BEGIN IMMEDIATE");
    // Resolves while the lock is still held: that is the whole point.
    await recorded(location, "ls", "now");
    assert.equal((await waitingFiles(runtime, location)).length, 1);
    assert.equal((await readLosses(runtime, location.stateFolder)).lost, 0);
    const health = await storeHealth(runtime, location);
    assert.deepEqual([health.state, health.failure?.code, health.waiting], [
      "failing",
      "busy",
      1,
    ]);
    holder.execute("COMMIT");
    holder.close();
    assert.equal(await rowsAfterDrain(location), 1);
  },

  c460() {
    const long = "x".repeat(2 ** 27);
    const one = JSON.parse(payloadText(long));
    assert.deepEqual([one.truncated, one.original_bytes], [true, 2 ** 27 + 2]);
    // Together longer than the longest string of some runtimes.
    const many = JSON.parse(payloadText([long, long, long, long, long]));
    assert.deepEqual([many.truncated, many.original_bytes], [true, 5 * (2 ** 27 + 2) + 6]);
  },

  async c462(_folder, { store: path }) {
    const store = await openStore(runtime, path);
    const payload = JSON.stringify({ filling: "x".repeat(10_000) });
    for (let batch = 0; batch < 6; batch++) {
      await store.append(
        { id: "s" },
        records(`b${batch}`, 500).map((one) => ({ ...one, payload })),
      );
    }
    assert.ok((await store.stats()).bytes > 30_000_000);
    let rows = 0;
    let page = await store.read("s");
    while (page.length > 0) {
      assert.ok(page.length <= 500);
      rows += page.length;
      page = await store.read("s", { afterSeq: page.at(-1)!.seq });
    }
    assert.equal(rows, 3_000);
    assert.equal((await store.search({})).length, 500);
    await store.close();
  },

  async c463(_folder, location) {
    const text = "a\u0000b\u001b[31mred\u001b]0;title\u0007\u202egnp.exe\u2066\u009b";
    await recorded(location, text);
    assert.equal(await rowsAfterDrain(location), 1);
    const store = await openStore(runtime, location.store);
    const [stored] = await store.read("s");
    assert.equal(JSON.parse(stored.payload).args.command, text);
    await store.close();
    const shown = safeText(text);
    assert.ok(/^[\x20-\x7e]*$/.test(shown), shown);
    assert.ok(shown.includes("\\u{1b}[31mred"));
  },

  c464() {
    let deep: unknown = [];
    for (let level = 0; level < 20_000; level++) deep = level % 2 ? [deep] : { deep };
    assert.ok(
      prepareSignal(new Signal({ data: deep }), "redacted").payload.includes("[too deep]"),
    );
  },

  c465() {
    const data = JSON.parse('{"__proto__":{"polluted":1},"constructor":2,"a":1,"a":3}');
    const { payload } = prepareSignal(new Signal({ data }), "redacted");
    assert.equal(payload, '{"__proto__":{"polluted":1},"constructor":2,"a":3}');
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  },

  c466() {
    const args = {
      key: `sk-${"FAKE".repeat(6)}`,
      command: "curl -H 'Authorization: Bearer FAKE'",
    };
    const signal = new ToolCompleted({ data: { tool: "bash", action: "", callId: "c", args } });
    const { payload } = prepareSignal(signal, "redacted");
    assert.ok(!payload.includes("FAKE"), payload);
    // What is judged is untouched.
    assert.equal(signal.data.args, args);
    assert.ok(args.command.includes("FAKE"));
  },

  async c699(_folder, { store: path }) {
    await (await openStore(runtime, path)).close();
    const holder = await runtime.sqlite.open(path, { busyTimeoutMs: 0 });
    holder.execute("BEGIN IMMEDIATE");
    const opening = openStore(runtime, path);
    const release = new Promise<void>((resolve) =>
      setTimeout(() => {
        holder.execute("COMMIT");
        holder.close();
        resolve();
      }, 300)
    );
    const store = await opening;
    assert.equal(await store.append({ id: "s" }, [record("a")]), 1);
    await release;
    await store.close();
  },

  async c700(folder, location) {
    const secret = `ghp_${"Ab1".repeat(12)}`;
    const data = {
      tool: "bash",
      action: "",
      callId: "c",
      args: { command: `echo ${secret}` },
      response: { out: secret },
    };
    await recordCall(runtime, location, {
      session: { id: "s" },
      signals: [new ToolCompleted({ data })],
      moment: "m",
    }, "never");
    const holds = async () => {
      for (const name of await readdir(folder, { recursive: true })) {
        const path = join(folder, name);
        if ((await stat(path)).isFile() && (await readFile(path, "latin1")).includes(secret)) {
          return name;
        }
      }
      return null;
    };
    assert.equal((await waitingFiles(runtime, location)).length, 1);
    assert.equal(await holds(), null);
    assert.equal(await rowsAfterDrain(location), 1);
    assert.equal(await holds(), null);
  },

  c702() {
    const text = `${"a".repeat(200_000)}:`;
    assert.equal(redactText(text), text);
    assert.ok(
      prepareSignal(new Signal({ data: { text } }), "redacted").payload.includes(
        '"truncated":true',
      ),
    );
  },

  async c781(_folder, { store }) {
    const database = await runtime.sqlite.open(store, { busyTimeoutMs: 0 });
    database.execute("CREATE TABLE t (x)");
    assert.throws(
      () => database.prepare("INSERT INTO t VALUES (?)").run({ a: 1 } as unknown as string),
      SqliteError,
    );
    assert.deepEqual(database.prepare("SELECT * FROM t").all(), []);
    database.close();
    assert.equal(prepareSignal(new Signal({ data: { a: 1 } }), "full").payload, '{"a":1}');
  },

  async c782(_folder, { store }) {
    const database = await runtime.sqlite.open(store, { busyTimeoutMs: 0 });
    database.execute("CREATE TABLE t (x)");
    assert.throws(() => database.prepare("INSERT INTO t VALUES (?)").run(2n ** 64n), SqliteError);
    database.close();
    assert.equal(
      prepareSignal(new Signal({ data: { a: 2n ** 64n } }), "full").payload,
      '{"a":"18446744073709551616"}',
    );
  },

  async c787(_folder, { store }) {
    const old = withDatabase((sql) =>
      sql.includes("sqlite_version()") ? { version: "3.22.0" } : undefined
    );
    await assert.rejects(
      openStore(old, store),
      (error) =>
        error instanceof StoreError && error.code === "outdated" &&
        /3\.22\.0.*3\.24\.0/.test(error.message),
    );
    const enough = withDatabase((sql) =>
      sql.includes("sqlite_version()") ? { version: "3.24.0" } : undefined
    );
    await (await openStore(enough, store)).close();
  },

  async c788(_folder, { store: path }) {
    const store = await openStore(runtime, path);
    const day = 24 * 3_600;
    const payload = payloadText("x".repeat(100_000));
    for (let month = 0; month < 12; month++) {
      await store.append(
        { id: `s${month}` },
        records(`m${month}`, 50).map((one) => ({
          ...one,
          payload,
          ts: month * 30 * day,
        })),
      );
    }
    const before = (await store.stats()).bytes;
    const report = await store.prune({ maxAgeSeconds: 90 * day, now: 360 * day });
    assert.ok(report.bytesAfter < before / 2, `${report.bytesAfter} of ${before}`);
    assert.equal((await stat(path)).size, report.bytesAfter);
    await store.close();
  },

  async c789(_folder, location) {
    const maxBytes = 400_000;
    const retention = { maxBytes, maxAgeSeconds: 1e12 };
    for (let round = 0; round < 12; round++) {
      for (let index = 0; index < 10; index++) {
        await recorded(location, `${round}-${index} ${"x ".repeat(2_500)}`);
      }
      const report = await drainStore(runtime, location, { retention });
      assert.deepEqual([report.drained, report.failure], [10, null]);
    }
    const store = await openStore(runtime, location.store);
    const kept = await store.read("s");
    assert.ok((await store.stats()).bytes <= maxBytes * 1.2);
    assert.ok(kept.length > 20 && kept.length < 120);
    assert.ok(kept.at(-1)!.payload.includes("11-9"));
    assert.equal(kept.at(-1)!.seq, 120);
    await store.close();
  },

  async c794(_folder, location) {
    const signals = () => [call("ls", "call-1")];
    for (let registration = 0; registration < 2; registration++) {
      await recordCall(runtime, location, {
        session: { id: "s" },
        signals: signals(),
        moment: "PostToolUse",
      }, "never");
    }
    await recordCall(runtime, location, {
      session: { id: "s" },
      signals: signals(),
      moment: "PermissionRequest",
    }, "never");
    await recordCall(runtime, location, {
      session: { id: "s" },
      signals: [call("ls", "call-2")],
      moment: "PostToolUse",
    }, "never");
    assert.equal(await rowsAfterDrain(location), 3);
  },

  async c797(folder, location) {
    const { store: path } = location;
    const store = await openStore(runtime, path);
    await store.append({ id: "s" }, [record("old")]);
    await store.close();
    await copyFile(path, join(folder, "older.db"));
    // A program that is killed leaves its sidecars beside the file.
    const worker = startWorker("append", path, "s", "60000");
    while (worker.lines().length < 200) await new Promise((resolve) => setTimeout(resolve, 3));
    worker.child.kill("SIGKILL");
    await worker.ended;
    assert.ok(runtime.fs.exists(`${path}-wal`));
    await copyFile(join(folder, "older.db"), path);
    await recorded(location, "ls", "now");
    const aside = await setStoreAside(runtime, path);
    assert.ok(aside !== null);
    for (const sidecar of ["", "-wal", "-shm"]) {
      assert.equal(runtime.fs.exists(path + sidecar), false);
    }
    await recorded(location, "after");
    assert.ok(await rowsAfterDrain(location) >= 1);
    assert.equal(await setStoreAside(runtime, `${path}.none`), null);
  },

  async c443() {
    const disk = smallDisk();
    try {
      const location = {
        store: join(disk.folder, "signals.db"),
        stateFolder: join(disk.folder, "state"),
      };
      await recorded(location, "before", "now");
      disk.fill();
      const large = "a long command that needs more than a block ".repeat(200);
      for (let count = 0; count < 5; count++) {
        await recorded(location, `${count} ${large}`, "now");
      }
      const health = await storeHealth(runtime, location);
      assert.equal(health.state, "failing");
      assert.ok(health.losses.lost >= 1, "the loss was not counted");
      assert.match(health.losses.reason ?? "", /no-space/);
    } finally {
      disk.remove();
    }
  },

  async c445() {
    const disk = smallDisk();
    try {
      const [path, state] = [join(disk.folder, "signals.db"), join(disk.folder, "state")];
      await recorded({ store: path, stateFolder: state }, "before", "now");
      disk.makeReadOnly();
      await recorded({ store: path, stateFolder: state }, "while", "now");
      const health = await storeHealth(runtime, { store: path, stateFolder: state });
      assert.deepEqual([health.state, health.failure?.code], ["failing", "read-only"]);
      await assert.rejects(
        openStore(runtime, join(disk.folder, "other.db")),
        (error) => error instanceof StoreError && error.code === "read-only",
      );
    } finally {
      disk.remove();
    }
  },
};
