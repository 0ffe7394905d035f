import type { SqliteDatabase, SqliteRow, SqliteStatement, SqliteValue } from "./port.ts";
import { SqliteError } from "./sqlite_error.ts";

/** The part of `bun:sqlite` and `node:sqlite` that is alike. Integers are read as BigInts: none may lose a digit. */
export interface Driver {
  execute(sql: string): void;
  prepare(sql: string): DriverStatement;
  /** Closes the database and lets go of its statements, so that nothing of it stays open. */
  close(): void;
}

/** A statement of either driver. */
export interface DriverStatement {
  run(...values: SqliteValue[]): { changes: number | bigint };
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}

/** SQLite's primary result codes, by number. */
const RESULT_CODES: Readonly<Record<number, string>> = {
  1: "SQLITE_ERROR",
  3: "SQLITE_PERM",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  17: "SQLITE_SCHEMA",
  18: "SQLITE_TOOBIG",
  19: "SQLITE_CONSTRAINT",
  20: "SQLITE_MISMATCH",
  21: "SQLITE_MISUSE",
  26: "SQLITE_NOTADB",
};

/** The primary code is the low byte of an extended one. */
const PRIMARY_CODE = 0xff;

/** SQLite's own words for its result codes: `node:sqlite` gives no number when it opens a file or runs a script. */
const RESULT_WORDS: readonly (readonly [words: string, code: string])[] = [
  ["database is locked", "SQLITE_BUSY"],
  ["database table is locked", "SQLITE_LOCKED"],
  ["attempt to write a readonly database", "SQLITE_READONLY"],
  ["disk I/O error", "SQLITE_IOERR"],
  ["database disk image is malformed", "SQLITE_CORRUPT"],
  ["database or disk is full", "SQLITE_FULL"],
  ["unable to open database file", "SQLITE_CANTOPEN"],
  ["constraint failed", "SQLITE_CONSTRAINT"],
  ["datatype mismatch", "SQLITE_MISMATCH"],
  ["file is not a database", "SQLITE_NOTADB"],
];

const MAX_INTEGER = 2n ** 63n - 1n;
const MIN_INTEGER = -(2n ** 63n);
const MAX_NUMBER = BigInt(Number.MAX_SAFE_INTEGER);
const MIN_NUMBER = BigInt(Number.MIN_SAFE_INTEGER);

/** Turns what a driver threw into a {@linkcode SqliteError}. */
export function sqliteError(operation: string, cause: unknown): SqliteError {
  if (cause instanceof SqliteError) return cause;
  const raw = cause as { errno?: unknown; errcode?: unknown; message?: unknown } | null;
  const message = String(raw?.message ?? cause);
  const number = typeof raw?.errcode === "number" ? raw.errcode : raw?.errno;
  const code = typeof number === "number"
    ? RESULT_CODES[number & PRIMARY_CODE]
    : RESULT_WORDS.find(([words]) => message.includes(words))?.[1];
  return new SqliteError(`Cannot ${operation}: ${message}`, code ?? "SQLITE_ERROR", cause);
}

/** Puts the port's promises on top of a driver: checked values, one error class, `BEGIN IMMEDIATE`. */
export function sqliteDatabase(driver: Driver): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  const database: SqliteDatabase = {
    execute: (sql) => guarded("run SQL", () => driver.execute(sql)),
    prepare(sql) {
      let statement = statements.get(sql);
      if (statement === undefined) {
        statement = sqliteStatement(guarded("prepare SQL", () => driver.prepare(sql)));
        statements.set(sql, statement);
      }
      return statement;
    },
    transaction(body) {
      database.execute("BEGIN IMMEDIATE");
      try {
        const result = body();
        if (isPromise(result)) {
          throw new SqliteError(
            "Cannot run a transaction whose body returns a promise: it would go on after the commit",
            "SQLITE_MISUSE",
          );
        }
        database.execute("COMMIT");
        return result;
      } catch (error) {
        try {
          database.execute("ROLLBACK");
        } catch {
          // SQLite has already rolled back (disk full, I/O error); the first error is the one to tell.
        }
        throw error;
      }
    },
    close: () => guarded("close the database", () => driver.close()),
  };
  return database;
}

function sqliteStatement(statement: DriverStatement): SqliteStatement {
  return {
    run: (...values) =>
      guarded("run a statement", () => ({
        changes: Number(statement.run(...values.map(checkedValue)).changes),
      })),
    get: (...values) =>
      guarded("read a row", () => {
        const row = statement.get(...values.map(checkedValue)) as SqliteRow | null | undefined;
        return row ? plainRow(row) : null;
      }),
    all: (...values) =>
      guarded(
        "read rows",
        () => (statement.all(...values.map(checkedValue)) as SqliteRow[]).map(plainRow),
      ),
  };
}

/** Drivers differ in a row's prototype; and an integer is a number wherever a number holds it exactly. */
function plainRow(row: SqliteRow): SqliteRow {
  const plain: SqliteRow = {};
  for (const name in row) {
    const value = row[name];
    plain[name] = typeof value === "bigint" && value >= MIN_NUMBER && value <= MAX_NUMBER
      ? Number(value)
      : value;
  }
  return plain;
}

/**
 * Drivers keep some values silently as something else: an object or NaN as NULL, a wide BigInt as 0,
 * half a surrogate pair as U+FFFD, a text up to its first NUL. Refuse them.
 */
function checkedValue(value: SqliteValue): SqliteValue {
  if (value === null || value instanceof Uint8Array) return value;
  switch (typeof value) {
    case "string":
      if (!value.includes("\0") && value.isWellFormed()) return value;
      throw misuse("a text with a NUL or half a surrogate pair in it");
    case "number":
      if (!Number.isNaN(value)) return value;
      throw misuse("NaN");
    case "bigint":
      if (value >= MIN_INTEGER && value <= MAX_INTEGER) return value;
      throw misuse(`the integer ${value}: wider than 64 bits`);
    default:
      throw misuse(`a value of type ${typeof value}`);
  }
}

function misuse(what: string): SqliteError {
  return new SqliteError(`Cannot keep ${what}`, "SQLITE_MISUSE");
}

function isPromise(value: unknown): boolean {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

function guarded<T>(operation: string, body: () => T): T {
  try {
    return body();
  } catch (cause) {
    throw sqliteError(operation, cause);
  }
}
