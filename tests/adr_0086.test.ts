// The document's numbered lines: each is named by a test, and docs/adr-0086.md says which file has it.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";

const ROOT = dirname(import.meta.dirname!);

/** How many numbered lines each decision has, and what stands in letters. */
const LINES: readonly (readonly [decision: string, count: number, letters: string])[] = [
  ["D1", 11, ""],
  ["D2", 10, ""],
  ["D3", 10, ""],
  ["D4", 11, ""],
  ["D5", 11, ""],
  ["D6", 5, "ABC"],
];

const NUMBERS = LINES.flatMap(([decision, count, letters]) => [
  ...Array.from({ length: count }, (_, index) => `${decision}-${index + 1}`),
  ...[...letters].map((letter) => `${decision}-${letter}`),
]);

/** A test's name that begins with a number: a text in the code that does. */
const NAME = /["'`](D[1-6]-(?:\d+|[A-C])) /g;

/** The numbers that the tests of each file are named after, by the file's path. */
async function numbersByFile(): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const path of await readdir(join(ROOT, "tests"), { recursive: true })) {
    if (!path.endsWith(".ts")) continue;
    const text = await readFile(join(ROOT, "tests", path), "utf8");
    const numbers = new Set([...text.matchAll(NAME)].map(([, number]) => number));
    found.set(`tests/${path.replaceAll("\\", "/")}`, numbers);
  }
  return found;
}

/** The rows of the document's tables: a number and the file that pins it. */
async function rows(): Promise<{ number: string; file: string }[]> {
  const text = await readFile(join(ROOT, "docs/adr-0086.md"), "utf8");
  return [...text.matchAll(/^\| (D\d-\w+) +\| [^|]+ \| (\S+) +\|/gm)]
    .map(([, number, file]) => ({ number, file }));
}

describe("ADR-0086", () => {
  test("there are 61 numbered lines, and the table has each of them once", async () => {
    assert.equal(NUMBERS.length, 61);
    assert.deepEqual((await rows()).map(({ number }) => number), NUMBERS);
  });

  test("every number begins the name of a test", async () => {
    const named = new Set([...(await numbersByFile()).values()].flatMap((numbers) => [...numbers]));
    assert.deepEqual(NUMBERS.filter((number) => !named.has(number)), []);
  });

  test("every file that the table names has a test of that number", async () => {
    const found = await numbersByFile();
    const wrong = (await rows()).filter(({ number, file }) => !found.get(file)?.has(number));
    assert.deepEqual(wrong, []);
  });
});
