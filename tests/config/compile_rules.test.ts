import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compileFile } from "../../src/config/compile_file.ts";
import { ConfigurationError } from "../../src/config/configuration_error.ts";

function problemsIn(text: string): string[] {
  try {
    compileFile(new TextEncoder().encode(text), "f", "hash");
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.message.split("\n");
  }
  return [];
}

const policy = (tool: string, rule: string, shell = "parse") =>
  `version: 1\npolicy:\n  mode: rules\n  shell: ${shell}\n  deny:\n    ${tool}:\n      - ${rule}\n`;

const MISTAKES: readonly (readonly [string, string, string])[] = [
  [
    "a rule that says nothing",
    policy("bash", "{ reason: x }"),
    "f:7:9: a rule needs exactly one of `pattern`, `command` and `path`",
  ],
  [
    "a rule that says two things",
    policy("bash", "{ pattern: a, command: [b] }"),
    "f:7:9: a rule needs exactly one of `pattern`, `command` and `path`",
  ],
  [
    "`without` where there is no command",
    policy("bash", "{ pattern: a, without: [-f] }"),
    "f:7:23: `without` belongs to a `command` rule",
  ],
  [
    "a `without` that is no option",
    policy("bash", "{ command: [git], without: [force] }"),
    'f:7:37: policy.deny.bash.0.without.0 is "force": must be an option, such as --force',
  ],
  [
    "a command rule for a tool that runs none",
    policy("reader", "{ command: [git] }"),
    "f:7:9: a `command` rule is about commands, and reader runs none (write it under `bash`)",
  ],
  [
    "a command rule where lines are not parsed",
    policy("bash", "{ command: [git] }", "refuse"),
    "f:7:9: a `command` rule is asked of the commands in a line, and this policy looks at the line's text only " +
    "(add `shell: parse` to the policy)",
  ],
  [
    "a path rule for bash",
    policy("bash", "{ path: 'src/**' }"),
    "f:7:9: a `path` rule is about the file that reader, editor or search is given, and bash is given none " +
    "(write it under `guards.paths.denied`, which also sees the files of commands)",
  ],
  [
    "a misspelt key of a rule",
    policy("bash", "{ comand: [git] }"),
    "f:7:11: unknown key `comand` in policy.deny.bash.0 (did you mean `command`?)",
  ],
  [
    "an example that does not match",
    policy("bash", "{ command: [git, push], match: [git pull] }"),
    'f:7:41: the rule does not match its example "git pull" (mend the rule, or the example)',
  ],
  [
    "an example that matches and must not",
    policy("editor", "{ path: 'src/**', not_match: [src/a/b.ts] }"),
    'f:7:39: the rule matches "src/a/b.ts", which is an example of what it must not match (mend the rule, or the example)',
  ],
];

describe("rules that are mappings", () => {
  for (const [what, text, expected] of MISTAKES) {
    test(`tells ${what} with its line, column and fix`, () => {
      assert.deepEqual(problemsIn(text), [expected]);
    });
  }

  test("examples of patterns are texts where lines are refused, and lines where they are parsed", () => {
    assert.deepEqual(problemsIn(policy("bash", "{ pattern: 'rm *', match: ['ls && rm x'] }")), []);
    assert.equal(
      problemsIn(policy("bash", "{ pattern: 'rm *', match: ['ls && rm x'] }", "refuse")).length,
      1,
    );
    assert.deepEqual(
      problemsIn(policy("bash", "{ pattern: 'rm *', not_match: [\"echo 'rm x'\"] }")),
      [],
    );
  });

  test("tests of a file are told where they are wrong", () => {
    assert.deepEqual(
      problemsIn("version: 1\ntests:\n  - { tool: bash, command: a, path: b, expect: deny }\n"),
      ["f:3:5: a test has one of `command`, `path` and `args`"],
    );
    assert.deepEqual(
      problemsIn("version: 1\ntests:\n  - { tool: bash, expct: deny, expect: deny }\n"),
      [
        "f:3:19: unknown key `expct` in tests.0 (did you mean `expect`?)",
      ],
    );
  });
});
