// Every example runs as it stands, on the runtime that runs this test.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { runtime } from "../../src/runtime/current.ts";
import { stdioServer } from "../tools/servers/stdio_entry.ts";

const ROOT = dirname(dirname(import.meta.dirname!));
const PROGRAMS = join(ROOT, "node_modules", ".bin");

let folder = "";

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-examples-")));
});

after(() => rm(folder, { recursive: true, force: true }));

/** Runs an example to its end. */
async function run(
  name: string,
  options: { args?: string[]; input?: string; cwd?: string } = {},
): Promise<string> {
  const script = join(ROOT, "examples", name);
  const start = runtime.name === "deno" ? ["run", "-A", "--no-check", script] : [script];
  const child = spawn(runtime.env.executable, [...start, ...options.args ?? []], {
    cwd: options.cwd ?? folder,
    env: { ...process.env, PATH: [PROGRAMS, process.env.PATH].join(delimiter), NO_COLOR: "1" },
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => output += chunk);
  child.stderr.on("data", (chunk) => errors += chunk);
  child.stdin.end(options.input ?? "");
  const code = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(code, 0, `${name} ended with ${code}: ${errors}${output}`);
  return output;
}

describe("examples", () => {
  test("every example is run by a test", async () => {
    const examples = (await readdir(join(ROOT, "examples"))).sort();
    assert.deepEqual(examples, [
      "agent_loop.ts",
      "approval.ts",
      "deno_task.ts",
      "first_agent.ts",
      "mcp.ts",
      "scripted_model.ts",
    ]);
  });

  test("first_agent.ts: it runs as the README shows it, and fits on one screen", async () => {
    const code = await readFile(join(ROOT, "examples/first_agent.ts"), "utf8");
    const readme = await readFile(join(ROOT, "README.md"), "utf8");
    assert.ok(readme.includes(`\`\`\`ts\n${code}\`\`\``), "the README shows another agent");
    assert.ok(code.split("\n").length <= 40, "one screen has 40 lines");
    const output = await run("first_agent.ts");
    assert.match(output, /^completed sunny in Oslo\ndenied \{/);
    assert.match(output, /denied by rule: git push\*/);
  });

  test("agent_loop.ts: the policy stops the model's forced push, and the model goes on", async () => {
    assert.equal(
      await run("agent_loop.ts"),
      [
        "reader: completed",
        "bash: denied by policy: denied by rule: git push --force*",
        "model: I may not push by force, so I leave it to you.",
        "",
      ].join("\n"),
    );
  });

  test("approval.ts: yes runs, no does not, and another command runs instead", async () => {
    const output = await run("approval.ts", { input: "y\nn\necho other\ny\n" });
    assert.match(output, /echo first: completed, it said first\n/);
    assert.match(output, /echo second: denied\n/);
    assert.match(output, /echo third: completed, it said other\n/);
  });

  test("approval.ts: a command typed instead is judged, and nobody there is no yes", async () => {
    const output = await run("approval.ts", { input: "git push --force\n" });
    for (const word of ["first", "second", "third"]) {
      assert.match(output, new RegExp(`echo ${word}: denied\n`));
    }
  });

  test("mcp.ts: a server's tool runs under the policy", async () => {
    const config = join(folder, "mcp.json");
    await writeFile(config, JSON.stringify({ mcpServers: { rig: stdioServer() } }));
    assert.equal(
      await run("mcp.ts", { args: [config] }),
      [
        "tools: mcp__rig__echo, mcp__rig__fail, mcp__rig__facts, mcp__rig__wait",
        "hello: completed, said hello",
        "the secret word: denied",
        "",
      ].join("\n"),
    );
  });

  test("deno_task.ts: the project's tasks run, and nothing else", async () => {
    const project = join(folder, "project");
    await mkdir(project);
    await writeFile(
      join(project, "deno.json"),
      JSON.stringify({ tasks: { greet: "echo good day", publish: "touch published" } }),
    );
    assert.equal(
      await run("deno_task.ts", { args: [project] }),
      [
        "deno task greet: completed, it said good day",
        "deno task publish: denied",
        "deno run -A anything.ts: denied",
        "",
      ].join("\n"),
    );
    assert.equal(runtime.fs.exists(join(project, "published")), false);
  });
});
