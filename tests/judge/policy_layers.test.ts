import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Arguments, ToolCall, Verdict } from "../../src/call.ts";
import { compileFile } from "../../src/config/compile_file.ts";
import type { Configuration, Layer } from "../../src/config/load_configuration.ts";
import { createJudge } from "../../src/judge/judge.ts";
import { runtime } from "../../src/runtime/current.ts";

/** A layer written as `origin`, `+` for trusted or `-` for untrusted, and the file's text. */
function layer(state: "+" | "-", text: string, name = "gatehouse.yaml"): Layer {
  const bytes = new TextEncoder().encode(`version: 1\n${text}`);
  return {
    origin: "project",
    trusted: state === "+",
    file: compileFile(bytes, `/c/${name}`, "hash"),
  };
}

function configurationOf(...layers: Layer[]): Configuration {
  return { layers, workspace: "/repo/app", folders: null, notices: ["a notice"] };
}

function judged(layers: Layer[], tool: string, args: Arguments, action = ""): Promise<Verdict> {
  const call: ToolCall = { tool, action, args, cwd: "/repo/app" };
  return createJudge(runtime, configurationOf(...layers))(call);
}

const bash = (layers: Layer[], command: string) => judged(layers, "bash", { command });

describe("policies of several files", () => {
  const user = layer(
    "+",
    "policy: { mode: rules, allow: { bash: ['git *', 'ls*'] }, deny: { bash: ['sudo *'] } }",
    "user.yaml",
  );
  const project =
    "policy: { mode: rules, allow: { bash: ['make *', 'sudo make'] }, escalate: { bash: ['git push*'] }, deny: { bash: ['ls -R*'] } }";

  test("the strictest file decides", async () => {
    const layers = [user, layer("+", project)];
    assert.equal((await bash(layers, "git status")).behavior, "allow");
    assert.equal((await bash(layers, "make all")).behavior, "allow");
    assert.equal((await bash(layers, "git push")).behavior, "escalate");
    assert.equal((await bash(layers, "ls -R /x")).behavior, "deny");
    assert.equal((await bash(layers, "sudo make")).behavior, "deny");
  });

  test("what no file has a rule for is denied, and the place is the first file's policy", async () => {
    const verdict = await bash([user, layer("+", project)], "curl x");
    assert.equal(verdict.behavior, "deny");
    assert.equal(verdict.reason, "no matching rule, default deny");
    assert.deepEqual(verdict.place, { file: "/c/user.yaml", line: 2 });
  });

  test("an untrusted file may only tighten", async () => {
    const layers = [user, layer("-", project)];
    assert.equal((await bash(layers, "git status")).behavior, "allow");
    assert.equal((await bash(layers, "make all")).behavior, "deny");
    assert.equal((await bash(layers, "git push")).behavior, "escalate");
    assert.equal((await bash(layers, "ls -R /x")).behavior, "deny");
  });

  test("an untrusted file alone leaves what it does not forbid to the client", async () => {
    const layers = [layer("-", project)];
    const verdict = await bash(layers, "make all");
    assert.equal(verdict.behavior, "allow");
    assert.equal(verdict.control, null);
    assert.equal((await bash([layer("-", "policy: allow_all")], "x")).control, null);
    assert.equal((await bash([layer("-", "policy: deny_all")], "x")).behavior, "deny");
  });

  test("without any policy nobody has an opinion", async () => {
    const verdict = await bash([], "ls");
    assert.equal(verdict.behavior, "allow");
    assert.equal(verdict.control, null);
    assert.equal(verdict.reasonCode, "none");
  });

  test("a verdict names control, rule and line, and carries the notices", async () => {
    const verdict = await bash([user], "sudo x");
    assert.equal(verdict.control, "policy");
    assert.equal(verdict.matchedRule, "sudo *");
    assert.deepEqual(verdict.place, { file: "/c/user.yaml", line: 2 });
    assert.deepEqual(verdict.notices, ["a notice"]);
    assert.ok(Object.isFrozen(verdict));
    assert.ok(verdict.results.every(Object.isFrozen));
  });
});

