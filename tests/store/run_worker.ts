import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** A worker that was started, and what it prints. */
export interface Worker {
  readonly child: ChildProcess;
  /** The lines it has printed so far; the last one may be cut by a kill and is then left out. */
  lines(): string[];
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

/** Starts `spool_worker.ts` as a program of its own, on the runtime that runs the tests. */
export function startWorker(...args: string[]): Worker {
  const script = fileURLToPath(new URL("./spool_worker.ts", import.meta.url));
  const before = "Deno" in globalThis ? ["run", "-A", "--no-check", script] : [script];
  const child = spawn(process.execPath, [...before, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout!.on("data", (chunk) => text += chunk);
  return {
    child,
    lines: () => text.split("\n").slice(0, -1),
    ended: new Promise((resolve) => child.on("close", () => resolve())),
  };
}
