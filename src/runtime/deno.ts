/**
 * The runtime port on Deno. Mirror image of `bun.ts`.
 *
 * @module
 */

import { strictText } from "./strict_text.ts";
import { joinBytes } from "./bounded_output.ts";
import { fileOperation, fileOperationNow, notAFile } from "./file_error.ts";
import type {
  EnvironmentPort,
  FileInformation,
  FileSystemPort,
  Runtime,
  SqlitePort,
  SqliteValue,
  StandardStreamsPort,
  SubprocessPort,
} from "./port.ts";
import { SqliteError } from "./sqlite_error.ts";
import { sqliteDatabase, sqliteError } from "./sqlite_database.ts";

const subprocess: SubprocessPort = {
  async run(request) {
    const { superviseProcess } = await import("./supervised_process.ts");
    let child: Deno.ChildProcess;
    try {
      child = new Deno.Command(request.argv[0], {
        args: request.argv.slice(1),
        cwd: request.cwd,
        env: { ...request.env },
        clearEnv: true,
        detached: true,
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
    } catch (error) {
      return { status: "not-started", reason: (error as Error).message };
    }
    return await superviseProcess({
      stdout: child.stdout,
      stderr: child.stderr,
      async writeInput(bytes) {
        const writer = child.stdin.getWriter();
        try {
          await writer.write(bytes);
        } finally {
          await writer.close();
        }
      },
      ended: child.status.then(({ code, signal }) => ({ code, signal })),
      killGroup() {
        try {
          if (env.platform === "windows") child.kill("SIGKILL");
          else Deno.kill(-child.pid, "SIGKILL");
        } catch {
          // The group has ended by itself.
        }
      },
    }, request);
  },
};

const fs: FileSystemPort = {
  readFile: (path) => fileOperation("read", path, () => Deno.readFile(path)),
  readTextNow: (path) => fileOperationNow("read", path, () => strictText(bytesOf(path))),
  readFileNow: (path) => fileOperationNow("read", path, () => bytesOf(path)),
  writeFile: (path, data, options = {}) =>
    fileOperation("write", path, async () => {
      const temporary = `${path}.${Deno.pid}.${crypto.randomUUID().slice(0, 8)}.tmp`;
      try {
        const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
        await Deno.writeFile(temporary, bytes, { mode: options.mode, createNew: true });
        await Deno.rename(temporary, path);
      } catch (error) {
        await Deno.remove(temporary).catch(() => {});
        throw error;
      }
    }),
  dropFile: (path, data) => fileOperation("write", path, () => Deno.writeTextFile(path, data)),
  writeNewFileNow: (path, data) =>
    fileOperationNow("write", path, () => {
      Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")) || "/", { recursive: true });
      Deno.writeTextFileSync(path, data, { createNew: true });
    }),
  appendFile: (path, data, options = {}) =>
    fileOperation(
      "append to",
      path,
      () => Deno.writeTextFile(path, data, { append: true, mode: options.mode }),
    ),
  makeDirectory: (path, options = {}) =>
    fileOperation(
      "make the folder",
      path,
      () => Deno.mkdir(path, { recursive: true, mode: options.mode }),
    ),
  exists(path) {
    try {
      Deno.statSync(path);
      return true;
    } catch {
      return false;
    }
  },
  async information(path) {
    try {
      return await fileOperation("look at", path, async () => {
        const found = await Deno.lstat(path);
        return information(found, found.size, found.mtime?.getTime() ?? 0, found.mode ?? 0);
      });
    } catch (error) {
      if ((error as { code?: string }).code === "not-found") return null;
      throw error;
    }
  },
  readLink: (path) => fileOperation("read the link", path, () => Deno.readLink(path)),
  list: (path) =>
    fileOperation("list", path, async () => {
      const names: string[] = [];
      for await (const entry of Deno.readDir(path)) names.push(entry.name);
      return names;
    }),
  setMode: (path, mode) => fileOperation("set the mode of", path, () => Deno.chmod(path, mode)),
  rename: (from, to) => fileOperation("rename", from, () => Deno.rename(from, to)),
  async remove(path) {
    try {
      await fileOperation("remove", path, () => Deno.remove(path, { recursive: true }));
    } catch (error) {
      if ((error as { code?: string }).code !== "not-found") throw error;
    }
  },
  makeTemporaryDirectory: (prefix) =>
    fileOperation("make a temporary folder", prefix, () => Deno.makeTempDir({ prefix })),
};

function bytesOf(path: string): Uint8Array {
  const { isFile, isDirectory } = Deno.statSync(path);
  if (!isFile && !isDirectory) throw notAFile();
  return Deno.readFileSync(path);
}

const sqlite: SqlitePort = {
  async open(path, options) {
    const { DatabaseSync } = await import("node:sqlite");
    try {
      if (options.create === false && !options.readOnly) await mustBeThere(path);
      const database = new DatabaseSync(path, {
        readOnly: options.readOnly ?? false,
        timeout: Math.trunc(options.busyTimeoutMs),
        enableForeignKeyConstraints: false,
      });
      return sqliteDatabase({
        execute: (sql) => database.exec(sql),
        prepare(sql) {
          const statement = database.prepare(sql);
          statement.setReadBigInts(true);
          return {
            run: (...values) => statement.run(...values.map(exactInteger)),
            get: (...values) => statement.get(...values.map(exactInteger)),
            all: (...values) => statement.all(...values.map(exactInteger)),
          };
        },
        close: () => database.close(),
      });
    } catch (error) {
      throw sqliteError(`open the database ${path}`, error);
    }
  },
};

/** `node:sqlite` cannot be told not to create a file. */
async function mustBeThere(path: string): Promise<void> {
  try {
    await Deno.stat(path);
  } catch (cause) {
    throw new SqliteError(
      `Cannot open the database ${path}: there is no such file`,
      "SQLITE_CANTOPEN",
      cause,
    );
  }
}

/** `node:sqlite` keeps every number as a REAL; an integer has to arrive as a BigInt to stay one. */
function exactInteger(value: SqliteValue): SqliteValue {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

const env: EnvironmentPort = {
  args: Deno.args,
  platform: Deno.build.os === "windows"
    ? "windows"
    : Deno.build.os === "darwin"
    ? "darwin"
    : "linux",
  pid: Deno.pid,
  get executable() {
    return Deno.execPath();
  },
  runtimeOptions: [],
  // Deno throws for a name that no variable can have.
  get: (name) => name === "" || /[=\0]/.test(name) ? undefined : Deno.env.get(name),
  all: () => Deno.env.toObject(),
  cwd: () => Deno.cwd(),
  elapsed: () => performance.now(),
  runsOnce: () => {}, // V8 waits by itself
  onCrash(handler) {
    globalThis.addEventListener("unhandledrejection", (event) => {
      event.preventDefault();
      handler(event.reason);
    });
    globalThis.addEventListener("error", (event) => {
      event.preventDefault();
      handler(event.error);
    });
  },
  exit: (code) => Deno.exit(code),
  onExit(callback) {
    globalThis.addEventListener("unload", callback);
    return () => globalThis.removeEventListener("unload", callback);
  },
};

const stdio: StandardStreamsPort = {
  async readInput(limit) {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of Deno.stdin.readable) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > limit) break;
    }
    return joinBytes(chunks).subarray(0, limit + 1);
  },
  async *readLines() {
    const { linesOf } = await import("./lines.ts");
    yield* linesOf(Deno.stdin.readable);
  },
  writeOutput: (text) => writeAll(Deno.stdout, text),
  writeError: (text) => writeAll(Deno.stderr, text),
  isTerminal: (stream) =>
    (stream === "input" ? Deno.stdin : stream === "output" ? Deno.stdout : Deno.stderr)
      .isTerminal(),
};

// deno-lint-ignore require-await -- the mirror image in bun.ts awaits
async function writeAll(
  stream: { writeSync(bytes: Uint8Array): number },
  text: string,
): Promise<void> {
  let bytes = new TextEncoder().encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
}

function information(
  kind: { isFile: boolean; isDirectory: boolean; isSymlink: boolean },
  size: number,
  modifiedMs: number,
  mode: number,
): FileInformation {
  return {
    kind: kind.isSymlink ? "link" : kind.isDirectory ? "directory" : kind.isFile ? "file" : "other",
    size,
    modifiedMs,
    mode: mode & 0o7777,
  };
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The port on Deno. */
export const runtime: Runtime = {
  name: "deno",
  subprocess,
  fs,
  sqlite,
  env,
  stdio,
  sha256,
};
