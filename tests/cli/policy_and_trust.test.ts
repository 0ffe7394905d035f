import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMMANDS } from "../../src/cli/commands.ts";
import { LOADERS } from "../../src/cli/run_command.ts";
import { inTemporaryFolder, type TemporaryFolder } from "../temporary_folder.ts";
import { type CommandEnd, runGatehouse, runOnTerminal } from "./run_gatehouse.ts";

const PROJECT = `version: 1
policy:
  mode: rules
  shell: parse
  allow:
    bash:
      - "git *"
      - { command: [npm, test], match: ["npm test"], not_match: ["npm publish"] }
  deny:
    bash: [{ pattern: "git push --force*", reason: "history is shared" }]
tests:
  - { tool: bash, command: git status, expect: allow }
  - { tool: bash, command: git push --force, expect: deny }
`;

async function inProject(
  body: (run: (...args: string[]) => Promise<CommandEnd>, folder: TemporaryFolder) => Promise<void>,
): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    await folder.folder("home");
    await folder.folder("project/.git");
    await folder.write("project/gatehouse.yaml", PROJECT);
    const options = { cwd: folder.at("project"), home: folder.at("home") };
    await body((...args) => runGatehouse(args, options), folder);
  });
}

describe("gatehouse trust", () => {
  test("asks on a terminal; from then on the file counts, until it changes", async () => {
    await inProject(async (run, folder) => {
      const options = { cwd: folder.at("project"), home: folder.at("home") };
      assert.equal((await run("check", "bash", "npm test", "--json")).code, 0);
      assert.equal(
        JSON.parse((await run("check", "bash", "git log", "--json")).stdout).control,
        null,
      );
      const refused = await runOnTerminal(["trust"], { ...options, input: "n\n" });
      assert.match(refused.stdout, /Nothing was changed/);
      const trusted = await runOnTerminal(["trust"], { ...options, input: "y\n" });
      assert.equal(trusted.code, 0, trusted.stdout);
      assert.equal(
        JSON.parse((await run("check", "bash", "git log", "--json")).stdout).control,
        "policy",
      );
      assert.match((await run("trust", "--list")).stdout, /gatehouse\.yaml {2}trusted/);
      await folder.write("project/gatehouse.yaml", `${PROJECT}# changed\n`);
      assert.equal(
        JSON.parse((await run("check", "bash", "git log", "--json")).stdout).control,
        null,
      );
      assert.match((await run("trust", "--list")).stdout, /has changed since/);
      assert.match((await run("trust", "--revoke")).stdout, /not trusted any more/);
      assert.match((await run("trust", "--list")).stdout, /Nothing is trusted/);
    });
  });

  test("without a terminal it refuses: an agent cannot say yes", async () => {
    await inProject(async (run) => {
      const end = await run("trust");
      assert.equal(end.code, 2);
      assert.match(end.stderr, /a person must answer on a terminal/);
    });
  });

  test("a file with mistakes is not trusted", async () => {
    await inProject(async (_run, folder) => {
      await folder.write("project/gatehouse.yaml", "version: 1\nhoks: []\n");
      const options = { cwd: folder.at("project"), home: folder.at("home") };
      const end = await runOnTerminal(["trust", "gatehouse.yaml"], { ...options, input: "y\n" });
      assert.equal(end.code, 2);
      assert.match(end.stdout, /did you mean `hooks`\?/);
    });
  });
});

