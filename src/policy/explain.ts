/**
 * What every rule said of a call, in the order rules are asked (D1-7).
 *
 * @module
 */

import type { Arguments } from "../call.ts";
import { type Tier, TIERS } from "./compiled_policy.ts";
import { matchString } from "./match_string.ts";
import type { PermissionPolicy } from "./permission_policy.ts";
import { canonicalToolName } from "./tool_names.ts";
import { matchesWildcard } from "./matches_wildcard.ts";

/** One rule that was looked at. */
export interface RuleStep {
  readonly tier: Tier;
  /** The key the rule stands under: the tool's canonical name, or `*`. */
  readonly tool: string;
  readonly number: number;
  readonly pattern: string;
  readonly matched: boolean;
  /** Whether this is the rule that decided; later rules were not asked. */
  readonly decided: boolean;
}

/** How a policy came to its decision on a call. */
export interface Explanation {
  /** The text that rules are matched against; `null` when the policy's mode decides without one. */
  readonly text: string | null;
  /** Every rule for the tool, in order; `matched` says what it would have said. */
  readonly steps: readonly RuleStep[];
}

/** Walks all rules of a policy that are for a tool. For people: it asks every rule, also those after the deciding one. */
export function explainPolicy(
  policy: PermissionPolicy,
  toolName: string,
  action: string,
  args: Arguments,
): Explanation {
  if (policy.mode === "allow_all" || policy.mode === "deny_all") return { text: null, steps: [] };
  const tool = canonicalToolName(toolName);
  const subject = matchString(tool, action, args);
  if ("problem" in subject) return { text: null, steps: [] };
  const { rule } = policy.evaluate(toolName, action, args);
  const steps: RuleStep[] = [];
  for (const tier of TIERS) {
    for (const key of tool === "*" ? ["*"] : [tool, "*"]) {
      const patterns = Object.hasOwn(policy[tier], key) ? policy[tier][key] : [];
      for (const [number, pattern] of patterns.entries()) {
        steps.push({
          tier,
          tool: key,
          number,
          pattern,
          matched: matchesWildcard(subject.text, pattern),
          decided: rule !== null && rule.tier === tier && rule.tool === key &&
            rule.number === number,
        });
      }
    }
  }
  return { text: subject.text, steps };
}
