import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { defineTool } from "../../src/action/define_tool.ts";
import { FunctionCalling } from "../../src/action/function_calling.ts";
import { Tool } from "../../src/action/tool.ts";
import { AgentSpec } from "../../src/agent/agent_spec.ts";
import { createAgent } from "../../src/agent/create_agent.ts";
import { type Arguments, PermissionError } from "../../src/call.ts";
import type { PreHook } from "../../src/hooks/compose.ts";
import { PermissionPolicy } from "../../src/policy/permission_policy.ts";
import { runtime } from "../../src/runtime/current.ts";
import { Branch } from "../../src/session/branch.ts";
import { Session } from "../../src/session/session.ts";
import { z } from "zod";
import { stdioServer } from "../tools/servers/stdio_entry.ts";

let folder = "";

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-agent-")));
});

after(() => rm(folder, { recursive: true, force: true }));

async function place(): Promise<string> {
  return await realpath(await mkdtemp(join(folder, "place-")));
}

/** A tool that keeps what it was called with. */
function recorder(name: string): { tool: Tool; calls: Arguments[] } {
  const calls: Arguments[] = [];
  const tool = new Tool({
    name,
    funcCallable: (args) => {
      calls.push(args);
      return "ran";
    },
  });
  return { tool, calls };
}

/** A hook that keeps its name and what it saw, and answers. */
function tracing(
  name: string,
  trace: string[],
  answer: (args: Arguments) => unknown = () => {},
): PreHook {
  return (_tool, _action, args) => {
    trace.push(`${name} ${args.command ?? ""}`.trim());
    return answer(args);
  };
}

const rules = (deny: string[]) =>
  new PermissionPolicy({ mode: "rules", allow: { "*": ["*"] }, deny: { "*": deny } });

describe("createAgent: the policy", () => {
  test("D2-1 without permissions there is no policy hook", async () => {
    const { tool, calls } = recorder("bash");
    const branch = await createAgent(runtime, new AgentSpec({ tools: [tool] }));
    const call = await branch.acts.invoke({ function: "bash", arguments: { command: "rm x; y" } });
    assert.deepEqual([call.outcome, call.verdict, calls.length], ["completed", null, 1]);
  });

  test("D2-1 a policy stands in front of all other controls, those for every tool and those for one", async () => {
    const trace: string[] = [];
    const { tool } = recorder("bash");
    const policy = new PermissionPolicy({
      mode: "rules",
      escalate: { "*": ["*"] },
      onEscalate: () => trace.push("policy") > 0,
    });
    const spec = new AgentSpec({ tools: [tool], permissions: policy })
      .securityPre("bash", tracing("own", trace))
      .securityPre("*", tracing("every", trace));
    await (await createAgent(runtime, spec)).act({ function: "bash" });
    assert.deepEqual(trace, ["policy", "every", "own"]);
    assert.equal(spec.hookHandlers["security_pre:*"].length, 1, "the specification is not changed");
  });

  const forms: readonly [string, unknown][] = [
    ["a policy", PermissionPolicy.denyAll()],
    ["a record", { mode: "deny_all" }],
    ["a preset's name", "deny_all"],
  ];
  for (const [what, permissions] of forms) {
    test(`D2-1 permissions may be ${what}`, async () => {
      const { tool, calls } = recorder("t");
      const spec = new AgentSpec({ tools: [tool], permissions: permissions as PermissionPolicy });
      const response = await (await createAgent(runtime, spec)).act({ function: "t" });
      assert.deepEqual([response.outcome, calls.length], ["denied", 0]);
      assert.equal(response.verdict?.control, "policy");
      assert.equal(response.verdict?.reasonCode, "mode");
    });
  }

  for (const permissions of [42, true, ["safe"]]) {
    test(`D2-1 the unsupported value ${JSON.stringify(permissions)} is ignored, and the branch says so`, async () => {
      const { tool } = recorder("t");
      const spec = new AgentSpec({ tools: [tool], permissions: permissions as never });
      const branch = await createAgent(runtime, spec);
      assert.equal((await branch.act({ function: "t" })).outcome, "completed");
      assert.match(branch.notices.join(), /which is no policy: it was ignored/);
    });
  }

  test("a misspelt preset is an error, not a missing policy", async () => {
    const spec = new AgentSpec({ permissions: "saef" as never });
    await assert.rejects(
      createAgent(runtime, spec),
      /the presets are allow_all, deny_all, read_only, safe/,
    );
  });
});

