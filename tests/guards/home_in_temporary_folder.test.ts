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

describe("a workspace in a folder for temporary files", () => {
  const cwd = "/tmp/job/app";
  const files = pretendedFiles({
    [cwd]: "folder",
    [`${cwd}/a.txt`]: { file: "text" },
    "/home/u": "folder",
  });

  async function judgedThere(command: string): Promise<string> {
    const call = { tool: "bash", action: "", args: { command } };
    const options = { cwd, home: "/home/u", workspace: [cwd], observe: observeFiles(files) };
    const result = await judgeCommandText(call, options) ??
      await judgeCommandTextPaths(call, { cwd, home: "/home/u", allowed: [cwd], fs: files });
    return result?.behavior ?? "allow";
  }

  test("does not keep files from being put beside it", async () => {
    for (
      const command of [
        "cp a.txt /tmp",
        "cp a.txt /tmp/",
        "cp -R src /tmp/",
        "wget -P /tmp https://example.net/x",
        "tar -xf a.tgz -C /tmp",
        "unzip a.zip -d /tmp",
        "mktemp -d -p /tmp",
        "touch /tmp",
        "git format-patch -1 -o /tmp",
      ]
    ) {
      assert.equal(await judgedThere(command), "allow", command);
    }
  });

  test("is not taken away with the folder", async () => {
    for (
      const command of ["rm -rf /tmp", "rm -rf /tmp/job", "mv /tmp /srv/x", "chmod -R 0 /tmp"]
    ) {
      assert.equal(await judgedThere(command), "deny", command);
    }
  });
});
