/**
 * What a policy's mode and rules say of one call (D1). Apart from the class `PermissionPolicy`, of which a hook needs
 * nothing else.
 *
 * @module
 */

import type { Arguments, Behavior } from "../call.ts";
import { type Tier, TIERS } from "./compiled_policy.ts";
import { matchString } from "./match_string.ts";
import { shellControlToken } from "./shell_control.ts";
import type { TierMatchers } from "./tier_matchers.ts";
import { canonicalToolName } from "./tool_names.ts";

/** What a policy says of one call. Frozen. */
export interface PermissionDecision {
  /** What was decided. */
  readonly behavior: Behavior;
  /** The tool's canonical name; the name as it was given when the policy's mode decides. */
  readonly toolName: string;
  /** What the tool was to do; empty when it has no actions. */
  readonly action: string;
  /** Why, for people. */
  readonly reason: string;
  /** The rule that matched, as it was written; `null` when no rule did. */
  readonly matchedRule: string | null;
}

/** The rule that decided: its tier, the key it stands under, its number in that list. */
export interface DecidingRule {
  /** The tier it stands in. */
  readonly tier: Tier;
  /** The tool it stands under; `*` for every tool. */
  readonly tool: string;
  /** Its number in that list, counted from 0. */
  readonly number: number;
}

/** A decision and where it came from. */
export interface Evaluation {
  /** What was decided. */
  readonly decision: PermissionDecision;
  /** The rule that decided; `null` when none did. */
  readonly rule: DecidingRule | null;
  /** How the decision was reached. */
  readonly by: "mode" | "rule" | "no-rule" | "shell-control" | "input" | "not-understood";
}

/** Decides one call and says by which rule. @param matchers The rules. */
export function evaluatePolicy(
  mode: string,
  matchers: TierMatchers,
  toolName: string,
  action: string,
  args: Arguments,
): Evaluation {
  if (mode === "allow_all" || mode === "deny_all") {
    const behavior = mode === "allow_all" ? "allow" : "deny";
    return evaluation("mode", behavior, toolName, action, `mode=${mode}`);
  }
  const tool = canonicalToolName(toolName);
  const subject = matchString(tool, action, args);
  if ("problem" in subject) return evaluation("input", "deny", tool, action, subject.problem);
  if (tool === "bash") {
    const token = shellControlToken(subject.text);
    if (token !== null) {
      const reason = `shell-control token ${JSON.stringify(token)} in the command: rules match a ` +
        `command from its beginning and cannot see past it`;
      return evaluation("shell-control", "deny", tool, action, reason);
    }
  }
  for (const tier of TIERS) {
    for (const key of tool === "*" ? ["*"] : [tool, "*"]) {
      const matcher = matchers(tier, key);
      const number = matcher === null ? -1 : matcher.firstMatch(subject.text);
      if (number === -1) continue;
      const pattern = matcher!.index.patterns[number];
      const behavior = tier;
      const reason = `${
        tier === "deny" ? "denied" : tier === "allow" ? "allowed" : "escalate"
      } by rule: ${pattern}`;
      return evaluation("rule", behavior, tool, action, reason, pattern, {
        tier,
        tool: key,
        number,
      });
    }
  }
  return evaluation("no-rule", "deny", tool, action, "no matching rule, default deny");
}

function evaluation(
  by: Evaluation["by"],
  behavior: Behavior,
  toolName: string,
  action: string,
  reason: string,
  matchedRule: string | null = null,
  rule: DecidingRule | null = null,
): Evaluation {
  return {
    by,
    rule,
    decision: Object.freeze({ behavior, toolName, action, reason, matchedRule }),
  };
}
