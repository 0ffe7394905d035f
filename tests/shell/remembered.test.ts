import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENOUGH_TO_REMEMBER, remembered } from "../../src/shell/remembered.ts";

describe("remembered()", () => {
  test("asks at first each time, and then once for each text", () => {
    const asked: string[] = [];
    const length = remembered((text) => {
      asked.push(text);
      return text.length;
    });
    for (let time = 0; time < ENOUGH_TO_REMEMBER + 10; time++) assert.equal(length("abc"), 3);
    assert.equal(asked.length, ENOUGH_TO_REMEMBER + 1);
    assert.equal(length(""), 0);
    assert.equal(length("constructor"), 11);
  });

  test("holds no more than a number of texts, however many come", () => {
    let asked = 0;
    const self = remembered((text) => {
      asked++;
      return text;
    });
    for (let number = 0; number < 5_000; number++) assert.equal(self(`${number}`), `${number}`);
    assert.equal(asked, 5_000);
    for (let time = 0; time < 100; time++) assert.equal(self("0"), "0");
    assert.equal(asked, 5_001);
  });
});
