/**
 * The runtime port: everything gatehouse asks of the runtime it runs on, and nothing else.
 *
 * `deno.ts` and `bun.ts` implement it, in the same order of functions; no other file names a runtime.
 *
 * @module
 */

/** The whole port. The core takes it as a parameter. */
export interface Runtime {
  /** Which runtime this is. */
  readonly name: "bun" | "deno";
  /** Starts programs. */
  readonly subprocess: SubprocessPort;
  /** The file system. */
  readonly fs: FileSystemPort;
  /** Databases. */
  readonly sqlite: SqlitePort;
  /** The process and its environment. */
  readonly env: EnvironmentPort;
  /** Standard input, output and error. */
  readonly stdio: StandardStreamsPort;
  /** The SHA-256 of bytes, in lower-case hexadecimal. */
  sha256(bytes: Uint8Array): Promise<string>;
}

/** Starts programs. */
export interface SubprocessPort {
  /**
   * Runs a program to its end, without a shell, in a process group of its own.
   *
   * Never throws: every way it can end is a value. When the time is up the whole group is killed.
   */
  run(request: SubprocessRequest): Promise<SubprocessResult>;
}

/** What to run. Nothing is inherited unless it is named here. */
export interface SubprocessRequest {
  /** The program and its arguments. */
  readonly argv: readonly string[];
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder to run in; the process's own when left out. */
  readonly cwd?: string;
  /** What the program reads; an empty input when left out. */
  readonly stdin?: string | Uint8Array;
  /** Milliseconds until the process group is killed. */
  readonly timeoutMs: number;
  /** Kills the process group when it is aborted; the program then counts as `timed-out`. */
  readonly signal?: AbortSignal;
  /** How many bytes of each output stream are kept; the rest is read and dropped. */
  readonly outputLimit: number;
}

/** How a program ended. */
export type SubprocessResult =
  | {
    readonly status: "exited";
    /** The exit code; 128 + the signal's number when a signal ended it. */
    readonly code: number;
    /** The signal that ended it, or `null`. */
    readonly signal: string | null;
    readonly stdout: Uint8Array;
    readonly stderr: Uint8Array;
    /** Whether an output stream was longer than `outputLimit`. */
    readonly truncated: boolean;
  }
  | {
    readonly status: "timed-out";
    readonly stdout: Uint8Array;
    readonly stderr: Uint8Array;
    readonly truncated: boolean;
  }
  | {
    readonly status: "not-started";
    /** Why, in the words of the system. */
    readonly reason: string;
  };

/** What a file system entry is, links not followed. */
export interface FileInformation {
  /** What it is. */
  readonly kind: "file" | "directory" | "link" | "other";
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch, when it was last written. */
  readonly modifiedMs: number;
  /** Permission bits, as in `0o644`; 0 where the system has none. */
  readonly mode: number;
}

/** Why a file operation failed. */
export type FileErrorCode =
  | "not-found"
  | "exists"
  | "permission"
  | "not-a-directory"
  | "is-a-directory"
  | "not-a-file"
  | "loop"
  | "no-space"
  | "read-only"
  | "other";

/** A failed file operation: what, where, why. */
export class FileSystemError extends Error {
  /** The name of this class of errors. */
  override readonly name = "FileSystemError";
  /** Why it failed. */
  readonly code: FileErrorCode;
  /** The path it was about. */
  readonly path: string;

  /** Makes the error of an operation on a path. */
  constructor(operation: string, path: string, code: FileErrorCode, cause: unknown) {
    super(`Cannot ${operation} ${path}: ${code}`, { cause });
    this.code = code;
    this.path = path;
  }
}

/** The file system. Every function fails with a {@linkcode FileSystemError}. */
export interface FileSystemPort {
  /** The bytes of a file, following links. */
  readFile(path: string): Promise<Uint8Array>;
  /**
   * The same, read before it returns: a hook reads small files, and waiting for them costs it more. A pipe or a device is
   * an error: nothing could end the wait for it.
   */
  readFileNow(path: string): Uint8Array;
  /** The text of a file in UTF-8, read the same way. Bytes that are no such text are an error. */
  readTextNow(path: string): string;
  /** Writes a file through a temporary one beside it, so that a reader sees the old or the new, never half. */
  writeFile(path: string, data: string | Uint8Array, options?: { mode?: number }): Promise<void>;
  /**
   * Writes a file that nobody else writes, the quickest way there is: no temporary beside it, no folder
   * made. A reader that may come in the middle must be able to tell a whole one.
   */
  dropFile(path: string, data: string): Promise<void>;
  /**
   * Writes a new file before it returns, and the folders above it; an existing file is an error.
   *
   * For a process that is about to end, where nothing can be awaited any more. Throws {@linkcode FileSystemError}.
   */
  writeNewFileNow(path: string, data: string): void;
  /** Adds to the end of a file in one write, creating it when it is not there. */
  appendFile(path: string, data: string, options?: { mode?: number }): Promise<void>;
  /** Creates a folder and the folders above it; no error when it is there. */
  makeDirectory(path: string, options?: { mode?: number }): Promise<void>;
  /**
   * Whether anything stands at a path, links followed; said before it returns, since a look is cheaper than waiting.
   * Never throws: what cannot be looked at is not there.
   */
  exists(path: string): boolean;
  /** What stands at a path, links not followed; `null` when nothing does. */
  information(path: string): Promise<FileInformation | null>;
  /** Where a link points, as it is written in the link. */
  readLink(path: string): Promise<string>;
  /** The names in a folder, in no order. */
  list(path: string): Promise<string[]>;
  /** Sets permission bits. */
  setMode(path: string, mode: number): Promise<void>;
  /** Moves a file over another. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with all that is in it; no error when nothing is there. */
  remove(path: string): Promise<void>;
  /** Makes a new private folder for temporary files and returns its path. */
  makeTemporaryDirectory(prefix: string): Promise<string>;
}

