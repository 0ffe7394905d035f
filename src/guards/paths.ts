/**
 * The guard on the paths that tools are given (D2-7, D2-8).
 *
 * @module
 */

import { type GateResult, gateResult } from "../call.ts";
import { type GuardedCall, type GuardHook, guardHook } from "./guard_hook.ts";
import { type PathRefusal, pathRules, type PathRulesOptions } from "./path_rules.ts";

/** The name the guard's results carry. */
export const PATHS_CONTROL = "guard:paths";

/** The arguments that name the file a tool works on (D2-7). */
const PATH_ARGUMENTS = ["path", "file_path"] as const;

/**
 * The guard on paths as a hook (D2-7): `path` and `file_path` must stay in the allowed roots and off what is denied.
 *
 * Relative paths begin under the first allowed root. Containment is by path parts, on the real path: the deepest parent
 * that exists is followed link by link, so that a new file below a linked folder is judged where it would be written.
 * Files whose names mean secrets (`.env`, `id_rsa`, …) are refused. No path, or an empty one, has no opinion.
 *
 * This is a check before the use: a process that swaps a folder for a link between the two is not seen. Tools that write
 * open their files without following links for that.
 *
 * @returns A hook whose promise rejects with a `PermissionError` on a refusal.
 *
 * @example
 * ```ts
 * import { guardPaths } from "@gatehouse/gatehouse";
 * import { runtime } from "@gatehouse/gatehouse";
 *
 * const guard = guardPaths({ allowed: ["/repo/app"], denied: ["*.pem"], fs: runtime.fs });
 * await guard("reader", "", { path: "src/a.ts" }); // null
 * await guard("reader", "", { path: "../other" }).catch((error) => error.message);
 * ```
 */
export function guardPaths(options: PathRulesOptions): GuardHook {
  return guardHook(PATHS_CONTROL, (call) => judgePaths(call, options));
}

/**
 * Judges the paths of one call (D2-7), without an exception.
 *
 * @returns The refusal, or `null` when the guard has no opinion.
 */
export async function judgePaths(
  call: GuardedCall,
  options: PathRulesOptions,
): Promise<GateResult | null> {
  const rules = pathRules(options);
  for (const name of PATH_ARGUMENTS) {
    const given = call.args[name];
    if (given === undefined || given === null || given === "") continue;
    if (typeof given !== "string") {
      return gateResult({
        control: PATHS_CONTROL,
        behavior: "deny",
        reason: `Cannot judge ${name}: it is ${
          Array.isArray(given) ? "a list" : `a ${typeof given}`
        }, not text`,
        reasonCode: "input",
        tool: call.tool,
        action: call.action,
        advice: "Give one path as a string.",
      });
    }
    const refusal = await rules.judge(given);
    if (refusal !== null) return pathResult(refusal, call);
  }
  return null;
}

/** A refusal of a path as a control's result. */
export function pathResult(refusal: PathRefusal, call: GuardedCall): GateResult {
  return gateResult({
    control: PATHS_CONTROL,
    behavior: refusal.behavior,
    reason: `Cannot use ${refusal.given}: ${refusal.why}`,
    reasonCode: refusal.kind === "not-understood" ? "not-understood" : "guard",
    tool: call.tool,
    action: call.action,
    matchedRule: refusal.rule ?? refusal.kind,
    advice: refusal.advice,
  });
}
