import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Event } from "../../src/action/event.ts";
import { ActionManager } from "../../src/action/action_manager.ts";
import { FunctionCalling } from "../../src/action/function_calling.ts";
import { Tool } from "../../src/action/tool.ts";
import { gateResult, PermissionError } from "../../src/call.ts";

class Work extends Event {
  readonly #work: (signal: AbortSignal | undefined) => unknown;
  constructor(work: (signal: AbortSignal | undefined) => unknown) {
    super();
    this.#work = work;
  }
  protected override async run({ signal }: { signal?: AbortSignal }): Promise<unknown> {
    return await this.#work(signal);
  }
}

describe("Event", () => {
  test("D3-6 it is pending, then processing, then completed, with a response and a duration", async () => {
    const seen: string[] = [];
    const event: Work = new Work(() => {
      seen.push(event.status);
      return 7;
    });
    assert.equal(event.status, "pending");
    assert.equal(event.execution.durationMs, null);
    assert.equal(await event.invoke(), event);
    assert.deepEqual([seen, event.status, event.response], [["processing"], "completed", 7]);
    assert.equal(typeof event.execution.durationMs, "number");
    assert.equal(event.execution.error, null);
    assert.ok(Object.isFrozen(event.execution));
    event.assertCompleted();
  });

  test("D3-6 what its work throws is captured, the status is failed, and nothing is thrown again", async () => {
    const error = new RangeError("no");
    const event = await new Work(() => {
      throw error;
    }).invoke();
    assert.equal(event.status, "failed");
    assert.equal(event.execution.error, error);
    assert.equal(event.response, null);
    assert.equal(typeof event.execution.durationMs, "number");
    assert.throws(() => event.assertCompleted(), /it is failed: no/);
  });

  test("D3-6 a value that is no error is captured too", async () => {
    const event = await new Work(() => Promise.reject("text")).invoke();
    assert.deepEqual([event.status, event.execution.error], ["failed", "text"]);
  });

  test("D3-6 a cancellation sets cancelled and is thrown on", async () => {
    const controller = new AbortController();
    const event = new Work((signal) =>
      new Promise((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)))
    );
    const running = event.invoke({ signal: controller.signal });
    controller.abort(new Error("stop"));
    await assert.rejects(running, /stop/);
    assert.equal(event.status, "cancelled");
    assert.equal((event.execution.error as Error).message, "stop");
    assert.equal(typeof event.execution.durationMs, "number");
  });

  test("D3-6 work that does not listen to the signal is not waited for", async () => {
    const controller = new AbortController();
    let finish = (): void => {};
    const event = new Work(() => new Promise<void>((resolve) => finish = resolve));
    const running = event.invoke({ signal: controller.signal });
    controller.abort();
    await assert.rejects(running, { name: "AbortError" });
    assert.equal(event.status, "cancelled");
    finish();
  });

  test("D3-6 with a signal that is aborted already the work never begins", async () => {
    let ran = false;
    const event = new Work(() => ran = true);
    await assert.rejects(event.invoke({ signal: AbortSignal.abort() }));
    assert.deepEqual([event.status, ran], ["cancelled", false]);
  });

  test("an error of the work's own that is called AbortError is a failure, not a cancellation", async () => {
    const own = new DOMException("mine", "AbortError");
    const event = await new Work(() => Promise.reject(own)).invoke({
      signal: new AbortController().signal,
    });
    assert.equal(event.status, "failed");
  });

  test("an event runs once", async () => {
    const event = await new Work(() => 1).invoke();
    await assert.rejects(event.invoke(), /it is completed already/);
  });

  test("a pending event can be skipped or aborted, and then it does not run", async () => {
    const skipped = new Work(() => 1).markSkipped();
    assert.equal(skipped.status, "skipped");
    await assert.rejects(skipped.invoke(), /it is skipped already/);
    const aborted = new Work(() => 1).markAborted("given up");
    assert.deepEqual([aborted.status, aborted.execution.error], ["aborted", "given up"]);
    assert.throws(() => aborted.markSkipped(), /it is aborted already/);
  });
});

