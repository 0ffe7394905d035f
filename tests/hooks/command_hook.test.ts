import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Arguments, PermissionError } from "../../src/call.ts";
import { readCommandAnswer } from "../../src/hooks/command_answer.ts";
import { commandHook } from "../../src/hooks/command_hook.ts";
import { runtime } from "../../src/runtime/current.ts";
import { inTemporaryFolder } from "../temporary_folder.ts";

const ARGS = { command: "git push" };

/** Runs a shell script as an external hook. */
function runScript(script: string, args: Arguments = ARGS, timeoutMs = 5_000): Promise<unknown> {
  return runCommand(["/bin/sh", "-c", script], args, timeoutMs);
}

async function runCommand(command: string[], args: Arguments, timeoutMs = 5_000): Promise<unknown> {
  const call = { tool: "bash", cwd: "/", client: "codex", session: "s" };
  const hook = commandHook(runtime, call, {
    name: "mine",
    command,
    timeoutMs,
    place: { file: "/c/gatehouse.yaml", line: 7 },
  });
  return await hook("bash", "run", args);
}

async function refusalOf(answer: Promise<unknown>): Promise<PermissionError> {
  try {
    await answer;
  } catch (error) {
    assert.ok(error instanceof PermissionError, String(error));
    assert.equal(error.result?.control, "hook:mine");
    assert.deepEqual(error.result?.place, { file: "/c/gatehouse.yaml", line: 7 });
    return error;
  }
  assert.fail("the hook did not refuse");
}

describe("commandHook()", () => {
  test("gives the call to the command as one line of JSON, whatever is in it", async () => {
    await inTemporaryFolder(async (folder) => {
      const args = { command: 'echo "a\\nb" \t \u2028 ü', n: 1 };
      await runScript(`cat > ${folder.at("seen")}`, args);
      const seen = new TextDecoder().decode(await runtime.fs.readFile(folder.at("seen")));
      assert.equal(seen.split("\n").length, 2);
      assert.deepEqual(JSON.parse(seen), {
        version: 1,
        tool: "bash",
        action: "run",
        args,
        cwd: "/",
        client: "codex",
        session: "s",
      });
    });
  });

  test("nothing printed is no opinion", async () => {
    assert.equal(await runScript("cat > /dev/null"), undefined);
  });

  test("new arguments are handed on", async () => {
    const answer = await runScript(`echo '{"args":{"command":"git push --dry-run"}}'`);
    assert.deepEqual(answer, { command: "git push --dry-run" });
  });

  test("c762: a command that prints its input back has no opinion", async () => {
    assert.deepEqual(await runScript("cat"), ARGS);
  });

  const DENIALS: readonly (readonly [string, string])[] = [
    ["c356: a decision on stdout, exit code 0", `echo '{"decision":"deny","reason":"no"}'`],
    ["c354: a decision on stdout, exit code 2", `echo '{"decision":"deny","reason":"no"}'; exit 2`],
    [
      "the form of coding agents",
      `echo '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}'`,
    ],
    ["exit code 2 and a reason on stderr", "echo no >&2; exit 2"],
    [
      "c657: a line of text before the decision",
      `echo checked; echo '{"decision":"block","reason":"no"}'`,
    ],
    [
      "c761: another object before the decision",
      `echo '{"tool":"x"}'; echo '{"decision":"deny","reason":"no"}'`,
    ],
    [
      "a decision beside an allow",
      `echo '{"decision":"allow"}'; echo '{"decision":"deny","reason":"no"}'`,
    ],
    ["a decision and exit code 1", `echo '{"decision":"deny","reason":"no"}'; exit 1`],
  ];
  for (const [what, script] of DENIALS) {
    test(`denies with its reason: ${what}`, async () => {
      const refusal = await refusalOf(runScript(script));
      assert.equal(refusal.message, "mine: no");
      assert.equal(refusal.result?.behavior, "deny");
      assert.equal(refusal.result?.errored, false);
    });
  }

  test("escalates with its reason", async () => {
    const refusal = await refusalOf(runScript(`echo '{"decision":"ask","reason":"sure?"}'`));
    assert.equal(refusal.result?.behavior, "escalate");
  });

  const FAILURES: readonly (readonly [string, string, RegExp])[] = [
    ["c352: exit code 1 with a message", "echo oops >&2; exit 1", /ended with exit code 1/],
    ["c364: not executable", "exit 126", /ended with exit code 126/],
    ["c364: not found", "exit 127", /ended with exit code 127/],
    ["killed", "kill -9 $$", /ended with exit code 137/],
    [
      "text that is no answer",
      "echo looks fine",
      /is not understood \(it printed text that is not JSON\)/,
    ],
    ["a word that is no decision", `echo '{"decision":"alow"}'`, /its decision is "alow"/],
    ["arguments that are no mapping", `echo '{"args":[1]}'`, /its args are not a mapping/],
    [
      "two sets of arguments",
      `echo '{"args":{}}'; echo '{"args":{"a":1}}'`,
      /more than one set of args/,
    ],
    ["too much output", "head -c 1200000 /dev/zero | tr '\\0' ' '", /printed more than/],
  ];
  for (const [what, script, message] of FAILURES) {
    test(`a failure is a denial that names the hook: ${what}`, async () => {
      const refusal = await refusalOf(runScript(script));
      assert.match(refusal.message, /^The hook mine .*, so the call is refused$/);
      assert.match(refusal.message, message);
      assert.equal(refusal.result?.behavior, "deny");
      assert.equal(refusal.result?.errored, true);
      assert.match(refusal.result?.advice ?? "", /Mend the command/);
    });
  }

  test("c360: one that hangs is ended at its limit, with all it started", async () => {
    await inTemporaryFolder(async (folder) => {
      const late = folder.at("late");
      const refusal = await refusalOf(runScript(`(sleep 2; touch ${late}) & sleep 30`, ARGS, 200));
      assert.match(refusal.message, /took longer than 200 ms/);
      await new Promise((resolve) => setTimeout(resolve, 2_200));
      assert.equal(runtime.fs.exists(late), false);
    });
  });

  test("c668: a command that cannot be started is a denial", async () => {
    const refusal = await refusalOf(runCommand(["/no/such/program"], ARGS));
    assert.match(refusal.message, /could not be started/);
  });

  test("c764: one that does not read a long input counts by its exit code", async () => {
    const args = { command: "x".repeat(1_048_576) };
    assert.equal(await runScript("exit 0", args), undefined);
    assert.match((await refusalOf(runScript("exit 3", args))).message, /exit code 3/);
  });
});

describe("readCommandAnswer()", () => {
  test("an allow is no opinion: an external hook cannot approve", () => {
    for (const word of ["allow", "approve", "ALLOW"]) {
      assert.deepEqual(readCommandAnswer(JSON.stringify({ decision: word })), {
        kind: "no-opinion",
      });
    }
  });

  test("a refusal counts in any case and through several lines of JSON", () => {
    const text = JSON.stringify({ decision: "DENY", reason: "r" }, null, 2);
    assert.deepEqual(readCommandAnswer(text), { kind: "refuse", behavior: "deny", reason: "r" });
  });
});
