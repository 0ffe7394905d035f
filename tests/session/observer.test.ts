import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type EmissionContext, SessionObserver } from "../../src/session/observer.ts";
import { toolInvocation } from "../../src/session/control.ts";
import { Element } from "../../src/signals/element.ts";
import {
  GateDenied,
  NodeFailed,
  NodeStarted,
  RunStart,
} from "../../src/signals/lifecycle_signals.ts";
import { Signal } from "../../src/signals/signal.ts";
import type { SessionDetails, SignalRecord, SignalStore } from "../../src/store/port.ts";

class Question {
  constructor(readonly text: string) {}
}
class Reading extends Element {
  constructor(readonly value: number) {
    super();
  }
}

/** A store that remembers what was appended, or fails as it is told to. */
function memoryStore(
  fail: () => void = () => {},
): { store: SignalStore; appended: SignalRecord[] } {
  const appended: SignalRecord[] = [];
  const store = {
    backend: "sqlite",
    // deno-lint-ignore require-await -- the port is asynchronous
    async append(_session: SessionDetails, records: readonly SignalRecord[]): Promise<number> {
      fail();
      appended.push(...records);
      return records.length;
    },
  } as unknown as SignalStore;
  return { store, appended };
}

describe("SessionObserver.emit", () => {
  test("D5-1 emit wraps what is not observable in a Signal whose data filters and gate see", async () => {
    const observer = new SessionObserver();
    const gated: unknown[] = [];
    const filtered: unknown[] = [];
    observer.gate((payload) => {
      gated.push(payload);
      return true;
    });
    observer.observe((payload) => filtered.push(payload) > 0, () => {});
    await observer.emit("plain text");
    assert.equal(observer.flow.length, 1);
    assert.ok(observer.flow[0] instanceof Signal);
    assert.equal((observer.flow[0] as Signal).data, "plain text");
    await observer.emit(new NodeStarted({ data: { opId: "1" } }));
    assert.deepEqual(gated, ["plain text", { opId: "1" }]);
    assert.deepEqual(filtered, gated);
  });

  test("D5-1 an observable event that is no Signal is its own payload and is not wrapped", async () => {
    const observer = new SessionObserver();
    const gated: unknown[] = [];
    observer.gate((payload) => gated.push(payload) > 0);
    const reading = new Reading(7);
    await observer.emit(reading);
    assert.equal(observer.flow[0], reading);
    assert.deepEqual(gated, [reading]);
  });

  for (
    const [answer, gate] of [
      ["false", () => false],
      ["nothing", () => undefined],
      ["a promise of false", () => Promise.resolve(false)],
      ["an exception", () => {
        throw new Error("broken gate");
      }],
      ["a rejection", () => Promise.reject(new Error("broken gate"))],
    ] as const
  ) {
    test(`D5-2 a gate that answers ${answer} keeps the event in the flow and stops it there`, async () => {
      const observer = new SessionObserver();
      let seen = 0;
      observer.observe(Signal, () => ++seen);
      observer.route(Signal, { into: "all" });
      observer.gate(gate);
      assert.deepEqual(await observer.emit("x"), []);
      assert.equal(observer.flow.length, 1);
      assert.equal(seen, 0);
      assert.deepEqual(observer.stream("all"), []);
      assert.equal(observer.stats.denied, 1);
      assert.deepEqual(await observer.clearGate().emit("y"), [1]);
    });
  }

  test("D5-3 persistence is one ordinary Signal subscription, so a denied signal is not persisted", async () => {
    const observer = new SessionObserver();
    const { store, appended } = memoryStore();
    observer.bindPersistence("s", store);
    observer.gate((payload) => payload !== "secret");
    await observer.emit("secret");
    await observer.emit("open");
    await observer.flush();
    assert.deepEqual(appended.map((record) => record.payload), ['{"data":"open"}']);
    assert.deepEqual(observer.persistence, { written: 1, lost: 0 });
    await observer.unbindPersistence();
    await observer.emit("open");
    assert.equal(appended.length, 1);
    assert.equal(observer.persistence, null);
  });

  test("D5-4 authorize adds GateDenied to the flow only", async () => {
    const observer = new SessionObserver();
    const { store, appended } = memoryStore();
    let seen = 0;
    observer.observe(Element, () => ++seen);
    observer.route(Element, { into: "all" });
    observer.bindPersistence("s", store);
    observer.gate(() => false);
    const action = toolInvocation("bash", { command: "ls" }, "b");
    assert.equal(await observer.authorize(action), false);
    await observer.flush();
    assert.equal(observer.byType(GateDenied).length, 1);
    assert.equal(observer.byType(GateDenied)[0].data, action);
    assert.equal(seen, 0);
    assert.deepEqual(observer.stream("all"), []);
    assert.deepEqual(appended, []);
    await observer.unbindPersistence();
  });

  test("D5-5 persistence takes Signal instances only", async () => {
    const observer = new SessionObserver();
    const { store, appended } = memoryStore();
    observer.bindPersistence("s", store);
    await observer.emit(new Reading(1));
    await observer.emit(new RunStart());
    await observer.flush();
    assert.deepEqual(appended.map((record) => record.kind), ["RunStart"]);
    await observer.unbindPersistence();
  });

  test("D5-5 with an opener that finds no store nothing is written and nothing fails", async () => {
    const observer = new SessionObserver();
    let asked = 0;
    observer.bindPersistence("s", () => {
      asked++;
      return Promise.resolve(null);
    });
    assert.deepEqual(await observer.emit("x"), [undefined]);
    await observer.flush();
    assert.equal(asked, 1);
    assert.deepEqual(observer.persistence, { written: 0, lost: 1 });
    await observer.unbindPersistence();
  });

  test("D5-6 every persistence exception is swallowed and counted", async () => {
    const observer = new SessionObserver();
    const { store } = memoryStore(() => {
      throw new Error("disk on fire");
    });
    observer.bindPersistence("s", store);
    const hostile = {
      get data(): never {
        throw new Error("no");
      },
    };
    await observer.emit(hostile);
    await observer.emit(
      new Proxy({}, {
        getPrototypeOf() {
          throw new Error("no");
        },
        ownKeys() {
          throw new Error("no");
        },
      }),
    );
    await observer.flush();
    assert.deepEqual(observer.persistence, { written: 0, lost: 2 });
    assert.equal(observer.stats.failures, 0);
    await observer.unbindPersistence();
  });

  test("D5-11 a new observer begins without flow, subscriptions, routes or gate", async () => {
    const before = new SessionObserver();
    before.gate(() => false).route(Signal, { into: "all" });
    before.observe(Signal, () => "seen");
    await before.emit("x");
    const after = new SessionObserver();
    assert.deepEqual(after.flow, []);
    assert.equal(after.gated, false);
    assert.deepEqual(await after.emit("x"), []);
    assert.deepEqual(after.stream("all"), []);
  });

  test("a subscriber that throws loses nobody's turn and does not fail the emission", async () => {
    const told: unknown[] = [];
    const observer = new SessionObserver({ onError: (error) => told.push(error) });
    observer.observe(Signal, () => 1);
    observer.observe(Signal, () => {
      throw new Error("first");
    });
    observer.observe(Signal, () => Promise.reject(new Error("second")));
    observer.observe(Signal, () => Promise.resolve(4));
    assert.deepEqual(await observer.emit("x"), [1, 4]);
    assert.deepEqual(told.map((error) => (error as Error).message), ["first", "second"]);
    assert.equal(observer.stats.failures, 2);
  });

  test("filters and routes that throw want nothing, and onError may itself throw", async () => {
    const observer = new SessionObserver({
      onError() {
        throw new Error("worse");
      },
    });
    const broken = () => {
      throw new Error("broken");
    };
    observer.observe(broken, () => 1);
    observer.route(broken, { into: "never" });
    observer.observe(Signal, () => 2);
    assert.deepEqual(await observer.emit("x"), [2]);
    assert.deepEqual(observer.stream("never"), []);
    assert.equal(observer.stats.failures, 2);
  });

  test("subscribers run one after the other, in the order they came, also when they are slow", async () => {
    const observer = new SessionObserver();
    const order: number[] = [];
    observer.observe(Signal, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push(1);
    });
    observer.observe(Signal, () => void order.push(2));
    await observer.emit("x");
    assert.deepEqual(order, [1, 2]);
  });

  test("a subscriber added or removed during an emission counts from the next one on", async () => {
    const observer = new SessionObserver();
    const late = () => "late";
    const once = observer.observe(Signal, () => {
      observer.observe(Signal, late);
      observer.unobserve(once);
      return "once";
    });
    assert.deepEqual(await observer.emit("x"), ["once"]);
    assert.deepEqual(await observer.emit("y"), ["late"]);
  });

  test("a subscriber may emit in its turn", async () => {
    const observer = new SessionObserver();
    observer.observe(RunStart, () => observer.emit(new NodeStarted({ data: { opId: "1" } })));
    observer.observe(NodeStarted, (signal: NodeStarted) => signal.data.opId);
    assert.deepEqual(await observer.emit(new RunStart()), [["1"]]);
  });
});

