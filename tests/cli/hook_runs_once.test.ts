// When the hook asks the runtime not to compile: a process that ends at once, and no other.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runHook } from "../../src/cli/hook.ts";
import { runtime } from "../../src/runtime/current.ts";
import { inTemporaryFolder } from "../temporary_folder.ts";

/** Runs the hook in this process with a payload of some length; whether it asked, its exit code and what it printed. */
async function hookWith(payload: string): Promise<{ asked: number; code: number; told: string }> {
  return await inTemporaryFolder(async ({ path: folder }) => {
    let asked = 0;
    let told = "";
    const print = (text: string): Promise<void> => {
      told += text;
      return Promise.resolve();
    };
    const code = await runHook({
      ...runtime,
      env: {
        ...runtime.env,
        get: (name) => name === "HOME" ? folder : undefined,
        cwd: () => folder,
        onCrash: () => {},
        runsOnce: () => void asked++,
      },
      stdio: {
        ...runtime.stdio,
        readInput: () => Promise.resolve(new TextEncoder().encode(payload)),
        writeOutput: print,
        writeError: print,
      },
    }, ["claude-code"]);
    return { asked, code, told };
  });
}

function payload(command: string): string {
  return JSON.stringify({
    session_id: "s",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    cwd: "/",
  });
}

describe("the hook", () => {
  test("runs once for a short payload, and judges it", async () => {
    const { asked, code, told } = await hookWith(payload("rm -rf /"));
    assert.equal(asked, 1);
    assert.equal(code, 2);
    assert.match(told, /Refused `rm -rf \/`/);
  });

  test("lets a long payload be compiled for", async () => {
    const { asked, code } = await hookWith(payload("echo a; ".repeat(2_000) + "rm -rf /"));
    assert.equal(asked, 0);
    assert.equal(code, 2);
  });
});
