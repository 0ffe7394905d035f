import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ActionRequest } from "../../src/action/action_request.ts";
import { ActionResponse } from "../../src/action/action_response.ts";
import { FunctionCalling } from "../../src/action/function_calling.ts";
import { Tool } from "../../src/action/tool.ts";
import { PermissionError } from "../../src/call.ts";
import { Branch } from "../../src/session/branch.ts";
import type { ToolInvocation } from "../../src/session/control.ts";
import { Session } from "../../src/session/session.ts";
import { GateDenied, MessageAdded } from "../../src/signals/lifecycle_signals.ts";
import { Signal } from "../../src/signals/signal.ts";
import { ToolDecided } from "../../src/signals/tool_signals.ts";

/** A tool that counts its calls. */
function counted(name = "t"): { tool: Tool; calls: unknown[] } {
  const calls: unknown[] = [];
  const tool = new Tool({
    name,
    funcCallable: (args) => {
      calls.push(args);
      return "ran";
    },
  });
  return { tool, calls };
}

function attached(gate?: (action: ToolInvocation) => boolean | Promise<boolean>) {
  const { tool, calls } = counted();
  const session = new Session();
  const branch = session.newBranch({ tools: [tool] });
  if (gate !== undefined) session.gate(gate);
  return { session, branch, calls };
}

