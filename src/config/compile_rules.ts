/**
 * The policy's part of a configuration: rules, their places, and the examples that prove them.
 *
 * @module
 */

import { compilePolicy } from "../policy/compile_policy.ts";
import { type Tier, TIERS } from "../policy/compiled_policy.ts";
import type { ObjectRule } from "../policy/object_rule.ts";
import { PRESETS } from "../policy/presets.ts";
import type { ListedRule } from "../policy/rule_index.ts";
import { canonicalToolName } from "../policy/tool_names.ts";
import type { Checker } from "./checker.ts";
import type { CompiledRules } from "./compiled_file.ts";
import { exampleMatches } from "./rule_examples.ts";
import {
  policySchema,
  presetSchema,
  ruleSchema,
  type WrittenPolicy,
  type WrittenRule,
} from "./schema.ts";

/** The tools whose calls name a file. */
const FILE_TOOLS: ReadonlySet<string> = new Set(["reader", "editor", "search"]);

/** What the file says of the policy; `null` when it says nothing, or nothing that can be used. */
export function compileRules(checker: Checker, written: unknown): CompiledRules | null {
  if (written === undefined) return null;
  const lines: Record<Tier, Record<string, number[]>> = { deny: {}, allow: {}, escalate: {} };
  if (typeof written === "string") {
    const preset = checker.check(presetSchema, written, ["policy"]);
    if (preset === null) return null;
    const rules = PRESETS[preset];
    const line = checker.line(["policy"]);
    for (const tier of TIERS) {
      for (const [tool, patterns] of Object.entries(rules[tier] ?? {})) {
        lines[tier][tool] = patterns.map(() => line);
      }
    }
    return {
      policy: compilePolicy(rules.mode, rules),
      preset,
      line,
      lines,
      examples: 0,
      tested: [],
    };
  }
  const policy = checker.check(policySchema, written, ["policy"]);
  if (policy === null) return null;
  checkMode(checker, policy);
  const shell = policy.shell ?? "refuse";
  const listed: Record<Tier, Record<string, ListedRule[]>> = { deny: {}, allow: {}, escalate: {} };
  let examples = 0;
  const tested: number[] = [];
  for (const tier of TIERS) {
    const seen = new Map<string, string>();
    for (const [key, rules] of Object.entries(policy[tier] ?? {})) {
      const tool = canonicalToolName(key);
      const earlier = seen.get(tool);
      if (earlier !== undefined) {
        checker.add(
          ["policy", tier, key],
          `${tier} has rules for \`${earlier}\` and for \`${key}\`, which are one tool`,
          `write all of them under \`${tool}\``,
          "key",
        );
      }
      seen.set(tool, key);
      const compiled = rules.map((rule, index) =>
        compileRule(checker, rule, ["policy", tier, key, index], tool, shell)
      );
      listed[tier][tool] = compiled.map((rule) => rule?.listed ?? { rule: "" });
      examples += compiled.reduce((sum, rule) => sum + (rule?.examples ?? 0), 0);
      lines[tier][tool] = rules.map((_, index) => checker.line(["policy", tier, key, index]));
      tested.push(...lines[tier][tool].filter((_, index) => (compiled[index]?.examples ?? 0) > 0));
    }
  }
  const line = checker.line(policy.mode === undefined ? ["policy"] : ["policy", "mode"], "key");
  return {
    policy: compilePolicy(policy.mode ?? "allow_all", listed, shell),
    preset: null,
    line,
    lines,
    examples,
    tested,
  };
}

/** Rules that are never asked are a mistake, and a mistake that lets calls pass. */
function checkMode(checker: Checker, policy: WrittenPolicy): void {
  const tiers = TIERS.filter((tier) => policy[tier] !== undefined);
  if (tiers.length === 0 || policy.mode === "rules") return;
  const path = policy.mode === undefined ? ["policy"] : ["policy", "mode"];
  const mode = policy.mode ?? "allow_all";
  const how = policy.mode === undefined ? "the policy has no mode, which means" : "the policy has";
  checker.add(
    path,
    `${how} mode ${mode}, and in that mode its ${tiers.join(" and ")} rules are never asked`,
    policy.mode === undefined ? "add `mode: rules`" : "write `mode: rules`, or remove the rules",
    "key",
  );
}

function compileRule(
  checker: Checker,
  written: unknown,
  path: readonly PropertyKey[],
  tool: string,
  shell: "refuse" | "parse",
): { listed: ListedRule; examples: number } | null {
  if (typeof written === "string") return { listed: { rule: written }, examples: 0 };
  if (typeof written !== "object" || written === null || Array.isArray(written)) {
    checker.addType(path, written, "text or a mapping");
    return null;
  }
  const rule = checker.check(ruleSchema, written, path);
  if (rule === null) return null;
  const compiled = ruleOf(checker, rule, path, tool, shell);
  if (compiled === null) return null;
  for (const [list, expected] of [["match", true], ["not_match", false]] as const) {
    for (const [index, example] of (rule[list] ?? []).entries()) {
      if (exampleMatches(compiled, tool, example, shell) === expected) continue;
      checker.add(
        [...path, list, index],
        expected
          ? `the rule does not match its example ${JSON.stringify(example)}`
          : `the rule matches ${
            JSON.stringify(example)
          }, which is an example of what it must not match`,
        "mend the rule, or the example",
      );
    }
  }
  const listed = rule.reason === undefined
    ? { rule: compiled }
    : { rule: compiled, reason: rule.reason };
  return { listed, examples: (rule.match?.length ?? 0) + (rule.not_match?.length ?? 0) };
}

function ruleOf(
  checker: Checker,
  rule: WrittenRule,
  path: readonly PropertyKey[],
  tool: string,
  shell: "refuse" | "parse",
): string | ObjectRule | null {
  const kinds = (["pattern", "command", "path"] as const).filter((kind) =>
    rule[kind] !== undefined
  );
  if (kinds.length !== 1) {
    checker.add(path, `a rule needs exactly one of \`pattern\`, \`command\` and \`path\``, null);
    return null;
  }
  if (rule.without !== undefined && rule.command === undefined) {
    checker.add([...path, "without"], "`without` belongs to a `command` rule", null, "key");
    return null;
  }
  if (rule.pattern !== undefined) return rule.pattern;
  if (rule.command !== undefined) {
    if (tool !== "bash" && tool !== "*") {
      checker.add(
        path,
        `a \`command\` rule is about commands, and ${tool} runs none`,
        "write it under `bash`",
      );
      return null;
    }
    if (shell !== "parse") {
      checker.add(
        path,
        "a `command` rule is asked of the commands in a line, and this policy looks at the line's text only",
        "add `shell: parse` to the policy",
      );
      return null;
    }
    return { kind: "command", words: rule.command, without: rule.without ?? [] };
  }
  if (!FILE_TOOLS.has(tool) && tool !== "*") {
    checker.add(
      path,
      `a \`path\` rule is about the file that reader, editor or search is given, and ${tool} is given none`,
      tool === "bash"
        ? "write it under `guards.paths.denied`, which also sees the files of commands"
        : null,
    );
    return null;
  }
  return { kind: "path", glob: rule.path! };
}
