import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { buildRuleIndex, packRuleIndex } from "../../src/policy/build_rule_index.ts";
import { firstWord, foldCase, RuleMatcher } from "../../src/policy/rule_index.ts";
import { ENOUGH_TO_REMEMBER } from "../../src/shell/remembered.ts";
import { compileWildcard } from "../../src/policy/wildcard.ts";

describe("RuleMatcher", () => {
  const piece = fc.constantFrom(
    "git",
    "push",
    " ",
    "  ",
    "*",
    "?",
    "[a-c]",
    "[",
    "]",
    "rm",
    "RM",
    "/",
    ".ts",
    "Σ",
    "ς",
    "σ",
    "İ",
    "😀",
    "constructor",
    "__proto__",
    "\t",
    "\n",
    '"',
    "",
  );
  const line = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));

  test("finds the same first pattern as asking every pattern in turn", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), line, (patterns, text) => {
        const expected = patterns.findIndex((pattern) => compileWildcard(pattern).matches(text));
        assert.equal(new RuleMatcher(buildRuleIndex(patterns)).firstMatch(text), expected);
        const stored = JSON.parse(JSON.stringify(buildRuleIndex(patterns)));
        assert.equal(new RuleMatcher(stored).firstMatch(text), expected);
        const packed = JSON.parse(JSON.stringify(packRuleIndex(buildRuleIndex(patterns))));
        assert.equal(new RuleMatcher(packed).firstMatch(text), expected);
      }),
      { numRuns: 5000 },
    );
  });

  test("finds the same in a process that asks often, and never rules out a list that matches", () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.array(line, { minLength: 1, maxLength: 8 }),
        (patterns, texts) => {
          const matcher = new RuleMatcher(buildRuleIndex(patterns));
          for (let round = 0; round < 2 * ENOUGH_TO_REMEMBER / texts.length; round++) {
            for (const text of texts) {
              const found = matcher.firstMatch(text);
              const expected = patterns.findIndex((one) => compileWildcard(one).matches(text));
              assert.equal(found, expected);
              const word = firstWord(foldCase(text));
              if (found !== -1) assert.ok(matcher.mayMatch(word), JSON.stringify([patterns, text]));
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test("asks no pattern that cannot match, however many there are", () => {
    const patterns = Array.from({ length: 10_000 }, (_, index) => `cmd${index} sub${index} *`);
    patterns.push("*needle*", "*.c");
    const index = buildRuleIndex(patterns);
    // A list whose patterns cannot be read: only those asked would be.
    const asked: number[] = [];
    const watched = new Proxy([...index.patterns], {
      get(target, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) asked.push(Number(key));
        return Reflect.get(target, key, receiver);
      },
    });
    const matcher = new RuleMatcher({ ...index, patterns: watched });
    assert.equal(matcher.firstMatch("git status"), -1);
    assert.deepEqual(asked, [10_001]);
    assert.equal(matcher.firstMatch("cmd77 sub77 x"), 77);
    assert.deepEqual(asked, [10_001, 77]);
  });
});
