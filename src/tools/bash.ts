import { z } from "zod";
import { defineTool } from "../action/define_tool.ts";
import type { Tool } from "../action/tool.ts";
import { gateResult, PermissionError } from "../call.ts";
import { shellControlToken } from "../policy/shell_control.ts";
import type { Runtime } from "../runtime/port.ts";
import { splitWords } from "./split_words.ts";

/** Bytes kept of standard output and of standard error each. */
export const OUTPUT_BYTE_CAP = 100_000;

/** Milliseconds a command may take when the call does not say. */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** Milliseconds a command may take at most. */
export const MAX_TIMEOUT_MS = 600_000;

/** Variables by which a starting shell would run somebody's file first. */
const SHELL_START_FILES: readonly string[] = ["BASH_ENV", "ENV"];

/** The arguments of `bash`. */
export const bashRequest = z.object({
  command: z.string().min(1).describe("The command line to run"),
  timeout_ms: z.number().int().min(1).max(MAX_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS).describe(
    "Milliseconds until the command is killed with all it started",
  ),
});

/** What a command gave. */
export interface BashResult {
  readonly stdout: string;
  readonly stderr: string;
  /** The exit code; `null` when the command was killed because its time was up. */
  readonly exit_code: number | null;
  readonly timed_out: boolean;
  /** Whether an output was longer than {@linkcode OUTPUT_BYTE_CAP}. */
  readonly truncated: boolean;
}

/** How commands are run. */
export interface BashOptions {
  /** The absolute folder commands run in. */
  readonly cwd: string;
  /**
   * `refuse`: a command is one program with its arguments, run without a shell, and a shell-control token in it is
   * refused. `parse`: a command line goes to `bash`, whole; let a policy that parses commands judge it. Default `refuse`.
   */
  readonly shell?: "refuse" | "parse";
  /** The environment of commands; the process's own when left out. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The tool that runs commands, each in a process group of its own that is killed whole. */
export function bashTool(runtime: Runtime, options: BashOptions): Tool {
  const mode = options.shell ?? "refuse";
  return defineTool({
    name: "bash",
    description: mode === "parse"
      ? "Runs a command line in bash and gives its output and exit code."
      : "Runs one program with its arguments, without a shell: no pipes, redirections or variables.",
    request: bashRequest,
    run: async (given, { signal }): Promise<BashResult> => {
      const { command, timeout_ms: timeoutMs } = bashRequest.parse(given);
      const ended = await runtime.subprocess.run({
        argv: mode === "parse" ? ["bash", "--noprofile", "--norc", "-c", command] : argvOf(command),
        env: cleanEnvironment(options.env ?? runtime.env.all()),
        cwd: options.cwd,
        timeoutMs,
        outputLimit: OUTPUT_BYTE_CAP,
        signal,
      });
      signal?.throwIfAborted();
      if (ended.status === "not-started") {
        throw new Error(`Cannot run ${JSON.stringify(command)}: ${ended.reason}`);
      }
      return {
        stdout: textOf(ended.stdout),
        stderr: textOf(ended.stderr),
        exit_code: ended.status === "exited" ? ended.code : null,
        timed_out: ended.status === "timed-out",
        truncated: ended.truncated,
      };
    },
  });
}

/** The program and its arguments. @throws {PermissionError} when the command is more than that (D1-5's tokens). */
function argvOf(command: string): string[] {
  const token = shellControlToken(command);
  if (token !== null) {
    const reason = `Cannot run the command without a shell: it has the shell-control token ${
      JSON.stringify(token)
    }`;
    throw new PermissionError(reason, {
      result: gateResult({
        control: "tool:bash",
        behavior: "deny",
        reason,
        reasonCode: "shell-control",
        tool: "bash",
        action: "",
        advice: 'Run one program at a time, or make the tool with { shell: "parse" }.',
      }),
    });
  }
  const argv = splitWords(command);
  if (argv.length === 0) throw new Error("Cannot run an empty command");
  return argv;
}

function cleanEnvironment(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).filter(([name]) =>
      !SHELL_START_FILES.includes(name) && !name.startsWith("BASH_FUNC_")
    ),
  );
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
