import { matchCommandRule } from "../policy/command_rule.ts";
import type { ObjectRule } from "../policy/object_rule.ts";
import { matchPathRule } from "../policy/path_rule.ts";
import { matchesWildcard } from "../policy/matches_wildcard.ts";
import { readCommandLine } from "../shell/read_command_line.ts";

/** Examples of path rules are judged as if the workspace were here. */
const EXAMPLE_WORKSPACE = "/workspace";

/**
 * Whether a rule matches an example: a command line for `bash`, a path for a file tool, the text of the call for others.
 *
 * In a policy that parses lines a rule matches a line when it matches one of its commands for certain.
 */
export function exampleMatches(
  rule: string | ObjectRule,
  tool: string,
  example: string,
  shell: "refuse" | "parse",
): boolean {
  if (typeof rule === "string") {
    if (tool !== "bash" || shell === "refuse") return matchesWildcard(example, rule);
    return readCommandLine(example).commands.some(({ canonical }) =>
      matchesWildcard(canonical, rule)
    );
  }
  switch (rule.kind) {
    case "command":
      return readCommandLine(example).commands.some((command) =>
        matchCommandRule(rule, command) === "yes"
      );
    case "path":
      return matchPathRule(rule, example, {
        cwd: EXAMPLE_WORKSPACE,
        workspace: EXAMPLE_WORKSPACE,
        home: "/home/user",
        ignoreCase: false,
      });
    default:
      return rule satisfies never;
  }
}
