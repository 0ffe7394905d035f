import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Lane, laneOf } from "../../src/signals/lane.ts";
import * as signals from "../../src/signals/lifecycle_signals.ts";
import type { Signal } from "../../src/signals/signal.ts";

const facts = { opId: "1" };
const MADE: Readonly<Record<string, () => Signal>> = {
  queued: () => new signals.NodeQueued({ data: facts }),
  started: () => new signals.NodeStarted({ data: facts }),
  awaiting: () => new signals.NodeAwaitingApproval({ data: facts }),
  paused: () => new signals.NodePaused({ data: facts }),
  completed: () => new signals.NodeCompleted({ data: facts }),
  failed: () => new signals.NodeFailed({ data: facts }),
  skipped: () => new signals.NodeSkipped({ data: facts }),
  cancelled: () => new signals.NodeCancelled({ data: facts }),
  escalated: () => new signals.NodeEscalated({ data: { ...facts, route: "give_up" } }),
  tried: () => new signals.NodeEscalated({ data: { ...facts, route: "higher_tier" } }),
  notice: () => new signals.NodeEscalated({ data: { ...facts, route: "notify" } }),
  spawned: () => new signals.NodeSpawned({ data: facts }),
  message: () => new signals.MessageAdded({ data: {} }),
  runStart: () => new signals.RunStart(),
  runEnd: () => new signals.RunEnd({ data: {} }),
  runFailed: () => new signals.RunFailed({ data: new Error("x") }),
};

const CASES: readonly (readonly [string, Lane])[] = [
  ["", "queued"],
  ["spawned message", "queued"],
  ["queued", "queued"],
  ["queued started", "running"],
  ["started awaiting", "awaiting_approval"],
  ["started paused", "paused"],
  ["started paused started", "running"],
  ["started completed", "succeeded"],
  ["started failed", "failed"],
  ["queued skipped", "skipped"],
  ["started cancelled", "cancelled"],
  ["started escalated", "escalated"],
  ["started tried", "escalated"],
  ["started notice", "running"],
  ["completed failed", "succeeded"],
  ["failed completed paused awaiting", "failed"],
  ["cancelled message completed", "cancelled"],
  ["skipped cancelled", "skipped"],
  ["escalated completed", "escalated"],
  ["failed notice", "failed"],
  ["failed queued", "queued"],
  ["failed started completed", "succeeded"],
  ["escalated queued started failed", "failed"],
  ["runStart", "running"],
  ["runStart runEnd", "succeeded"],
  ["runStart runFailed runEnd", "failed"],
];

describe("laneOf", () => {
  for (const [names, lane] of CASES) {
    test(`${names || "nothing"} is ${lane}`, () => {
      const given = names.split(" ").filter(Boolean).map((name) => MADE[name]());
      assert.equal(laneOf(given), lane);
    });
  }

  test("stored signals project as live ones do", () => {
    const stored = [{ kind: "NodeStarted", data: {} }, { kind: "NodeFailed", data: {} }, {
      kind: "toString",
      data: {},
    }];
    assert.equal(laneOf(stored), "failed");
  });
});
