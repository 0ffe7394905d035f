// The contract of the runtime port's `sqlite`, on whichever runtime runs this test.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { runtime } from "../../src/runtime/current.ts";
import type { SqliteDatabase, SqliteValue } from "../../src/runtime/port.ts";
import { SqliteError } from "../../src/runtime/sqlite_error.ts";

let folder = "";
let serial = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-sqlite-"));
});

after(() => rm(folder, { recursive: true, force: true }));

function fresh(): string {
  return join(folder, `${++serial}.db`);
}

/** Opens a new database, hands it to `body` and closes it. */
async function withDatabase(
  body: (database: SqliteDatabase, path: string) => void | Promise<void>,
): Promise<void> {
  const path = fresh();
  const database = await runtime.sqlite.open(path, { busyTimeoutMs: 1_000 });
  try {
    await body(database, path);
  } finally {
    database.close();
  }
}

function hasCode(code: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof SqliteError, `not a SqliteError: ${error}`);
    assert.equal(error.code, code, error.message);
    assert.ok(error.message.startsWith("Cannot "), error.message);
    return true;
  };
}

describe("sqlite: values", () => {
  for (
    const [what, value, kind] of [
      ["text", "größe 👋", "text"],
      ["an empty text", "", "text"],
      ["a small integer", 42, "integer"],
      ["zero", 0, "integer"],
      ["an integer over 32 bits", 2 ** 40, "integer"],
      ["the largest safe integer", Number.MAX_SAFE_INTEGER, "integer"],
      ["the smallest safe integer", Number.MIN_SAFE_INTEGER, "integer"],
      ["a fraction", 1.5, "real"],
      ["a number beyond all integers", 1e300, "real"],
      ["an infinity", -Infinity, "real"],
      ["a wide BigInt", 2n ** 63n - 1n, "integer"],
      ["a wide negative BigInt", -(2n ** 63n), "integer"],
      ["null", null, "null"],
      ["bytes", new Uint8Array([0, 255, 7]), "blob"],
      ["no bytes", new Uint8Array(), "blob"],
    ] as [string, SqliteValue, string][]
  ) {
    test(`${what} comes back as it went in`, () =>
      withDatabase((database) => {
        const row = database.prepare("SELECT ?1 AS value, typeof(?1) AS kind").get(value);
        assert.deepEqual(row, { value, kind });
      }));
  }

  test("a BigInt that a number can hold comes back as a number", () =>
    withDatabase((database) => {
      assert.deepEqual(database.prepare("SELECT ? AS value").get(5n), { value: 5 });
    }));

  for (
    const [what, value] of [
      ["a plain object", { a: 1 }],
      ["an array", [1]],
      ["a date", new Date(0)],
      ["undefined", undefined],
      ["true", true],
      ["a symbol", Symbol("s")],
      ["a function", () => 1],
      ["a BigInt of 65 bits", 2n ** 64n],
      ["a BigInt one too wide", 2n ** 63n],
      ["a BigInt one too small", -(2n ** 63n) - 1n],
      ["not-a-number", NaN],
      ["a text with half a character", "a\ud800b"],
      ["a text with a NUL in it", "a\0b"],
    ] as [string, unknown][]
  ) {
    test(`${what} is refused, alone and as a later value, and nothing is written`, () =>
      withDatabase((database) => {
        database.execute("CREATE TABLE kept (first, second)");
        const insert = database.prepare("INSERT INTO kept VALUES (?, ?)");
        const wrong = value as SqliteValue;
        assert.throws(() => insert.run("a", wrong), hasCode("SQLITE_MISUSE"));
        assert.throws(() => insert.get(wrong, "a"), hasCode("SQLITE_MISUSE"));
        assert.throws(() => insert.all(wrong, wrong), hasCode("SQLITE_MISUSE"));
        assert.deepEqual(database.prepare("SELECT * FROM kept").all(), []);
      }));
  }

  test("too many values are refused", () =>
    withDatabase((database) => {
      const select = database.prepare("SELECT ? AS a, ? AS b");
      assert.throws(() => select.get(1, 2, 3), SqliteError);
      assert.deepEqual(select.get(1, 2), { a: 1, b: 2 });
    }));
});