describe("SessionObserver.observe", () => {
  test("types match the event or its payload, and hand on what matched", async () => {
    const observer = new SessionObserver();
    const seen: unknown[] = [];
    observer.observe(Question, (question: Question) => void seen.push(question.text));
    observer.observe(NodeStarted, (signal: NodeStarted) => void seen.push(signal.data.opId));
    observer.observe([Reading, Question], (subject: unknown) => void seen.push(subject));
    const question = new Question("why");
    const reading = new Reading(3);
    await observer.emit(question);
    await observer.emit(new NodeStarted({ data: { opId: "7" } }));
    await observer.emit(reading);
    assert.deepEqual(seen, ["why", question, "7", reading]);
  });

  test("types, predicates, fields and roles must all hold", async () => {
    const observer = new SessionObserver();
    const seen: unknown[] = [];
    observer.observe(
      {
        types: [NodeFailed, NodeStarted],
        where: [(payload) => (payload as { elapsed: number }).elapsed > 1, () => true],
        fields: { name: "build", opId: (id: unknown) => typeof id === "string" },
        roles: ["worker", "planner"],
      },
      (signal: NodeFailed) => void seen.push(signal.data.opId),
    );
    const good = { opId: "good", name: "build", elapsed: 2 };
    await observer.emit(new NodeFailed({ data: good, emitterRole: "worker" }));
    await observer.emit(
      new NodeStarted({ data: { ...good, opId: "also" }, emitterRole: "planner" }),
    );
    await observer.emit(new RunStart({ data: good, emitterRole: "worker" }));
    await observer.emit(new NodeFailed({ data: { ...good, elapsed: 1 }, emitterRole: "worker" }));
    await observer.emit(new NodeFailed({ data: { ...good, name: "test" }, emitterRole: "worker" }));
    await observer.emit(new NodeFailed({ data: good, emitterRole: "critic" }));
    await observer.emit(new NodeFailed({ data: good }));
    assert.deepEqual(seen, ["good", "also"]);
  });

  test("the decorator form subscribes what it is given and returns it", async () => {
    const observer = new SessionObserver();
    const subscriber = observer.observe(Question)((question: Question) => question.text);
    assert.deepEqual(await observer.emit(new Question("how")), ["how"]);
    assert.equal(observer.unobserve(subscriber), true);
    assert.equal(observer.unobserve(subscriber), false);
    assert.deepEqual(await observer.emit(new Question("how")), []);
  });

  test("the context tells the event, the payload, the observer and the session", async () => {
    const session = { id: "s" };
    const observer = new SessionObserver({ session });
    const contexts: EmissionContext[] = [];
    observer.observe(
      Question,
      (_: Question, context: EmissionContext) => void contexts.push(context),
    );
    const question = new Question("who");
    await observer.emit(question);
    assert.equal(contexts[0].payload, question);
    assert.ok(contexts[0].event instanceof Signal);
    assert.equal(contexts[0].observer, observer);
    assert.equal(contexts[0].session, session);
  });
});

