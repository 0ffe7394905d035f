import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, test } from "node:test";
import fc from "fast-check";
import { DataLogger } from "../../src/data/data_logger.ts";
import type { DataLoggerConfig } from "../../src/data/data_logger_config.ts";
import { runtime } from "../../src/runtime/current.ts";
import type { Runtime } from "../../src/runtime/port.ts";

async function inFolder(body: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "data-logger-"));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function logger(
  folder: string,
  config: Partial<DataLoggerConfig> = {},
  port: Runtime = runtime,
): DataLogger {
  return new DataLogger(port, { persistDir: folder, autoSaveOnExit: false, ...config });
}

/** The contents of every entry in every file of a folder. */
function written(folder: string): unknown[] {
  return readdirSync(folder).sort().flatMap((name) =>
    (JSON.parse(readFileSync(join(folder, name), "utf8")) as { content: unknown }[])
      .map((entry) => entry.content)
  );
}

const contents = (log: DataLogger): unknown[] => log.entries.map((entry) => entry.content);

/** The port with a `writeFile` that does what a test says before the real one. */
function withWriting(before: (path: string) => Promise<void> | void): Runtime {
  const fs = { ...runtime.fs };
  fs.writeFile = async (path, data, options) => {
    await before(path);
    await runtime.fs.writeFile(path, data, options);
  };
  return { ...runtime, fs };
}

