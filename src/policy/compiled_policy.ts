/**
 * A policy made ready for judging: plain data, so that it can be kept in a file and used as it is read.
 *
 * @module
 */

import { buildRuleIndex, type RuleIndex } from "./rule_index.ts";
import { canonicalToolName } from "./tool_names.ts";

/** The tiers in the order they are asked (D1-7). */
export const TIERS = ["deny", "allow", "escalate"] as const;

/** One tier of rules. */
export type Tier = typeof TIERS[number];

/** Rules of one tier: tool names, or `*` for all tools, to patterns in order. */
export type RuleMap = Readonly<Record<string, readonly string[]>>;

/** A policy's mode and indexed rules. */
export interface CompiledPolicy {
  readonly mode: string;
  readonly tiers: Readonly<Record<Tier, Readonly<Record<string, RuleIndex>>>>;
}

/** Compiles a policy's rules. Of two keys for one tool the later one counts, as recorded. */
export function compilePolicy(
  mode: string,
  rules: { readonly [tier in Tier]?: RuleMap },
): CompiledPolicy {
  return {
    mode,
    tiers: {
      deny: indexTier(rules.deny ?? {}),
      allow: indexTier(rules.allow ?? {}),
      escalate: indexTier(rules.escalate ?? {}),
    },
  };
}

function indexTier(rules: RuleMap): Record<string, RuleIndex> {
  const indexed: Record<string, RuleIndex> = Object.create(null);
  for (const [tool, patterns] of Object.entries(rules)) {
    indexed[canonicalToolName(tool)] = buildRuleIndex(patterns);
  }
  return indexed;
}