describe("SessionObserver's flow and streams", () => {
  test("a route adds matching events to its stream, a predicate or a record alike", async () => {
    const observer = new SessionObserver();
    observer
      .route((payload) => (payload as { novelty?: number }).novelty! > 0.7, { into: "novel" })
      .route({ fields: { behavior: "deny" } }, { into: "denials" });
    await observer.emit({ novelty: 0.9 });
    await observer.emit({ novelty: 0.1, behavior: "deny" });
    assert.deepEqual(observer.stream("novel").map((event) => (event as Signal).data), [{
      novelty: 0.9,
    }]);
    assert.equal(observer.stream("denials").length, 1);
    assert.deepEqual(observer.stream("unknown"), []);
  });

  test("byType finds events of a class and payloads of a class, oldest first", async () => {
    const observer = new SessionObserver();
    await observer.emit(new Question("a"));
    await observer.emit(new Reading(1));
    await observer.emit(new Question("b"));
    assert.deepEqual(observer.byType(Question).map((question) => question.text), ["a", "b"]);
    assert.deepEqual(observer.byType(Reading).map((reading) => reading.value), [1]);
    assert.equal(observer.byType(Signal).length, 2);
  });

  test("the flow and the streams keep the newest events and count what they drop", async () => {
    const observer = new SessionObserver({ capacity: 3 });
    observer.route(Signal, { into: "all" });
    for (let count = 1; count <= 8; count++) await observer.emit(count);
    assert.deepEqual(observer.flow.map((event) => (event as Signal).data), [6, 7, 8]);
    assert.deepEqual(observer.stream("all").map((event) => (event as Signal).data), [6, 7, 8]);
    assert.deepEqual(observer.stats, { events: 3, dropped: 5, denied: 0, failures: 0 });
  });

  test("a capacity that is no whole number of at least one is refused", () => {
    for (const capacity of [0, -1, 1.5, NaN]) {
      assert.throws(() => new SessionObserver({ capacity }), RangeError);
    }
  });
});

