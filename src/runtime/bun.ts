/**
 * The runtime port on Bun. Mirror image of `deno.ts`.
 *
 * What Bun's own functions cannot do comes from `node:fs/promises`, loaded only when it is asked for:
 * loading it costs a hook more than judging does.
 *
 * @module
 */

import { strictText } from "./strict_text.ts";
import type { BunGlobal, BunProcess, BunSqlite, BunStatement, BunSubprocess } from "./bun_types.ts";
import { fileError, fileOperation, fileOperationNow, notAFile } from "./file_error.ts";
import type {
  EnvironmentPort,
  FileInformation,
  FileSystemPort,
  Runtime,
  SqlitePort,
  StandardStreamsPort,
  SubprocessPort,
} from "./port.ts";

declare const Bun: BunGlobal;
declare const process: BunProcess;

const nodeFs = () => import("node:fs/promises");

const subprocess: SubprocessPort = {
  async run(request) {
    const { superviseProcess } = await import("./supervised_process.ts");
    let child: BunSubprocess;
    try {
      child = Bun.spawn([...request.argv], {
        cwd: request.cwd,
        env: { ...request.env },
        detached: true,
        stdin: "pipe",
        stdout: "pipe",
        stderr: "pipe",
      });
    } catch (error) {
      return { status: "not-started", reason: (error as Error).message };
    }
    return await superviseProcess({
      stdout: child.stdout,
      stderr: child.stderr,
      async writeInput(bytes) {
        try {
          // A program that does not read ends this promise with EPIPE; unawaited it would end ours.
          await child.stdin.write(bytes);
        } finally {
          await child.stdin.end();
        }
      },
      ended: child.exited.then((code) => ({ code, signal: child.signalCode })),
      killGroup() {
        try {
          if (env.platform === "windows") child.kill("SIGKILL");
          else process.kill(-child.pid, "SIGKILL");
        } catch {
          // The group has ended by itself.
        }
      },
    }, request);
  },
};

