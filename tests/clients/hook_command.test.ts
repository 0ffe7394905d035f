import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { INSTALLATIONS } from "../../src/clients/install/registry.ts";
import { judgingCommand, recordingCommand } from "../../src/clients/install/hook_command.ts";
import { hooksOf } from "../../src/clients/install/json_hooks.ts";

const limiter = spawnSync("timeout", ["1", "true"]).status === 0 ? "timeout" : null;

/** Runs a command line as the clients do, with a program of a few lines in gatehouse's place. */
async function runLine(
  script: string | null,
  line: (binary: string) => string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse line's "));
  try {
    const binary = join(folder, "gate house");
    if (script !== null) writeFileSync(binary, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const result = spawnSync("sh", ["-c", line(binary)], {
      encoding: "utf8",
      input: "{}",
      env: { PATH: process.env.PATH ?? "", ...env },
    });
    return { code: result.status, stdout: result.stdout, stderr: result.stderr };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const judging = (binary: string) => judgingCommand("codex", { binary, limiter, limitSeconds: 1 });
const recording = (binary: string) =>
  recordingCommand("codex", { binary, limiter, limitSeconds: 1 });

describe("the command line for calls that are judged", () => {
  test("an answer passes as it is", async () => {
    assert.deepEqual(await runLine("cat; echo ' out'; exit 0", judging), {
      code: 0,
      stdout: "{} out\n",
      stderr: "",
    });
  });

  test("a denial passes as it is", async () => {
    assert.deepEqual(await runLine("echo no >&2; exit 2", judging), {
      code: 2,
      stdout: "",
      stderr: "no\n",
    });
  });

  for (
    const [what, script] of [["crash", "exit 1"], ["death by a signal", "kill -9 $$"], [
      "missing program",
      null,
    ]] as const
  ) {
    test(`a ${what} becomes a denial with a reason`, async () => {
      const { code, stdout, stderr } = await runLine(script, judging);
      assert.equal(code, 2);
      assert.equal(stdout, "");
      assert.match(stderr, /gatehouse: the hook failed \(code \d+\), so the call is denied/);
    });
  }

  test("a hook that never answers becomes a denial, where there is a limiter", async () => {
    if (limiter === null) return;
    const { code, stderr } = await runLine("exec sleep 30", judging);
    assert.equal(code, 2);
    assert.match(stderr, /code 1(24|37)/);
  });

  test("variables that the runtime inside the program obeys do not reach it", async () => {
    const { stdout } = await runLine('echo "[$BUN_OPTIONS$BUN_BE_BUN]"', judging, {
      BUN_OPTIONS: "--preload x",
      BUN_BE_BUN: "1",
    });
    assert.equal(stdout, "[]\n");
  });

  test("Copilot, which hides standard error, gets the failure as JSON too", async () => {
    const place = {
      scope: "user",
      home: "/h",
      project: "/p",
      platform: "linux",
      variables: {},
      sha256: () => Promise.resolve(""),
    } as const;
    const texts = await INSTALLATIONS.copilot.install(new Map(), place, {
      binary: "/nowhere/gatehouse",
      limiter: null,
      limitSeconds: 1,
    });
    const [hook] = hooksOf([...texts.values()][0]!, "preToolUse") as { bash: string }[];
    const { code, stdout } = await runLine(null, () => hook.bash);
    assert.equal(code, 2);
    assert.equal(JSON.parse(stdout).permissionDecision, "deny");
    assert.match(JSON.parse(stdout).permissionDecisionReason, /the hook failed \(code 127\)/);
  });
});

describe("the command line for what is only recorded", () => {
  for (
    const [what, script] of [["crash", "exit 1"], ["denial", "exit 2"], [
      "missing program",
      null,
    ]] as const
  ) {
    test(`a ${what} stops nothing`, async () => {
      assert.equal((await runLine(script, recording)).code, 0);
    });
  }
});