describe("createAgent: the order of hooks", () => {
  test("D2-3 controls come before the user's hooks, and once more after them", async () => {
    const trace: string[] = [];
    const { tool } = recorder("bash");
    const spec = new AgentSpec({ tools: [tool] })
      .pre("bash", tracing("user", trace))
      .securityPre("bash", tracing("control", trace));
    await (await createAgent(runtime, spec)).act({ function: "bash" });
    assert.deepEqual(trace, ["control", "user", "control"]);
  });

  test("D2-3 without a user's hook the controls are asked once", async () => {
    const trace: string[] = [];
    const { tool } = recorder("bash");
    const spec = new AgentSpec({ tools: [tool] }).securityPre("bash", tracing("control", trace));
    await (await createAgent(runtime, spec)).act({ function: "bash" });
    assert.deepEqual(trace, ["control"]);
  });

  test("D2-3 hooks for another tool are not asked, and a tool's other name is the same tool", async () => {
    const trace: string[] = [];
    const { tool } = recorder("bash");
    const spec = new AgentSpec({ tools: [tool] })
      .securityPre("reader", tracing("reader", trace))
      .securityPre("bash_tool", tracing("bash", trace))
      .pre("*", tracing("every", trace));
    await (await createAgent(runtime, spec)).act({ function: "bash" });
    assert.deepEqual(trace, ["bash", "every", "bash"]);
  });

  test("D2-4 what a user's hook makes of an allowed call is judged again by the policy", async () => {
    const { tool, calls } = recorder("bash");
    const spec = new AgentSpec({ tools: [tool], permissions: rules(["rm *"]) })
      .pre("bash", () => ({ command: "rm x" }));
    const response = await (await createAgent(runtime, spec)).act({
      function: "bash",
      arguments: { command: "ls" },
    });
    assert.deepEqual([response.outcome, calls.length], ["denied", 0]);
    assert.equal(response.verdict?.matchedRule, "rm *");
    assert.deepEqual(response.verdict?.results.map(({ behavior }) => behavior), ["allow", "deny"]);
  });

  test("D2-4 the built-in guards judge again what a user's hook rewrote", async () => {
    const cwd = await place();
    await writeFile(join(cwd, "f"), "text");
    const spec = AgentSpec.coding({ cwd })
      .pre("bash", (_tool, _action, args) => ({ ...args, command: "rm -rf /" }))
      .pre("reader", (_tool, _action, args) => ({ ...args, path: "../f" }));
    const branch = await createAgent(runtime, spec);
    const bash = await branch.act({ function: "bash", arguments: { command: "ls" } });
    assert.deepEqual([bash.outcome, bash.verdict?.control], ["denied", "guard:destructive"]);
    const reader = await branch.act({ function: "reader", arguments: { path: "f" } });
    assert.deepEqual([reader.outcome, reader.verdict?.control], ["denied", "guard:paths"]);
  });

  test("D2-5 a record replaces the arguments for the later hooks and the callable, anything else leaves them", async () => {
    const trace: string[] = [];
    const { tool, calls } = recorder("bash");
    const spec = new AgentSpec({ tools: [tool] });
    for (const other of [undefined, null, true, "text", 3, [1]]) {
      spec.pre("bash", tracing("other", trace, () => other));
    }
    spec.pre("bash", tracing("record", trace, () => ({ command: "new" })))
      .pre("bash", tracing("late", trace, () => Promise.resolve({ command: "last" })));
    await (await createAgent(runtime, spec)).act({
      function: "bash",
      arguments: { command: "old" },
    });
    assert.deepEqual(trace, [...Array(6).fill("other old"), "record old", "late new"]);
    assert.deepEqual(calls, [{ command: "last" }]);
  });

  test("a tool's own preprocessor is a transform: what it gives is judged, too", async () => {
    const calls: Arguments[] = [];
    const tool = new Tool({
      name: "bash",
      funcCallable: (args) => calls.push(args),
      preprocessor: () => ({ command: "rm x" }),
    });
    const branch = await createAgent(
      runtime,
      new AgentSpec({ tools: [tool], permissions: rules(["rm *"]) }),
    );
    const response = await branch.act({ function: "bash", arguments: { command: "ls" } });
    assert.deepEqual([response.outcome, calls.length], ["denied", 0]);
  });

  test("what a control rewrites is judged again, and a control that never lets it be is refused", async () => {
    const { tool, calls } = recorder("bash");
    const asked: unknown[] = [];
    const policy = new PermissionPolicy({
      mode: "rules",
      deny: { bash: ["rm *"] },
      escalate: { bash: ["*"] },
      onEscalate: (_decision, args) => {
        asked.push(args.command);
        return { command: args.command === "safe" ? "rm x" : "edited" };
      },
    });
    const branch = await createAgent(
      runtime,
      new AgentSpec({ tools: [tool], permissions: policy }),
    );
    const refused = await branch.act({ function: "bash", arguments: { command: "safe" } });
    assert.deepEqual([refused.outcome, refused.verdict?.matchedRule], ["denied", "rm *"]);
    const edited = await branch.act({ function: "bash", arguments: { command: "git push" } });
    assert.deepEqual([edited.outcome, edited.verdict?.rewritten], ["completed", true]);
    assert.deepEqual(calls, [{ command: "edited" }]);
    assert.deepEqual(asked, ["safe", "git push", "edited"]);
    let number = 0;
    const restless = new AgentSpec({ tools: [tool] })
      .securityPre("bash", () => ({ command: `number ${number++}` }));
    const response = await (await createAgent(runtime, restless)).act({ function: "bash" });
    assert.equal(response.outcome, "denied");
    assert.match(String(response.error), /rewrites the arguments every time/);
    assert.equal(calls.length, 1);
  });

  test("post hooks come after the callable and may replace its result; error hooks are told and change nothing", async () => {
    const told: string[] = [];
    const broken = new Tool({ name: "broken", funcCallable: () => Promise.reject(new Error("x")) });
    const { tool } = recorder("fine");
    const spec = new AgentSpec({ tools: [tool, broken] })
      .post(
        "*",
        (name, _action, args, result) => void told.push(`post ${name} ${args.a} ${result}`),
      )
      .post("fine", (_name, _action, _args, result) => `${result} twice`)
      .onError("*", (name, _action, args, error) => {
        told.push(`error ${name} ${args.a} ${(error as Error).message}`);
        throw new Error("in the hook");
      });
    const branch = await createAgent(runtime, spec);
    assert.equal((await branch.act({ function: "fine", arguments: { a: 1 } })).output, "ran twice");
    const failed = await branch.act({ function: "broken", arguments: { a: 2 } });
    assert.equal((failed.error as Error).message, "x");
    assert.equal(failed.functionCalling?.processorErrors.length, 1);
    assert.deepEqual(told, ["post fine 1 ran", "error broken 2 x"]);
  });
});

