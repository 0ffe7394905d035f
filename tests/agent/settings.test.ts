import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Tool } from "../../src/action/tool.ts";
import { AgentSpec } from "../../src/agent/agent_spec.ts";
import { createAgent, type CreateAgentOptions } from "../../src/agent/create_agent.ts";
import { PermissionPolicy } from "../../src/policy/permission_policy.ts";
import { runtime as current } from "../../src/runtime/current.ts";
import type { Runtime } from "../../src/runtime/port.ts";

let folder = "";

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-settings-")));
});

after(() => rm(folder, { recursive: true, force: true }));

const HOOKS = `
export const counts = { pre: 0 };
export function rename(_tool, _action, args) { return { ...args, renamed: true }; }
export function refuse() { throw new Error("from the settings"); }
export const none = 3;
`;

/** A user's and a project's folder with settings, and a runtime whose user has them. */
async function houses(
  settings: { user?: string; project?: string },
): Promise<{ runtime: Runtime; project: string; hooks: string }> {
  const place = await realpath(await mkdtemp(join(folder, "place-")));
  const user = join(place, "user/gatehouse");
  const project = join(place, "a project");
  await mkdir(user, { recursive: true });
  await mkdir(join(project, ".gatehouse"), { recursive: true });
  const hooks = join(user, "hooks.js");
  await writeFile(hooks, HOOKS);
  await writeFile(join(project, ".gatehouse/hooks.js"), HOOKS);
  if (settings.user !== undefined) await writeFile(join(user, "agent.yaml"), settings.user);
  if (settings.project !== undefined) {
    await writeFile(join(project, ".gatehouse/agent.yaml"), settings.project);
  }
  const env = {
    ...current.env,
    get: (name: string) => name === "XDG_CONFIG_HOME" ? join(place, "user") : current.env.get(name),
  };
  return { runtime: { ...current, env }, project, hooks };
}

async function outcome(
  runtime: Runtime,
  project: string,
  options: CreateAgentOptions,
  spec: AgentSpec = new AgentSpec({ cwd: project }),
): Promise<string> {
  const branch = await createAgent(runtime, spec, options);
  branch.registerTool(new Tool({ name: "t", funcCallable: (args) => args }), { update: true });
  const response = await branch.act({ function: "t" });
  return response.outcome === "completed" ? JSON.stringify(response.output) : response.outcome;
}

const DENY = "permissions: deny_all\n";

