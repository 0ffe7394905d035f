/**
 * The few names of Bun that `bun.ts` uses, typed here so that every type checker can read it.
 *
 * @module
 */

import type { DriverStatement } from "./sqlite_database.ts";

/** The global object `Bun`. */
export interface BunGlobal {
  spawn(argv: string[], options: {
    cwd?: string;
    env: Record<string, string>;
    detached: boolean;
    stdin: "pipe";
    stdout: "pipe";
    stderr: "pipe";
  }): BunSubprocess;
  file(
    path: string,
  ): { bytes(): Promise<Uint8Array>; readonly lastModified: number; readonly size: number };
  nanoseconds(): number;
  /** Older ones have no such function. */
  readonly unsafe: { setJITPolicy?(scale: number): void };
  mmap(path: string, options: { shared: boolean }): Uint8Array;
  write(target: BunOutput, text: string): Promise<number>;
  write(path: string, text: string, options: { createPath: boolean }): Promise<number>;
  readonly stdin: {
    stream(): ReadableStream<Uint8Array>;
    slice(begin: number, end: number): { bytes(): Promise<Uint8Array> };
  };
  readonly stdout: BunOutput;
  readonly stderr: BunOutput;
  readonly CryptoHasher: new (algorithm: "sha256") => {
    update(bytes: Uint8Array): { digest(encoding: "hex"): string };
  };
}

/** An output stream as a file of Bun's. */
export interface BunOutput {
  readonly type: string;
}

/** A started program. */
export interface BunSubprocess {
  readonly pid: number;
  readonly stdin: {
    write(bytes: Uint8Array): number | Promise<number>;
    end(): number | Promise<number>;
  };
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  readonly exited: Promise<number>;
  readonly signalCode: string | null;
  kill(signal: string): void;
}

/** The global object `process`, as far as Bun's adapter needs it. */
export interface BunProcess {
  readonly argv: string[];
  readonly execArgv: string[];
  readonly execPath: string;
  readonly platform: string;
  readonly pid: number;
  readonly env: Record<string, string | undefined>;
  on(event: "exit", callback: () => void): void;
  on(event: "unhandledRejection" | "uncaughtException", handler: (error: unknown) => void): void;
  cwd(): string;
  exit(code: number): never;
  getBuiltinModule(name: "fs"): {
    readFileSync(path: string): Uint8Array;
    mkdirSync(path: string, options: { recursive: true }): void;
    writeFileSync(path: string, data: string, options: { flag: "wx" }): void;
  };
  getBuiltinModule(name: "tty"): { isatty(descriptor: number): boolean };
  kill(pid: number, signal: string): void;
  off(event: "exit", callback: () => void): void;
}

/** A prepared statement of Bun's SQLite. */
export interface BunStatement extends DriverStatement {
  finalize(): void;
}

/** The built-in SQLite module of Bun. */
export interface BunSqlite {
  readonly Database: new (path: string, options: {
    readonly?: boolean;
    readwrite?: boolean;
    create?: boolean;
    safeIntegers: boolean;
  }) => {
    run(sql: string): void;
    prepare(sql: string): BunStatement;
    close(): void;
  };
}