describe("Session: the gate", () => {
  test("D4-1 the gate is one callable, and a later one takes its place", async () => {
    const { session, branch } = attached();
    const asked: string[] = [];
    assert.equal(session.gate(() => asked.push("first") < 0), session.observer);
    session.gate(() => asked.push("second") > 0);
    assert.equal((await branch.act({ function: "t" })).outcome, "completed");
    assert.deepEqual(asked, ["second"]);
  });

  test("D4-2 a branch in a session has its observer, a removed or lone branch has none", () => {
    const { session, branch } = attached();
    assert.equal(branch.observer, session.observer);
    assert.equal(session.remove(branch), true);
    assert.equal(branch.observer, null);
    assert.equal(session.remove(branch), false);
    assert.equal(new Branch().observer, null);
    const late = new Branch();
    assert.equal(session.include(late).observer, session.observer);
    assert.throws(() => new Session().include(late), /it is in another session/);
  });

  test("D4-2 a removed branch is not asked about any more", async () => {
    const { session, branch, calls } = attached(() => false);
    session.remove(branch.id);
    assert.equal((await branch.act({ function: "t" })).outcome, "completed");
    assert.equal(calls.length, 1);
  });

  test("D4-3 without an observer, and without a gate, everything is authorised", async () => {
    const invocation = { function: "t", arguments: {}, branchId: null };
    assert.equal(await new Branch().authorize(invocation), true);
    assert.equal(await new Session().newBranch().authorize(invocation), true);
    const { session, branch } = attached(() => false);
    assert.equal(await branch.authorize(invocation), false);
    session.clearGate();
    assert.equal(await branch.authorize(invocation), true);
  });

  const answers: readonly [string, () => unknown, boolean][] = [
    ["true", () => true, true],
    ["a promise of true", () => Promise.resolve(true), true],
    ["a full text", () => "yes", true],
    ["false", () => false, false],
    ["nothing", () => undefined, false],
    ["an empty text", () => "", false],
    ["0", () => 0, false],
    ["an exception", () => {
      throw new Error("gate");
    }, false],
    ["a rejection", () => Promise.reject(new Error("gate")), false],
  ];
  for (const [what, gate, allowed] of answers) {
    test(`D4-4 a gate that answers with ${what} ${allowed ? "allows" : "denies"}`, async () => {
      const { branch, calls } = attached(gate as () => boolean);
      const response = await branch.act({ function: "t" });
      assert.equal(response.outcome, allowed ? "completed" : "denied");
      assert.equal(calls.length, allowed ? 1 : 0);
      assert.equal(await branch.authorize({}), allowed);
    });
  }

  test("D4-5 a denial adds GateDenied with the proposal to the flow", async () => {
    const { session, branch } = attached(() => false);
    await branch.act({ function: "t", arguments: { a: 1 } });
    const [denied, ...rest] = session.observer.byType(GateDenied);
    assert.equal(rest.length, 0);
    assert.deepEqual(denied.data, { function: "t", arguments: { a: 1 }, branchId: branch.id });
    assert.ok(Object.isFrozen(denied.data));
  });

  test("D4-6 the gate is asked before the manager, and a denied action makes no call", async () => {
    const { branch, calls } = attached(() => false);
    const response = await branch.act({ function: "t" });
    assert.equal(response.functionCalling, null);
    assert.equal(calls.length, 0);
    // Even a tool that is not there is asked about first.
    const unknown = await branch.act({ function: "no such tool" });
    assert.equal(unknown.outcome, "denied");
  });

  test("D4-7 a denied action gives the fixed payload, and both messages stand in the history", async () => {
    const { branch } = attached(() => false);
    const response = await branch.act({ function: "t", arguments: { a: 1 } });
    assert.deepEqual(response.output, { error: "denied by governance gate", function: "t" });
    assert.deepEqual(response.forModel(), response.output);
    const [request, kept, ...rest] = branch.messages;
    assert.equal(rest.length, 0);
    assert.ok(request instanceof ActionRequest && kept instanceof ActionResponse);
    assert.deepEqual(request.arguments, { a: 1 });
    assert.equal(kept, response);
    assert.equal(kept.requestId, request.id);
  });

  class Model {
    command = "rm";
  }
  const shapes: readonly [string, unknown, unknown][] = [
    ["an object of a class", new Model(), { command: "rm" }],
    ["a list", [1], null],
    ["a text", '{"a":1}', null],
  ];
  for (const [what, args, reached] of shapes) {
    test(`D4-8 for arguments that are ${what} the gate sees {}`, async () => {
      const seen: unknown[] = [];
      const { branch, calls } = attached((action) => {
        seen.push(action.arguments);
        return true;
      });
      const response = await branch.act({ function: "t", arguments: args });
      assert.deepEqual(seen, [{}]);
      assert.deepEqual(calls, reached === null ? [] : [reached]);
      assert.equal(response.outcome, reached === null ? "failed" : "completed");
    });
  }

  test("D4-9 the manager and the function itself do not ask the gate", async () => {
    const { session, branch, calls } = attached(() => false);
    assert.equal((await branch.acts.invoke({ function: "t" })).outcome, "completed");
    branch.acts.registry.get("t")!.funcCallable({}, { tool: "t", callId: "", signal: undefined });
    assert.equal(calls.length, 2);
    assert.equal(session.observer.byType(GateDenied).length, 0);
    const { tool } = counted();
    assert.equal((await new Branch({ tools: [tool] }).act({ function: "t" })).outcome, "completed");
  });

  test("D3-9 the manager does not consult the session's plane", async () => {
    let asked = 0;
    const { branch } = attached(() => ++asked < 0);
    const call = await branch.acts.invoke({ function: "t" });
    assert.deepEqual([call.outcome, asked], ["completed", 0]);
  });

  test("D4-10 a session made anew has neither the gate nor the denials", async () => {
    const { session, branch } = attached(() => false);
    await branch.act({ function: "t" });
    assert.equal(session.observer.byType(GateDenied).length, 1);
    const restarted = new Session({ id: session.id });
    const again = restarted.newBranch({ id: branch.id, tools: [counted().tool] });
    assert.equal(restarted.observer.gated, false);
    assert.equal(restarted.observer.byType(GateDenied).length, 0);
    assert.equal((await again.act({ function: "t" })).outcome, "completed");
  });

  test("D4-11 the same gate is asked about emitted payloads, which are no tool invocations", async () => {
    const seen: unknown[] = [];
    const { session, branch } = attached((action) => {
      seen.push(action);
      return true;
    });
    await session.observer.emit({ hello: 1 });
    await branch.act({ function: "t" });
    assert.deepEqual(seen, [
      { hello: 1 },
      { function: "t", arguments: {}, branchId: branch.id },
    ]);
  });
});