describe("createAgent: verdicts", () => {
  test("every refusal says by program which plane, which control and which rule", async () => {
    const { tool } = recorder("bash");
    const session = new Session();
    const own = Object.assign(() => {
      throw new PermissionError("not today");
    }, { control: "calendar" });
    const spec = new AgentSpec({ tools: [tool] })
      .securityPre("bash", own)
      .securityPre("reader", () => Promise.reject(new TypeError("broken")));
    const reader = recorder("reader");
    const branch = await createAgent(runtime, spec, { session });
    branch.registerTool(reader.tool);
    session.gate((action) => action.function !== "gated");
    const of = async (name: string) => {
      const { outcome, verdict } = await branch.act({ function: name });
      const [result] = verdict!.results;
      assert.ok(
        Object.isFrozen(verdict) && Object.isFrozen(result) && Object.isFrozen(verdict!.results),
      );
      return [outcome, result.plane, result.control, result.reasonCode, result.errored];
    };
    assert.deepEqual(await of("bash"), ["denied", "tool", "calendar", "guard", false]);
    assert.deepEqual(await of("reader"), ["denied", "tool", "unnamed control", "error", true]);
    assert.deepEqual(await of("gated"), ["denied", "session", "gate", "gate", false]);
    assert.equal(reader.calls.length, 0);
  });

  test("a user's hook that refuses is a denial of that hook, one that fails is a failure", async () => {
    const { tool, calls } = recorder("t");
    const of = async (error: Error) => {
      const spec = new AgentSpec({ tools: [tool] }).pre("t", function mine() {
        throw error;
      });
      const { outcome, verdict, error: thrown } = await (await createAgent(runtime, spec)).act({
        function: "t",
      });
      return [outcome, verdict?.control, verdict?.reasonCode, (thrown as Error).name];
    };
    assert.deepEqual(await of(new PermissionError("no")), [
      "denied",
      "hook:mine",
      "hook",
      "PermissionError",
    ]);
    assert.deepEqual(await of(new RangeError("x")), ["failed", "hook:mine", "error", "RangeError"]);
    assert.equal(calls.length, 0);
  });

  test("an allowed call has a verdict with every control's answer and the arguments that ran", async () => {
    const { tool } = recorder("bash");
    const spec = new AgentSpec({ tools: [tool], permissions: rules([]) })
      .pre("bash", (_tool, _action, args) => ({ ...args, command: `${args.command} -l` }));
    const { verdict } = await (await createAgent(runtime, spec)).act({
      function: "bash",
      arguments: { command: "ls" },
    });
    assert.deepEqual([verdict?.behavior, verdict?.rewritten, verdict?.control], [
      "allow",
      true,
      "policy",
    ]);
    assert.deepEqual(verdict?.args, { command: "ls -l" });
    assert.deepEqual(
      verdict?.results.map(({ matchedRule, reasonCode }) => [matchedRule, reasonCode]),
      [["*", "rule"], ["*", "rule"]],
    );
  });

  test("of an escalation that was approved the verdict says so", async () => {
    const { tool } = recorder("bash");
    const policy = new PermissionPolicy({
      mode: "rules",
      escalate: { bash: ["git *"] },
      onEscalate: () => true,
    });
    const branch = await createAgent(
      runtime,
      new AgentSpec({ tools: [tool], permissions: policy }),
    );
    const { verdict } = await branch.act({ function: "bash", arguments: { command: "git push" } });
    assert.deepEqual([verdict?.behavior, verdict?.matchedRule], ["allow", "git *"]);
    assert.match(verdict!.reason, /^approved by the escalation handler/);
  });
});

