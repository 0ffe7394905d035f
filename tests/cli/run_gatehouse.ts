import { spawn } from "node:child_process";
import { join } from "node:path";
import { runtime } from "../../src/runtime/current.ts";

/** How a command ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAIN = join(import.meta.dirname!, "..", "..", "src", "main.ts");

/** The command line that starts gatehouse from its sources, on the runtime that runs the test. */
export function gatehouseCommand(): string[] {
  return runtime.name === "deno"
    ? [runtime.env.executable, "run", "-A", "--no-lock", MAIN]
    : [runtime.env.executable, MAIN];
}

/** Runs gatehouse as a process of its own, with a home folder of its own. */
export function runGatehouse(
  args: readonly string[],
  options: { cwd: string; home: string; input?: string | Uint8Array; env?: Record<string, string> },
): Promise<CommandEnd> {
  return runProcess([...gatehouseCommand(), ...args], options);
}

/** Runs gatehouse on a terminal made for it, and types an answer. */
export function runOnTerminal(
  args: readonly string[],
  options: { cwd: string; home: string; input: string },
): Promise<CommandEnd> {
  const line = [...gatehouseCommand(), ...args].map((word) => `'${word}'`).join(" ");
  return runProcess(["script", "-qec", line, "/dev/null"], options);
}

function runProcess(
  argv: readonly string[],
  options: { cwd: string; home: string; input?: string | Uint8Array; env?: Record<string, string> },
): Promise<CommandEnd> {
  const child = spawn(argv[0], argv.slice(1), {
    cwd: options.cwd,
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      PATH: runtime.env.get("PATH"),
      HOME: options.home,
      // Deno keeps what it has compiled there; without it every start would compile anew.
      ...(runtime.env.get("DENO_DIR") ? { DENO_DIR: runtime.env.get("DENO_DIR") } : {}),
      ...options.env,
    },
  });
  child.stdin.on("error", () => {
    // The command need not read its input.
  });
  child.stdin.end(options.input ?? "");
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => stdout += text);
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}