describe("DataLogger", () => {
  test("D6-B the defaults are the document's", () => {
    const log = new DataLogger(runtime, { autoSaveOnExit: undefined });
    assert.deepEqual(log.config, {
      persistDir: "./data/logs",
      subfolder: null,
      filePrefix: null,
      capacity: null,
      extension: ".json",
      useTimestamp: true,
      hashDigits: 5,
      autoSaveOnExit: true,
      clearAfterDump: true,
    });
    assert.ok(Object.isFrozen(log.config));
  });

  test("D6-B dump writes the entries and clears them", () =>
    inFolder(async (folder) => {
      const log = logger(folder);
      log.log({ a: 1 });
      log.log("two");
      const path = await log.dump();
      assert.deepEqual(written(folder), [{ a: 1 }, "two"]);
      assert.ok(path?.startsWith(folder));
      assert.deepEqual(log.entries, []);
      assert.equal(await log.dump(), null);
      assert.equal(readdirSync(folder).length, 1);
    }));

  test("D6-B dump leaves the entries when it is told to, by configuration or by call", () =>
    inFolder(async (folder) => {
      const keeping = logger(folder, { clearAfterDump: false });
      keeping.log(1);
      await keeping.dump();
      assert.deepEqual(contents(keeping), [1]);
      await keeping.dump({ clear: true });
      assert.deepEqual(contents(keeping), []);
      const clearing = logger(folder);
      clearing.log(2);
      await clearing.dump({ clear: false });
      assert.deepEqual(contents(clearing), [2]);
    }));

  test("D6-B a dump that cannot be written clears nothing, and the next one writes it", () =>
    inFolder(async (folder) => {
      let full = true;
      const log = logger(
        folder,
        {},
        withWriting(() => {
          if (full) throw new Error("disk full");
        }),
      );
      log.log(1);
      await assert.rejects(log.dump(), /disk full/);
      assert.deepEqual(contents(log), [1]);
      full = false;
      log.log(2);
      await log.dump();
      assert.deepEqual(written(folder), [1, 2]);
    }));

  test("D6-B a dump that cannot be serialised clears nothing either", () =>
    inFolder(async (folder) => {
      const log = logger(folder, { extension: ".toml" });
      log.log({ nothing: null });
      await assert.rejects(log.dump(), /TOML has no null/);
      await assert.rejects(log.adump({ clear: true }), /TOML has no null/);
      assert.deepEqual(contents(log), [{ nothing: null }]);
      assert.deepEqual(readdirSync(folder), []);
    }));

  test("D6-B an entry that no dump could write is refused when it is logged", () =>
    inFolder((folder) => {
      const log = logger(folder);
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      for (const content of [circle, 1n, undefined, () => 1]) {
        assert.throws(() => log.log(content), /^TypeError: Cannot log this: /);
      }
      assert.deepEqual(log.entries, []);
    }));

  test("an entry is a copy of what was logged", () =>
    inFolder((folder) => {
      const log = logger(folder);
      const content = { list: [1] };
      const entry = log.log(content);
      content.list.push(2);
      assert.deepEqual(entry.content, { list: [1] });
      assert.match(entry.id, /^[0-9a-f-]{36}$/);
    }));

  test("D6-B adump snapshots, writes without holding the log up, and clears only what it wrote", () =>
    inFolder(async (folder) => {
      let release = () => {};
      const waiting = new Promise<void>((resolve) => release = resolve);
      const log = logger(folder, {}, withWriting(() => waiting));
      log.log("before");
      const dump = log.adump();
      log.log("meanwhile");
      assert.deepEqual(contents(log), ["before", "meanwhile"]);
      release();
      await dump;
      assert.deepEqual(contents(log), ["meanwhile"]);
      assert.deepEqual(written(folder), ["before"]);
    }));

  test("D6-B two dumps at once write no entry twice", () =>
    inFolder(async (folder) => {
      const log = logger(folder);
      log.log(1);
      const first = log.adump();
      log.log(2);
      await Promise.all([first, log.adump(), log.dump()]);
      assert.deepEqual(written(folder).sort(), [1, 2]);
      assert.deepEqual(log.entries, []);
    }));

  test("D6-B at its capacity the log writes itself, and without one it grows", () =>
    inFolder(async (folder) => {
      const log = logger(folder, { capacity: 3 });
      for (let index = 0; index < 7; index++) log.log(index);
      await log.settled();
      assert.deepEqual(contents(log), [6]);
      assert.deepEqual((written(folder) as number[]).sort(), [0, 1, 2, 3, 4, 5]);
      const unbounded = logger(folder, { capacity: null });
      for (let index = 0; index < 10_000; index++) unbounded.log(index);
      assert.equal(unbounded.entries.length, 10_000);
    }));

  test("D6-B a dump at capacity that fails is counted, and loses nothing", () =>
    inFolder(async (folder) => {
      const log = logger(
        folder,
        { capacity: 2 },
        withWriting(() => {
          throw new Error("disk full");
        }),
      );
      for (let index = 0; index < 4; index++) log.log(index);
      await log.settled();
      assert.ok(log.failedDumps >= 1);
      assert.match(String(log.lastFailure), /disk full/);
      await assert.rejects(log.alog(4), /disk full/);
      assert.deepEqual(contents(log), [0, 1, 2, 3, 4]);
    }));

  test("at capacity, entries that stay in the log after a dump are not written again", () =>
    inFolder(async (folder) => {
      const log = logger(folder, { capacity: 2, clearAfterDump: false });
      for (let index = 0; index < 5; index++) await log.alog(index);
      await log.close();
      assert.deepEqual(contents(log), [0, 1, 2, 3, 4]);
      assert.deepEqual((written(folder) as number[]).sort(), [0, 1, 2, 3, 4]);
    }));

  test("D6-B a file's name is prefix, time and random digits, in the subfolder", () =>
    inFolder(async (folder) => {
      const cases: readonly (readonly [Partial<DataLoggerConfig>, RegExp])[] = [
        [{}, /^\d{14}-[0-9a-f]{5}\.json$/],
        [{ filePrefix: "run" }, /^run_\d{14}-[0-9a-f]{5}\.json$/],
        [{ filePrefix: "run", useTimestamp: false }, /^run-[0-9a-f]{5}\.json$/],
        [{ filePrefix: "run", hashDigits: 0 }, /^run_\d{14}\.json$/],
        [{ hashDigits: null }, /^\d{14}\.json$/],
        [{ hashDigits: 10 }, /^\d{14}-[0-9a-f]{10}\.json$/],
        [{ useTimestamp: false, hashDigits: 0 }, /^log\.json$/],
        [{ extension: ".jsonl" }, /\.jsonl$/],
        [{ extension: ".csv" }, /\.csv$/],
        [{ extension: "yaml" }, /\.yaml$/],
      ];
      for (const [index, [config, name]] of cases.entries()) {
        const log = logger(folder, { subfolder: `s${index}`, ...config });
        log.log({ a: 1 });
        const path = await log.dump();
        assert.equal(path, join(folder, `s${index}`, path!.split("/").at(-1)!));
        assert.match(path!.split("/").at(-1)!, name);
        assert.match(readFileSync(path!, "utf8"), /a/);
      }
    }));

  test("a dump never writes over an earlier one", () =>
    inFolder(async (folder) => {
      const log = logger(folder, { filePrefix: "same", useTimestamp: false, hashDigits: 0 });
      for (let index = 0; index < 3; index++) {
        log.log(index);
        await log.dump();
      }
      assert.deepEqual(readdirSync(folder).sort(), ["same-2.json", "same-3.json", "same.json"]);
      log.log("more");
      const path = join(folder, "same.json");
      await assert.rejects(log.dump({ path }), /same\.json: something is there already/);
      assert.deepEqual(contents(log), ["more"]);
      await log.dump({ path: join(folder, "deeper/other.json") });
      assert.deepEqual(log.entries, []);
    }));

  test("two dumps at once never choose the same file", () =>
    inFolder(async (folder) => {
      const log = logger(
        folder,
        { filePrefix: "same", useTimestamp: false, hashDigits: 0 },
        withWriting(() => new Promise((resolve) => setTimeout(resolve, 5))),
      );
      const dumps: Promise<unknown>[] = [];
      for (let index = 0; index < 5; index++) {
        log.log(index);
        dumps.push(log.dump());
      }
      await Promise.all(dumps);
      assert.deepEqual((written(folder) as number[]).sort(), [0, 1, 2, 3, 4]);
    }));

  test("D6-B hash digits go from 0 to 10, a capacity from 1; the format must be known", () => {
    for (const hashDigits of [-1, 11, 1.5, NaN]) {
      assert.throws(() => new DataLogger(runtime, { hashDigits }), /0 to 10, or null/);
    }
    for (const capacity of [0, -1, 1.5]) {
      assert.throws(() => new DataLogger(runtime, { capacity }), /from 1, or null/);
    }
    assert.throws(() => new DataLogger(runtime, { extension: ".xml" }), /an adapter for \.xml/);
  });

  test("D6-B no order of logging, dumping and failing loses or doubles an entry", async () => {
    const step = fc.constantFrom("log", "alog", "dump", "fail", "mend", "wait");
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 30 }),
        fc.option(fc.integer({ min: 1, max: 4 })),
        (steps, capacity) =>
          inFolder(async (folder) => {
            let failing = false;
            const port = withWriting(async () => {
              await Promise.resolve();
              if (failing) throw new Error("disk full");
            });
            const log = logger(folder, { capacity }, port);
            const running: Promise<unknown>[] = [];
            let logged = 0;
            for (const action of steps) {
              if (action === "log") log.log(logged++);
              if (action === "alog") running.push(log.alog(logged++).catch(() => {}));
              if (action === "dump") running.push(log.dump().catch(() => {}));
              if (action === "fail") failing = true;
              if (action === "mend") failing = false;
              if (action === "wait") await Promise.all(running);
            }
            await Promise.all(running);
            failing = false;
            await log.close();
            const numbers = (written(folder) as number[]).sort((left, right) => left - right);
            assert.deepEqual(numbers, Array.from({ length: logged }, (_, index) => index));
          }),
      ),
      { numRuns: 60 },
    );
  });
});

