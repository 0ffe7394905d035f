/**
 * A user's hook that is an external command: it gets the call as JSON and may refuse it or answer new arguments.
 *
 * @module
 */

import { type Arguments, gateResult, PermissionError, type Place, type ToolCall } from "../call.ts";
import type { Runtime } from "../runtime/port.ts";
import { type CommandAnswer, readCommandAnswer } from "./command_answer.ts";
import type { PreHook } from "./compose.ts";

/** What an external hook is. */
export interface CommandHookOptions {
  readonly name: string;
  /** The program and its arguments; no shell is involved. */
  readonly command: readonly string[];
  /** Milliseconds it may take. */
  readonly timeoutMs: number;
  /** Where it is configured. */
  readonly place: Place | null;
}

/** The exit code that refuses, as in the hooks of coding agents; the reason is on standard error. */
const REFUSED = 2;

/** How many bytes a hook may print. */
const OUTPUT_LIMIT = 1_048_576;

/**
 * Makes an external command a pre-hook for one call.
 *
 * The command reads one line of JSON: `version`, `tool`, `action`, `args`, `cwd`, and `client` and `session` where there
 * are any. It prints nothing to have no opinion, `{"decision":"deny","reason":"…"}` or `{"decision":"escalate",…}` to
 * refuse, `{"args":{…}}` to rewrite. Whatever else happens (another exit code than 0, too long, not started, an answer
 * that is not understood) refuses the call: a hook that fails has not consented.
 *
 * @returns The hook; its promise rejects with a {@linkcode PermissionError} on every refusal.
 */
export function commandHook(
  runtime: Runtime,
  call: Omit<ToolCall, "args" | "action">,
  options: CommandHookOptions,
): PreHook {
  const control = `hook:${options.name}`;
  const hook = async (tool: string, action: string, args: Arguments) => {
    const refuse = (
      behavior: "deny" | "escalate",
      reason: string,
      advice: string | null,
      errored: boolean,
    ): never => {
      throw new PermissionError(reason, {
        result: gateResult({
          control,
          behavior,
          reason,
          reasonCode: errored ? "error" : "hook",
          tool,
          action,
          place: options.place,
          advice,
          errored,
        }),
      });
    };
    const failed = (what: string): never =>
      refuse(
        "deny",
        `The hook ${options.name} ${what}, so the call is refused`,
        `Mend the command ${JSON.stringify(options.command)}, or remove it from the configuration.`,
        true,
      );
    const { client, session, cwd } = call;
    const result = await runtime.subprocess.run({
      argv: options.command,
      env: runtime.env.all(),
      cwd,
      stdin: JSON.stringify({ version: 1, tool, action, args, cwd, client, session }) + "\n",
      timeoutMs: options.timeoutMs,
      outputLimit: OUTPUT_LIMIT,
    });
    if (result.status === "not-started") return failed(`could not be started (${result.reason})`);
    if (result.status === "timed-out") return failed(`took longer than ${options.timeoutMs} ms`);
    if (result.truncated) return failed(`printed more than ${OUTPUT_LIMIT} bytes`);
    const answer = readCommandAnswer(new TextDecoder().decode(result.stdout));
    if (answer.kind === "refuse") {
      return refuse(answer.behavior, `${options.name}: ${answer.reason}`, null, false);
    }
    if (result.code === REFUSED) {
      const reason = new TextDecoder().decode(result.stderr).trim() || "no reason given";
      return refuse("deny", `${options.name}: ${reason}`, null, false);
    }
    if (result.code !== 0) return failed(`ended with exit code ${result.code}`);
    return rewriteOf(answer, failed);
  };
  return Object.assign(hook, { control });
}

function rewriteOf(
  answer: Exclude<CommandAnswer, { kind: "refuse" }>,
  failed: (what: string) => never,
): Arguments | undefined {
  switch (answer.kind) {
    case "no-opinion":
      return undefined;
    case "rewrite":
      return answer.args;
    case "not-understood":
      return failed(`gave an answer that is not understood (${answer.why})`);
    default:
      return answer satisfies never;
  }
}
