/**
 * The compositor (D2): security hooks, then the user's transforms, then the security hooks again on what came out.
 *
 * @module
 */

import { type Arguments, gateResult, PermissionError } from "../call.ts";
import { copyArguments, isRecord } from "../action/copy_arguments.ts";

/**
 * A hook before a tool. A returned record replaces the arguments for the later hooks and the tool; any other
 * result leaves them as they are (D2-5). A hook refuses by throwing a {@linkcode PermissionError}.
 */
export type PreHook = (toolName: string, action: string, args: Arguments) => unknown;

/** A hook after a tool. Anything but `undefined` and `null` replaces the result for the later hooks and the caller. */
export type PostHook = (
  toolName: string,
  action: string,
  args: Arguments,
  result: unknown,
) => unknown;

/** The chain: from the arguments a call came with to the exact arguments it may run with. */
export type ComposedPreHook = (args: Arguments) => Promise<Arguments>;

/** The chain after the tool: from its result to the result the caller gets. */
export type ComposedPostHook = (args: Arguments, result: unknown) => Promise<unknown>;

/**
 * Composes the hooks before one tool into a single function, in the fixed order security, user, security (D2-3).
 *
 * The second pass of the security hooks happens only when there is at least one user hook. Every hook gets a copy of the
 * arguments of its own, and the result is a copy that no hook holds: what was judged last is what runs.
 *
 * @param toolName The tool the chain is for; hooks get it as their first argument.
 * @param securityHooks Controls. One that throws refuses the call: a {@linkcode PermissionError} passes as it is, any
 * other error becomes one that names the control and says that it failed.
 * @param userHooks Transforms. An error of theirs passes through as it is, and the call does not run.
 * @returns The chain, or `null` when there is nothing to compose.
 *
 * @example
 * ```ts
 * import { composePreHooks, PermissionError } from "@gatehouse/gatehouse";
 *
 * const noSudo = (_tool: string, _action: string, args: Record<string, unknown>) => {
 *   if (String(args.command).startsWith("sudo")) throw new PermissionError("Cannot run sudo here");
 * };
 * const trim = (_tool: string, _action: string, args: Record<string, unknown>) => ({
 *   ...args,
 *   command: String(args.command).trim(),
 * });
 * const chain = composePreHooks("bash", [noSudo], [trim]);
 * await chain?.({ command: "ls " }); // { command: "ls" }
 * ```
 */
export function composePreHooks(
  toolName: string,
  securityHooks: readonly PreHook[],
  userHooks: readonly PreHook[] = [],
): ComposedPreHook | null {
  const user = [...userHooks];
  const hooks = user.length === 0
    ? [...securityHooks]
    : [...securityHooks, ...user, ...securityHooks];
  if (hooks.length === 0) return null;
  const firstUser = securityHooks.length;
  const lastUser = firstUser + user.length - 1;
  return async (given) => {
    let args = copyArguments(given);
    const firstAction = actionOf(args);
    for (let index = 0; index < hooks.length; index++) {
      const hook = hooks[index];
      const isControl = index < firstUser || index > lastUser;
      // Recorded behaviour: for a control, a rewrite that drops the action does not drop what was asked for.
      const action = actionOf(args) || (isControl ? firstAction : "");
      try {
        let result = hook(toolName, action, copyArguments(args));
        if (isThenable(result)) result = await result;
        if (isRecord(result)) args = copyArguments(result);
      } catch (error) {
        throw isControl ? refusal(error, hook, toolName, action) : error;
      }
    }
    return args;
  };
}

/**
 * Composes the hooks after one tool into a single function that runs them in order.
 *
 * @returns The chain, or `null` when there is nothing to compose. An error of a hook passes through as it is.
 */
export function composePostHooks(
  toolName: string,
  hooks: readonly PostHook[],
): ComposedPostHook | null {
  if (hooks.length === 0) return null;
  const ordered = [...hooks];
  return async (args, given) => {
    let result = given;
    for (const hook of ordered) {
      const replacement = await hook(toolName, actionOf(args), copyArguments(args), result);
      if (replacement !== undefined && replacement !== null) result = replacement;
    }
    return result;
  };
}

/** The action that arguments name; the empty string when they name none. */
export function actionOf(args: Arguments): string {
  return typeof args.action === "string" ? args.action : "";
}

/** The name a control is told by: its own `control` property, or the name of its function. */
export function controlName(hook: PreHook): string {
  const named = hook as { control?: unknown; name?: string };
  if (typeof named.control === "string") return named.control;
  return named.name || "unnamed control";
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as { then?: unknown }).then === "function";
}

/** A control that throws denies (first promise of the house), and says which one it was and that it failed. */
function refusal(error: unknown, hook: PreHook, tool: string, action: string): PermissionError {
  if (error instanceof PermissionError) return error;
  const control = controlName(hook);
  const detail = error instanceof Error ? error.message : String(error);
  const reason = `The control ${control} failed, so the call is refused: ${detail}`;
  return new PermissionError(reason, {
    cause: error,
    result: gateResult({
      control,
      behavior: "deny",
      reason,
      reasonCode: "error",
      tool,
      action,
      errored: true,
      advice: "Mend the control; a control that fails refuses every call it is asked about.",
    }),
  });
}
