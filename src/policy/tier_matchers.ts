import type { CompiledPolicy, Tier } from "./compiled_policy.ts";
import { RuleMatcher } from "./rule_index.ts";

/** The matchers of a compiled policy, made when a tier's rules for a tool are first asked. */
export class TierMatchers {
  readonly #policy: CompiledPolicy;
  /** By tier, then by tool; `null` for a tool without rules, so that it is looked up once. */
  readonly #made: Readonly<Record<Tier, Map<string, RuleMatcher | null>>> = {
    deny: new Map(),
    allow: new Map(),
    escalate: new Map(),
  };

  constructor(policy: CompiledPolicy) {
    this.#policy = policy;
  }

  /** The matcher of a tier's rules for a tool, by its canonical name or `*`; `null` when there are none. */
  of(tier: Tier, tool: string): RuleMatcher | null {
    const made = this.#made[tier];
    let matcher = made.get(tool);
    if (matcher === undefined) {
      const tools = this.#policy.tiers[tier];
      matcher = Object.hasOwn(tools, tool) ? new RuleMatcher(tools[tool]) : null;
      made.set(tool, matcher);
    }
    return matcher;
  }
}
