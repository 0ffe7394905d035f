import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { judgeCommandText, judgeCommandTextPaths } from "../../src/guards/command_text.ts";
import { observeFiles } from "../../src/guards/observations.ts";
import { pretendedFiles } from "./judge_line.ts";

/** A home that lies in the folder for temporary files, as in some containers. */
const HOME = "/tmp/user/home";
const fs = pretendedFiles({ "/repo/app": "folder", [HOME]: "folder", "/tmp/scratch": "folder" });

async function judged(command: string): Promise<string> {
  const call = { tool: "bash", action: "", args: { command } };
  const workspace = ["/repo/app"];
  const options = { cwd: "/repo/app", home: HOME, workspace, observe: observeFiles(fs) };
  const result = await judgeCommandText(call, options) ??
    await judgeCommandTextPaths(call, { cwd: "/repo/app", home: HOME, allowed: workspace, fs });
  return result?.behavior ?? "allow";
}

describe("a home in a folder for temporary files", () => {
  test("is a home all the same", async () => {
    for (
      const command of [
        "rm -rf ~",
        'rm -rf "$HOME"',
        "rm -rf /tmp/user",
        "rm -rf ~/work",
        "echo x >> ~/.bashrc",
      ]
    ) {
      assert.notEqual(await judged(command), "allow", command);
    }
  });

  test("the temporary files beside it are temporary", async () => {
    for (const command of ["rm -rf /tmp/scratch/x", "echo x > /tmp/scratch/y"]) {
      assert.equal(await judged(command), "allow", command);
    }
  });
});