describe("the built-in guards in a configuration", () => {
  const allowAll = layer("+", "policy: allow_all");

  test("are on without any configuration, and beside a policy that allows", async () => {
    for (const layers of [[], [allowAll]]) {
      assert.equal((await bash(layers, "rm -rf /")).control, "guard:destructive");
      assert.equal(
        (await judged(layers, "editor", { file_path: "/etc/passwd" })).control,
        "guard:paths",
      );
      assert.equal((await judged(layers, "reader", { path: ".env" })).behavior, "deny");
      assert.equal((await judged(layers, "reader", { path: "src/a.ts" })).behavior, "allow");
    }
  });

  test("a trusted file can switch them off; an untrusted one cannot", async () => {
    const off = "guards: { destructive: false, paths: false }";
    assert.equal((await bash([layer("+", off)], "rm -rf /")).behavior, "allow");
    assert.equal((await judged([layer("+", off)], "reader", { path: "/etc/x" })).behavior, "allow");
    assert.equal((await bash([layer("-", off)], "rm -rf /")).behavior, "deny");
    assert.equal((await judged([layer("-", off)], "reader", { path: "/etc/x" })).behavior, "deny");
  });

  test("an untrusted file can add denied paths, but not roots", async () => {
    const untrusted = layer("-", "guards: { paths: { allowed: ['/'], denied: ['*.pem'] } }");
    assert.equal((await judged([untrusted], "reader", { path: "a.pem" })).behavior, "deny");
    assert.equal((await judged([untrusted], "reader", { path: "/etc/x" })).behavior, "deny");
  });

  test("a denial is heard although an earlier control only asks", async () => {
    const asking = layer("+", "policy: { mode: rules, escalate: { bash: ['*'] } }");
    const verdict = await bash([asking], "rm -rf /");
    assert.equal(verdict.behavior, "deny");
    assert.equal(verdict.control, "guard:destructive");
    assert.deepEqual(verdict.results.map(({ behavior }) => behavior), ["escalate", "deny"]);
  });

  test("a shell behind a server's tool is a shell", async () => {
    const run = (command: unknown) => judged([], "mcp__desktop__execute_command", { command });
    assert.equal((await run("rm -rf /")).control, "guard:destructive");
    assert.equal((await run("cat .env")).control, "guard:paths");
    assert.equal((await run("echo x > ~/.claude/settings.json")).control, "guard:self");
    for (const harmless of ["git status", "view", "str_replace", "", 3, undefined]) {
      assert.equal((await run(harmless)).behavior, "allow");
    }
    assert.equal((await judged([], "other", { command: "rm -rf /" })).behavior, "allow");
  });

  test("a tool's other names are no way round them", async () => {
    assert.equal((await judged([], "Reader_Tool", { path: ".env" })).behavior, "deny");
    assert.equal((await judged([], "READER", { path: "/etc/x" })).behavior, "deny");
    assert.equal((await judged([], "EDITOR", { path: "x" })).behavior, "allow");
    assert.equal((await judged([], "Bash_Tool", { command: "rm -rf /" })).behavior, "deny");
    assert.equal((await judged([], "MCP__fs__write_file", { path: "/etc/x" })).behavior, "deny");
  });

  test("relative paths begin where the call runs", async () => {
    const call = { tool: "reader", action: "", args: { path: "../b.ts" }, cwd: "/repo/app/src" };
    const judge = createJudge(runtime, configurationOf());
    assert.equal((await judge(call)).behavior, "allow");
    assert.equal((await judge({ ...call, args: { path: "../../b.ts" } })).behavior, "deny");
  });
});

describe("calls that cannot be what they say", () => {
  test("a NUL character or half a surrogate pair in a command or path is refused", async () => {
    for (const odd of ["ls\u0000", "ls \ud800"]) {
      assert.equal((await bash([], odd)).reasonCode, "input");
      assert.equal((await judged([], "reader", { path: odd })).behavior, "deny");
    }
    assert.equal(
      (await judged([], "editor", { file_path: "a", content: "\ud800\u0000" })).behavior,
      "allow",
    );
  });

  test("arguments nested without end are refused, not thrown", async () => {
    let args: Arguments = {};
    for (let depth = 0; depth < 10_000; depth++) args = { args };
    const verdict = await judged([], "other", args);
    assert.equal(verdict.behavior, "deny");
    assert.equal(verdict.reasonCode, "error");
  });
});
