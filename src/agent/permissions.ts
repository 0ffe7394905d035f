import { type Arguments, type GateResult, gateResult } from "../call.ts";
import type { ExplainingHook } from "../hooks/govern.ts";
import { PermissionPolicy } from "../policy/permission_policy.ts";
import { type PresetName, PRESETS } from "../policy/presets.ts";
import type { HookHandlers } from "./hook_handlers.ts";

/** What may stand for a policy: one, the record `PermissionPolicy.fromDict` takes, or a preset's name. */
export type Permissions = PermissionPolicy | Readonly<Record<string, unknown>> | PresetName;

/**
 * Makes a policy of whatever stands for one (D2-1).
 *
 * @returns The policy; `null` for nothing, and for values of a kind that never was a policy.
 * @throws {Error} when a text is no preset's name, or a record has the wrong shape: a slip of the pen must not mean that
 * there is no policy.
 */
export function policyOf(permissions: unknown): PermissionPolicy | null {
  if (permissions instanceof PermissionPolicy) return permissions;
  if (typeof permissions === "string") {
    if (!Object.hasOwn(PRESETS, permissions)) {
      throw new Error(
        `Cannot use the permissions ${JSON.stringify(permissions)}: the presets are ${
          Object.keys(PRESETS).join(", ")
        }`,
      );
    }
    return new PermissionPolicy(PRESETS[permissions as PresetName]);
  }
  if (typeof permissions !== "object" || permissions === null || Array.isArray(permissions)) {
    return null;
  }
  return PermissionPolicy.fromDict(permissions as Readonly<Record<string, unknown>>);
}

/** The policy as a control that says by which rule it let a call pass. */
function policyHook(policy: PermissionPolicy): ExplainingHook {
  return Object.assign(policy.toPreHook(), {
    explain(toolName: string, action: string, args: Arguments): GateResult {
      const { decision, by } = policy.evaluate(toolName, action, args);
      const approved = decision.behavior === "escalate";
      return gateResult({
        control: "policy",
        behavior: "allow",
        reason: approved
          ? `approved by the escalation handler: ${decision.reason}`
          : decision.reason,
        reasonCode: by,
        tool: decision.toolName,
        action,
        matchedRule: decision.matchedRule,
      });
    },
  });
}

/**
 * Puts a policy at the front of the controls of every tool (D2-1).
 *
 * @returns What was wrong with a value that was ignored; `null` when nothing was.
 */
export function applyPermissions(handlers: HookHandlers, permissions: unknown): string | null {
  const policy = policyOf(permissions);
  if (policy !== null) {
    (handlers["security_pre:*"] ??= []).unshift(policyHook(policy));
    return null;
  }
  if (permissions === null || permissions === undefined) return null;
  const kind = Array.isArray(permissions) ? "a list" : `a ${typeof permissions}`;
  return `permissions is ${kind}, which is no policy: it was ignored, and no policy judges this agent`;
}
