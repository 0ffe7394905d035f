import {
  type Arguments,
  type Behavior,
  compareBehaviors,
  type GateResult,
  type Verdict,
} from "../call.ts";

/** What a {@linkcode Verdict} says besides the controls' results. */
export interface VerdictCircumstances {
  /** The exact arguments that were judged last. */
  readonly args: Arguments;
  /** Whether they differ from what was asked for. */
  readonly rewritten: boolean;
  /** What the reader of the verdict must know besides. */
  readonly notices?: readonly string[];
  /** The reason when nobody had an opinion. */
  readonly silence?: string;
}

/**
 * Reduces the results of all controls to one verdict: the strictest decides, of several that are equally strict the
 * first. Without an opinion of anybody the call is allowed.
 *
 * @param results Every result, in the order the controls were asked. The verdict keeps this very list.
 * @returns The verdict, frozen.
 */
export function reduceVerdict(
  results: readonly GateResult[],
  circumstances: VerdictCircumstances,
): Verdict {
  let deciding: GateResult | null = null;
  for (const result of results) {
    if (result.behavior === "allow" && result.reasonCode === "none") continue;
    if (deciding === null || compareBehaviors(result.behavior, deciding.behavior) > 0) {
      deciding = result;
    }
  }
  const behavior: Behavior = deciding?.behavior ?? "allow";
  return Object.freeze({
    behavior,
    reason: deciding?.reason ?? circumstances.silence ?? "no control objected",
    reasonCode: deciding?.reasonCode ?? "none",
    control: deciding?.control ?? null,
    matchedRule: deciding?.matchedRule ?? null,
    place: deciding?.place ?? null,
    advice: deciding?.advice ?? null,
    args: circumstances.args,
    rewritten: circumstances.rewritten,
    results,
    notices: circumstances.notices ?? [],
  });
}
