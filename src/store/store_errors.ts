import { FileSystemError } from "../runtime/port.ts";
import { SqliteError } from "../runtime/sqlite_error.ts";
import { StoreError, type StoreErrorCode } from "./port.ts";

/** What SQLite's result codes mean for a store, and what to do about it. */
const SQLITE_CODES: Readonly<
  Record<string, { readonly code: StoreErrorCode; readonly advice: string }>
> = {
  SQLITE_BUSY: { code: "busy", advice: "another process is writing; try again" },
  SQLITE_LOCKED: { code: "busy", advice: "another process is writing; try again" },
  SQLITE_CORRUPT: {
    code: "corrupt",
    advice: "run `gatehouse signals reset` to set it aside and begin a new one",
  },
  SQLITE_NOTADB: {
    code: "corrupt",
    advice: "run `gatehouse signals reset` to set it aside and begin a new one",
  },
  SQLITE_READONLY: { code: "read-only", advice: "the file and its folder must be writable" },
  SQLITE_PERM: { code: "read-only", advice: "the file and its folder must be writable" },
  SQLITE_CANTOPEN: { code: "read-only", advice: "the file's folder must exist and be writable" },
  SQLITE_FULL: {
    code: "full",
    advice: "make room, or run `gatehouse signals prune --max-size 100MB`",
  },
};

/** What a file operation's failure means for a store. */
const FILE_CODES: Readonly<Record<string, StoreErrorCode>> = {
  "not-found": "missing",
  permission: "read-only",
  "read-only": "read-only",
  "no-space": "full",
};

/**
 * Turns any failure into a {@linkcode StoreError} that says what could not be done, where and why.
 *
 * @param what What was tried, as in "write signals to".
 * @param where The store's file, or its server without the password.
 * @param cause What was thrown.
 */
export function storeError(what: string, where: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  if (cause instanceof SqliteError) {
    const known = SQLITE_CODES[cause.code];
    const advice = known === undefined ? "" : ` (${known.advice})`;
    return new StoreError(
      `Cannot ${what} ${where}: ${rootMessage(cause)}${advice}`,
      known?.code ?? "other",
      cause,
    );
  }
  if (cause instanceof FileSystemError) {
    return new StoreError(
      `Cannot ${what} ${where}: ${cause.message}`,
      FILE_CODES[cause.code] ?? "other",
      cause,
    );
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(`Cannot ${what} ${where}: ${message}`, "other", cause);
}

function rootMessage(error: SqliteError): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
