import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { clientOf, GOLDEN_FILE, goldenLine, payload, payloadNames } from "./golden.ts";

const golden = new Map(
  readFileSync(GOLDEN_FILE, "utf8").trim().split("\n").map((line) => {
    const record = JSON.parse(line) as { payload: string };
    return [record.payload, record] as const;
  }),
);

describe("captured payloads of real clients", () => {
  test("every captured payload has a golden line, and every line a payload", () => {
    assert.deepEqual([...golden.keys()].sort(), [...payloadNames()]);
  });

  for (const name of payloadNames()) {
    test(`${name} is read and answered as recorded`, () => {
      assert.deepEqual(JSON.parse(JSON.stringify(goldenLine(name))), golden.get(name));
    });

    test(`${name} is read the same with fields that we do not know`, () => {
      const known = payload(name) as Record<string, unknown>;
      const client = clientOf(name);
      const environment = { cwd: () => "/elsewhere" };
      assert.deepEqual(
        client.read({ ...known, next_year: { of: ["something"] }, also: null }, environment),
        client.read(known, environment),
      );
    });
  }
});
