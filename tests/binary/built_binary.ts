import { spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

export const ROOT = dirname(dirname(import.meta.dirname!));

/** What ships when the binary is built. */
const BUILT_FROM = ["src", "scripts/build", "scripts/build.ts", "package-lock.json"];

const BINARY = join(ROOT, "dist", process.platform === "win32" ? "gatehouse.exe" : "gatehouse");

let built: Promise<string> | undefined;

/** The path of `dist/gatehouse`, built anew when it is older than what it is built from. */
export function builtBinary(): Promise<string> {
  built ??= build();
  return built;
}

/** How a started program ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a program with exactly the environment given, and sees it to its end. */
export function start(
  argv: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>>; input?: string | Uint8Array },
): Promise<ProgramEnd> {
  const child = spawn(argv[0], argv.slice(1), {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: "pipe",
    timeout: ENOUGH_MS,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr]: [Uint8Array[], Uint8Array[]] = [[], []];
  child.stdout.on("data", (chunk: Uint8Array) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Uint8Array) => stderr.push(chunk));
  child.stdin.on("error", () => {
    // A program that refuses need not read its input.
  });
  child.stdin.end(options.input ?? "");
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({
        code,
        signal,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      }));
  });
}

/** Longer than the hook's own deadline: a program that hangs is killed, and its test fails. */
const ENOUGH_MS = 20_000;

async function build(): Promise<string> {
  const newest = Math.max(
    ...await Promise.all(BUILT_FROM.map((path) => modified(join(ROOT, path)))),
  );
  if (await modified(BINARY) > newest && await modified(join(ROOT, ".build", "chunks")) > 0) {
    return BINARY;
  }
  const bun = join(ROOT, "node_modules", ".bin", "bun");
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "" };
  const end = await start([bun, "scripts/build.ts"], { cwd: ROOT, env });
  if (end.code !== 0) throw new Error(`Cannot build the binary: ${end.stderr}${end.stdout}`);
  return BINARY;
}

/** When a file, or the newest in a folder, was last written; 0 when nothing is there. */
async function modified(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return found.mtimeMs;
    const inside = await readdir(path);
    return Math.max(...await Promise.all(inside.map((name) => modified(join(path, name)))), 1);
  } catch {
    return 0;
  }
}
