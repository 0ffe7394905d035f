import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { CommandContext } from "../../src/cli/command.ts";
import { UsageError } from "../../src/cli/command.ts";
import { run } from "../../src/cli/evidence.ts";
import { styleOf } from "../../src/cli/style.ts";
import { laboratory } from "../evidence/repository.ts";

interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly error: string;
}

/** Runs commands in a repository `r` with one commit on main, on the branch `work`. */
async function inRepository(
  body: (
    command: (...args: string[]) => Promise<Outcome>,
    sh: (...commands: string[]) => string,
  ) => Promise<void>,
): Promise<void> {
  const place = laboratory();
  try {
    place.sh(
      "git init -q -b main r",
      "git -C r commit -q --allow-empty -m a",
      "git -C r switch -q -c work",
    );
    const env = { ...place.runtime.env, cwd: () => join(place.root, "r") };
    const runtime = { ...place.runtime, env };
    await body(async (...args) => {
      let output = "";
      let error = "";
      const context: CommandContext = {
        runtime,
        print: (text) => Promise.resolve(void (output += `${text}\n`)),
        printError: (text) => Promise.resolve(void (error += `${text}\n`)),
        style: styleOf(runtime, "output"),
        errorStyle: styleOf(runtime, "error"),
      };
      return { code: await run(args, context), output, error };
    }, place.sh);
  } finally {
    place.remove();
  }
}

describe("gatehouse evidence", () => {
  test("exits with 1 and one sentence when there is nothing to show", () =>
    inRepository(async (command) => {
      const { code, output } = await command();
      assert.equal(code, 1);
      assert.match(
        output,
        /^No work to show against main: nothing committed, nothing uncommitted\.\n/,
      );
    }));

  test("exits with 0 and the facts when there is something", () =>
    inRepository(async (command, sh) => {
      sh("echo x > r/new");
      const { code, output } = await command();
      assert.equal(code, 0);
      assert.match(output, /^There is work to show against main: 1 untracked file\.\n/);
      assert.match(output, /untracked: new/);
    }));

  test("exits with 3 where git cannot tell", () =>
    inRepository(async (command) => {
      const { code, output } = await command("--cwd", "..");
      assert.equal(code, 3);
      assert.equal(output, "No opinion: cwd is not a git working tree.\n");
      assert.equal((await command("--since", "baseline")).code, 3);
      assert.equal((await command("--since", "nowhere")).code, 3);
    }));

  test("refuses what it does not know as wrong usage", () =>
    inRepository(async (command) => {
      const usages = [["stop"], ["start", "now"], ["start", "--since", "x"], ["--since", ""]];
      for (const args of usages) await assert.rejects(command(...args), UsageError);
      await assert.rejects(command("--nothing"), { code: "ERR_PARSE_ARGS_UNKNOWN_OPTION" });
    }));

  test("start remembers the present, and later what was added since is told", () =>
    inRepository(async (command, sh) => {
      sh("echo x > r/before");
      const started = await command("start");
      assert.equal(started.code, 0);
      assert.match(
        started.output,
        /^The baseline is taken: at [0-9a-f]{12} on work, 1 path uncommitted\.\n/,
      );
      assert.equal((await command()).code, 1);
      sh("git -C r commit -q --allow-empty -m b");
      const { code, output } = await command("--since", "baseline");
      assert.equal(code, 0);
      assert.match(output, /since the baseline of .*: 1 commit\.\n/);
      assert.match(output, /there before, and as they were: before/);
    }));

  test("start says why it cannot", () =>
    inRepository(async (command) => {
      const { code, error } = await command("start", "--cwd", "..");
      assert.equal(code, 3);
      assert.equal(error, "No baseline was taken: cwd is not a git working tree.\n");
    }));

  test("--json prints the whole answer on one line", () =>
    inRepository(async (command, sh) => {
      const started = JSON.parse((await command("start", "--json")).output);
      assert.equal(started.status, "taken");
      assert.equal(started.baseline.branch, "work");
      sh("echo x > r/new");
      const { output } = await command("--json", "--base", "main");
      assert.equal(output.trim().split("\n").length, 1);
      const evidence = JSON.parse(output);
      assert.equal(evidence.answer, "evidence");
      assert.deepEqual(evidence.untrackedFiles, ["new"]);
      assert.equal(evidence.completion.baseRef, "main");
    }));
});
