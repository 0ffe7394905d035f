// The test runner's own counting, on reports as the two runtimes write them.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { countsText, junitCounts, sumOf } from "../../scripts/test/junit_counts.ts";

describe("counting tests", () => {
  test("Bun's cases count once, however they end", () => {
    const report = `<testsuites name="bun test"><testsuite name="a.test.ts"><testsuite name="group">
      <testcase name="one" classname="group" time="0.1" file="a.test.ts" line="1" assertions="0" />
      <testcase name="two" classname="group" time="0.1"><failure type="AssertionError" /></testcase>
      <testcase name="three" classname="group" time="0"><skipped /></testcase>
      </testsuite></testsuite></testsuites>`;
    assert.deepEqual(junitCounts(report), { passed: 1, failed: 1, skipped: 1 });
  });

  const deno = (group: string, first: string) =>
    `<testsuites><testsuite name="./a.test.ts">
      <testcase name="group" classname="./a.test.ts" time="1" line="1" col="1">${group}</testcase>
      <testcase name="alone" classname="./a.test.ts" time="1" line="9" col="1">
      </testcase></testsuite><testsuite name="steps">
      <testcase name="group &gt; inner" classname="s" time="1"></testcase>
      <testcase name="group &gt; inner &gt; one" classname="s" time="1">${first}</testcase>
      <testcase name="group &gt; two" classname="s" time="1"></testcase>
      </testsuite></testsuites>`;
  const failure = '<failure message="Uncaught Error">at &gt; x</failure>';

  test("Deno's groups are not counted as tests", () => {
    assert.deepEqual(junitCounts(deno("", "")), { passed: 3, failed: 0, skipped: 0 });
  });

  test("a group that failed because one of its tests did is one failure", () => {
    assert.deepEqual(junitCounts(deno(failure, failure)), { passed: 2, failed: 1, skipped: 0 });
  });

  test("a group that failed by itself is a failure", () => {
    assert.deepEqual(junitCounts(deno(failure, "")), { passed: 3, failed: 1, skipped: 0 });
  });

  test("no report has no tests", () => {
    assert.deepEqual(junitCounts(""), { passed: 0, failed: 0, skipped: 0 });
  });

  test("the sum is said in words, skipped tests only when there are some", () => {
    const sum = sumOf([{ passed: 1, failed: 0, skipped: 0 }, { passed: 2, failed: 3, skipped: 0 }]);
    assert.equal(countsText(sum), "3 passed, 3 failed");
    assert.equal(countsText({ ...sum, skipped: 4 }), "3 passed, 3 failed, 4 skipped");
  });
});