describe("DataLogger at the process's end", () => {
  /** Runs a program of the test's own runtime that makes a logger of `folder`. */
  function runProgram(folder: string, body: string): void {
    const source = (name: string) => new URL(`../../src/${name}`, import.meta.url).href;
    const program = `
      import { runtime } from ${JSON.stringify(source("runtime/current.ts"))};
      import { DataLogger } from ${JSON.stringify(source("data/data_logger.ts"))};
      const log = new DataLogger(runtime, { persistDir: ${JSON.stringify(folder)} });
      ${body}`;
    // How it ends is what some tests are about; what it says on the way is not.
    spawnSync(process.execPath, [runtime.name === "deno" ? "eval" : "-e", program], {
      cwd: new URL("../..", import.meta.url),
      stdio: "ignore",
    });
  }

  const ENDS: Readonly<Record<string, string>> = {
    "by itself": "log.log(1); log.log(2);",
    "by exit()": "log.log(1); log.log(2); runtime.env.exit(0);",
    "in the middle of a dump": "log.log(1); log.log(2); log.dump(); runtime.env.exit(0);",
  };
  for (const [end, body] of Object.entries(ENDS)) {
    test(`D6-B what is left is saved when it ends ${end}`, () =>
      inFolder((folder) => {
        runProgram(folder, body);
        assert.deepEqual(written(folder), [1, 2]);
      }));
  }

  test("D6-B nothing is saved when that is switched off, or when the logger is closed before", () =>
    inFolder((folder) => {
      runProgram(
        folder,
        `const off = new DataLogger(runtime, { persistDir: log.config.persistDir, autoSaveOnExit: false });
         off.log(1); await log.close(); log.log(2);`,
      );
      assert.deepEqual(readdirSync(folder), []);
    }));
});
