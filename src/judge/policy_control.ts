/**
 * The policies of all configuration files as one control: each file is judged by itself, and the strictest speaks.
 *
 * @module
 */

import { type Arguments, compareBehaviors, type GateResult, gateResult } from "../call.ts";
import { type CompiledRules, placeIn } from "../config/compiled_file.ts";
import type { Layer } from "../config/load_configuration.ts";
import { type Evaluation, PermissionPolicy } from "../policy/permission_policy.ts";

/** Answers for one call; `null` when no file has an opinion. */
export type PolicyControl = (tool: string, action: string, args: Arguments) => GateResult | null;

/** The name policies' results carry. */
export const POLICY_CONTROL = "policy";

/**
 * Makes the policies of the layers one control.
 *
 * A file's own policy decides as D1 says. Of several files the strictest decides. A call that no file has a rule for is
 * denied when a trusted file has rules at all. An untrusted file may only tighten: its deny and escalate rules count.
 */
export function policyControl(layers: readonly Layer[]): PolicyControl | null {
  const judges = layers
    .filter((layer) => layer.file.policy !== null)
    .map((layer) => layerJudge(layer, layer.file.policy!));
  if (judges.length === 0) return null;
  return (tool, action, args) => {
    let strictest: GateResult | null = null;
    let unmatched: GateResult | null = null;
    for (const judge of judges) {
      const result = judge(tool, action, args);
      if (result === null) continue;
      if (result.reasonCode === "no-rule") unmatched ??= result;
      else if (strictest === null || compareBehaviors(result.behavior, strictest.behavior) > 0) {
        strictest = result;
      }
    }
    return strictest ?? unmatched;
  };
}

function layerJudge(layer: Layer, rules: CompiledRules): PolicyControl {
  const { trusted, file } = layer;
  const compiled = trusted ? rules.policy : {
    mode: rules.policy.mode,
    tiers: { ...rules.policy.tiers, allow: {} },
  };
  const policy = new PermissionPolicy({ mode: compiled.mode, compiled });
  return (tool, action, args) => {
    const evaluated = policy.evaluate(tool, action, args);
    const { decision, by } = evaluated;
    if (!trusted && (decision.behavior === "allow" || by === "no-rule")) return null;
    return gateResult({
      control: POLICY_CONTROL,
      behavior: decision.behavior,
      reason: decision.reason,
      reasonCode: by,
      tool: decision.toolName,
      action: decision.action,
      matchedRule: decision.matchedRule,
      place: placeIn(file, lineOf(rules, evaluated)),
      advice: adviceOn(evaluated),
    });
  };
}

function lineOf(rules: CompiledRules, { rule }: Evaluation): number {
  if (rule === null) return rules.line;
  return rules.lines[rule.tier][rule.tool]?.[rule.number] ?? rules.line;
}

function adviceOn({ by, decision }: Evaluation): string | null {
  if (decision.behavior === "allow") return null;
  switch (by) {
    case "rule":
      return decision.behavior === "deny"
        ? "Do it another way, or ask the user to change the rule."
        : null;
    case "no-rule":
      return `Use a call that a rule allows, or ask the user to add a rule for ${decision.toolName}.`;
    case "shell-control":
      return "Run one plain command at a time.";
    case "input":
      return "Give the argument as text.";
    case "not-understood":
      return "Write it as plain commands, without text that is put together when it runs.";
    case "mode":
      return "Ask the user to change the policy's mode.";
    default:
      return by satisfies never;
  }
}