/** A value that SQLite keeps. Anything else is refused before it reaches the driver. */
export type SqliteValue = string | number | bigint | null | Uint8Array;

/** A row, by column name. */
export type SqliteRow = Record<string, SqliteValue>;

/** Opens SQLite databases. */
export interface SqlitePort {
  /**
   * Opens a database file. The busy timeout is set before anything else is asked of the file.
   *
   * Rejects with {@linkcode SqliteError}.
   */
  open(path: string, options: SqliteOpenOptions): Promise<SqliteDatabase>;
}

/** How to open a database. */
export interface SqliteOpenOptions {
  /** Milliseconds to wait for another process's lock. */
  readonly busyTimeoutMs: number;
  /** Open without the right to write; the file must exist. */
  readonly readOnly?: boolean;
  /** Create the file when it is not there. Default `true` unless `readOnly`. */
  readonly create?: boolean;
}

/** An open database. Its functions throw {@linkcode SqliteError}. */
export interface SqliteDatabase {
  /** Runs statements without parameters (schema, pragmas). */
  execute(sql: string): void;
  /** Prepares one statement; the same text gives the same statement again. */
  prepare(sql: string): SqliteStatement;
  /** Runs `body` between `BEGIN IMMEDIATE` and `COMMIT`; rolls back and rethrows when it throws. */
  transaction<T>(body: () => T): T;
  /** Closes the database. */
  close(): void;
}

/** A prepared statement with positional parameters. */
export interface SqliteStatement {
  /** Runs it for what it changes. */
  run(...values: SqliteValue[]): { readonly changes: number };
  /** The first row; `null` when there is none. */
  get(...values: SqliteValue[]): SqliteRow | null;
  /** All rows. */
  all(...values: SqliteValue[]): SqliteRow[];
}

/** The process and what surrounds it. */
export interface EnvironmentPort {
  /** The arguments after the program's own name. */
  readonly args: readonly string[];
  /** The operating system. */
  readonly platform: "linux" | "darwin" | "windows";
  /** The process's id. */
  readonly pid: number;
  /** The absolute path of the running program. */
  readonly executable: string;
  /** Options that the runtime itself was given from outside (`BUN_OPTIONS`); empty in a clean start. */
  readonly runtimeOptions: readonly string[];
  /** A variable; `undefined` when it is not set. */
  get(name: string): string | undefined;
  /** All variables. */
  all(): Record<string, string>;
  /** The current folder. */
  cwd(): string;
  /** Milliseconds since the process began, or since some other moment before now; with fractions. */
  elapsed(): number;
  /**
   * Says that the process does its work once and ends: compiling it to machine code would take longer than it saves. What
   * is repeated very often is compiled all the same.
   */
  runsOnce(): void;
  /**
   * Calls a handler in place of the runtime's own end (exit code 1) when something was thrown that nobody caught.
   * The handler is to end the process.
   */
  onCrash(handler: (error: unknown) => void): void;
  /** Ends the process. */
  exit(code: number): never;
  /**
   * Calls back when the process ends by itself or by {@linkcode exit}; when a signal or an uncaught error
   * ends it, nobody promises that.
   *
   * Nothing can be awaited there. Returns a function that takes the call back.
   */
  onExit(callback: () => void): () => void;
}

/** Standard input, output and error. */
export interface StandardStreamsPort {
  /** Reads standard input to its end, at most `limit + 1` bytes: more than `limit` means it was cut. */
  readInput(limit: number): Promise<Uint8Array>;
  /** Yields the lines of standard input without their line ends, as they come. */
  readLines(): AsyncIterable<string>;
  /** Writes text to standard output; all of it is out when the promise resolves. */
  writeOutput(text: string): Promise<void>;
  /** Writes text to standard error; all of it is out when the promise resolves. */
  writeError(text: string): Promise<void>;
  /** Whether a stream is a terminal. */
  isTerminal(stream: "input" | "output" | "error"): boolean;
}
