import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { matchesWildcard } from "../../src/policy/matches_wildcard.ts";
import { compileWildcard } from "../../src/policy/wildcard.ts";
import { goldenRows } from "../golden/rows.ts";

describe("matchesWildcard()", () => {
  const rows = goldenRows<{ text: string; pattern: string; match: boolean }>("wildcard.jsonl");

  test(`D1-6 answers all ${rows.length} recorded rows as recorded`, () => {
    assert.equal(rows.length, 1500);
    const wrong = rows.filter((row) => matchesWildcard(row.text, row.pattern) !== row.match);
    assert.deepEqual(wrong, []);
  });

  test("D1-6 matches the text as it is or with both lower-cased", () => {
    assert.equal(matchesWildcard("GIT STATUS", "git *"), true);
    assert.equal(matchesWildcard("git status", "GIT *"), true);
    // Lower-casing makes the range from Z to a empty; the text as it is still matches.
    assert.equal(matchesWildcard("_", "[Z-a]"), true);
  });

  test("D1-6 a star alone matches everything", () => {
    for (const text of ["", "a", "a/b c", "\n", "😀"]) {
      assert.equal(matchesWildcard(text, "*"), true);
    }
  });

  test("crosses slashes, spaces and newlines", () => {
    assert.equal(matchesWildcard("rm a/b", "rm *"), true);
    assert.equal(matchesWildcard("a/b\nc", "**"), true);
  });

  test("counts code points, not halves of them", () => {
    assert.equal(matchesWildcard("😀", "?"), true);
    assert.equal(matchesWildcard("😀", "??"), false);
    assert.equal(matchesWildcard("😀x", "[😀]x"), true);
    assert.equal(matchesWildcard("\ud83d", "?"), true);
  });

  test("finds long segments with any-characters", () => {
    const long = "a?".repeat(40);
    assert.equal(matchesWildcard("x" + "ab".repeat(40) + "y", `*${long}*`), true);
    assert.equal(matchesWildcard("x" + "ab".repeat(39) + "y", `*${long}*`), false);
  });

  const alphabet = fc.constantFrom(
    "a",
    "b",
    "*",
    "?",
    "[",
    "]",
    "!",
    "-",
    "^",
    "\\",
    "😀",
    "A",
    "\n",
  );
  const text = fc.array(alphabet, { maxLength: 12 }).map((parts) => parts.join(""));

  test("never throws and agrees with a plain recursive matcher", () => {
    fc.assert(
      fc.property(text, text, (subject, pattern) => {
        const expected = reference(Array.from(subject), tokens(pattern)) ||
          reference(Array.from(subject.toLowerCase()), tokens(pattern.toLowerCase()));
        assert.equal(compileWildcard(pattern).matches(subject), expected);
      }),
      { numRuns: 3000 },
    );
  });

  test("a text matches itself when it has no special characters", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (subject) => {
      fc.pre(!/[*?[]/.test(subject));
      assert.equal(matchesWildcard(subject, subject), true);
    }));
  });

  test("takes one look at each character of the text, whatever the pattern", () => {
    for (
      const pattern of [`*${"a".repeat(50)}b*`, `*${"a*".repeat(50)}b*`, `*${"a?".repeat(50)}b*`]
    ) {
      const wildcard = compileWildcard(pattern);
      const looks = [1_000, 2_000].map((length) => looksAt(wildcard, "a".repeat(length)));
      // Twice the text, at most twice the looks: not four times.
      assert.ok(looks[1] <= 2.1 * looks[0], `${pattern.slice(0, 12)}: ${looks}`);
      assert.ok(looks[0] > 900, `${pattern.slice(0, 12)}: ${looks}`);
    }
  });
});

/** Counts how often matching reads a character, by watching the typed array that it makes of the text. */
function looksAt(wildcard: { matches(text: string): boolean }, text: string): number {
  const original = globalThis.Uint32Array;
  let looks = 0;
  const watched = (size: number): Uint32Array =>
    new Proxy(new original(size), {
      get(target, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) looks++;
        const value = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
      set: (target, key, value) => Reflect.set(target, key, value, target),
    });
  // deno-lint-ignore no-explicit-any -- a stand-in for the length of one call
  (globalThis as any).Uint32Array = function (size: number) {
    return watched(size);
  };
  try {
    wildcard.matches(text);
  } finally {
    globalThis.Uint32Array = original;
  }
  return looks;
}

type Token = { any: true } | { star: true } | { has(character: string): boolean };

/** Python's translation, told plainly: the oracle of the property test. */
function tokens(pattern: string): Token[] {
  const points = Array.from(pattern);
  const list: Token[] = [];
  for (let index = 0; index < points.length;) {
    const character = points[index++];
    if (character === "*") list.push({ star: true });
    else if (character === "?") list.push({ any: true });
    else if (character === "[") {
      let end = index;
      if (points[end] === "!") end++;
      if (points[end] === "]") end++;
      while (end < points.length && points[end] !== "]") end++;
      if (end >= points.length) list.push({ has: (other) => other === "[" });
      else {
        list.push(setToken(points.slice(index, end)));
        index = end + 1;
      }
    } else list.push({ has: (other) => other === character });
  }
  return list;
}

function setToken(stuff: string[]): Token {
  const negated = stuff[0] === "!";
  const body = negated ? stuff.slice(1) : stuff;
  const members: ((other: string) => boolean)[] = [];
  const code = (character: string) => character.codePointAt(0)!;
  for (let index = 0; index < body.length;) {
    if (body[index + 1] === "-" && index + 2 < body.length) {
      const [from, to] = [body[index], body[index + 2]];
      members.push((other) => code(from) <= code(other) && code(other) <= code(to));
      index += 3;
    } else {
      const only = body[index++];
      members.push((other) => other === only);
    }
  }
  if (members.length === 0 && !negated) return { has: () => false };
  return { has: (other) => members.some((member) => member(other)) !== negated };
}

function reference(text: string[], pattern: Token[]): boolean {
  if (pattern.length === 0) return text.length === 0;
  const [token, ...rest] = pattern;
  if ("star" in token) {
    for (let skip = 0; skip <= text.length; skip++) {
      if (reference(text.slice(skip), rest)) return true;
    }
    return false;
  }
  if (text.length === 0) return false;
  return ("any" in token || token.has(text[0])) && reference(text.slice(1), rest);
}
