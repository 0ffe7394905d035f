import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { matchCommandRule, type RuleAnswer } from "../../src/policy/command_rule.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";

/** A rule's words, what it must be without, a command, and whether the rule is about it. */
const ROWS: readonly (readonly [string[], string[], string, RuleAnswer])[] = [
  [["git", "push"], [], "git push origin main", "yes"],
  [["git", "push"], [], "/usr/bin/git push", "yes"],
  [["git", "push"], [], "./git push", "no"],
  [["./git", "push"], [], "./git push", "yes"],
  [["git", "push"], [], "git -C /repo -c a=b push", "yes"],
  [["git", "push"], [], "git --git-dir=/x push", "yes"],
  [["git", "push"], [], "git stash push", "no"],
  [["git", "push"], [], "git pushx", "no"],
  [["git", "push"], [], "git", "no"],
  [["git", "push"], [], "git $X", "maybe"],
  [["git", "push"], [], "git status $X", "no"],
  [["git", "push"], [], "$G push", "maybe"],
  [["git", "push", "origin"], [], "git push -q origin main", "yes"],
  [["git", "push", "--force"], [], "git push origin --force", "yes"],
  [["git", "push", "--force"], [], "git push --forc", "yes"],
  [["git", "push", "--force"], [], "git push --force=true", "yes"],
  [["git", "push", "--force"], [], "git push", "no"],
  [["git", "push", "--force"], [], "git push $FLAGS", "maybe"],
  [["git", "push", "--force"], [], 'git push -- "--force"', "no"],
  [["git", "push"], ["--force", "-f"], "git push origin", "yes"],
  [["git", "push"], ["--force", "-f"], "git push -uf origin", "no"],
  [["git", "push"], ["--force", "-f"], "git push $FLAGS", "maybe"],
  [["git", "push"], ["--force", "-f"], "git push --force-with-lease", "yes"],
  [["rm"], [], "xargs rm -f", "yes"],
  [["rm", "-r"], [], "git ls-files | xargs rm", "maybe"],
  [["find"], ["-exec", "-delete"], "find . -name x", "yes"],
  [["find"], ["-exec", "-delete"], "find . -delete", "no"],
];

describe("matchCommandRule()", () => {
  for (const [words, without, line, expected] of ROWS) {
    const rule = `[${words.join(", ")}]${
      without.length > 0 ? ` without [${without.join(", ")}]` : ""
    }`;
    test(`${rule} and \`${line}\`: ${expected}`, () => {
      const answers = readCommandLine(line).commands.map((command) =>
        matchCommandRule({ kind: "command", words, without }, command)
      );
      // Of a line with several commands the one the rule is most about counts.
      const best = answers.includes("yes") ? "yes" : answers.includes("maybe") ? "maybe" : "no";
      assert.equal(best, expected, answers.join(", "));
    });
  }
});
