import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { compileFile } from "../../src/config/compile_file.ts";
import { ConfigurationError } from "../../src/config/configuration_error.ts";

const PATH = "/p/gatehouse.yaml";
const compile = (text: string) => compileFile(new TextEncoder().encode(text), PATH, "hash");

function problemsIn(text: string): string[] {
  try {
    compile(text);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    assert.ok(error.problems.length > 0);
    return error.message.split("\n");
  }
  return [];
}

describe("compileFile()", () => {
  test("reads every part of a file and remembers its lines", () => {
    const file = compile(`version: 1
policy:
  mode: rules
  deny:
    bash:
      - "rm *"
      - "sudo *"
  allow: { reader_tool: ["*"] }
guards:
  destructive: { mode: patterns }
  paths:
    allowed: ["."]
    denied: ["*.pem"]
    symlinks: refuse
hooks:
  - command: [./check, --fast]
    tools: [bash]
    timeout: 1.5
onAllow: approve
deadline: 3
`);
    assert.equal(file.policy?.line, 3);
    assert.deepEqual(file.policy?.lines.deny.bash, [6, 7]);
    assert.deepEqual(file.policy?.lines.allow.reader, [8]);
    assert.deepEqual(file.policy?.policy.tiers.deny.bash.patterns, ["rm *", "sudo *"]);
    assert.deepEqual(file.guards.destructive, {
      enabled: true,
      mode: "patterns",
      overwrite: null,
      discardInLinkedWorktree: null,
      line: 10,
    });
    assert.deepEqual(file.guards.paths, {
      enabled: true,
      allowed: ["."],
      denied: ["*.pem"],
      symlinks: "refuse",
      outsideReads: null,
      line: 11,
    });
    assert.deepEqual(file.hooks, [
      { name: "check", tools: ["bash"], command: ["./check", "--fast"], timeout: 1.5, line: 16 },
    ]);
    assert.equal(file.onAllow, "approve");
    assert.equal(file.deadline, 3);
  });

  test("takes a preset's name for a policy", () => {
    const file = compile("version: 1\npolicy: read_only\n");
    assert.equal(file.policy?.preset, "read_only");
    assert.deepEqual(file.policy?.policy.tiers.deny.bash.patterns, ["*"]);
  });

  test("an empty file, or one of comments, says nothing and is no error", () => {
    for (const text of ["", "\n", "# nothing yet\n", "\ufeff"]) {
      assert.equal(compile(text).empty, true);
    }
  });

  test("switches guards off and on by false and true", () => {
    const file = compile("version: 1\nguards: { destructive: false, paths: true }\n");
    assert.equal(file.guards.destructive?.enabled, false);
    assert.equal(file.guards.paths?.enabled, true);
  });

  const MISTAKES: readonly (readonly [string, string, readonly string[]])[] = [
    ["an unknown key", "version: 1\npolcy: safe\n", [
      `${PATH}:2:1: unknown key \`polcy\` (did you mean \`policy\`?)`,
    ]],
    ["a misspelt tier", "version: 1\npolicy:\n  mode: rules\n  escallate: {}\n", [
      `${PATH}:4:3: unknown key \`escallate\` in policy (did you mean \`escalate\`?)`,
    ]],
    ["an unknown mode", "version: 1\npolicy:\n  mode: rule\n", [
      `${PATH}:3:9: policy.mode is "rule"; it must be \`allow_all\`, \`deny_all\` or \`rules\` (did you mean \`rules\`?)`,
    ]],
    ["an unknown preset", "version: 1\npolicy: readonly\n", [
      `${PATH}:2:9: policy is "readonly"; it must be \`allow_all\`, \`deny_all\`, \`read_only\` or \`safe\` ` +
      `(did you mean \`read_only\`?)`,
    ]],
    ["a missing version", "policy: safe\n", [
      `${PATH}:1:1: version is missing; it must be \`1\` (write version: 1)`,
    ]],
    ["a version of tomorrow", "version: 2\n", [
      `${PATH}:1:10: version is 2; it must be \`1\` (write version: 1)`,
    ]],
    [
      "text where a list is wanted",
      "version: 1\npolicy:\n  mode: rules\n  deny:\n    bash: rm *\n",
      [
        `${PATH}:5:11: policy.deny.bash is "rm *"; it must be a list (write a list: ["rm *"])`,
      ],
    ],
    [
      "a number where text is wanted",
      "version: 1\npolicy:\n  mode: rules\n  deny:\n    bash: [7]\n",
      [
        `${PATH}:5:12: policy.deny.bash.0 is 7; it must be text or a mapping (put it in quotes: "7")`,
      ],
    ],
    ["rules without a mode", "version: 1\npolicy:\n  deny: { bash: [rm] }\n", [
      `${PATH}:2:1: the policy has no mode, which means mode allow_all, and in that mode its deny rules are ` +
      `never asked (add \`mode: rules\`)`,
    ]],
    [
      "one tool under two names",
      "version: 1\npolicy:\n  mode: rules\n  deny:\n    bash: [a]\n    bash_tool: [b]\n",
      [
        `${PATH}:6:5: deny has rules for \`bash\` and for \`bash_tool\`, which are one tool (write all of them under \`bash\`)`,
      ],
    ],
    ["a hook without a command", "version: 1\nhooks:\n  - name: x\n", [
      `${PATH}:3:5: hooks.0.command is missing (it must be a list)`,
    ]],
    ["a list where a mapping is wanted", "- a\n", [
      `${PATH}:1:1: the file is ["a"]; it must be a mapping`,
    ]],
    ["a wrong guard setting", "version: 1\nguards:\n  paths:\n    symlink: follow\n", [
      `${PATH}:4:5: unknown key \`symlink\` in guards.paths (did you mean \`symlinks\`?)`,
    ]],
    ["a duplicate key", "version: 1\nversion: 1\n", [`${PATH}:2:1: Map keys must be unique`]],
  ];
  for (const [what, text, expected] of MISTAKES) {
    test(`tells ${what} with its line, column and fix`, () => {
      assert.deepEqual(problemsIn(text), expected);
    });
  }

  test("tells every problem of a file, in the order they stand there", () => {
    const lines = problemsIn("version: 1\nonAllow: aprove\nguards:\n  path: true\nhooks: 3\n");
    assert.deepEqual(lines.map((line) => line.split(": ")[0]), [
      `${PATH}:2:10`,
      `${PATH}:4:3`,
      `${PATH}:5:8`,
    ]);
  });

  test("tells broken YAML and text that is not UTF-8", () => {
    assert.match(problemsIn("version: [1\n")[0], /^\/p\/gatehouse\.yaml:\d+:\d+: /);
    assert.throws(
      () => compileFile(new Uint8Array([0xff, 0xfe, 0x41]), PATH, "hash"),
      /the file is not UTF-8 text \(save it as UTF-8\)/,
    );
  });

  test("refuses aliases that grow without bound", () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
    for (const [name, before] of ["ba", "cb", "dc", "ed", "fe"]) {
      bomb.push(`${name}: &${name} [${`*${before},`.repeat(9)}]`);
    }
    assert.ok(problemsIn(bomb.join("\n")).length > 0);
  });

  test("whatever the text, the answer is a file or problems with places", () => {
    const piece = fc.constantFrom(
      "version: 1",
      "policy:",
      "  mode: rules",
      "  deny:",
      "    bash: ['rm *']",
      "guards: {paths: false}",
      "hooks: []",
      "- x",
      "{",
      "&a *a",
      "? : !!js",
      "\t",
      "'",
      "onAllow: defer",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (lines) => {
        for (const line of problemsIn(lines.join("\n"))) assert.ok(line.length > 0);
      }),
      { numRuns: 500 },
    );
  });
});