describe("gatehouse policy", () => {
  test("lint names every mistake and exits with 2; without one it exits with 0", async () => {
    await inProject(async (run, folder) => {
      const good = await run("policy", "lint");
      assert.deepEqual([good.code, good.stdout], [
        0,
        `${folder.at("project/gatehouse.yaml")}: no problems\n`,
      ]);
      await folder.write(
        "project/gatehouse.yaml",
        "version: 1\npolicy:\n  mode: rules\n  deny: { bash: ['rm *', 'rm -rf *'] }\n  allow: { bash: ['a; b'] }\n",
      );
      const bad = await run("policy", "lint", "--json");
      assert.equal(bad.code, 2);
      const { problems } = JSON.parse(bad.stdout);
      assert.deepEqual(problems.map(({ line }: { line: number }) => line), [4, 5]);
      assert.match(problems[0].message, /can never decide: `rm \*` on line 4 is asked before it/);
      assert.match(problems[1].message, /can never match/);
    });
  });

  test("an example that a rule does not keep is a mistake of the file, with its line", async () => {
    await inProject(async (run, folder) => {
      await folder.write(
        "project/gatehouse.yaml",
        PROJECT.replace('["npm publish"]', '["npm test x"]'),
      );
      const end = await run("check", "bash", "ls");
      assert.equal(end.code, 2);
      assert.match(end.stderr, /gatehouse\.yaml:8:\d+: the rule matches "npm test x"/);
    });
  });

  test("show says which files count and what they come to", async () => {
    await inProject(async (run) => {
      const { stdout } = await run("policy", "show");
      assert.match(stdout, /project, not trusted: it may only tighten/);
      assert.match(stdout, /destructive {2}on, mode parsed/);
      const json = JSON.parse((await run("policy", "show", "--json")).stdout);
      assert.equal(json.layers[0].trusted, false);
      assert.equal(json.guards.destructive.mode, "parsed");
    });
  });

  test("test runs the tests of a file, counts, and names rules that nothing reaches", async () => {
    await inProject(async (run, folder) => {
      const end = await run("policy", "test");
      assert.equal(end.code, 0, end.stdout);
      assert.match(
        end.stdout,
        /2 passed, 0 failed; 2 examples in rules hold; 0 rules without a test/,
      );
      await folder.write(
        "project/gatehouse.yaml",
        PROJECT.replace("expect: deny", "expect: allow").replace(
          '- "git *"',
          '- "git *"\n      - "make *"',
        ),
      );
      const failed = await run("policy", "test");
      assert.equal(failed.code, 1);
      assert.match(failed.stdout, /expected allow, got deny: .*history is shared/);
      assert.match(failed.stdout, /no test reaches the allow rule for bash: make \*/);
    });
  });

  test("explain draws the commands of a line and says what each came to", async () => {
    await inProject(async (run, folder) => {
      const config = ["--config", folder.at("project/gatehouse.yaml")];
      const end = await run("explain", "bash", "cd sub && git push --force", ...config);
      assert.equal(end.code, 1);
      assert.match(end.stdout, /\[0\] cd sub\n.*\n {6}~{6}\n/);
      assert.match(end.stdout, /\[1\] git push --force\n/);
      assert.match(end.stdout, /\[1\] deny {5}denied by rule: git push --force\* .*\(line 10\)/);
      const same = await run("policy", "explain", "bash", "cd sub && git push --force", ...config);
      assert.equal(same.stdout, end.stdout);
      const json = JSON.parse(
        (await run("explain", "bash", "git log", "--json", ...config)).stdout,
      );
      assert.equal(json.verdict.behavior, "allow");
      assert.equal(json.line.commands[0].canonical, "git log");
      assert.equal(json.policies[0].commands[0].line, 7);
    });
  });
});

describe("the help", () => {
  test("knows every command that can be run, and no other", () => {
    assert.deepEqual(COMMANDS.map(({ name }) => name).sort(), Object.keys(LOADERS).sort());
  });

  test("says of every command how it is used, with examples", async () => {
    await inTemporaryFolder(async (folder) => {
      const options = { cwd: folder.path, home: folder.path };
      const general = await runGatehouse(["help"], options);
      assert.equal(general.code, 0);
      for (const { name, summary, examples } of COMMANDS) {
        assert.ok(general.stdout.includes(`  ${name}`) && general.stdout.includes(summary), name);
        assert.ok(examples.length > 0, name);
      }
      const one = await runGatehouse(["check", "--help"], options);
      assert.match(one.stdout, /^gatehouse check: .*\n\nUsage:\n {2}gatehouse check <tool>/);
      assert.equal((await runGatehouse([], options)).code, 2);
    });
  });

  test("completions are scripts that their shell can read", async () => {
    await inTemporaryFolder(async (folder) => {
      const options = { cwd: folder.path, home: folder.path };
      const { stdout } = await runGatehouse(["completions", "bash"], options);
      const { execFileSync } = await import("node:child_process");
      execFileSync("bash", ["-n"], { input: stdout });
      const words = execFileSync("bash", [
        "-c",
        `${stdout}
COMP_WORDS=(gatehouse po); COMP_CWORD=1; _gatehouse; echo "\${COMPREPLY[@]}"`,
      ]);
      assert.equal(String(words).trim(), "policy");
      for (const shell of ["zsh", "fish"]) {
        assert.equal((await runGatehouse(["completions", shell], options)).code, 0);
      }
      assert.equal((await runGatehouse(["completions", "tcsh"], options)).code, 2);
    });
  });

  test("colours only on a terminal, and never with NO_COLOR", async () => {
    await inTemporaryFolder(async (folder) => {
      const options = { cwd: folder.path, home: folder.path };
      const escape = "\u001b[";
      assert.ok(!(await runGatehouse(["help"], options)).stdout.includes(escape));
      assert.ok((await runOnTerminal(["help"], { ...options, input: "" })).stdout.includes(escape));
    });
  });
});
