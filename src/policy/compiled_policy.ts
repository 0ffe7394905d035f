/**
 * A policy made ready for judging: plain data, so that it can be kept in a file and used as it is read.
 *
 * @module
 */

import { buildRuleIndex, type ListedRule, packRuleIndex, type RuleIndex } from "./rule_index.ts";
import { canonicalToolName } from "./tool_names.ts";

/** The tiers in the order they are asked (D1-7). */
export const TIERS = ["deny", "allow", "escalate"] as const;

/** One tier of rules. */
export type Tier = typeof TIERS[number];

/** Rules of one tier: tool names, or `*` for all tools, to patterns in order. */
export type RuleMap = Readonly<Record<string, readonly string[]>>;

/** Rules of one tier as a configuration may write them. */
export type ListedRules = Readonly<Record<string, readonly (string | ListedRule)[]>>;

/** A policy's mode and indexed rules. */
export interface CompiledPolicy {
  /** How calls are decided. */
  readonly mode: string;
  /**
   * How the rules for `bash` see a command line. `refuse`: as text; a shell-control token denies (D1-5). `parse`: as the
   * commands that would run, each judged by itself. Left out: `refuse`.
   */
  readonly shell?: "refuse" | "parse";
  /** The rules by tier and tool. */
  readonly tiers: Readonly<Record<Tier, Readonly<Record<string, RuleIndex>>>>;
}

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
