import type { CompiledPolicy, Tier } from "./compiled_policy.ts";
import { RuleMatcher } from "./rule_index.ts";

/** The matchers of a compiled policy, made when a tier's rules for a tool are first asked. */
export class TierMatchers {
  // Not private to the language: each such name costs a hook more than a field.
  private readonly policy: CompiledPolicy;
  private readonly made: Readonly<Record<Tier, Record<string, RuleMatcher>>> = {
    deny: Object.create(null),
    allow: Object.create(null),
    escalate: Object.create(null),
  };

  constructor(policy: CompiledPolicy) {
    this.policy = policy;
  }

  /** The matcher of a tier's rules for a tool, by its canonical name or `*`; `null` when there are none. */
  of(tier: Tier, tool: string): RuleMatcher | null {
    const made = this.made[tier];
    const known = made[tool];
    if (known !== undefined) return known;
    const tools = this.policy.tiers[tier];
    return Object.hasOwn(tools, tool) ? made[tool] = new RuleMatcher(tools[tool]) : null;
  }
}
