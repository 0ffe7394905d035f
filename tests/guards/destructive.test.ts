import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PermissionError } from "../../src/call.ts";
import { guardDestructive } from "../../src/guards/destructive.ts";
import { judgeDestructiveText } from "../../src/guards/destructive_patterns.ts";
import { goldenRows } from "../golden/rows.ts";

const rows = goldenRows<{ command: string; blocked: boolean }>("destructive.jsonl");

describe("guardDestructive() on recorded commands", () => {
  test("there are 260 recorded rows", () => assert.equal(rows.length, 260));

  for (const [index, { command, blocked }] of rows.entries()) {
    test(`D2-6 row ${index + 1} ${blocked ? "refuses" : "passes"} ${JSON.stringify(command)}`, () => {
      const result = judgeDestructiveText({ tool: "bash", action: "", args: { command } });
      assert.equal(result !== null, blocked);
    });
  }
});

describe("guardDestructive()", () => {
  const guard = guardDestructive({ mode: "patterns" });

  test("D2-6 inspects only the command when present", async () => {
    assert.equal(await guard("bash", "", {}), null);
    assert.equal(await guard("bash", "", { command: "" }), null);
    assert.equal(await guard("bash", "", { note: "rm -rf /", command: "ls" }), null);
  });

  test("D2-6 throws a PermissionError that carries a frozen result", async () => {
    const error = await guard("bash", "run", { command: "rm -rf /" }).catch((error) => error);
    assert.ok(error instanceof PermissionError);
    assert.ok(Object.isFrozen(error.result));
    assert.deepEqual({ ...error.result }, {
      control: "guard:destructive",
      plane: "tool",
      behavior: "deny",
      reason: 'Refused a destructive command: "rm -rf" removes folders with all that is in them',
      reasonCode: "guard",
      tool: "bash",
      action: "run",
      matchedRule: "rm -rf",
      place: null,
      advice: "Name the files and remove them one by one, or move them to a temporary folder.",
      rewritten: false,
      errored: false,
    });
    assert.equal(guard.control, "guard:destructive");
  });

  test("a command that is no text is refused with a clear reason", () => {
    const reason = (command: unknown) =>
      judgeDestructiveText({ tool: "bash", action: "", args: { command } })?.reason;
    assert.equal(reason(3), "Cannot judge the command: it is a number, not text");
    assert.equal(reason(["rm", "-rf", "/"]), "Cannot judge the command: it is a list, not text");
    assert.equal(reason({}), "Cannot judge the command: it is an object, not text");
  });
});