describe("sqlite: statements", () => {
  test("rows are plain records in the order of their columns", () =>
    withDatabase((database) => {
      database.execute(
        "CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y')",
      );
      const rows = database.prepare("SELECT b, a FROM t ORDER BY a").all();
      assert.deepEqual(rows, [{ b: "x", a: 1 }, { b: "y", a: 2 }]);
      assert.deepEqual(Object.keys(rows[0]), ["b", "a"]);
      assert.equal(Object.getPrototypeOf(rows[0]), Object.prototype);
    }));

  test("no row is null, no rows are an empty list", () =>
    withDatabase((database) => {
      database.execute("CREATE TABLE t (a)");
      assert.equal(database.prepare("SELECT a FROM t").get(), null);
      assert.deepEqual(database.prepare("SELECT a FROM t").all(), []);
    }));

  test("run tells how many rows it changed, not how many were changed before", () =>
    withDatabase((database) => {
      database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)");
      assert.deepEqual(database.prepare("UPDATE t SET a = 0 WHERE a > ?").run(1), { changes: 2 });
      assert.deepEqual(database.prepare("DELETE FROM t WHERE a = ?").run(99), { changes: 0 });
    }));

  test("the same text gives the same statement", () =>
    withDatabase((database) => {
      assert.equal(database.prepare("SELECT 1"), database.prepare("SELECT 1"));
      assert.notEqual(database.prepare("SELECT 1"), database.prepare("SELECT 2"));
    }));

  test("a statement sees the table as it is now, after its columns changed", () =>
    withDatabase((database) => {
      database.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
      const select = database.prepare("SELECT * FROM t");
      assert.deepEqual(select.get(), { a: 1 });
      database.execute("ALTER TABLE t ADD COLUMN b DEFAULT 2");
      assert.deepEqual(select.get(), { a: 1, b: 2 });
    }));

  test("foreign keys are as SQLite has them by default: off until asked for", () =>
    withDatabase((database) => {
      assert.deepEqual(database.prepare("PRAGMA foreign_keys").get(), { foreign_keys: 0 });
      database.execute("PRAGMA foreign_keys = ON");
      assert.deepEqual(database.prepare("PRAGMA foreign_keys").get(), { foreign_keys: 1 });
    }));

  test("a failed statement says what SQLite says", () =>
    withDatabase((database) => {
      assert.throws(() => database.execute("CREATE TABEL t"), hasCode("SQLITE_ERROR"));
      assert.throws(() => database.prepare("SELECT * FROM missing"), hasCode("SQLITE_ERROR"));
      database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b NOT NULL)");
      const insert = database.prepare("INSERT INTO t VALUES (?, ?)");
      insert.run(1, "x");
      assert.throws(() => insert.run(1, "y"), hasCode("SQLITE_CONSTRAINT"));
      assert.throws(() => insert.run(2, null), hasCode("SQLITE_CONSTRAINT"));
      assert.throws(() => insert.run("text", "x"), hasCode("SQLITE_MISMATCH"));
      const script = "INSERT INTO t VALUES (1, 'y')";
      assert.throws(() => database.execute(script), hasCode("SQLITE_CONSTRAINT"));
    }));
});