describe("Session: a gate for every route", () => {
  function everyRoute(allowed: boolean) {
    const parts = attached();
    let asked = 0;
    parts.session.gate(() => {
      asked += 1;
      return allowed;
    }, { everyRoute: true });
    return { ...parts, asked: () => asked };
  }

  test("every route asks once a call when it allows", async () => {
    const { branch, calls, asked } = everyRoute(true);
    await branch.act({ function: "t" });
    assert.equal(asked(), 1);
    await branch.acts.invoke({ function: "t" });
    assert.equal(asked(), 2);
    const funcTool = branch.acts.registry.get("t")!;
    await new FunctionCalling({ funcTool }).invoke();
    assert.deepEqual([asked(), calls.length], [3, 3]);
  });

  test("every route is refused when it denies, and says which plane refused", async () => {
    const { session, branch, calls, asked } = everyRoute(false);
    const response = await branch.act({ function: "t" });
    assert.equal(response.functionCalling, null);
    const call = await branch.acts.invoke({ function: "t" });
    const byHand = await new FunctionCalling({ funcTool: branch.acts.registry.get("t")! }).invoke();
    for (const denied of [call, byHand]) {
      assert.equal(denied.outcome, "denied");
      const { error } = denied.execution;
      assert.ok(error instanceof PermissionError);
      assert.deepEqual(
        [error.result?.plane, error.result?.control, error.result?.reasonCode],
        ["session", "gate", "gate"],
      );
    }
    assert.deepEqual([asked(), calls.length], [3, 0]);
    assert.equal(session.observer.byType(GateDenied).length, 3);
  });

  test("a tool that is registered later asks too, and a removed branch does not", async () => {
    const { session, branch } = everyRoute(false);
    const late = counted("late");
    branch.registerTool(late.tool);
    assert.equal((await branch.acts.invoke({ function: "late" })).outcome, "denied");
    session.remove(branch);
    assert.equal((await branch.acts.invoke({ function: "late" })).outcome, "completed");
  });

  test("a tool in two sessions asks the gate of the session it is called in", async () => {
    const { tool } = counted("shared");
    const open = new Session().newBranch({ tools: [tool] });
    const closedSession = new Session();
    const closed = closedSession.newBranch({ tools: [tool] });
    closedSession.gate(() => false, { everyRoute: true });
    assert.equal((await open.acts.invoke({ function: "shared" })).outcome, "completed");
    assert.equal((await closed.acts.invoke({ function: "shared" })).outcome, "denied");
  });
});

