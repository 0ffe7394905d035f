import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { runGatehouse } from "./cli/run_gatehouse.ts";
import { inTemporaryFolder } from "./temporary_folder.ts";

const ROOT = join(import.meta.dirname!, "..");
const readme = await readFile(join(ROOT, "README.md"), "utf8");

function blocks(language: string): string[] {
  const pattern = new RegExp("^```" + language + "\\n([\\s\\S]*?)^```$", "gm");
  return [...readme.matchAll(pattern)].map(([, body]) => body);
}

/** What the README's commands exit with where nothing is installed and nothing was recorded yet. */
const EXIT_CODES: Readonly<Record<string, number>> = {
  "check bash git push --force": 1,
  // `make` is no rule's business: a question.
  "explain bash cd src && make": 3,
  "policy lint": 0,
  "policy test": 0,
  "policy show": 0,
  "help": 0,
  // No coding agent is found there.
  "init": 1,
  "doctor": 0,
  "uninstall": 0,
  "sessions": 0,
  "signals list": 0,
  "why last": 1,
  "signals stats": 0,
};

/** The README's `gatehouse` commands, as arguments. */
const commands = blocks("sh").flatMap((block) => block.split("\n"))
  .filter((line) => line.startsWith("gatehouse "))
  .map((line) =>
    [...line.slice("gatehouse ".length).split(" #")[0].trim().matchAll(/'([^']*)'|(\S+)/g)]
      .map(([, quoted, plain]) => quoted ?? plain)
  );

describe("README.md", () => {
  const [policy] = blocks("yaml");

  test("shows a policy that can be used, and whose tests pass", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("project/gatehouse.yaml", policy);
      await folder.folder("home");
      const options = { cwd: folder.at("project"), home: folder.at("home") };
      const end = await runGatehouse(["policy", "test"], options);
      assert.equal(end.code, 0, end.stdout + end.stderr);
      assert.match(end.stdout, /2 passed, 0 failed/);
    });
  });

  test("shows commands, and this file knows what each comes to", () => {
    assert.deepEqual(commands.map((args) => args.join(" ")).sort(), Object.keys(EXIT_CODES).sort());
  });

  for (const args of commands) {
    test(`gatehouse ${args.join(" ")} works as it is shown`, async () => {
      await inTemporaryFolder(async (folder) => {
        await folder.write("home/.config/gatehouse/gatehouse.yaml", policy);
        await folder.folder("project/.git");
        const options = {
          cwd: folder.at("project"),
          home: folder.at("home"),
          // Without the agents that this machine may have.
          env: { PATH: "/usr/bin:/bin" },
        };
        const end = await runGatehouse(args, options);
        assert.equal(end.code, EXIT_CODES[args.join(" ")], end.stdout + end.stderr);
        assert.notEqual(end.stdout + end.stderr, "");
      });
    });
  }

  test("names tasks that there are, in the commands that need Node.js alone", async () => {
    const { tasks } = JSON.parse(await readFile(join(ROOT, "deno.json"), "utf8"));
    const named = blocks("sh").flatMap((block) =>
      [...block.matchAll(/npx deno task ([\w:]+)/g)].map(([, task]) => task)
    );
    assert.deepEqual(named, ["try", "test"]);
    for (const task of named) assert.ok(Object.hasOwn(tasks, task), task);
  });

  test("links to files that are there", async () => {
    for (const [, target] of readme.matchAll(/\]\((?!http)([^)#]+)\)/g)) {
      await assert.doesNotReject(
        readFile(join(ROOT, target)).catch((error) => {
          if (error.code !== "EISDIR") throw error;
        }),
        target,
      );
    }
  });
});
