import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { compilePolicy } from "../../src/policy/compile_policy.ts";
import { type ListedRules } from "../../src/policy/compiled_policy.ts";
import { LinePolicy } from "../../src/policy/line_policy.ts";
import { frozenReading } from "../shell/frozen_reading.ts";

function decide(
  rules: { deny?: ListedRules; allow?: ListedRules; escalate?: ListedRules },
  line: string,
) {
  const policy = new LinePolicy(compilePolicy("rules", rules, "parse"));
  return policy.evaluateLine("bash", "", frozenReading(line)).decision;
}

describe("LinePolicy.evaluateLine()", () => {
  const rules = {
    allow: { bash: ["ls*", "git *", "cd *", "echo *"] },
    deny: {
      bash: ["git push*", {
        rule: { kind: "command", words: ["git", "reset", "--hard"], without: [] } as const,
        reason: "work is lost",
      }],
    },
    escalate: { bash: ["make *"] },
  };

  test("a line is allowed when every command that does something is", () => {
    for (
      const line of [
        "ls -la",
        "cd src && ls",
        "ls | git log",
        "timeout 5 ls",
        "bash -c 'ls; git log'",
      ]
    ) {
      assert.equal(decide(rules, line).behavior, "allow", line);
    }
  });

  test("one denied command denies the line, wherever it stands", () => {
    for (
      const line of [
        "ls; git push",
        "ls | sudo git push",
        "echo $(git push)",
        "bash -c 'cd x && git push'",
        "git -C x reset --hard",
      ]
    ) {
      const { behavior, reason } = decide(rules, line);
      assert.equal(behavior, "deny", line);
      assert.match(reason, /^denied by rule: /);
    }
    assert.match(decide(rules, "git -C x reset --hard").reason, /: work is lost$/);
  });

  test("what no rule knows is a question", () => {
    const decision = decide(rules, "ls && curl x");
    assert.equal(decision.behavior, "escalate");
    assert.equal(decision.reason, "no rule knows `curl x`");
  });

  test("what is not understood is a question at best, and a denial where something in it is denied", () => {
    assert.equal(decide(rules, 'ls "').behavior, "escalate");
    assert.equal(decide(rules, "$X; git push").behavior, "deny");
  });

  test("a word known only when the line runs cannot turn a deny rule off", () => {
    assert.equal(decide(rules, "git $X origin").behavior, "escalate");
    assert.equal(decide(rules, "echo $X").behavior, "allow");
  });

  test("words in quotes are no commands", () => {
    assert.equal(decide(rules, "echo 'git push'").behavior, "allow");
    assert.equal(decide(rules, "git commit -m 'git push --force'").behavior, "allow");
  });

  const piece = fc.constantFrom(
    "ls",
    "git push",
    "git $X",
    "sudo ",
    "bash -c '",
    "'",
    '"',
    "$(",
    ")",
    ";",
    "&&",
    "|",
    "\n",
    "{",
    "}",
    "curl x",
    "echo ",
    "X=1 ",
    "<<E",
    "\\",
  );

  test("decides the same in a process that asks often", () => {
    const often = new LinePolicy(compilePolicy("rules", rules, "parse"));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const reading = frozenReading(pieces.join(" "));
        const once = new LinePolicy(compilePolicy("rules", rules, "parse"));
        assert.deepEqual(
          often.evaluateLine("bash", "", reading),
          once.evaluateLine("bash", "", reading),
        );
      }),
      { numRuns: 2000 },
    );
  });

  test("never allows a line that is not understood, nor one with a command that no rule allows", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const line = pieces.join(" ");
        const reading = frozenReading(line);
        const policy = new LinePolicy(compilePolicy("rules", rules, "parse"));
        const { decision, commands } = policy.evaluateLine("bash", "", reading);
        if (decision.behavior !== "allow") return;
        assert.equal(reading.understood, true, line);
        for (const { command, behavior } of commands) {
          if (command.role === "runs") assert.equal(behavior, "allow", line);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
