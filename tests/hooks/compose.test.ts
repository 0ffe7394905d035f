import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type Arguments, PermissionError } from "../../src/call.ts";
import { composePostHooks, composePreHooks, type PreHook } from "../../src/hooks/compose.ts";

async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  assert.fail("nothing was thrown");
}

describe("composePreHooks()", () => {
  test("D2-3 there is nothing to compose without hooks", () => {
    assert.equal(composePreHooks("bash", []), null);
    assert.equal(composePreHooks("bash", [], []), null);
  });

  test("D2-3 security hooks run once without a user hook, and twice around user hooks", async () => {
    const order: string[] = [];
    const named = (name: string): PreHook => () => void order.push(name);
    await composePreHooks("bash", [named("a"), named("b")])?.({});
    assert.deepEqual(order.splice(0), ["a", "b"]);
    await composePreHooks("bash", [named("a"), named("b")], [named("u"), named("v")])?.({});
    assert.deepEqual(order, ["a", "b", "u", "v", "a", "b"]);
  });

  test("D2-4 a rewrite that a control would deny is denied, and the rewritten call does not run", async () => {
    const guard: PreHook = (_tool, _action, args) => {
      if (args.command === "rm -rf /") throw new PermissionError("no");
    };
    const transform: PreHook = () => ({ command: "rm -rf /" });
    const chain = composePreHooks("bash", [guard], [transform])!;
    assert.ok(await rejectionOf(chain({ command: "ls" })) instanceof PermissionError);
  });

  test("D2-4 a rewrite that hides a denied call comes too late: the call as asked is judged first", async () => {
    const guard: PreHook = (_tool, _action, args) => {
      if (String(args.command).startsWith("rm")) throw new PermissionError("no");
    };
    let transformed = 0;
    const hide: PreHook = () => {
      transformed++;
      return { command: "wrapper rm" };
    };
    const chain = composePreHooks("bash", [guard], [hide])!;
    await rejectionOf(chain({ command: "rm x" }));
    assert.equal(transformed, 0);
  });

  test("D2-5 only a plain record replaces the arguments", async () => {
    for (
      const answer of [null, undefined, true, "x", 3, [1], new Map([["command", "x"]]), new Date()]
    ) {
      const chain = composePreHooks("bash", [() => answer])!;
      assert.deepEqual(await chain({ command: "ls" }), { command: "ls" });
    }
    const chain = composePreHooks("bash", [() => Promise.resolve({ a: 1 })])!;
    assert.deepEqual(await chain({ command: "ls" }), { a: 1 });
  });

  test("a control that throws anything denies, and the denial names it and says that it failed", async () => {
    for (const thrown of [new Error("disk gone"), "a string", null, undefined, 7]) {
      const control: PreHook = Object.assign(() => {
        throw thrown;
      }, { control: "guard:mine" });
      const error = await rejectionOf(composePreHooks("bash", [control])!({ command: "ls" }));
      assert.ok(error instanceof PermissionError);
      assert.match(error.message, /The control guard:mine failed/);
      assert.equal(error.result?.control, "guard:mine");
      assert.equal(error.result?.behavior, "deny");
      assert.equal(error.result?.errored, true);
      assert.equal(error.cause, thrown);
    }
  });

  test("a user hook's own error passes through as it is", async () => {
    const own = new RangeError("mine");
    const chain = composePreHooks("bash", [], [() => Promise.reject(own)])!;
    assert.equal(await rejectionOf(chain({})), own);
  });

  test("arguments nested in a circle are refused, not followed for ever", async () => {
    const args: Arguments = {};
    args.self = args;
    const error = await rejectionOf(composePreHooks("bash", [() => {}])!(args));
    assert.match(String(error), /nested deeper than/);
  });

  test("a getter is read once: what was judged is what runs", async () => {
    let reads = 0;
    const args = {
      get command() {
        return reads++ === 0 ? "ls" : "rm -rf /";
      },
    };
    const judged: unknown[] = [];
    const chain = composePreHooks("bash", [(_t, _a, seen) => void judged.push(seen.command)], [
      () => {},
    ])!;
    assert.deepEqual(await chain(args), { command: "ls" });
    assert.deepEqual(judged, ["ls", "ls"]);
  });

  const value = fc.oneof(fc.string({ maxLength: 4 }), fc.integer(), fc.constant(null));
  const record = fc.dictionary(fc.constantFrom("command", "path", "a", "__proto__"), value, {
    maxKeys: 3,
  });
  const step = fc.oneof(
    fc.record({ do: fc.constant("pass" as const) }),
    fc.record({ do: fc.constant("replace" as const), args: record }),
    fc.record({ do: fc.constant("mutate" as const), key: fc.constantFrom("command", "a"), value }),
  );

  test("whatever the transforms do, every control sees the final arguments, in order, and nobody changes them later", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 5 }),
        record,
        fc.integer({ min: 1, max: 4 }),
        async (steps, given, count) => {
          const seen: { name: string; args: Arguments; json: string }[] = [];
          const held: Arguments[] = [];
          const controls = Array.from(
            { length: count },
            (_, index): PreHook => (_tool, _action, args) => {
              held.push(args);
              seen.push({ name: `c${index}`, args, json: JSON.stringify(args) });
            },
          );
          const transforms = steps.map((program, index): PreHook => (_tool, _action, args) => {
            held.push(args);
            seen.push({ name: `u${index}`, args, json: JSON.stringify(args) });
            if (program.do === "mutate") args[program.key] = program.value;
            return program.do === "replace" ? program.args : undefined;
          });
          const final = await composePreHooks("bash", controls, transforms)!(given);
          const names = controls.map((_, index) => `c${index}`);
          const expected = steps.length === 0
            ? names
            : [...names, ...steps.map((_, index) => `u${index}`), ...names];
          assert.deepEqual(seen.map(({ name }) => name), expected);
          for (const { json } of seen.slice(-count)) assert.equal(json, JSON.stringify(final));
          const before = JSON.stringify(final);
          for (const args of held) {
            assert.notEqual(args, final);
            args.command = "changed later";
          }
          for (const program of steps) {
            if (program.do === "replace") {
              program.args.command = "changed later";
            }
          }
          given.command = "changed later";
          assert.equal(JSON.stringify(final), before);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("nothing nested is shared with what a hook holds", async () => {
    const held: Arguments[] = [];
    const hook: PreHook = (_tool, _action, args) => {
      held.push(args);
      return { list: [{ deep: 1 }] };
    };
    const final = await composePreHooks("bash", [hook], [hook])!({ list: [{ deep: 0 }] });
    for (const args of held) (args.list as { deep: number }[])[0].deep = 9;
    assert.deepEqual(final, { list: [{ deep: 1 }] });
  });
});

describe("composePostHooks()", () => {
  test("there is nothing to compose without hooks", () => {
    assert.equal(composePostHooks("bash", []), null);
  });

  test("runs in order; anything but undefined and null replaces the result", async () => {
    const chain = composePostHooks("bash", [
      (_tool, _action, _args, result) => `${result}1`,
      () => undefined,
      (_tool, _action, _args, result) => Promise.resolve(`${result}2`),
      () => null,
    ])!;
    assert.equal(await chain({}, "r"), "r12");
    assert.equal(await composePostHooks("bash", [() => false])!({}, "r"), false);
  });
});
