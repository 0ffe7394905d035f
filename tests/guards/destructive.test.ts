import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
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

describe('guardDestructive({ mode: "parsed" })', () => {
  const guard = guardDestructive({ mode: "parsed", cwd: "/repo/app", home: "/home/u" });
  const behavior = async (command: unknown) => {
    const error = await guard("bash", "", { command }).catch((error) => error);
    return error === null ? "allow" : (error as PermissionError).result?.behavior;
  };

  test("judges what the line means, not its text", async () => {
    assert.equal(await behavior("echo 'rm -rf /'"), "allow");
    assert.equal(await behavior("r''m -fr /"), "deny");
    assert.equal(await behavior("rm -rf src"), "escalate");
    assert.equal(await behavior("$(echo rm) -rf /"), "deny");
  });

  test("D2-6 has no opinion without a command, and refuses one that is no text", async () => {
    assert.equal(await guard("bash", "", {}), null);
    assert.equal(await behavior(""), "allow");
    assert.equal(await behavior(["rm", "-rf", "/"]), "deny");
  });

  test("throws a PermissionError that says what, why, by which rule, and what instead", async () => {
    const error = await guard("bash", "", { command: "ls; git push -f origin main" })
      .catch((error) => error);
    assert.ok(error instanceof PermissionError);
    assert.equal(
      error.message,
      "Refused `git push -f origin main`: it overwrites the history of the remote; commits of others are gone",
    );
    assert.equal(error.result?.matchedRule, "git push --force");
    assert.equal(error.result?.advice, "git push origin HEAD:refs/heads/new-branch");
  });

  test("asks about a line for another shell, and about a word that only zsh changes", async () => {
    const judged = async (command: string, shell: string) => {
      const error = await guard("bash", "", { command, shell }).catch((error) => error);
      return error === null ? "allow" : (error as PermissionError).result?.behavior;
    };
    assert.equal(await judged("dir", "cmd"), "escalate");
    assert.equal(await judged("dir", "C:\\Windows\\System32\\cmd.exe"), "escalate");
    assert.equal(await judged("echo =id", "zsh"), "escalate");
    assert.equal(await judged("echo id", "/bin/zsh"), "allow");
    assert.equal(await judged("echo =id", "bash"), "allow");
  });
});

describe("the patterns", () => {
  test("are reached without the shell room and the tables", async () => {
    const seen = new Set<string>();
    const pending = ["destructive.ts"];
    while (pending.length > 0) {
      const name = pending.pop()!;
      if (seen.has(name)) continue;
      seen.add(name);
      const text = await readFile(new URL(`../../src/guards/${name}`, import.meta.url), "utf8");
      // Types are gone when it runs, and what is imported later is loaded later.
      for (
        const [, path] of text.matchAll(/^(?:import|export) (?!type )[^;]*? from "\.\/([^"]+)";/gm)
      ) {
        pending.push(path!);
      }
    }
    assert.deepEqual([...seen].sort(), [
      "destructive.ts",
      "destructive_patterns.ts",
      "guard_hook.ts",
    ]);
  });
});
