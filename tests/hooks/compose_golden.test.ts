import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Arguments, PermissionError } from "../../src/call.ts";
import { composePreHooks, type PreHook } from "../../src/hooks/compose.ts";
import { goldenRows } from "../golden/rows.ts";

/** A recorded hook: a tiny program. */
interface RecordedHook {
  name: string;
  do: "pass" | "set" | "replace" | "return" | "deny_if" | "throw";
  key?: string;
  value?: unknown;
  args?: Arguments;
}

interface Row {
  security: RecordedHook[];
  user: RecordedHook[] | null;
  args: Arguments;
  trace: [string, string, string, Arguments][];
  expect: { args?: Arguments; denied?: true; threw?: string; composed?: false };
}

function hookOf(recorded: RecordedHook, trace: unknown[]): PreHook {
  return (toolName, action, args) => {
    trace.push([recorded.name, toolName, action, structuredClone(args)]);
    switch (recorded.do) {
      case "pass":
        return;
      case "set":
        return { ...args, [recorded.key!]: recorded.value };
      case "replace":
        return recorded.args;
      case "return":
        return recorded.value;
      case "deny_if":
        if (args[recorded.key!] === recorded.value) throw new PermissionError("recorded denial");
        return;
      case "throw":
        throw new Error(`boom ${recorded.name}`);
    }
  };
}

async function outcome(row: Row, trace: unknown[]): Promise<Row["expect"]> {
  const chain = composePreHooks(
    "bash",
    row.security.map((hook) => hookOf(hook, trace)),
    (row.user ?? []).map((hook) => hookOf(hook, trace)),
  );
  if (chain === null) return { composed: false };
  try {
    return { args: await chain(row.args) };
  } catch (error) {
    if (error instanceof PermissionError) return { denied: true };
    return { threw: (error as Error).message };
  }
}

describe("composePreHooks() as recorded (D2-3, D2-4, D2-5)", () => {
  const rows = goldenRows<Row>("compositor.jsonl");
  test(`all ${rows.length} recorded chains give the recorded calls and the recorded outcome`, async () => {
    assert.equal(rows.length, 300);
    for (const [index, row] of rows.entries()) {
      const trace: unknown[] = [];
      const actual = await outcome(row, trace);
      const where = `compositor.jsonl:${index + 1}`;
      assert.deepEqual(trace, row.trace, where);
      assert.deepEqual(actual, row.expect, where);
    }
  });
});
