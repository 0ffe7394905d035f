/**
 * Mistakes that a configuration file may hold although it can be read: rules that can never decide.
 *
 * @module
 */

import { TIERS } from "../policy/compiled_policy.ts";
import { matchesWildcard } from "../policy/matches_wildcard.ts";
import { literalPrefix } from "../policy/wildcard.ts";
import type { CompiledFile } from "./compiled_file.ts";
import type { ConfigurationProblem } from "./configuration_error.ts";

/** Names rules that can never decide, and rules for bash that the shell-control refusal makes pointless. */
export function lintFile(file: CompiledFile): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  if (file.policy === null || file.policy.preset !== null) return problems;
  const { policy, lines } = file.policy;
  const warn = (line: number, message: string, fix: string) =>
    problems.push({ line, column: 1, message, fix });
  const tools = new Set(TIERS.flatMap((tier) => Object.keys(policy.tiers[tier])));
  for (const tool of tools) {
    const asked: { pattern: string; line: number }[] = [];
    for (const tier of TIERS) {
      for (const key of tool === "*" ? ["*"] : [tool, "*"]) {
        const index = Object.hasOwn(policy.tiers[tier], key) ? policy.tiers[tier][key] : null;
        for (const [number, pattern] of (index?.patterns ?? []).entries()) {
          const line = lines[tier][key][number];
          const before = asked.find((earlier) => covers(earlier.pattern, pattern));
          if (before !== undefined && key === tool) {
            warn(
              line,
              `the ${tier} rule \`${pattern}\` for ${tool} can never decide: \`${before.pattern}\` on line ` +
                `${before.line} is asked before it and matches all that it matches`,
              "remove it, or make the earlier rule narrower",
            );
          }
          asked.push({ pattern, line });
          if (
            tier === "allow" && key === "bash" && tool === "bash" &&
            /[;|`<>\n]|&&|\$\(/.test(pattern)
          ) {
            warn(
              line,
              `the allow rule \`${pattern}\` for bash can never match: a command with a shell-control token is ` +
                `denied before any rule is asked`,
              "write a rule for one plain command",
            );
          }
        }
      }
    }
  }
  return problems;
}

/** Whether every text that `inner` matches is also matched by `outer`, as far as can be seen without doubt. */
function covers(outer: string, inner: string): boolean {
  if (outer === "*" || outer === inner) return true;
  if (literalPrefix(inner) === inner) return matchesWildcard(inner, outer);
  // "prefix*" covers every pattern whose own text begins with that prefix.
  const prefix = outer.endsWith("*") ? outer.slice(0, -1) : null;
  return prefix !== null && literalPrefix(prefix) === prefix &&
    literalPrefix(inner).startsWith(prefix);
}
