/**
 * Makes policies ready for judging.
 *
 * @module
 */

import { buildRuleIndex, packRuleIndex } from "./build_rule_index.ts";
import type { CompiledPolicy, ListedRules, Tier } from "./compiled_policy.ts";
import type { RuleIndex } from "./rule_index.ts";
import { canonicalToolName } from "./tool_names.ts";

/** Compiles a policy's rules. Of two keys for one tool the later one counts, as recorded. */
export function compilePolicy(
  mode: string,
  rules: { readonly [tier in Tier]?: ListedRules },
  shell: "refuse" | "parse" = "refuse",
): CompiledPolicy {
  return {
    mode,
    ...(shell === "refuse" ? {} : { shell }),
    tiers: {
      deny: indexTier(rules.deny ?? {}),
      allow: indexTier(rules.allow ?? {}),
      escalate: indexTier(rules.escalate ?? {}),
    },
  };
}

function indexTier(rules: ListedRules): Record<string, RuleIndex> {
  const indexed: Record<string, RuleIndex> = Object.create(null);
  for (const [tool, patterns] of Object.entries(rules)) {
    indexed[canonicalToolName(tool)] = buildRuleIndex(patterns);
  }
  return indexed;
}

/** The same policy with its indexes packed; see {@linkcode packRuleIndex}. */
export function packPolicy(policy: CompiledPolicy): CompiledPolicy {
  const packTier = (tools: Readonly<Record<string, RuleIndex>>): Record<string, RuleIndex> => {
    const packed: Record<string, RuleIndex> = Object.create(null);
    for (const [tool, index] of Object.entries(tools)) packed[tool] = packRuleIndex(index);
    return packed;
  };
  const { deny, allow, escalate } = policy.tiers;
  return {
    ...policy,
    tiers: { deny: packTier(deny), allow: packTier(allow), escalate: packTier(escalate) },
  };
}
