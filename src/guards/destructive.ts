/**
 * The guard against destructive commands (D2-6): by text, or by what the command line means.
 *
 * @module
 */

import type { CommandTextOptions } from "./command_text.ts";
import { DESTRUCTIVE_CONTROL, judgeDestructiveText } from "./destructive_patterns.ts";
import { type GuardHook, guardHook } from "./guard_hook.ts";

export { DESTRUCTIVE_CONTROL, judgeDestructiveText } from "./destructive_patterns.ts";

/** How the guard reads a command. */
export type DestructiveOptions =
  /** Ten patterns, looked for in the text (D2-6). The default of the bare function. */
  | { readonly mode?: "patterns" }
  /** The line is read as a shell would, and each command is asked about in tables of facts. */
  | ({ readonly mode: "parsed" } & CommandTextOptions);

/**
 * The guard against destructive commands as a hook (D2-6).
 *
 * It looks at `args.command` only. No command or an empty one has no opinion; a command that is no text is refused,
 * because it cannot be read. `patterns` refuses a text that holds one of ten patterns; `parsed` refuses or asks about
 * what the line's commands destroy, and asks about what cannot be understood.
 *
 * @returns A hook whose promise rejects with a `PermissionError` on a refusal.
 *
 * @example
 * ```ts
 * import { guardDestructive } from "@gatehouse/gatehouse";
 *
 * const guard = guardDestructive();
 * await guard("bash", "", { command: "ls" }); // null
 * await guard("bash", "", { command: "rm -rf build" }).catch((error) => error.message);
 *
 * const parsed = guardDestructive({ mode: "parsed", cwd: "/repo/app" });
 * await parsed("bash", "", { command: "echo 'rm -rf /'" }); // null: it only prints
 * ```
 */
export function guardDestructive(options: DestructiveOptions = {}): GuardHook {
  if (options.mode !== "parsed") return guardHook(DESTRUCTIVE_CONTROL, judgeDestructiveText);
  return guardHook(DESTRUCTIVE_CONTROL, async (call) => {
    // The reader of command lines and the tables are loaded when they are needed, and not on the way of other calls.
    const { judgeCommandText } = await import("./command_text.ts");
    return await judgeCommandText(call, options);
  });
}
