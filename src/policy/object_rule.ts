/**
 * Rules that are more than a wildcard: on the words of a command, or on a path; each may say why.
 *
 * Plain data, so that they can be kept in a file and used as they are read.
 *
 * @module
 */

/** A rule as a policy's list holds it: a wildcard pattern, or one of these. */
export type ObjectRule = CommandRule | PathRule;

/** Matches a command by its program and words, whatever stands between and around them. */
export interface CommandRule {
  /** What kind of rule it is. */
  readonly kind: "command";
  /** The program, then operands in their order (`push`), and options in any place (`--tags`). */
  readonly words: readonly string[];
  /** Options with which the rule does not match: `--force`, `-f` (also inside `-uf`). */
  readonly without: readonly string[];
}

/** Matches the file that `reader`, `editor` or `search` is given, by a glob from the workspace, the home or the root. */
export interface PathRule {
  /** What kind of rule it is. */
  readonly kind: "path";
  /** The glob on the path. */
  readonly glob: string;
}

/** An object rule as it is shown: in the form of the configuration. */
export function objectRuleText(rule: ObjectRule): string {
  switch (rule.kind) {
    case "command": {
      const without = rule.without.length === 0 ? "" : `, without: [${rule.without.join(", ")}]`;
      return `{ command: [${rule.words.join(", ")}]${without} }`;
    }
    case "path":
      return `{ path: ${rule.glob} }`;
    default:
      return rule satisfies never;
  }
}
