/** A failed database operation, with SQLite's own code where it gave one. */
export class SqliteError extends Error {
  /** The name of this class of errors. */
  override readonly name = "SqliteError";
  /** SQLite's primary result code name, such as `SQLITE_BUSY`; `SQLITE_MISUSE` for a value it cannot keep. */
  readonly code: string;

  /** Makes the error of a database. */
  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
