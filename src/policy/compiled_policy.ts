/**
 * A policy made ready for judging: plain data, so that it can be kept in a file and used as it is read.
 *
 * @module
 */

import type { ListedRule, RuleIndex } from "./rule_index.ts";

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
