import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inTemporaryFolder, type TemporaryFolder } from "../temporary_folder.ts";
import { runGatehouse } from "./run_gatehouse.ts";

const POLICY = `version: 1
policy:
  mode: rules
  allow: { bash: ["git *"], reader: ["*"], deploy: ["* staging"] }
  deny: { bash: ["git push --force*"] }
  escalate: { bash: ["npm *"] }
`;

/** A home with a policy, and a project. */
async function withPolicy<T>(
  body: (
    run: (args: string[], input?: string) => ReturnType<typeof runGatehouse>,
    folder: TemporaryFolder,
  ) => Promise<T>,
  policy: string = POLICY,
): Promise<T> {
  return await inTemporaryFolder(async (folder) => {
    await folder.write("home/.config/gatehouse/gatehouse.yaml", policy);
    await folder.folder("project/.git");
    const options = { cwd: folder.at("project"), home: folder.at("home") };
    return await body((args, input) => runGatehouse(args, { ...options, input }), folder);
  });
}

describe("gatehouse check", () => {
  test("exits with 0, 1 and 3 for allow, deny and escalate", async () => {
    await withPolicy(async (run) => {
      assert.equal((await run(["check", "bash", "git status"])).code, 0);
      assert.equal((await run(["check", "bash", "git push --force"])).code, 1);
      assert.equal((await run(["check", "bash", "npm test"])).code, 3);
    });
  });

  test("a denial reads like a compiler's error: what, by which rule, where, and what to do", async () => {
    await withPolicy(async (run, folder) => {
      const { stdout } = await run(["check", "bash", "git", "push", "--", "--force"]);
      const file = folder.at("home/.config/gatehouse/gatehouse.yaml");
      assert.equal(
        stdout,
        [
          "denied: bash git push --force",
          "  denied by rule: git push --force*",
          '  by policy, rule "git push --force*"',
          `   --> ${file}:5`,
          "    |",
          '  5 |   deny: { bash: ["git push --force*"] }',
          "  instead: Do it another way, or ask the user to change the rule.",
          "",
        ].join("\n"),
      );
    });
  });

  test("takes arguments as words, as key=value, and as JSON", async () => {
    await withPolicy(async (run) => {
      const behavior = async (...args: string[]) =>
        JSON.parse((await run(["check", ...args, "--json"])).stdout).behavior;
      assert.equal(await behavior("reader", "src/a.ts"), "allow");
      assert.equal(await behavior("reader", "/etc/passwd"), "deny");
      assert.equal(await behavior("deploy", "target=staging"), "allow");
      assert.equal(await behavior("deploy", '{"target":"production"}'), "deny");
      assert.equal(await behavior("deploy", '{"target":"x staging"}', "--action", "now"), "allow");
    });
  });

  test("without a policy everything is left to the client, and the guards are on", async () => {
    await inTemporaryFolder(async (folder) => {
      const options = { cwd: await folder.folder("p"), home: await folder.folder("home") };
      const allowed = await runGatehouse(["check", "bash", "make"], options);
      assert.equal(allowed.code, 0);
      assert.match(allowed.stdout, /no policy speaks of this call/);
      assert.equal((await runGatehouse(["check", "bash", "rm -rf /"], options)).code, 1);
    });
  });

  test("wrong usage and a configuration that cannot be used exit with 2", async () => {
    await withPolicy(async (run, folder) => {
      for (
        const args of [["check"], ["check", "--no-such"], ["check", "deploy", "word"], ["nothing"]]
      ) {
        const end = await run(args);
        assert.equal(end.code, 2, args.join(" "));
        assert.match(end.stderr, /^error: .*\n {2}see `gatehouse help/, args.join(" "));
        assert.equal(end.stdout, "");
      }
      await folder.write("home/.config/gatehouse/gatehouse.yaml", "version: 1\npolcy: safe\n");
      const end = await run(["check", "bash", "ls"]);
      assert.equal(end.code, 2);
      assert.match(
        end.stderr,
        /gatehouse\.yaml:2:1: unknown key `polcy` \(did you mean `policy`\?\)/,
      );
    });
  });

  test("--config names a file that stands alone", async () => {
    await withPolicy(async (run, folder) => {
      await folder.write("project/other.yaml", "version: 1\npolicy: deny_all\n");
      assert.equal((await run(["check", "bash", "git status", "--config", "other.yaml"])).code, 1);
    });
  });

  test("a project's file that nobody trusts is said to be one", async () => {
    await withPolicy(async (run, folder) => {
      await folder.write(
        "project/gatehouse.yaml",
        "version: 1\npolicy: { mode: rules, allow: { bash: [x] } }\n",
      );
      const { stdout } = await run(["check", "bash", "x"]);
      assert.match(stdout, /^denied/);
      assert.match(
        stdout,
        /note: .*project\/gatehouse\.yaml is not trusted, so its allow rules do not count/,
      );
    });
  });
});

describe("gatehouse check --batch", () => {
  test("answers every line with one verdict, in their order; the exit code is the strictest", async () => {
    await withPolicy(async (run) => {
      const calls = [
        { tool: "bash", args: { command: "git status" } },
        { tool: "bash", args: { command: "npm test" } },
        { tool: "Bash_Tool", action: "run", args: { command: "git push --force" } },
        { tool: "reader", args: { path: "../x" } },
      ];
      const end = await run(
        ["check", "--batch"],
        calls.map((call) => JSON.stringify(call)).join("\n"),
      );
      const verdicts = end.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
      assert.deepEqual(verdicts.map(({ behavior }) => behavior), [
        "allow",
        "escalate",
        "deny",
        "deny",
      ]);
      assert.deepEqual(verdicts.map(({ control }) => control), [
        "policy",
        "policy",
        "policy",
        "guard:paths",
      ]);
      assert.deepEqual(verdicts.map(({ matchedRule }) => matchedRule), [
        "git *",
        "npm *",
        "git push --force*",
        "outside",
      ]);
      for (const verdict of verdicts) assert.equal(typeof verdict.reason, "string");
      assert.equal(end.code, 1);
      assert.equal((await run(["check", "--batch"], JSON.stringify(calls[1]))).code, 3);
      assert.equal((await run(["check", "--batch"], "")).code, 0);
    });
  });

  test("a line that cannot be read is a denial in its place, and the exit code says so", async () => {
    await withPolicy(async (run) => {
      const lines = [
        "{",
        "[]",
        '{"args":{}}',
        '{"tool":"bash","args":[]}',
        '{"tool":"bash","cwd":"x"}',
      ];
      const end = await run(["check", "--batch"], [...lines, '{"tool":"reader"}'].join("\r\n"));
      const verdicts = end.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
      assert.deepEqual(verdicts.map(({ behavior }) => behavior), [
        ...lines.map(() => "deny"),
        "allow",
      ]);
      for (const [index, { reason }] of verdicts.slice(0, -1).entries()) {
        assert.match(reason, new RegExp(`^line ${index + 1}: `));
      }
      assert.equal(end.code, 2);
    });
  });
});