describe("createAgent: settings files", () => {
  test("nothing is read unless it is asked for", async () => {
    const { runtime, project } = await houses({ user: DENY, project: DENY });
    assert.equal(await outcome(runtime, project, {}), "{}");
  });

  test("the user's settings are read when asked for; the project's only when it is trusted, too", async () => {
    const user = await houses({ user: DENY });
    assert.equal(await outcome(user.runtime, user.project, { loadSettings: true }), "denied");
    const { runtime, project } = await houses({ project: DENY });
    assert.equal(await outcome(runtime, project, { loadSettings: true }), "{}");
    assert.equal(await outcome(runtime, project, { trustProjectSettings: true }), "{}");
    assert.equal(
      await outcome(runtime, project, { loadSettings: true, trustProjectSettings: true }),
      "denied",
    );
  });

  test("a project's file that was not read is told of", async () => {
    const { runtime, project } = await houses({ project: DENY });
    const branch = await createAgent(runtime, new AgentSpec({ cwd: project }), {
      loadSettings: true,
    });
    assert.match(branch.notices.join(), /agent\.yaml was not read: .* not trusted/);
  });

  test("no file weakens another: every policy is asked", async () => {
    const { runtime, project } = await houses({ user: DENY, project: "permissions: allow_all\n" });
    const options = { loadSettings: true, trustProjectSettings: true };
    const spec = new AgentSpec({ cwd: project, permissions: PermissionPolicy.allowAll() });
    assert.equal(await outcome(runtime, project, options, spec), "denied");
  });

  test("hooks come from trusted modules only", async () => {
    const { runtime, project, hooks } = await houses({
      user: "hooks: { pre: { t: ['hooks.js#rename'] } }\n",
    });
    const trusted = { loadSettings: true, trustedHookModules: new Set([hooks]) };
    assert.equal(await outcome(runtime, project, trusted), '{"renamed":true}');
    await assert.rejects(
      outcome(runtime, project, { loadSettings: true }),
      /Cannot load the hook hooks\.js#rename .*: its module is not trusted; add .*hooks\.js/,
    );
  });

  test("a control of a trusted project's settings refuses", async () => {
    const { runtime, project } = await houses({
      project: "hooks: { security_pre: { '*': ['./hooks.js#refuse'] } }\n",
    });
    const options = {
      loadSettings: true,
      trustProjectSettings: true,
      trustedHookModules: new Set([join(project, ".gatehouse/hooks.js")]),
    };
    assert.equal(await outcome(runtime, project, options), "denied");
  });

  const refused: readonly [string, string, RegExp][] = [
    ["no YAML", "hooks: [", /Cannot read .*agent\.yaml/],
    ["an unknown key", "permission: deny_all", /Unrecognized key.*permission/s],
    ["an unknown kind of hook", "hooks: { presecurity: {} }", /Unrecognized key/],
    ["an unknown preset", "permissions: saef", /the presets are/],
    ["a hook without a name", "hooks: { pre: { t: ['hooks.js'] } }", /write it as module\.ts#name/],
    [
      "a hook from the net",
      "hooks: { pre: { t: ['https://x/y.js#z'] } }",
      /its module is not trusted/,
    ],
    [
      "a hook that is not there",
      "hooks: { pre: { t: ['hooks.js#gone'] } }",
      /has no such function/,
    ],
    [
      "a hook that is no function",
      "hooks: { pre: { t: ['hooks.js#none'] } }",
      /has no such function/,
    ],
  ];
  for (const [what, user, message] of refused) {
    test(`an agent is not made of settings with ${what}`, async () => {
      const { runtime, project, hooks } = await houses({ user });
      const options = { loadSettings: true, trustedHookModules: new Set([hooks]) };
      await assert.rejects(createAgent(runtime, new AgentSpec({ cwd: project }), options), message);
    });
  }
});

describe("AgentSpec: in YAML", () => {
  const spec = () =>
    AgentSpec.coding({
      name: "coder",
      model: "a-model",
      systemPrompt: "be brief",
      cwd: "/repo/app",
      mcpConfigPath: "mcp.json",
      mcpServers: ["a"],
      permissions: "deny_all",
      tools: [new Tool({ name: "own", funcCallable: () => 1 })],
    }).pre("bash", () => ({ command: "a hook" })).post("*", () => {}).onError("*", () => {});

  test("D2-10 neither hooks nor permissions are written, and the file says so", () => {
    const text = spec().toYaml();
    const [comment] = text.split("\nname:");
    assert.match(comment, /Hooks, guards and permissions are never written to this file/);
    assert.equal(
      text.slice(comment.length + 1),
      [
        "name: coder",
        "model: a-model",
        "systemPrompt: be brief",
        "cwd: /repo/app",
        "mcpConfigPath: mcp.json",
        "mcpServers:",
        "  - a",
        "effort: high",
        "tools:",
        "  - coding",
        "",
      ].join("\n"),
    );
  });

  test("D2-10 after a round trip the controls are gone unless they are given again", async () => {
    const text = AgentSpec.coding({ permissions: "deny_all" }).toYaml();
    const bare = AgentSpec.fromYaml(text);
    assert.deepEqual([bare.permissions, bare.hookHandlers], [null, {}]);
    const tool = new Tool({ name: "t", funcCallable: () => 1 });
    const outcomes = await Promise.all([
      AgentSpec.fromYaml(text, { tools: [tool] }),
      AgentSpec.fromYaml(text, { tools: [tool], permissions: "deny_all" }),
    ].map(async (one) => (await (await createAgent(current, one)).act({ function: "t" })).outcome));
    assert.deepEqual(outcomes, ["completed", "denied"]);
  });

  test("D1-11 a policy is in memory only: a specification that is read back has none", () => {
    const text = new AgentSpec({ permissions: PermissionPolicy.safe() }).toYaml();
    assert.equal(text.includes("rm *"), false);
    assert.equal(AgentSpec.fromYaml(text).permissions, null);
  });

  test("what is written is read back", () => {
    const written = spec();
    const read = AgentSpec.fromYaml(written.toYaml());
    assert.deepEqual({ ...read.settings }, { ...written.settings });
    assert.deepEqual(read.tools, ["coding"]);
    assert.deepEqual(AgentSpec.fromYaml("").tools, []);
  });

  for (const key of ["permissions", "hooks", "hookHandlers", "secure"]) {
    test(`a file with ${key} is refused: it would look like protection`, () => {
      assert.throws(() => AgentSpec.fromYaml(`${key}: {}`), /is never read from a file/);
    });
  }

  test("a file with anything else unknown is refused", () => {
    assert.throws(() => AgentSpec.fromYaml("colour: red"), /Cannot read the agent: .*colour/s);
    assert.throws(() => AgentSpec.fromYaml("tools: [own]"), /Cannot read the agent/);
  });
});
