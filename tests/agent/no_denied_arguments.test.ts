// "No callable ever receives arguments that some installed control would deny", for random policies, guards, transforms,
// tools and routes.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { FunctionCalling } from "../../src/action/function_calling.ts";
import { Tool } from "../../src/action/tool.ts";
import { AgentSpec } from "../../src/agent/agent_spec.ts";
import { createAgent } from "../../src/agent/create_agent.ts";
import { type Arguments, PermissionError } from "../../src/call.ts";
import { guardDestructive } from "../../src/guards/destructive.ts";
import type { PreHook } from "../../src/hooks/compose.ts";
import { PermissionPolicy } from "../../src/policy/permission_policy.ts";
import { runtime } from "../../src/runtime/current.ts";
import type { Branch } from "../../src/session/branch.ts";
import { Session } from "../../src/session/session.ts";

/** Few values, so that rules, guards and calls meet often. */
const commands = fc.constantFrom(
  "ls",
  "ls -l",
  "rm x",
  "rm -rf /",
  "git push --force",
  "git log",
  "",
);
const patterns = fc.constantFrom("*", "ls*", "rm *", "git *", "git push*", "* -l", "?s");
const args = fc.record(
  { command: commands, path: fc.constantFrom("a", "../a", "b"), action: fc.constantFrom("", "go") },
  { requiredKeys: [] },
);

const ruleMap = fc.dictionary(
  fc.constantFrom("bash", "*", "other"),
  fc.array(patterns, { maxLength: 3 }),
);
const policy = fc.record({
  mode: fc.constantFrom("rules", "rules", "rules", "allow_all", "deny_all"),
  allow: ruleMap,
  deny: ruleMap,
  escalate: ruleMap,
  answer: fc.oneof(fc.constant(true), fc.constant(false), args),
});

/** A control described by what it denies, and by what it rewrites. */
const guard = fc.record({
  denies: fc.option(fc.record({ key: fc.constantFrom("command", "path"), value: commands }), {
    nil: null,
  }),
  rewrites: fc.option(args, { nil: null, freq: 4 }),
  failsOn: fc.option(commands, { nil: null, freq: 3 }),
  isAsync: fc.boolean(),
});

/** A transform: replaces, adds, changes in place what it is handed, or fails. */
const transform = fc.oneof(
  fc.record({ kind: fc.constant("replace" as const), args }),
  fc.record({ kind: fc.constant("merge" as const), args }),
  fc.record({ kind: fc.constant("mutate" as const), args }),
  fc.record({ kind: fc.constant("nothing" as const), args }),
  fc.record({ kind: fc.constant("throw" as const), args }),
);

const routes = fc.constantFrom(
  "act",
  "sequential",
  "manager",
  "by hand",
  "late",
  "same object",
  "updated",
);

type Guard = typeof guard extends fc.Arbitrary<infer Value> ? Value : never;
type Transform = typeof transform extends fc.Arbitrary<infer Value> ? Value : never;

function guardHook({ denies, rewrites, failsOn, isAsync }: Guard): PreHook {
  const judge: PreHook = (_tool, _action, given) => {
    if (failsOn !== null && given.command === failsOn) throw new TypeError("cannot judge this");
    if (denies !== null && given[denies.key] === denies.value) throw new PermissionError("no");
    return rewrites === null ? undefined : { ...rewrites };
  };
  // deno-lint-ignore require-await -- an async control is what is wanted here
  return isAsync ? async (tool, action, given) => judge(tool, action, given) : judge;
}

function transformHook(one: Transform): PreHook {
  return (_tool, _action, given) => {
    switch (one.kind) {
      case "replace":
        return { ...one.args };
      case "merge":
        return { ...given, ...one.args };
      case "mutate":
        Object.assign(given, one.args);
        return;
      case "nothing":
        return "nothing";
      case "throw":
        throw new Error("transform");
      default:
        return one satisfies never;
    }
  };
}

async function call(branch: Branch, tool: Tool, route: string, given: Arguments): Promise<void> {
  const request = { function: tool.name, arguments: given };
  switch (route) {
    case "act":
      await branch.act(request);
      return;
    case "sequential":
      await branch.act([request, request], { strategy: "sequential" });
      return;
    case "by hand":
      await new FunctionCalling({
        funcTool: branch.acts.registry.get(tool.name)!,
        arguments: given,
      })
        .invoke();
      return;
    case "same object":
      await new FunctionCalling({ funcTool: tool, arguments: given }).invoke();
      return;
    default:
      await branch.acts.invoke(request);
  }
}

describe("an agent's tools", () => {
  test("no callable ever receives arguments that some installed control would deny", async () => {
    let received = 0;
    let refused = 0;
    const scenario = fc.record({
      policies: fc.array(policy, { maxLength: 2 }),
      guards: fc.array(guard, { maxLength: 3 }),
      transforms: fc.array(transform, { maxLength: 3 }),
      own: fc.option(transform, { nil: null }),
      destructive: fc.boolean(),
      gated: fc.boolean(),
      name: fc.constantFrom("bash", "other"),
      route: routes,
      given: args,
    });
    await fc.assert(
      fc.asyncProperty(scenario, async (made) => {
        const policies = made.policies.map(({ answer, ...rules }) =>
          new PermissionPolicy({ ...rules, onEscalate: () => answer })
        );
        const guards = made.guards.map(guardHook);
        const controls: PreHook[] = [...guards, ...made.destructive ? [guardDestructive()] : []];
        const seen: Arguments[] = [];
        const newTool = (): Tool =>
          new Tool({
            name: made.name,
            funcCallable: (given) => {
              seen.push(structuredClone(given));
            },
            preprocessor: made.own === null
              ? undefined
              : (given, _options, context) => transformHook(made.own!)(context.tool, "", given),
          });
        const tool = newTool();
        const spec = new AgentSpec({ permissions: policies[0] ?? null });
        if (policies[1] !== undefined) spec.securityPre("*", policies[1].toPreHook());
        for (const control of controls) spec.securityPre(made.name, control);
        for (const one of made.transforms) spec.pre(made.name, transformHook(one));
        const session = new Session();
        const branch = await createAgent(runtime, spec, { session });
        if (made.gated) session.gate((action) => action.function !== "bash", { everyRoute: true });
        branch.registerTool(made.route === "updated" ? newTool() : tool);
        if (made.route === "updated") branch.acts.updateTool(tool);
        await call(branch, tool, made.route, made.given);
        if (seen.length === 0) refused += 1;
        for (const got of seen) {
          received += 1;
          const action = typeof got.action === "string" ? got.action : "";
          for (const one of policies) {
            assert.notEqual(
              one.check(made.name, action, got).behavior,
              "deny",
              JSON.stringify(got),
            );
          }
          for (const control of controls) {
            // A control that would deny, or fail, throws here.
            await control(made.name, action, structuredClone(got));
          }
          assert.equal(
            made.gated && made.name === "bash",
            false,
            "the gate denies every call of bash",
          );
        }
      }),
      { numRuns: 3_000 },
    );
    assert.ok(received > 300 && refused > 300, `${received} ran, ${refused} were refused`);
  });
});
