/**
 * gatehouse as a library: judge tool calls by a policy, compose hooks around tools, observe sessions.
 *
 * @module
 */

export {
  type Arguments,
  type Behavior,
  type GateResult,
  PermissionError,
  type Place,
  type ReasonCode,
  type ToolCall,
  type Verdict,
} from "./src/call.ts";
export {
  type DecidingRule,
  type EscalationHandler,
  type Evaluation,
  type PermissionDecision,
  PermissionPolicy,
  type PermissionPolicyOptions,
} from "./src/policy/permission_policy.ts";
export { type RuleMap, type Tier } from "./src/policy/compiled_policy.ts";
export { matchesWildcard } from "./src/policy/wildcard.ts";
export {
  type ComposedPostHook,
  type ComposedPreHook,
  composePostHooks,
  composePreHooks,
  type PostHook,
  type PreHook,
} from "./src/hooks/compose.ts";
export { type DestructiveOptions, guardDestructive } from "./src/guards/destructive.ts";
export { guardPaths } from "./src/guards/paths.ts";
export { type PathRulesOptions } from "./src/guards/path_rules.ts";
export { type GuardHook } from "./src/guards/guard_hook.ts";
export { runtime } from "./src/runtime/current.ts";
