import { type Arguments, type GateResult, PermissionError } from "../call.ts";

/**
 * A built-in guard as a hook before a tool: its promise rejects with a {@linkcode PermissionError}, or it has no opinion.
 *
 * `control` is the name that its results and denials carry.
 */
export type GuardHook =
  & ((toolName: string, action: string, args: Arguments) => Promise<null>)
  & { readonly control: string };

/** The call as a guard sees it: the tool, its action, its arguments. */
export interface GuardedCall {
  readonly tool: string;
  readonly action: string;
  readonly args: Arguments;
}

/**
 * Makes the hook of a guard out of its judging function.
 *
 * @param control The guard's name, such as `guard:paths`.
 * @param judge Gives a refusal, or `null` when the guard has no opinion.
 * @returns The hook; its promise rejects with a {@linkcode PermissionError} that carries the refusal.
 */
export function guardHook(
  control: string,
  judge: (call: GuardedCall) => GateResult | null | Promise<GateResult | null>,
): GuardHook {
  const hook = async (tool: string, action: string, args: Arguments): Promise<null> => {
    const result = await judge({ tool, action, args });
    if (result !== null && result.behavior !== "allow") {
      throw new PermissionError(result.reason, { result });
    }
    return null;
  };
  return Object.assign(hook, { control });
}