describe("AgentSpec.coding", () => {
  test("D2-2 the destructive guard stands before bash, and one path guard before reader and editor", () => {
    const { hookHandlers } = AgentSpec.coding({ cwd: folder });
    assert.deepEqual(Object.keys(hookHandlers).sort(), [
      "security_pre:bash",
      "security_pre:editor",
      "security_pre:reader",
    ]);
    const named = (bucket: string) =>
      hookHandlers[bucket].map((hook) => (hook as { control?: string }).control);
    assert.deepEqual(named("security_pre:bash"), ["guard:destructive"]);
    assert.deepEqual(named("security_pre:reader"), ["guard:paths"]);
    assert.equal(hookHandlers["security_pre:reader"][0], hookHandlers["security_pre:editor"][0]);
  });

  test("D2-2 with secure: false none of the three is registered", () => {
    assert.deepEqual(AgentSpec.coding({ cwd: folder, secure: false }).hookHandlers, {});
  });

  test("D2-2 the path guard's only root is cwd, or the process's folder without one", async () => {
    const cwd = await place();
    await writeFile(join(cwd, "inside"), "text");
    await writeFile(join(folder, "outside"), "text");
    const branch = await createAgent(runtime, AgentSpec.coding({ cwd }));
    const read = async (path: string) =>
      (await branch.act({ function: "reader", arguments: { path } })).outcome;
    assert.equal(await read("inside"), "completed");
    assert.equal(await read(join(cwd, "inside")), "completed");
    assert.equal(await read(join(folder, "outside")), "denied");
    const here = await createAgent(runtime, AgentSpec.coding());
    const own = await here.act({ function: "reader", arguments: { path: "package.json" } });
    assert.equal(own.outcome, "completed");
    const away = await here.act({ function: "reader", arguments: { path: join(cwd, "inside") } });
    assert.equal(away.outcome, "denied");
  });

  test("a guard that has no runtime yet refuses", async () => {
    const [paths] = AgentSpec.coding().hookHandlers["security_pre:reader"];
    assert.throws(() => (paths as PreHook)("reader", "", { path: "x" }), PermissionError);
    await Promise.resolve();
  });

  test("a file that becomes a link after it was judged is not written through", async () => {
    const cwd = await place();
    const outside = join(await place(), "target");
    await writeFile(outside, "safe");
    await writeFile(join(cwd, "file"), "text");
    const spec = AgentSpec.coding({ cwd }).securityPre("editor", async () => {
      await rm(join(cwd, "file"));
      await symlink(outside, join(cwd, "file"));
    });
    const response = await (await createAgent(runtime, spec)).act({
      function: "editor",
      arguments: { action: "write", file_path: "file", content: "changed" },
    });
    assert.equal(response.outcome, "failed");
    assert.equal(new TextDecoder().decode(await runtime.fs.readFile(outside)), "safe");
  });

  test("the coding tools are there, context only when it is wanted", async () => {
    const names = async (
      spec: AgentSpec,
    ) => [...(await createAgent(runtime, spec)).acts.registry.keys()];
    assert.deepEqual(await names(AgentSpec.coding({ cwd: folder })), [
      "bash",
      "reader",
      "editor",
      "search",
      "context",
    ]);
    assert.deepEqual(
      await names(AgentSpec.coding({ cwd: folder, contextManagement: false })),
      ["bash", "reader", "editor", "search"],
    );
    assert.deepEqual(await names(new AgentSpec({ tools: ["reader"] })), ["reader"]);
  });

  test("D2-6 the destructive guard looks at the command alone: a pattern is refused, an empty or other one is not", async () => {
    const { tool, calls } = recorder("bash");
    const branch = await createAgent(runtime, AgentSpec.coding({ cwd: folder }));
    branch.registerTool(tool, { update: true });
    const outcome = async (args: Arguments) =>
      (await branch.act({ function: "bash", arguments: args })).outcome;
    assert.equal(await outcome({ command: "git push --force" }), "denied");
    assert.equal(await outcome({ command: "ls" }), "completed");
    assert.equal(await outcome({ command: "" }), "completed");
    assert.equal(await outcome({}), "completed");
    assert.equal(await outcome({ other: "rm -rf /" }), "completed");
    assert.equal(calls.length, 4);
  });

  test("D2-7 paths are judged by where they lead, in path and file_path; no path is allowed", async () => {
    const cwd = await place();
    await mkdir(join(cwd, "sub"));
    const { tool } = recorder("editor");
    const branch = await createAgent(runtime, AgentSpec.coding({ cwd }));
    branch.registerTool(tool, { update: true });
    const outcome = async (args: Arguments) =>
      (await branch.act({ function: "editor", arguments: args })).outcome;
    assert.equal(await outcome({}), "completed");
    assert.equal(await outcome({ file_path: "sub/f" }), "completed");
    assert.equal(await outcome({ file_path: cwd }), "completed");
    assert.equal(await outcome({ file_path: `${cwd}-evil/f` }), "denied");
    assert.equal(await outcome({ path: "../f" }), "denied");
    assert.equal(await outcome({ path: "sub/f", file_path: "/etc/passwd" }), "denied");
  });

  test("D2-8 a path is followed to where it leads, even when nothing stands there yet", async () => {
    const cwd = await place();
    const outside = await place();
    await symlink(outside, join(cwd, "away"));
    const branch = await createAgent(runtime, AgentSpec.coding({ cwd }));
    const create = async (path: string) =>
      (await branch.act({
        function: "editor",
        arguments: { action: "create", file_path: path, content: "x" },
      })).outcome;
    assert.equal(await create("new/sub/../f"), "completed");
    assert.equal(await create("away/new"), "denied");
    assert.equal(runtime.fs.exists(join(outside, "new")), false);
  });
});

