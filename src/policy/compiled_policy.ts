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

/** Compiles a policy's rules. */
export function compilePolicy(
  mode: string,
  rules: Readonly<Record<Tier, RuleMap>>,
): CompiledPolicy {
  return {
    mode,
    tiers: {
      deny: indexTier(rules.deny),
      allow: indexTier(rules.allow),
      escalate: indexTier(rules.escalate),
    },
  };
}

/** Canonical names for the keys of a rule map. Of two keys for one tool the later one counts, as recorded. */
export function canonicalRuleMap(rules: RuleMap): RuleMap {
  const canonical: Record<string, readonly string[]> = Object.create(null);
  for (const [key, patterns] of Object.entries(rules)) {
    canonical[canonicalToolName(key)] = Object.freeze([...patterns]);
  }
  return Object.freeze(canonical);
}

function indexTier(rules: RuleMap): Record<string, RuleIndex> {
  const indexed: Record<string, RuleIndex> = Object.create(null);
  for (const [tool, patterns] of Object.entries(canonicalRuleMap(rules))) {
    if (patterns.length > 0) indexed[tool] = buildRuleIndex(patterns);
  }
  return indexed;
}
