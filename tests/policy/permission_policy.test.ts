import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PermissionError } from "../../src/call.ts";
import { PermissionPolicy } from "../../src/policy/permission_policy.ts";

const bash = (command: string) => ["bash", "", { command }] as const;

async function refusalOf(promise: Promise<unknown>): Promise<PermissionError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof PermissionError);
    return error;
  }
  assert.fail("nothing was refused");
}

describe("PermissionPolicy", () => {
  test("D1-1 allow_all allows at once, shell-control tokens and deny rules included", () => {
    const policy = new PermissionPolicy({ mode: "allow_all", deny: { bash: ["*"] } });
    assert.equal(policy.check(...bash("ls; rm -rf /")).behavior, "allow");
    assert.equal(policy.check(...bash("ls")).reason, "mode=allow_all");
    // No match string is built, so an argument that could not go into one does not matter.
    assert.equal(policy.check("bash", "", { command: 3 }).behavior, "allow");
  });

  test("D1-2 deny_all denies at once", () => {
    const policy = new PermissionPolicy({ mode: "deny_all", allow: { bash: ["*"] } });
    assert.equal(policy.check(...bash("ls")).behavior, "deny");
    assert.equal(policy.check(...bash("ls")).matchedRule, null);
  });

  test("D1-3 any other mode works as rules", () => {
    const policy = new PermissionPolicy({ mode: "no-such-mode", allow: { bash: ["ls"] } });
    assert.equal(policy.check(...bash("ls")).behavior, "allow");
    assert.equal(policy.check(...bash("cat")).behavior, "deny");
  });

  test("D1-4 builds one match string a tool, under the tool's canonical name", () => {
    const policy = new PermissionPolicy({
      mode: "rules",
      allow: {
        bash: ["cmd"],
        editor: ["src/a"],
        reader: ["src/b"],
        search: ["needle src"],
        deploy: ["now 1 True None x"],
      },
    });
    const behavior = (tool: string, action: string, args: Record<string, unknown>) =>
      policy.check(tool, action, args).behavior;
    assert.equal(behavior("Bash_Tool", "", { command: "cmd" }), "allow");
    assert.equal(behavior("editor_tool", "", { file_path: "src/a" }), "allow");
    assert.equal(behavior("reader", "", { path: "src/b" }), "allow");
    assert.equal(behavior("search", "", { pattern: "needle", path: "src" }), "allow");
    assert.equal(behavior("search", "", { pattern: "needle src" }), "allow");
    assert.equal(behavior("deploy", "now", { a: 1, b: true, c: null, d: "x" }), "allow");
    assert.equal(behavior("deploy", "now", { d: "x", a: 1, b: true, c: null }), "deny");
  });

  test("D1-4 an argument that must be a string and is none denies with a clear reason", () => {
    const policy = new PermissionPolicy({ mode: "rules", allow: { "*": ["*"] } });
    for (
      const [tool, args] of [
        ["bash", { command: 3 }],
        ["editor", { file_path: ["a"] }],
        ["reader", { path: {} }],
        ["search", { pattern: "x", path: true }],
      ] as const
    ) {
      const decision = policy.check(tool, "", args);
      assert.equal(decision.behavior, "deny");
      assert.match(decision.reason, /^argument \w+ must be a string, not (a|an) \w+$/);
    }
  });

  test("D1-5 a shell-control token in a bash command denies before any rule is asked", () => {
    const policy = new PermissionPolicy({ mode: "rules", allow: { bash: ["*"] } });
    for (const command of ["a;b", "a&&b", "a||b", "a|b", "a`b`", "a$(b)", "a<b", "a>b", "a\nb"]) {
      const decision = policy.check(...bash(command));
      assert.equal(decision.behavior, "deny", command);
      assert.match(decision.reason, /^shell-control token/);
      assert.equal(decision.matchedRule, null);
    }
    assert.equal(policy.check(...bash("a & b $x")).behavior, "allow");
    assert.equal(policy.check("other", "", { command: "a;b" }).behavior, "deny");
    assert.equal(
      new PermissionPolicy({ mode: "rules", allow: { other: ["*"] } })
        .check("other", "", { command: "a;b" }).behavior,
      "allow",
    );
  });

  test("D1-7 asks deny, then allow, then escalate; a tool's own rules before those for all", () => {
    const policy = new PermissionPolicy({
      mode: "rules",
      deny: { "*": ["x *"], bash: ["x y*"] },
      allow: { "*": ["*"], bash: ["x *", "e *"] },
      escalate: { bash: ["e *"] },
    });
    assert.equal(policy.check(...bash("x y z")).matchedRule, "x y*");
    assert.equal(policy.check(...bash("x z")).reason, "denied by rule: x *");
    assert.equal(policy.check(...bash("e z")).reason, "allowed by rule: e *");
    assert.equal(policy.check(...bash("other")).matchedRule, "*");
  });

  test("D1-8 denies what no rule matches, with the document's reason", () => {
    const policy = new PermissionPolicy({ mode: "rules" });
    assert.deepEqual(policy.check("bash", "run", { command: "ls" }), {
      behavior: "deny",
      toolName: "bash",
      action: "run",
      reason: "no matching rule, default deny",
      matchedRule: null,
    });
  });

  test("D1-9 the hook returns nothing to allow and rejects to deny", async () => {
    const hook = new PermissionPolicy({ mode: "rules", allow: { bash: ["ls"] } }).toPreHook();
    assert.equal(await hook(...bash("ls")), undefined);
    const refusal = await refusalOf(hook(...bash("rm x")));
    assert.equal(refusal.message, "no matching rule, default deny");
    assert.equal(refusal.result?.behavior, "deny");
    assert.equal(refusal.result?.reasonCode, "no-rule");
  });

  test("D1-9 an escalation without a handler rejects and says that approval is needed", async () => {
    const refusal = await refusalOf(PermissionPolicy.safe().toPreHook()(...bash("git push")));
    assert.match(refusal.message, /approval/);
    assert.equal(refusal.result?.behavior, "escalate");
    assert.equal(refusal.result?.matchedRule, "*");
  });

  test("D1-9 a handler's true allows, a record replaces the arguments, all else denies", async () => {
    const asked: unknown[] = [];
    const answering = (answer: unknown) =>
      new PermissionPolicy({
        mode: "rules",
        escalate: { bash: ["*"] },
        onEscalate: (decision, args) => {
          asked.push([decision.behavior, args]);
          return answer;
        },
      }).toPreHook();
    assert.equal(await answering(true)(...bash("ls")), undefined);
    assert.deepEqual(await answering({ command: "pwd" })(...bash("ls")), { command: "pwd" });
    assert.deepEqual(await answering(Promise.resolve({ a: 1 }))(...bash("ls")), { a: 1 });
    for (const answer of [false, 1, "true", null, undefined, [], new Date() && "yes"]) {
      const refusal = await refusalOf(answering(answer)(...bash("ls")));
      assert.equal(refusal.result?.behavior, "deny");
    }
    assert.deepEqual(asked[0], ["escalate", { command: "ls" }]);
  });

  test("D1-10 empty arguments give an empty match string, and the rules decide", () => {
    for (const tool of ["bash", "editor", "reader", "search"]) {
      assert.equal(new PermissionPolicy({ mode: "rules" }).check(tool, "", {}).behavior, "deny");
      const policy = new PermissionPolicy({ mode: "rules", escalate: { [tool]: [""] } });
      assert.equal(policy.check(tool, "", {}).behavior, "escalate");
    }
  });

  test("D1-11 a policy made again from the same record decides alike, without the handler", () => {
    const data = { mode: "rules", escalate: { bash: ["*"] }, onEscalate: () => true };
    const policy = PermissionPolicy.fromDict(data);
    assert.equal(policy.onEscalate, null);
    assert.equal(policy.check(...bash("ls")).behavior, "escalate");
  });

  test("fromDict() fills in allow_all and no rules, and refuses parts of the wrong shape", () => {
    assert.equal(PermissionPolicy.fromDict({}).mode, "allow_all");
    assert.deepEqual(Object.keys(PermissionPolicy.fromDict({}).allow), []);
    for (
      const wrong of [{ mode: 1 }, { allow: [] }, { deny: { bash: "rm *" } }, {
        escalate: { a: [1] },
      }]
    ) {
      assert.throws(() => PermissionPolicy.fromDict(wrong), /^TypeError: Cannot make a policy: /);
    }
  });

  test("decisions are frozen", () => {
    assert.ok(Object.isFrozen(PermissionPolicy.safe().check(...bash("ls"))));
  });

  test("names of every object's own are no rules", () => {
    const policy = new PermissionPolicy({ mode: "rules", allow: { bash: ["ls"] } });
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      assert.equal(policy.check(name, "", {}).behavior, "deny");
      assert.equal(policy.check("bash", "", { command: name }).behavior, "deny");
    }
    const odd = new PermissionPolicy({
      mode: "rules",
      allow: { bash: ["__proto__ x*", "constructor"] },
    });
    assert.equal(odd.check("bash", "", { command: "__proto__ xy" }).behavior, "allow");
    assert.equal(odd.check("bash", "", { command: "constructor" }).behavior, "allow");
  });
});

describe("the presets", () => {
  test("safe() denies exactly five families of commands and escalates the rest", () => {
    const policy = PermissionPolicy.safe();
    for (const command of ["rm x", "sudo x", "chmod x", "kill x", "mkfs x"]) {
      assert.equal(policy.check(...bash(command)).behavior, "deny");
    }
    assert.equal(policy.check(...bash("git push")).behavior, "escalate");
    assert.deepEqual(policy.deny.bash, ["rm *", "sudo *", "chmod *", "kill *", "mkfs *"]);
    for (const tool of ["reader", "editor", "search", "context"]) {
      assert.equal(policy.check(tool, "", {}).behavior, "allow");
    }
  });

  test("readOnly() allows reading and denies editor and bash", () => {
    const policy = PermissionPolicy.readOnly();
    for (const tool of ["reader", "search", "context"]) {
      assert.equal(policy.check(tool, "", {}).behavior, "allow");
    }
    for (const tool of ["editor", "bash", "other"]) {
      assert.equal(policy.check(tool, "", {}).behavior, "deny");
    }
  });
});
