/**
 * The guard on what guards: an agent may look at gatehouse's own files and at the settings by which clients call it, and
 * not change them.
 *
 * @module
 */

import type { GateResult } from "../call.ts";
import type { GuardedCall } from "./guard_hook.ts";
import { mayTouchGuards, PATH_ARGUMENTS } from "./self_hints.ts";
import { absolutePath, protectedOnDisk, type SelfProtectionOptions } from "./self_places.ts";
import { selfRefusal } from "./self_refusal.ts";

/**
 * Judges whether a call would change what guards it.
 *
 * @returns The refusal, or `null` when the guard has no opinion.
 */
export async function judgeSelfProtection(
  call: GuardedCall,
  options: SelfProtectionOptions,
): Promise<GateResult | null> {
  if (!mayTouchGuards(call, () => options.roots)) return null;
  const { command } = call.args;
  if (call.tool === "bash" && typeof command === "string") {
    const { judgeSelfCommand } = await import("./self_commands.ts");
    return await judgeSelfCommand(call, command, options);
  }
  for (const name of PATH_ARGUMENTS) {
    const given = call.args[name];
    if (typeof given !== "string" || given === "") continue;
    const path = absolutePath(given, options);
    const found = path === null ? null : await protectedOnDisk(path, options);
    if (found !== null) return selfRefusal(call, `Cannot change ${given}: it ${found.why}`);
  }
  return null;
}
