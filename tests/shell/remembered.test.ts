import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENOUGH_TO_REMEMBER, keep, type Memory, recall } from "../../src/shell/remembered.ts";

describe("a memory of answers", () => {
  function lengths() {
    const memory: Memory<number> = { asked: 0, known: null };
    let asked = 0;
    const length = (text: string): number => {
      const before = recall(memory, text);
      if (before !== undefined) return before;
      asked++;
      return keep(memory, text, text.length);
    };
    return { length, memory, asked: () => asked };
  }

  test("asks at first each time, and then once for each text", () => {
    const { length, memory, asked } = lengths();
    for (let time = 0; time < ENOUGH_TO_REMEMBER; time++) assert.equal(length("abc"), 3);
    assert.equal(asked(), ENOUGH_TO_REMEMBER);
    assert.equal(memory.known, null);
    for (let time = 0; time < 10; time++) assert.equal(length("abc"), 3);
    assert.equal(asked(), ENOUGH_TO_REMEMBER + 1);
    for (const text of ["", "constructor", "__proto__"]) {
      assert.equal(length(text), text.length);
      assert.equal(recall(memory, text), text.length);
    }
  });

  test("holds no more than a number of texts, however many come", () => {
    const { length, memory } = lengths();
    for (let number = 0; number < 5_000; number++) {
      length(`${number}`);
      assert.ok((memory.known?.size ?? 0) <= 1_000);
    }
    assert.equal(length("4999"), 4);
    assert.equal(recall(memory, "4999"), 4);
  });
});