describe("FunctionCalling", () => {
  test("D3-4 the preprocessor comes first, then the callable, then the postprocessor, each with its own options", async () => {
    const trace: unknown[] = [];
    const tool = new Tool({
      name: "t",
      funcCallable: (args) => {
        trace.push(["callable", args]);
        return "raw";
      },
      preprocessor: (args, options) => {
        trace.push(["pre", args, options]);
        return { ...args, added: true };
      },
      preprocessorKwargs: { one: 1 },
      postprocessor: (response, options, context) => {
        trace.push(["post", response, options, context.arguments]);
        return "processed";
      },
      postprocessorKwargs: { two: 2 },
    });
    const call = await new FunctionCalling({ funcTool: tool, arguments: { a: 1 } }).invoke();
    assert.equal(call.response, "processed");
    assert.deepEqual(trace, [
      ["pre", { a: 1 }, { one: 1 }],
      ["callable", { a: 1, added: true }],
      ["post", "raw", { two: 2 }, { a: 1, added: true }],
    ]);
    assert.deepEqual(call.arguments, { a: 1, added: true });
  });

  test("D3-4 the postprocessor is not reached when the callable fails", async () => {
    let reached = false;
    const tool = new Tool({
      name: "t",
      funcCallable: () => {
        throw new Error("callable");
      },
      postprocessor: () => reached = true,
    });
    const call = await new FunctionCalling({ funcTool: tool }).invoke();
    assert.deepEqual([call.outcome, reached], ["failed", false]);
  });

  test("D3-4 the callable is not reached when the preprocessor fails", async () => {
    let reached = false;
    const tool = new Tool({
      name: "t",
      funcCallable: () => reached = true,
      preprocessor: () => Promise.reject(new Error("pre")),
    });
    const call = await new FunctionCalling({ funcTool: tool }).invoke();
    assert.deepEqual([call.outcome, reached, call.response], ["failed", false, null]);
  });

  test("D3-5 any promise is awaited, also one that a plain function returns (here we differ)", async () => {
    const tool = new Tool({
      name: "t",
      preprocessor: (args) => Promise.resolve({ ...args, pre: true }),
      funcCallable: (args) => Promise.resolve(Object.keys(args)),
      postprocessor: (response) => Promise.resolve([response, "post"]),
    });
    const call = await new FunctionCalling({ funcTool: tool }).invoke();
    assert.deepEqual(call.response, [["pre"], "post"]);
  });

  test("D3-7 a PermissionError of a preprocessor makes a failed call that keeps it", async () => {
    const error = new PermissionError("no", {
      result: gateResult({
        control: "policy",
        behavior: "deny",
        reason: "no",
        reasonCode: "rule",
        tool: "t",
        action: "",
      }),
    });
    const manager = new ActionManager([
      new Tool({
        name: "t",
        funcCallable: () => 1,
        preprocessor: () => {
          throw error;
        },
      }),
    ]);
    const call = await manager.invoke({ function: "t" });
    assert.equal(call.status, "failed");
    assert.equal(call.execution.error, error);
    assert.equal(call.response, null);
    assert.equal(call.outcome, "denied");
  });

  test("the callable and the processors get copies nobody else holds", async () => {
    const given = { list: [1] };
    const tool = new Tool({
      name: "t",
      preprocessor: (args) => void (args.list as number[]).push(2),
      funcCallable: (args) => {
        (args.list as number[]).push(3);
        return args;
      },
    });
    const funcCall = new FunctionCalling({ funcTool: tool, arguments: given });
    given.list.push(9);
    await funcCall.invoke();
    assert.deepEqual(funcCall.response, { list: [1, 3] });
    assert.deepEqual(funcCall.arguments, { list: [1] });
  });

  test("an error processor is told of a failure, and its own failure changes nothing", async () => {
    const told: unknown[] = [];
    const boom = new Error("boom");
    const tool = new Tool({
      name: "t",
      funcCallable: () => {
        throw boom;
      },
      onError: (error, context) => {
        told.push(error, context.tool);
        throw new Error("in the error processor");
      },
    });
    const call = await new FunctionCalling({ funcTool: tool }).invoke();
    assert.deepEqual(told, [boom, "t"]);
    assert.equal(call.execution.error, boom);
    assert.equal(call.processorErrors.length, 1);
  });

  test("cancelled between the phases, the callable does not run", async () => {
    const controller = new AbortController();
    let ran = false;
    const tool = new Tool({
      name: "t",
      preprocessor: () => controller.abort(),
      funcCallable: () => ran = true,
    });
    const call = new FunctionCalling({ funcTool: tool });
    await assert.rejects(call.invoke({ signal: controller.signal }));
    assert.deepEqual([call.outcome, ran], ["cancelled", false]);
  });

  test("D3-10 what is written down of a call has no functions in it", async () => {
    const tool = new Tool({ name: "t", funcCallable: () => ({ f: () => 1, n: 1n, kept: 2 }) });
    const call = await new FunctionCalling({ funcTool: tool, arguments: { g: 1 } }).invoke();
    const dict = call.toDict();
    assert.equal(dict.function, "t");
    assert.deepEqual((dict.execution as { response: unknown }).response, { n: "1", kept: 2 });
    assert.equal("funcTool" in dict, false);
    assert.doesNotThrow(() => JSON.stringify(call));
  });
});