describe("sqlite: transactions", () => {
  test("what a body wrote is kept, and its value returned", () =>
    withDatabase((database) => {
      database.execute("CREATE TABLE t (a)");
      const value = database.transaction(() => {
        database.prepare("INSERT INTO t VALUES (?)").run(1);
        return "done";
      });
      assert.equal(value, "done");
      assert.deepEqual(database.prepare("SELECT a FROM t").all(), [{ a: 1 }]);
    }));

  test("what a body wrote before it threw is gone, and its error comes out", () =>
    withDatabase((database) => {
      database.execute("CREATE TABLE t (a)");
      const failure = new Error("the body's own");
      assert.throws(
        () =>
          database.transaction(() => {
            database.prepare("INSERT INTO t VALUES (?)").run(1);
            throw failure;
          }),
        (error) => error === failure,
      );
      assert.deepEqual(database.prepare("SELECT a FROM t").all(), []);
      database.transaction(() => {});
    }));

  test("a transaction takes the right to write at once", () =>
    withDatabase(async (database, path) => {
      const other = await runtime.sqlite.open(path, { busyTimeoutMs: 0 });
      database.transaction(() => {
        assert.throws(() => other.execute("BEGIN IMMEDIATE"), hasCode("SQLITE_BUSY"));
      });
      other.transaction(() => {});
      other.close();
    }));

  test("a transaction in a transaction is refused and harms the outer one in nothing", () =>
    withDatabase((database) => {
      database.execute("CREATE TABLE t (a)");
      database.transaction(() => {
        database.prepare("INSERT INTO t VALUES (1)").run();
        assert.throws(() => database.transaction(() => {}), hasCode("SQLITE_ERROR"));
      });
      assert.deepEqual(database.prepare("SELECT a FROM t").all(), [{ a: 1 }]);
    }));

  test("a body that returns a promise is refused: it would run on after the commit", () =>
    withDatabase((database) => {
      database.execute("CREATE TABLE t (a)");
      assert.throws(() => {
        database.transaction(() => {
          database.prepare("INSERT INTO t VALUES (1)").run();
          return Promise.resolve();
        });
      }, hasCode("SQLITE_MISUSE"));
      assert.deepEqual(database.prepare("SELECT a FROM t").all(), []);
    }));

  test("the busy timeout is honoured: a lock that is given back in time is no error", async () => {
    const path = fresh();
    const database = await runtime.sqlite.open(path, { busyTimeoutMs: 15_000 });
    database.execute("PRAGMA journal_mode = WAL");
    const start = runtime.name === "deno" ? ["run", "-A", "--no-lock"] : [];
    const program = join(import.meta.dirname!, "program.ts");
    const child = spawn(runtime.env.executable, [...start, program, "hold-lock", path, "700"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "close");
    await once(child.stdout, "data");
    const impatient = await runtime.sqlite.open(path, { busyTimeoutMs: 0 });
    assert.throws(() => impatient.transaction(() => {}), hasCode("SQLITE_BUSY"));
    impatient.close();
    database.transaction(() => database.execute("CREATE TABLE t (a)"));
    database.close();
    assert.deepEqual((await ended)[0], 0);
  });
});

describe("sqlite: opening and closing", () => {
  test("the busy timeout is set from the beginning", async () => {
    for (const busyTimeoutMs of [0, 1_234]) {
      const database = await runtime.sqlite.open(fresh(), { busyTimeoutMs });
      assert.deepEqual(database.prepare("PRAGMA busy_timeout").get(), { timeout: busyTimeoutMs });
      database.close();
    }
  });

  test("a read-only database can be read and not written", async () => {
    const path = fresh();
    const writer = await runtime.sqlite.open(path, { busyTimeoutMs: 0 });
    writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    writer.close();
    const reader = await runtime.sqlite.open(path, { busyTimeoutMs: 0, readOnly: true });
    assert.deepEqual(reader.prepare("SELECT a FROM t").get(), { a: 1 });
    assert.throws(() => reader.execute("INSERT INTO t VALUES (2)"), hasCode("SQLITE_READONLY"));
    reader.close();
  });

  test("a file that is not there is made only when it may be", async () => {
    const path = fresh();
    await assert.rejects(
      runtime.sqlite.open(path, { busyTimeoutMs: 0, readOnly: true }),
      hasCode("SQLITE_CANTOPEN"),
    );
    await assert.rejects(
      runtime.sqlite.open(path, { busyTimeoutMs: 0, create: false }),
      hasCode("SQLITE_CANTOPEN"),
    );
    assert.equal(runtime.fs.exists(path), false);
    const database = await runtime.sqlite.open(path, { busyTimeoutMs: 0 });
    database.execute("CREATE TABLE t (a)");
    database.close();
    (await runtime.sqlite.open(path, { busyTimeoutMs: 0, create: false })).close();
  });

  test("a folder, or a path below nothing, cannot be opened", async () => {
    for (const path of [folder, join(folder, "missing", "a.db")]) {
      await assert.rejects(
        runtime.sqlite.open(path, { busyTimeoutMs: 0 }),
        hasCode("SQLITE_CANTOPEN"),
      );
    }
  });

  test("a file that is no database says so when it is first used", async () => {
    const path = fresh();
    await writeFile(path, "This is no database. ".repeat(100));
    const database = await runtime.sqlite.open(path, { busyTimeoutMs: 0 });
    assert.throws(() => database.execute("CREATE TABLE t (a)"), hasCode("SQLITE_NOTADB"));
    database.close();
  });

  test("closing folds the write-ahead log back in, although statements were prepared", async () => {
    const path = fresh();
    const database = await runtime.sqlite.open(path, { busyTimeoutMs: 0 });
    database.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
    database.prepare("INSERT INTO t VALUES (?)").run(1);
    database.prepare("SELECT a FROM t").all();
    database.close();
    const name = `${serial}.db`;
    assert.deepEqual((await readdir(folder)).filter((entry) => entry.startsWith(name)), [name]);
  });

  test("a closed database and its statements refuse to be used", async () => {
    const database = await runtime.sqlite.open(fresh(), { busyTimeoutMs: 0 });
    const select = database.prepare("SELECT 1");
    database.close();
    assert.throws(() => database.execute("SELECT 1"), SqliteError);
    assert.throws(() => database.prepare("SELECT 2"), SqliteError);
    assert.throws(() => select.get(), SqliteError);
  });
});
