import {
  type SqliteDatabase,
  SqliteError,
  type SqliteRow,
  type SqliteStatement,
  type SqliteValue,
} from "./port.ts";

/** The part of `bun:sqlite` and `node:sqlite` that is alike. */
export interface Driver {
  execute(sql: string): void;
  prepare(sql: string): DriverStatement;
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

const MAX_INTEGER = 2n ** 63n - 1n;
const MIN_INTEGER = -(2n ** 63n);

/** Turns what a driver threw into a {@linkcode SqliteError}. */
export function sqliteError(operation: string, cause: unknown): SqliteError {
  if (cause instanceof SqliteError) return cause;
  const raw = cause as { errno?: unknown; errcode?: unknown; message?: unknown } | null;
  const number = typeof raw?.errcode === "number" ? raw.errcode : raw?.errno;
  const code = typeof number === "number" ? RESULT_CODES[number & 0xff] : undefined;
  return new SqliteError(
    `Cannot ${operation}: ${raw?.message ?? cause}`,
    code ?? "SQLITE_ERROR",
    cause,
  );
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
      guarded(
        "read a row",
        () => (statement.get(...values.map(checkedValue)) ?? null) as SqliteRow | null,
      ),
    all: (...values) =>
      guarded("read rows", () => statement.all(...values.map(checkedValue)) as SqliteRow[]),
  };
}

/** Drivers keep some values silently as something else (an object as NULL, a wide BigInt as 0): refuse them. */
function checkedValue(value: SqliteValue): SqliteValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (typeof value === "bigint") {
    if (value >= MIN_INTEGER && value <= MAX_INTEGER) return value;
    throw new SqliteError(`Cannot keep the integer ${value}: wider than 64 bits`, "SQLITE_MISUSE");
  }
  if (value instanceof Uint8Array) return value;
  throw new SqliteError(`Cannot keep a value of type ${typeof value}`, "SQLITE_MISUSE");
}

function guarded<T>(operation: string, body: () => T): T {
  try {
    return body();
  } catch (cause) {
    throw sqliteError(operation, cause);
  }
}
