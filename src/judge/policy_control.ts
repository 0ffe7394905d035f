/**
 * The policies of all configuration files as one control: each file is judged by itself, and the strictest speaks.
 *
 * @module
 */

import { compareBehaviors, type GateResult, gateResult, type ToolCall } from "../call.ts";
import { type CompiledRules, placeIn } from "../config/compiled_file.ts";
import type { Configuration, Layer } from "../config/load_configuration.ts";
import type { CompiledPolicy } from "../policy/compiled_policy.ts";
import { evaluatePolicy, type Evaluation } from "../policy/evaluate_policy.ts";
import { tierMatchers } from "../policy/tier_matchers.ts";
import { canonicalToolName } from "../policy/tool_names.ts";
import { atOnce, type Eventual } from "./at_once.ts";
import type { LineReader } from "./line_reading.ts";

/** Answers for one call; `null` when no file has an opinion. */
export type PolicyControl = (call: ToolCall) => Eventual<GateResult | null>;

/** The name policies' results carry. */
export const POLICY_CONTROL = "policy";

/**
 * Makes the policies of a configuration one control.
 *
 * A file's own policy decides as D1 says, or, where it says `shell: parse` or has rules that are no patterns, by the
 * commands of a line and by paths. Of several files the strictest decides. A call that no file has a rule for is denied
 * when a trusted file has rules at all. An untrusted file may only tighten: its deny and escalate rules count.
 */
export function policyControl(
  configuration: Configuration,
  lines: LineReader,
  ignoreCase: boolean,
): PolicyControl | null {
  const judges: PolicyControl[] = [];
  for (const layer of configuration.layers) {
    const { policy } = layer.file;
    if (policy !== null) {
      judges.push(layerJudge(layer, policy, configuration, lines, ignoreCase));
    }
  }
  if (judges.length < 2) return judges[0] ?? null;
  return async (call) => {
    let strictest: GateResult | null = null;
    let unmatched: GateResult | null = null;
    for (const judge of judges) {
      const result = await judge(call);
      if (result === null) continue;
      if (result.reasonCode === "no-rule" && result.behavior !== "allow") {
        if (unmatched === null || compareBehaviors(result.behavior, unmatched.behavior) > 0) {
          unmatched = result;
        }
      } else if (strictest === null || compareBehaviors(result.behavior, strictest.behavior) > 0) {
        strictest = result;
      }
    }
    return strictest ?? unmatched;
  };
}

type Evaluate = (call: ToolCall) => Eventual<Evaluation>;

function layerJudge(
  layer: Layer,
  rules: CompiledRules,
  configuration: Configuration,
  lines: LineReader,
  ignoreCase: boolean,
): PolicyControl {
  const { trusted, file } = layer;
  const compiled: CompiledPolicy = trusted
    ? rules.policy
    : { ...rules.policy, tiers: { ...rules.policy.tiers, allow: {} } };
  const evaluate = needsLines(compiled)
    ? lineEvaluation(compiled, configuration, lines, ignoreCase)
    : textEvaluation(compiled);
  const answer = (evaluated: Evaluation): GateResult | null => {
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
  return (call) => atOnce(evaluate(call), answer);
}

/** D1 exactly. */
function textEvaluation(compiled: CompiledPolicy): Evaluate {
  const matchers = tierMatchers(compiled);
  return ({ tool, action, args }) => evaluatePolicy(compiled.mode, matchers, tool, action, args);
}

/** Whether a policy's rules need more than the text of a call. */
export function needsLines({ mode, shell, tiers }: CompiledPolicy): boolean {
  if (mode === "allow_all" || mode === "deny_all") return false;
  if (shell === "parse") return true;
  for (const tier of [tiers.deny, tiers.allow, tiers.escalate]) {
    for (const tool in tier) if (tier[tool].objects !== undefined) return true;
  }
  return false;
}

function lineEvaluation(
  compiled: CompiledPolicy,
  configuration: Configuration,
  lines: LineReader,
  ignoreCase: boolean,
): Evaluate {
  const text = textEvaluation(compiled);
  return async (call) => {
    const tool = canonicalToolName(call.tool);
    const { command } = call.args;
    // A command that is no text, or none at all, is judged as D1 says; so is what has rules on its text alone.
    const isText = tool === "bash"
      ? compiled.shell !== "parse" || typeof command !== "string" || command === ""
      : hasTextRules(compiled, tool);
    if (isText) return text(call);
    const { LinePolicy } = await import("../policy/line_policy.ts");
    const policy = new LinePolicy(compiled);
    if (tool === "bash") {
      return policy.evaluateLine(tool, call.action, await lines(command as string));
    }
    const { matchPathRule } = await import("../policy/path_rule.ts");
    return policy.evaluateCall(
      tool,
      call.action,
      call.args,
      (rule, path) =>
        matchPathRule(rule, path, {
          cwd: call.cwd,
          workspace: configuration.workspace,
          home: configuration.folders?.home || null,
          ignoreCase,
        }),
    );
  };
}

/** Whether all rules for a tool are patterns that say nothing more. */
function hasTextRules({ tiers }: CompiledPolicy, tool: string): boolean {
  for (const tier of [tiers.deny, tiers.allow, tiers.escalate]) {
    for (const key of [tool, "*"]) {
      if (!Object.hasOwn(tier, key)) continue;
      const { objects, reasons } = tier[key];
      if (objects !== undefined || reasons !== undefined) return false;
    }
  }
  return true;
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
      return decision.behavior === "deny"
        ? `Use a call that a rule allows, or ask the user to add a rule for ${decision.toolName}.`
        : null;
    case "shell-control":
      return "Run one plain command at a time.";
    case "not-understood":
      return "Write it as plain commands, without text that is put together when it runs.";
    case "input":
      return "Give the argument as text.";
    case "mode":
      return "Ask the user to change the policy's mode.";
    default:
      return by satisfies never;
  }
}