const fs: FileSystemPort = {
  readFile: (path) => fileOperation("read", path, () => Bun.file(path).bytes()),
  readFileNow: (path) => fileOperationNow("read", path, () => mapped(path).slice()),
  readTextNow: (path) => fileOperationNow("read", path, () => strictText(mapped(path))),
  writeFile: (path, data, options = {}) =>
    fileOperation("write", path, async () => {
      const { rename, rm, writeFile } = await nodeFs();
      const temporary = `${path}.${process.pid}.${crypto.randomUUID().slice(0, 8)}.tmp`;
      try {
        await writeFile(temporary, data, { mode: options.mode, flag: "wx" });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    }),
  dropFile: (path, data) =>
    fileOperation("write", path, async () => {
      await Bun.write(path, data, { createPath: false });
    }),
  writeNewFileNow: (path, data) =>
    fileOperationNow("write", path, () => {
      const { mkdirSync, writeFileSync } = process.getBuiltinModule("fs");
      mkdirSync(path.slice(0, path.lastIndexOf("/")) || "/", { recursive: true });
      writeFileSync(path, data, { flag: "wx" });
    }),
  appendFile: (path, data, options = {}) =>
    fileOperation(
      "append to",
      path,
      async () => (await nodeFs()).appendFile(path, data, { mode: options.mode }),
    ),
  makeDirectory: (path, options = {}) =>
    fileOperation("make the folder", path, async () => {
      await (await nodeFs()).mkdir(path, { recursive: true, mode: options.mode });
    }),
  exists(path) {
    // Looks without opening the file: a hook looks for many that are not there.
    return path !== "" && !path.includes("\0") && Bun.file(path).lastModified !== NEVER_MODIFIED;
  },
  async information(path) {
    try {
      const { lstat } = await nodeFs();
      const found = await lstat(path);
      return information(found, found.size, Math.floor(found.mtimeMs), found.mode);
    } catch (cause) {
      if ((cause as { code?: unknown }).code === "ENOENT") return null;
      throw fileError("look at", path, cause);
    }
  },
  readLink: (path) =>
    fileOperation("read the link", path, async () => await (await nodeFs()).readlink(path)),
  list: (path) => fileOperation("list", path, async () => await (await nodeFs()).readdir(path)),
  setMode: (path, mode) =>
    fileOperation("set the mode of", path, async () => (await nodeFs()).chmod(path, mode)),
  rename: (from, to) =>
    fileOperation("rename", from, async () => (await nodeFs()).rename(from, to)),
  remove: (path) =>
    fileOperation(
      "remove",
      path,
      async () => (await nodeFs()).rm(path, { recursive: true, force: true }),
    ),
  makeTemporaryDirectory: (prefix) =>
    fileOperation(
      "make a temporary folder",
      prefix,
      async () => {
        const { TMPDIR, TEMP } = process.env;
        return await (await nodeFs()).mkdtemp(`${TMPDIR || TEMP || "/tmp"}/${prefix}`);
      },
    ),
};

/** What Bun says of the last change of a file that it cannot look at: all 52 bits. */
const NEVER_MODIFIED = 2 ** 52 - 1;

/**
 * A file's bytes, mapped into memory: without another thread or `node:fs`, which cost a hook more than the reading. To be
 * copied at once. What cannot be mapped is read otherwise: an empty file, one that may not be written.
 */
function mapped(path: string): Uint8Array {
  try {
    return Bun.mmap(path, { shared: false });
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") throw error;
    // What has no end is a pipe or a device.
    if (Bun.file(path).size === Infinity) throw notAFile();
    return process.getBuiltinModule("fs").readFileSync(path);
  }
}

const sqlite: SqlitePort = {
  async open(path, options) {
    const [{ Database }, { sqliteDatabase, sqliteError }] = await Promise.all([
      bunSqlite(),
      import("./sqlite_database.ts"),
    ]);
    try {
      const database = new Database(path, {
        safeIntegers: true,
        ...(options.readOnly
          ? { readonly: true }
          : { readwrite: true, create: options.create ?? true }),
      });
      const statements: BunStatement[] = [];
      database.run(`PRAGMA busy_timeout = ${Math.trunc(options.busyTimeoutMs)}`);
      return sqliteDatabase({
        execute: (sql) => database.run(sql),
        prepare(sql) {
          const statement = database.prepare(sql);
          statements.push(statement);
          return statement;
        },
        close() {
          for (const statement of statements) statement.finalize();
          database.close();
        },
      });
    } catch (error) {
      throw sqliteError(`open the database ${path}`, error);
    }
  },
};

/** The specifier is not a literal, so that type checkers of other runtimes do not look for it. */
async function bunSqlite(): Promise<BunSqlite> {
  const specifier: string = "bun:sqlite";
  return await import(specifier) as BunSqlite;
}

/** How many times longer than usual code is interpreted before it is compiled. */
const ONCE = 20;

const env: EnvironmentPort = {
  args: process.argv.slice(2),
  platform: process.platform === "win32"
    ? "windows"
    : process.platform === "darwin"
    ? "darwin"
    : "linux",
  get pid() {
    return process.pid;
  },
  get executable() {
    return process.execPath;
  },
  runtimeOptions: process.execArgv,
  get(name) {
    const value = process.env[name];
    // Names such as `constructor` are inherited.
    return typeof value === "string" ? value : undefined;
  },
  all: () => ({ ...process.env }) as Record<string, string>,
  cwd: () => process.cwd(),
  elapsed: () => Bun.nanoseconds() / 1e6,
  runsOnce: () => Bun.unsafe.setJITPolicy?.(ONCE),
  onCrash(handler) {
    process.on("unhandledRejection", handler);
    process.on("uncaughtException", handler);
  },
  exit: (code) => process.exit(code),
  onExit(callback) {
    process.on("exit", callback);
    return () => process.off("exit", callback);
  },
};

const stdio: StandardStreamsPort = {
  async readInput(limit) {
    // Reads no further than the slice, and costs a hook less than its stream does.
    const bytes = await Bun.stdin.slice(0, limit + 1).bytes();
    return bytes.subarray(0, limit + 1);
  },
  async *readLines() {
    const { linesOf } = await import("./lines.ts");
    yield* linesOf(Bun.stdin.stream());
  },
  writeOutput: async (text) => void await Bun.write(Bun.stdout, text),
  writeError: async (text) => void await Bun.write(Bun.stderr, text),
  // Not by the process's own stream objects: making one costs a hook more than judging does.
  isTerminal: (stream) =>
    process.getBuiltinModule("tty").isatty(stream === "input" ? 0 : stream === "output" ? 1 : 2),
};

function information(
  kind: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean },
  size: number,
  modifiedMs: number,
  mode: number,
): FileInformation {
  return {
    kind: kind.isSymbolicLink()
      ? "link"
      : kind.isDirectory()
      ? "directory"
      : kind.isFile()
      ? "file"
      : "other",
    size,
    modifiedMs,
    mode: mode & 0o7777,
  };
}

// deno-lint-ignore require-await -- the mirror image in deno.ts awaits
async function sha256(bytes: Uint8Array): Promise<string> {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}

/** The port on Bun. */
export const runtime: Runtime = {
  name: "bun",
  subprocess,
  fs,
  sqlite,
  env,
  stdio,
  sha256,
};