describe("SessionObserver.gate and authorize", () => {
  test("D4-1 a later gate replaces the earlier one, and gate returns the observer", async () => {
    const observer = new SessionObserver();
    const asked: string[] = [];
    assert.equal(observer.gate(() => asked.push("first") > 0), observer);
    observer.gate(() => asked.push("second") > 0);
    await observer.authorize("x");
    assert.deepEqual(asked, ["second"]);
  });

  test("D4-3 authorize returns true when no gate exists", async () => {
    const observer = new SessionObserver();
    assert.equal(await observer.authorize(toolInvocation("bash", {})), true);
    assert.deepEqual(observer.flow, []);
    assert.equal(observer.gated, false);
  });

  test("D4-4 the gate's answer becomes a boolean, awaited when it is a promise", async () => {
    const observer = new SessionObserver();
    for (
      const [answer, expected] of [
        [true, true],
        ["yes", true],
        [1, true],
        [Promise.resolve(true), true],
        [false, false],
        [0, false],
        ["", false],
        [null, false],
        [undefined, false],
        [Promise.resolve(0), false],
      ] as const
    ) {
      observer.gate(() => answer as boolean);
      assert.equal(await observer.authorize("x"), expected, String(answer));
    }
  });

  test("D4-4 a gate that throws or rejects denies, and tells no reason", async () => {
    const observer = new SessionObserver();
    observer.gate(() => {
      throw new Error("broken");
    });
    assert.equal(await observer.authorize("x"), false);
    observer.gate(() => Promise.reject(new Error("broken")));
    assert.equal(await observer.authorize("x"), false);
    assert.deepEqual(observer.byType(GateDenied).map((denied) => denied.data), ["x", "x"]);
  });

  test("D4-5 a denial adds GateDenied with the action to the in-memory flow and returns false", async () => {
    const observer = new SessionObserver();
    const action = toolInvocation("bash", { command: "rm -rf /" }, "branch");
    observer.gate(() => false);
    assert.equal(await observer.authorize(action), false);
    assert.equal(observer.flow.length, 1);
    assert.ok(observer.flow[0] instanceof GateDenied);
    assert.equal((observer.flow[0] as GateDenied).data, action);
  });

  test("D4-10 a restarted observer has neither the gate nor the GateDenied flow", async () => {
    const before = new SessionObserver();
    before.gate(() => false);
    await before.authorize("x");
    const after = new SessionObserver();
    assert.equal(await after.authorize("x"), true);
    assert.deepEqual(after.byType(GateDenied), []);
  });

  test("D4-11 emit asks the same gate, with a payload where authorize gives an invocation", async () => {
    const observer = new SessionObserver();
    const seen: unknown[] = [];
    observer.gate((payload) => seen.push(payload) > 0);
    const invocation = toolInvocation("bash", {});
    await observer.authorize(invocation);
    await observer.emit({ note: true });
    assert.deepEqual(seen, [invocation, { note: true }]);
  });

  test("a tool invocation is frozen and shows arguments that are no plain record as {}", () => {
    const invocation = toolInvocation("bash", new Question("x"), "b");
    assert.ok(Object.isFrozen(invocation));
    assert.deepEqual(invocation, { function: "bash", arguments: {}, branchId: "b" });
    for (const args of [null, undefined, [], "text", 7, new Map()]) {
      assert.deepEqual(toolInvocation("bash", args).arguments, {});
    }
  });
});
