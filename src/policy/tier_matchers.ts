import type { CompiledPolicy, Tier } from "./compiled_policy.ts";
import { RuleMatcher } from "./rule_index.ts";

/** The matchers of a compiled policy, made when a tier's rules for a tool are first asked. */
export class TierMatchers {
  readonly #policy: CompiledPolicy;
  readonly #made = new Map<string, RuleMatcher>();

  constructor(policy: CompiledPolicy) {
    this.#policy = policy;
  }

  /** The matcher of a tier's rules for a tool, by its canonical name or `*`; `null` when there are none. */
  of(tier: Tier, tool: string): RuleMatcher | null {
    const tools = this.#policy.tiers[tier];
    if (!Object.hasOwn(tools, tool)) return null;
    const name = `${tier} ${tool}`;
    let matcher = this.#made.get(name);
    if (matcher === undefined) {
      matcher = new RuleMatcher(tools[tool]);
      this.#made.set(name, matcher);
    }
    return matcher;
  }
}
