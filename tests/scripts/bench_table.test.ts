// The table of the bench: what counts as reached.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type BenchRow, benchTable, reached } from "../../scripts/bench/row.ts";

const row = (measured: number, better?: "higher"): BenchRow =>
  better
    ? { name: "n", measured, unit: "times", goal: 10, must: 7, better }
    : { name: "n", measured, unit: "x", goal: 1.25, must: 1.35 };

describe("the bench's table", () => {
  test("a smaller figure reaches the goal, then what it must, then nothing", () => {
    assert.equal(reached(row(1.25)), "goal");
    assert.equal(reached(row(1.26)), "must");
    assert.equal(reached(row(1.35)), "must");
    assert.equal(reached(row(1.36)), "no");
  });

  test("where more is better it is the other way round", () => {
    assert.equal(reached(row(10, "higher")), "goal");
    assert.equal(reached(row(7, "higher")), "must");
    assert.equal(reached(row(6.9, "higher")), "no");
  });

  test("a row without limits reaches nothing and misses nothing", () => {
    assert.equal(reached({ ...row(1), goal: null, must: null }), "-");
  });

  test("figures keep three digits, and limits say their direction", () => {
    const table = benchTable([row(1.23456), row(123.456, "higher")]);
    assert.match(table, /\| 1\.23 x +\| <= 1\.25 +\| <= 1\.35 +\| goal/);
    assert.match(table, /\| 123 times +\| >= 10 +\| >= 7 +\| goal/);
  });
});
