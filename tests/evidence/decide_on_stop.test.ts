import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type CompletionEvidence,
  hasCompletionEvidence,
} from "../../src/evidence/completion_evidence.ts";
import { decideOnStop, type OnStop } from "../../src/evidence/decide_on_stop.ts";

const NONE: CompletionEvidence = {
  checked: true,
  aheadOfBase: false,
  commitsAhead: 0,
  dirty: false,
  baseRef: "main",
  reason: "",
};
const DIRTY: CompletionEvidence = { ...NONE, dirty: true };
const AHEAD: CompletionEvidence = { ...NONE, aheadOfBase: true, commitsAhead: 1 };
const UNCHECKED: CompletionEvidence = {
  checked: false,
  aheadOfBase: null,
  commitsAhead: null,
  dirty: null,
  baseRef: null,
  reason: "git status probe failed",
};
const NO_BASE: CompletionEvidence = {
  ...NONE,
  aheadOfBase: null,
  commitsAhead: null,
  baseRef: null,
};
const SETTINGS: readonly OnStop[] = ["record", "warn", "block"];

describe("hasCompletionEvidence()", () => {
  test("D6-5 is true when ahead or dirty", () => {
    assert.equal(hasCompletionEvidence(DIRTY), true);
    assert.equal(hasCompletionEvidence(AHEAD), true);
    assert.equal(hasCompletionEvidence(NONE), false);
  });

  test("D6-2 is false when git was not asked, whatever the rest says", () => {
    assert.equal(hasCompletionEvidence(UNCHECKED), false);
    assert.equal(hasCompletionEvidence({ ...DIRTY, checked: false }), false);
  });
});

describe("decideOnStop()", () => {
  test("lets an agent stop that has something to show, or of which nothing is known", () => {
    for (const evidence of [DIRTY, AHEAD, UNCHECKED, NO_BASE, { ...NONE, dirty: null }]) {
      for (const setting of SETTINGS) {
        assert.deepEqual(decideOnStop(evidence, setting, false), { action: "stop", message: null });
      }
    }
  });

  test("record says nothing", () => {
    assert.equal(decideOnStop(NONE, "record", false).action, "stop");
  });

  test("warn tells the person and lets the agent stop", () => {
    const decision = decideOnStop(NONE, "warn", false);
    assert.equal(decision.action, "warn");
    assert.match(decision.message ?? "", /No work to show: .* main has not/);
  });

  test("block makes the agent go on, with the finding and what to do", () => {
    const decision = decideOnStop(NONE, "block", false);
    assert.equal(decision.action, "continue");
    assert.match(decision.message ?? "", /^No work to show: .*make it now and check it/);
    assert.ok(Object.isFrozen(decision));
  });

  test("block makes it go on once: an agent that was sent back before may stop", () => {
    assert.equal(decideOnStop(NONE, "block", true).action, "stop");
  });
});
