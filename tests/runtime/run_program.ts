import { spawn } from "node:child_process";
import { join } from "node:path";
import { runtime } from "../../src/runtime/current.ts";

/** How a program of this test ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const PROGRAM = join(import.meta.dirname!, "program.ts");

/** Starts `program.ts` on the runtime that runs the test, and reads its output only after `delayMs`. */
export function runProgram(
  args: readonly string[],
  options: {
    input?: string | Uint8Array;
    env?: Readonly<Record<string, string>>;
    delayMs?: number;
  } = {},
): Promise<ProgramEnd> {
  const start = runtime.name === "deno" ? ["run", "-A", "--no-lock", PROGRAM] : [PROGRAM];
  const child = spawn(runtime.env.executable, [...start, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...options.env },
  });
  child.stdin.on("error", () => {
    // The program need not read its input.
  });
  child.stdin.end(options.input ?? "");
  const [stdout, stderr]: [Uint8Array[], Uint8Array[]] = [[], []];
  setTimeout(() => {
    child.stdout.on("data", (chunk: Uint8Array) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Uint8Array) => stderr.push(chunk));
  }, options.delayMs ?? 0);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({
        code,
        stdout: new TextDecoder().decode(Buffer.concat(stdout)),
        stderr: new TextDecoder().decode(Buffer.concat(stderr)),
      }));
  });
}
