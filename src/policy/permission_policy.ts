/**
 * The permission policy (D1): rules on the text of a call, in memory, for one process.
 *
 * @module
 */

import { type Arguments, type Behavior, gateResult, PermissionError } from "../call.ts";
import { compilePolicy } from "./compile_policy.ts";
import type { CompiledPolicy, RuleMap, Tier } from "./compiled_policy.ts";
import { evaluatePolicy, type Evaluation, type PermissionDecision } from "./evaluate_policy.ts";
import { PRESETS } from "./presets.ts";
import { type TierMatchers, tierMatchers } from "./tier_matchers.ts";

export type { DecidingRule, Evaluation, PermissionDecision } from "./evaluate_policy.ts";

/** Answers an escalation: `true` allows, a record allows with these arguments instead, all else denies (D1-9). */
export type EscalationHandler = (decision: PermissionDecision, args: Arguments) => unknown;

/** What a policy is made of. */
export interface PermissionPolicyOptions {
  /** `allow_all`, `deny_all`, or `rules`; any other word works as `rules` (D1-3). Default `allow_all`. */
  readonly mode?: string;
  /** What is allowed, by tool. */
  readonly allow?: RuleMap;
  /** What is denied, by tool. */
  readonly deny?: RuleMap;
  /** What a person is asked about, by tool. */
  readonly escalate?: RuleMap;
  /** Answers escalations. */
  readonly onEscalate?: EscalationHandler;
  /** The same mode and rules, compiled before: then `allow`, `deny` and `escalate` are not looked at. */
  readonly compiled?: CompiledPolicy;
}

/**
 * Decides calls by mode and rules (D1).
 *
 * Rules are wildcard patterns on a call's text, in three tiers by tool name or `*`: all deny rules, then all allow
 * rules, then all escalate rules, a tool's own before those for `*`; the first that matches decides, and a call that
 * none matches is denied.
 *
 * A policy lives in memory: nothing restores it after a restart (D1-11).
 *
 * @example
 * ```ts
 * import { PermissionPolicy } from "@gatehouse/gatehouse";
 *
 * const policy = new PermissionPolicy({
 *   mode: "rules",
 *   allow: { bash: ["git status*", "ls *"], reader: ["*"] },
 *   deny: { bash: ["rm *"] },
 * });
 * policy.check("bash", "", { command: "git status" }).behavior; // "allow"
 * policy.check("bash", "", { command: "curl example.org" }).behavior; // "deny"
 * ```
 */
export class PermissionPolicy {
  /** How calls are decided. */
  readonly mode: string;
  /** Answers escalations; `null` when nobody does. */
  readonly onEscalate: EscalationHandler | null;
  readonly #compiled: CompiledPolicy;
  readonly #matchers: TierMatchers;

  /** Makes a policy; what is left out is `allow_all` and no rules. */
  constructor(options: PermissionPolicyOptions = {}) {
    this.mode = options.mode ?? "allow_all";
    this.onEscalate = options.onEscalate ?? null;
    this.#compiled = options.compiled ?? compilePolicy(this.mode, options);
    this.#matchers = tierMatchers(this.#compiled);
  }

  /** The allow rules, by canonical tool name. */
  get allow(): RuleMap {
    return this.#rules("allow");
  }

  /** The deny rules, by canonical tool name. */
  get deny(): RuleMap {
    return this.#rules("deny");
  }

  /** The escalate rules, by canonical tool name. */
  get escalate(): RuleMap {
    return this.#rules("escalate");
  }

  /**
   * Makes a policy of a plain record with `mode`, `allow`, `deny` and `escalate`. What is missing is `allow_all` and no
   * rules; an escalation handler is never restored.
   *
   * @throws {TypeError} when a part has the wrong shape.
   */
  static fromDict(data: Readonly<Record<string, unknown>>): PermissionPolicy {
    const mode = data.mode ?? "allow_all";
    if (typeof mode !== "string") {
      throw new TypeError(`Cannot make a policy: mode must be a string, not ${typeof mode}`);
    }
    return new PermissionPolicy({
      mode,
      allow: ruleMapOf("allow", data.allow),
      deny: ruleMapOf("deny", data.deny),
      escalate: ruleMapOf("escalate", data.escalate),
    });
  }

  /** Allows every call. */
  static allowAll(): PermissionPolicy {
    return new PermissionPolicy(PRESETS.allow_all);
  }

  /** Denies every call. */
  static denyAll(): PermissionPolicy {
    return new PermissionPolicy(PRESETS.deny_all);
  }

  /** Allows `reader`, `search` and `context`; denies `editor` and `bash`. */
  static readOnly(): PermissionPolicy {
    return new PermissionPolicy(PRESETS.read_only);
  }

  /** Allows the coding tools but `bash`; of `bash`, denies five families of commands and escalates the rest. */
  static safe(): PermissionPolicy {
    return new PermissionPolicy(PRESETS.safe);
  }

  /** Decides one call. */
  check(toolName: string, action: string, args: Arguments): PermissionDecision {
    return this.evaluate(toolName, action, args).decision;
  }

  /** Decides one call and says by which rule. */
  evaluate(toolName: string, action: string, args: Arguments): Evaluation {
    return evaluatePolicy(this.mode, this.#matchers, toolName, action, args);
  }

  /**
   * Makes the policy a pre-hook (D1-9).
   *
   * @returns An async hook: it returns nothing to allow, or a record to go on with other arguments.
   * It rejects with a {@linkcode PermissionError} to deny, and to escalate when nobody can answer.
   */
  toPreHook(): (
    toolName: string,
    action: string,
    args: Arguments,
  ) => Promise<Arguments | undefined> {
    const hook = async (toolName: string, action: string, args: Arguments) => {
      const evaluated = this.evaluate(toolName, action, args);
      const { decision } = evaluated;
      if (decision.behavior === "allow") return undefined;
      if (decision.behavior === "deny") throw permissionError(evaluated, decision.reason);
      if (this.onEscalate === null) {
        throw permissionError(
          evaluated,
          `${decision.toolName} needs a person's approval, and nobody is there to give it: ` +
            decision.reason,
        );
      }
      const answer = await this.onEscalate(decision, args);
      if (answer === true) return undefined;
      if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) {
        return answer as Arguments;
      }
      throw permissionError(
        evaluated,
        `${decision.toolName} was not approved: ${decision.reason}`,
        "deny",
      );
    };
    return Object.assign(hook, { control: "policy" });
  }

  #rules(tier: Tier): RuleMap {
    const rules: Record<string, readonly string[]> = {};
    for (const [tool, index] of Object.entries(this.#compiled.tiers[tier])) {
      rules[tool] = Object.freeze([...index.patterns]);
    }
    return Object.freeze(rules);
  }
}

function permissionError(
  { decision, by }: Evaluation,
  reason: string,
  behavior: Behavior = decision.behavior,
): PermissionError {
  return new PermissionError(reason, {
    result: gateResult({
      control: "policy",
      behavior,
      reason,
      reasonCode: by,
      tool: decision.toolName,
      action: decision.action,
      matchedRule: decision.matchedRule,
    }),
  });
}

function ruleMapOf(tier: Tier, value: unknown): RuleMap {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new TypeError(`Cannot make a policy: ${tier} must map tool names to lists of patterns`);
  }
  for (const [tool, patterns] of Object.entries(value)) {
    if (!Array.isArray(patterns) || patterns.some((pattern) => typeof pattern !== "string")) {
      throw new TypeError(`Cannot make a policy: ${tier}.${tool} must be a list of strings`);
    }
  }
  return value as RuleMap;
}