describe("createAgent: no way around", () => {
  test("every route to a tool runs its controls, its hooks before and its hooks after exactly once a phase", async () => {
    const cwd = await place();
    const trace: string[] = [];
    const spec = new AgentSpec({
      tools: [
        defineTool({ name: "own", description: "", request: z.object({}), run: () => "x" }),
        "reader",
      ],
      mcp: { rig: stdioServer() },
      cwd,
    })
      .securityPre("*", tracing("control", trace))
      .pre("*", tracing("before", trace))
      .post("*", () => void trace.push("after"));
    await using branch = await createAgent(runtime, spec);
    const late = recorder("late");
    const replaced = recorder("own");
    const plugin = new Tool({ name: "plugin", funcCallable: () => 1 });
    await writeFile(join(cwd, "f"), "");
    const routes: readonly [string, () => Promise<unknown>][] = [
      ["act", () => branch.act({ function: "own" })],
      ["act on several", () => branch.act([{ function: "own" }])],
      ["the manager", () => branch.acts.invoke({ function: "own" })],
      ["a matched call", () => branch.acts.matchTool({ function: "own" }).invoke()],
      [
        "a call by hand",
        () => new FunctionCalling({ funcTool: branch.acts.registry.get("own")! }).invoke(),
      ],
      ["a coding tool", () => branch.act({ function: "reader", arguments: { path: "f" } })],
      ["a tool registered later", () => {
        branch.registerTool(late.tool);
        return branch.act({ function: "late" });
      }],
      [
        "the very object that was registered later",
        () => new FunctionCalling({ funcTool: late.tool }).invoke(),
      ],
      ["a tool that took another's place", () => {
        branch.acts.updateTool(replaced.tool);
        return branch.acts.invoke({ function: "own" });
      }],
      ["a plugin that registers at the manager", () => {
        branch.acts.registerTools([plugin]);
        return branch.acts.invoke({ function: "plugin" });
      }],
      [
        "an MCP tool by act",
        () => branch.act({ function: "mcp__rig__echo", arguments: { text: "a" } }),
      ],
      [
        "an MCP tool by the manager",
        () => branch.acts.invoke({ function: "mcp__rig__echo", arguments: { text: "a" } }),
      ],
    ];
    for (const [route, run] of routes) {
      trace.length = 0;
      await run();
      assert.deepEqual(trace, ["control", "before", "control", "after"], route);
    }
  });

  test("D2-9 MCP tools run inside the agent's policy like any other (here we differ: the gap is closed)", async () => {
    const config = join(await place(), "mcp.json");
    await writeFile(
      config,
      JSON.stringify({ mcpServers: { rig: stdioServer(), other: { command: "/no" } } }),
    );
    const spec = new AgentSpec({
      mcpConfigPath: config,
      mcpServers: ["rig"],
      permissions: {
        mode: "rules",
        allow: { "mcp__rig__echo": ["* fine"] },
      },
    });
    await using branch = await createAgent(runtime, spec);
    const echo = (text: string) => branch.act({ function: "mcp__rig__echo", arguments: { text } });
    assert.equal((await echo("fine")).output, "said fine");
    const refused = await echo("bad");
    assert.deepEqual([refused.outcome, refused.verdict?.control], ["denied", "policy"]);
    assert.equal((await branch.acts.invoke({ function: "mcp__rig__facts" })).outcome, "denied");
  });

  test("one tool in two agents runs inside each one's own controls", async () => {
    const { tool, calls } = recorder("shared");
    const open = await createAgent(
      runtime,
      new AgentSpec({ tools: [tool], permissions: "allow_all" }),
    );
    const closed = await createAgent(
      runtime,
      new AgentSpec({ tools: [tool], permissions: "deny_all" }),
    );
    assert.equal((await open.acts.invoke({ function: "shared" })).outcome, "completed");
    assert.equal((await closed.acts.invoke({ function: "shared" })).outcome, "denied");
    assert.equal((await open.acts.invoke({ function: "shared" })).outcome, "completed");
    assert.equal(calls.length, 2);
  });

  test("hooks put straight into a bucket count under the tool's one name, and an unknown bucket is refused", async () => {
    const { tool, calls } = recorder("bash");
    const spec = new AgentSpec({ tools: [tool] });
    spec.hookHandlers["security_pre:Bash_Tool"] = [() => {
      throw new PermissionError("no");
    }];
    assert.equal(
      (await (await createAgent(runtime, spec)).act({ function: "bash" })).outcome,
      "denied",
    );
    spec.hookHandlers["security-pre:bash"] = [];
    await assert.rejects(createAgent(runtime, spec), /Cannot use the hooks of security-pre:bash/);
    assert.throws(() => spec.pre("bash", "no function" as never), /it is not a function/);
    assert.equal(calls.length, 0);
  });

  test("a relative folder begins in the process's own, for the tools and for the path guard", async () => {
    const spec = AgentSpec.coding({ cwd: "docs" });
    const branch = await createAgent(runtime, spec);
    const read = async (path: string) =>
      (await branch.act({ function: "reader", arguments: { path } })).outcome;
    assert.deepEqual([await read("adr-0086.md"), await read("../package.json")], [
      "completed",
      "denied",
    ]);
  });

  test("before a shell the guard reads the commands of a whole line", async () => {
    const branch = await createAgent(runtime, AgentSpec.coding({ cwd: folder, shell: "parse" }));
    const bash = async (command: string) => {
      const response = await branch.act({ function: "bash", arguments: { command } });
      return [response.outcome, response.verdict?.control];
    };
    assert.deepEqual(await bash("echo a | tr a b && echo c"), ["completed", null]);
    assert.deepEqual(await bash("echo a; rm -r -f /"), ["denied", "guard:destructive"]);
    assert.deepEqual(await bash("grep -rn 'rm -rf /' . || true"), ["completed", null]);
  });

  test("a later change to the specification does not change the agent", async () => {
    const { tool } = recorder("t");
    const spec = new AgentSpec({ tools: [tool] });
    const branch = await createAgent(runtime, spec);
    spec.securityPre("*", () => {
      throw new PermissionError("late");
    });
    assert.equal((await branch.act({ function: "t" })).outcome, "completed");
  });

  test("an agent whose MCP server does not start is not made", async () => {
    await assert.rejects(
      createAgent(runtime, new AgentSpec({ mcp: { none: { command: "/no/such/program" } } })),
      /Cannot connect to the MCP server none/,
    );
  });

  test("the agent's branch is taken into the session it is made for", async () => {
    const session = new Session();
    const branch = await createAgent(runtime, new AgentSpec({ name: "a" }), {
      session,
      chatModel: 7,
    });
    assert.equal(branch.observer, session.observer);
    assert.deepEqual([branch.name, branch.chatModel], ["a", 7]);
    assert.ok(branch instanceof Branch);
  });
});
