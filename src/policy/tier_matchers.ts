import type { CompiledPolicy, Tier } from "./compiled_policy.ts";
import { RuleMatcher } from "./rule_index.ts";

/** Gives the matcher of a tier's rules for a tool, by its canonical name or `*`; `null` when there are none. */
export type TierMatchers = (tier: Tier, tool: string) => RuleMatcher | null;

/** The matchers of a compiled policy, each made when it is first asked for. */
export function tierMatchers({ tiers }: CompiledPolicy): TierMatchers {
  const made: Record<string, RuleMatcher> = Object.create(null);
  return (tier, tool) => {
    const key = `${tier} ${tool}`;
    const known = made[key];
    if (known !== undefined) return known;
    return Object.hasOwn(tiers[tier], tool) ? made[key] = new RuleMatcher(tiers[tier][tool]) : null;
  };
}