describe("act", () => {
  function branchWith(log: string[]): Branch {
    const slow = new Tool({
      name: "slow",
      funcCallable: async ({ id, ms }) => {
        log.push(`start ${id}`);
        await new Promise((resolve) => setTimeout(resolve, Number(ms)));
        log.push(`end ${id}`);
        return id;
      },
    });
    return new Branch({ tools: [slow] });
  }
  const requests = [
    { function: "slow", arguments: { id: "a", ms: 30 } },
    { function: "slow", arguments: { id: "b", ms: 1 } },
  ];

  test("concurrent actions start together, and their responses keep the requests' order", async () => {
    const log: string[] = [];
    const branch = branchWith(log);
    const responses = await branch.act(requests);
    assert.deepEqual(log, ["start a", "start b", "end b", "end a"]);
    assert.deepEqual(responses.map(({ output }) => output), ["a", "b"]);
    assert.deepEqual(
      branch.messages.map((message) => message.constructor.name),
      ["ActionRequest", "ActionRequest", "ActionResponse", "ActionResponse"],
    );
  });

  test("sequential actions come one after the other", async () => {
    const log: string[] = [];
    await branchWith(log).act(requests, { strategy: "sequential" });
    assert.deepEqual(log, ["start a", "end a", "start b", "end b"]);
  });

  test("a call that cannot be made is a failed response, or an exception when errors are not suppressed", async () => {
    const branch = branchWith([]);
    const response = await branch.act({ function: "nothing" });
    assert.equal(response.outcome, "failed");
    assert.match((response.output as { error: string }).error, /no tool of the name nothing/);
    await assert.rejects(
      branch.act({ function: "nothing" }, { suppressErrors: false }),
      /no tool of the name nothing/,
    );
    assert.equal(branch.messages.length, 4);
  });

  test("sequential actions stop at the first exception, and the history has no request without a response", async () => {
    const log: string[] = [];
    const branch = branchWith(log);
    await assert.rejects(
      branch.act([{ function: "nothing" }, requests[1]], {
        strategy: "sequential",
        suppressErrors: false,
      }),
    );
    assert.deepEqual([log, branch.messages.length], [[], 2]);
  });

  test("D3-7 a call that a control refused has null for output, and its error and outcome say why", async () => {
    const tool = new Tool({
      name: "t",
      funcCallable: () => 1,
      preprocessor: () => {
        throw new PermissionError("not this");
      },
    });
    const response = await new Branch({ tools: [tool] }).act({ function: "t" });
    assert.equal(response.output, null);
    assert.equal(response.outcome, "denied");
    assert.equal(response.functionCalling?.status, "failed");
    assert.equal((response.error as Error).message, "not this");
    assert.deepEqual(response.forModel(), { error: "not this", outcome: "denied", function: "t" });
  });

  test("a denied, a failed, a cancelled and a completed call are told apart by the object alone", async () => {
    let started = (): void => {};
    const hasStarted = new Promise<void>((resolve) => started = resolve);
    const session = new Session();
    const branch = session.newBranch({
      tools: [
        new Tool({ name: "fine", funcCallable: () => 1 }),
        new Tool({ name: "broken", funcCallable: () => Promise.reject(new Error("x")) }),
        new Tool({
          name: "refused",
          funcCallable: () => 1,
          preprocessor: () => {
            throw new PermissionError("no");
          },
        }),
        new Tool({
          name: "waits",
          funcCallable: () => {
            started();
            return new Promise(() => {});
          },
        }),
      ],
    });
    session.gate((action) => action.function !== "gated");
    const outcomes = await branch.act(
      ["fine", "broken", "refused", "gated"].map((name) => ({ function: name })),
    );
    assert.deepEqual(
      outcomes.map(({ outcome, functionCalling }) => [outcome, functionCalling === null]),
      [["completed", false], ["failed", false], ["denied", false], ["denied", true]],
    );
    const controller = new AbortController();
    const running = branch.act({ function: "waits" }, { signal: controller.signal });
    await hasStarted;
    controller.abort(new Error("enough"));
    await assert.rejects(running, /enough/);
    const cancelled = branch.messages.at(-1);
    assert.ok(cancelled instanceof ActionResponse);
    assert.equal(cancelled.outcome, "cancelled");
    assert.equal(cancelled.functionCalling?.outcome, "cancelled");
  });

  test("what the gate was asked about is what runs, whatever the caller does to its object meanwhile", async () => {
    const args = { command: "ls" };
    const { branch, calls } = attached(async (action) => {
      args.command = "rm -rf /";
      (action.arguments as { command: string }).command = "sudo";
      await Promise.resolve();
      return true;
    });
    await branch.act({ function: "t", arguments: args });
    assert.deepEqual(calls, [{ command: "ls" }]);
  });

  test("a session with signals emits each message, one without emits none", async () => {
    for (const signals of [true, false]) {
      const session = new Session({ signals });
      const branch = session.newBranch({ tools: [counted().tool] });
      await branch.act({ function: "t" });
      assert.equal(session.observer.byType(MessageAdded).length, signals ? 2 : 0);
    }
  });

  test("a session with signals emits what was proposed, decided and done, but not what the gate refused", async () => {
    const session = new Session({ signals: true });
    const refused = new Tool({
      name: "refused",
      funcCallable: () => 1,
      preprocessor: () => {
        throw new PermissionError("no");
      },
    });
    const broken = new Tool({ name: "broken", funcCallable: () => Promise.reject(new Error("x")) });
    const branch = session.newBranch({ tools: [counted().tool, refused, broken] });
    session.gate((action) => action.function !== "gated");
    const kinds: string[] = [];
    session.observer.observe(Signal, (signal) => {
      if (signal instanceof ToolDecided) kinds.push(`ToolDecided ${signal.data.behavior}`);
      else if (signal.kind !== "MessageAdded") kinds.push(signal.kind);
    });
    const seen = async (name: string) => {
      kinds.length = 0;
      await branch.act({ function: name });
      await new Promise((resolve) => setTimeout(resolve, 0));
      return [...kinds];
    };
    assert.deepEqual(await seen("t"), ["ToolProposed", "ToolDecided allow", "ToolCompleted"]);
    assert.deepEqual(await seen("refused"), ["ToolProposed", "ToolDecided deny"]);
    assert.deepEqual(await seen("broken"), ["ToolProposed", "ToolDecided allow", "ToolFailed"]);
    assert.deepEqual(await seen("gated"), []);
  });

  test("evicted messages leave the conversation and stay in the history; the system message stays in both", () => {
    const branch = new Branch({ system: "be good" });
    const message = branch.addMessage("user", "hello");
    assert.equal(branch.evict([message.id, branch.messages[0].id]), 1);
    assert.deepEqual(branch.conversation.map(({ role }) => role), ["system"]);
    assert.equal(branch.messages.length, 2);
  });
});
