import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, test } from "node:test";
import { opencodePlugin } from "../../src/clients/install/opencode_plugin.ts";
import { inTemporaryFolder } from "../temporary_folder.ts";

interface Plugin {
  "tool.execute.before"(input: object, output: { args: Record<string, unknown> }): Promise<void>;
  "tool.execute.after"(input: object, output: object): Promise<void>;
  event(input: { event: { type: string; properties?: unknown } }): Promise<void>;
}

const input = { tool: "bash", sessionID: "ses_1", callID: "call_1" };

/** Loads the plugin as OpenCode does, with a program of a few lines in gatehouse's place. */
async function withPlugin(
  script: string | null,
  body: (plugin: Plugin, seen: () => string) => Promise<void>,
  limitSeconds = 10,
): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const binary = folder.at("gate house");
    if (script !== null) {
      await folder.write(
        "gate house",
        `#!/bin/sh\ntee '${folder.at("seen")}' >/dev/null\n${script}\n`,
      );
      const { chmod } = await import("node:fs/promises");
      await chmod(binary, 0o755);
    }
    const file = await folder.write("plugin.mjs", opencodePlugin(binary, limitSeconds));
    const { Gatehouse } = await import(pathToFileURL(file).href);
    await body(
      await Gatehouse({ directory: folder.path }),
      () => readFileSync(folder.at("seen"), "utf8"),
    );
  });
}

describe("the plugin in OpenCode", () => {
  test("sends the call, and lets it pass when nothing is said", async () => {
    await withPlugin("exit 0", async (plugin, seen) => {
      const output = { args: { command: "ls" } };
      await plugin["tool.execute.before"](input, output);
      assert.deepEqual(output.args, { command: "ls" });
      const { cwd: _, ...payload } = JSON.parse(seen());
      assert.deepEqual(payload, {
        hook_event_name: "tool.execute.before",
        session_id: "ses_1",
        tool_use_id: "call_1",
        tool_name: "bash",
        tool_input: { command: "ls" },
      });
    });
  });

  test("throws what a denial says", async () => {
    await withPlugin("echo 'gatehouse: no' >&2; exit 2", async (plugin) => {
      await assert.rejects(() => plugin["tool.execute.before"](input, { args: {} }), {
        message: "gatehouse: no",
      });
    });
  });

  test("puts rewritten arguments into the very object that the tool runs with, and takes others out", async () => {
    await withPlugin(
      `echo '{"decision":"allow","updatedInput":{"command":"b","new":1}}'`,
      async (plugin) => {
        const args: Record<string, unknown> = { command: "a", description: "gone" };
        await plugin["tool.execute.before"](input, { args });
        assert.deepEqual(args, { command: "b", new: 1 });
      },
    );
  });

  for (
    const [what, script] of [
      ["a crash", "exit 1"],
      ["death by a signal", "kill -9 $$"],
      ["a missing program", null],
      ["text that is not JSON", "echo hello"],
      ["JSON of another shape", "echo '[]'"],
      ["a denial without an exit code", `echo '{"decision":"deny","reason":"no"}'`],
      ["a denial without a word", "exit 2"],
    ] as const
  ) {
    test(`${what} denies the call`, async () => {
      await withPlugin(script, async (plugin) => {
        const args = { command: "a" };
        await assert.rejects(() => plugin["tool.execute.before"](input, { args }));
        assert.deepEqual(args, { command: "a" });
      });
    });
  }

  test("a program that never answers denies the call, so that OpenCode does not hang", async () => {
    await withPlugin("exec sleep 30", async (plugin) => {
      await assert.rejects(() => plugin["tool.execute.before"](input, { args: {} }), {
        message: /no answer in 200 ms/,
      });
    }, 0.2);
  });

  test("marks the calls of a session that another one has started", async () => {
    await withPlugin("exit 0", async (plugin, seen) => {
      await plugin.event({
        event: {
          type: "session.created",
          properties: { info: { id: "ses_1", parentID: "ses_0" } },
        },
      });
      await plugin["tool.execute.before"](input, { args: {} });
      assert.equal(JSON.parse(seen()).agent_id, "ses_1");
    });
  });

  test("what is only recorded never throws", async () => {
    await withPlugin("exit 2", async (plugin) => {
      await plugin["tool.execute.after"]({ ...input, args: {} }, { output: "x" });
      await plugin.event({ event: { type: "session.idle" } });
    });
  });

  test("it imports nothing that could be missing", () => {
    const imports = opencodePlugin("/x").match(/^import .*$/gm);
    assert.deepEqual(imports, ['import { spawn } from "node:child_process";']);
  });
});
