import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { describe, test } from "node:test";
import { inTemporaryFolder, type TemporaryFolder } from "../temporary_folder.ts";
import { type CommandEnd, runGatehouse } from "./run_gatehouse.ts";

const payload = (folder: TemporaryFolder, tool: string, input: unknown, more: object = {}) =>
  JSON.stringify({
    session_id: "s",
    cwd: folder.at("project"),
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    ...more,
  });

async function withHook(
  policy: string,
  body: (
    hook: (input: string | Uint8Array, env?: Record<string, string>) => Promise<CommandEnd>,
    folder: TemporaryFolder,
  ) => Promise<void>,
): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    await folder.write("home/.config/gatehouse/gatehouse.yaml", policy);
    await folder.folder("project/.git");
    await body((input, env) =>
      runGatehouse(["hook", "claude-code"], {
        cwd: folder.at("project"),
        home: folder.at("home"),
        input,
        env,
      }), folder);
  });
}

function answerOf(end: CommandEnd): { permissionDecision: string; updatedInput?: unknown } {
  return JSON.parse(end.stdout).hookSpecificOutput;
}

const ALLOW =
  "version: 1\npolicy: { mode: rules, shell: parse, allow: { bash: ['*'] }, escalate: { editor: ['*'] } }\n";

describe("gatehouse hook claude-code", () => {
  test("no opinion is exit code 0 and silence", async () => {
    await withHook(ALLOW, async (hook, folder) => {
      assert.deepEqual(await hook(payload(folder, "Bash", { command: "git status" })), {
        code: 0,
        stdout: "",
        stderr: "",
      });
    });
  });

  test("a configuration that is a pipe refuses the call, and is not waited for", async () => {
    for (const name of ["home/.config/gatehouse/gatehouse.yaml", "project/gatehouse.yaml"]) {
      await withHook(ALLOW, async (hook, folder) => {
        await rm(folder.at(name), { force: true });
        assert.equal(spawnSync("mkfifo", [folder.at(name)]).status, 0);
        const end = await hook(payload(folder, "Bash", { command: "git status" }));
        assert.equal(end.code, 2, name);
        assert.match(end.stderr, /gatehouse\.yaml: not-a-file/);
      });
    }
  });

  test("a denial is exit code 2, the reason on stderr, and the JSON on stdout", async () => {
    await withHook(ALLOW, async (hook, folder) => {
      const end = await hook(payload(folder, "Bash", { command: "rm -rf /" }));
      assert.equal(end.code, 2);
      assert.equal(answerOf(end).permissionDecision, "deny");
      assert.match(end.stderr, /^gatehouse: Refused `rm -rf \/`/);
    });
  });

  test("an escalation is a question of the client's", async () => {
    await withHook(ALLOW, async (hook, folder) => {
      const end = await hook(payload(folder, "Edit", { file_path: folder.at("project/a.ts") }));
      assert.equal(end.code, 0);
      assert.equal(answerOf(end).permissionDecision, "ask");
    });
  });

  test("an allow is told only where the configuration says approve", async () => {
    await withHook(`${ALLOW}onAllow: approve\n`, async (hook, folder) => {
      assert.equal(
        answerOf(await hook(payload(folder, "Bash", { command: "git status" }))).permissionDecision,
        "allow",
      );
      // Nobody spoke of this tool's reading; silence leaves the client's own question alone.
      assert.equal((await hook(payload(folder, "TodoWrite", {}))).code, 2);
    });
  });

  const REFUSED: readonly (readonly [string, string])[] = [
    ["c335: a string", '"hi"'],
    ["c336: a list", "[1,2,3]"],
    ["c348: text", "plain text that is not JSON"],
    [
      "c349: a command that is a list",
      '{"cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":["rm"]}}',
    ],
    [
      "c350: no command",
      '{"cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}',
    ],
    ["nothing", ""],
    ["blanks", " \n"],
    ["a number", "3"],
    ["nested without end", "[".repeat(100_000)],
    [
      "a tool's name that is none",
      '{"cwd":"/","hook_event_name":"PreToolUse","tool_name":7,"tool_input":{}}',
    ],
  ];
  for (const [what, input] of REFUSED) {
    test(`refuses in one line and without a trace: ${what}`, async () => {
      await withHook(ALLOW, async (hook) => {
        const end = await hook(input);
        assert.equal(end.code, 2, end.stdout);
        assert.match(end.stderr, /^gatehouse: [^\n]+\n$/);
        assert.ok(!/\bat .*:\d+:\d+/.test(end.stderr), end.stderr);
      });
    });
  }

  test("refuses what is not UTF-8, and what is longer than the limit", async () => {
    await withHook(ALLOW, async (hook) => {
      assert.match((await hook(new Uint8Array([0x22, 0xff, 0x22]))).stderr, /not UTF-8/);
      assert.match((await hook(" ".repeat(8 * 1_048_576 + 1))).stderr, /longer than 8388608 bytes/);
    });
  });

  test("c768: a byte order mark before the payload changes nothing", async () => {
    await withHook(ALLOW, async (hook, folder) => {
      const end = await hook(`\ufeff${payload(folder, "Bash", { command: "ls" })}`);
      assert.deepEqual(end, { code: 0, stdout: "", stderr: "" });
    });
  });

  test("c351: a permission mode nobody knows changes nothing", async () => {
    await withHook(ALLOW, async (hook, folder) => {
      const more = { permission_mode: "of tomorrow" };
      assert.equal((await hook(payload(folder, "Bash", { command: "ls" }, more))).code, 0);
      assert.equal((await hook(payload(folder, "Bash", { command: "rm -rf /" }, more))).code, 2);
    });
  });

  test("a configuration that cannot be read denies every call, with file, line and fix", async () => {
    await withHook("version: 1\npolicy: sfe\n", async (hook, folder) => {
      const end = await hook(payload(folder, "Bash", { command: "ls" }));
      assert.equal(end.code, 2);
      assert.match(end.stderr, /gatehouse\.yaml:2:9: policy is "sfe"; .*did you mean `safe`\?/);
    });
  });

  test("without a home folder it refuses: it cannot know whether there are rules", async () => {
    await withHook(ALLOW, async (hook, folder) => {
      const end = await hook(payload(folder, "Bash", { command: "ls" }), { HOME: "" });
      assert.equal(end.code, 2);
      assert.match(end.stderr, /neither HOME nor XDG_CONFIG_HOME is set/);
    });
  });

  test("a judgement that takes too long is a denial before the client's own limit", async () => {
    const slow = `${ALLOW}deadline: 0.5\nhooks:\n  - { command: [sleep, "20"], timeout: 30 }\n`;
    await withHook(slow, async (hook, folder) => {
      const end = await hook(payload(folder, "Bash", { command: "ls" }));
      assert.equal(end.code, 2);
      assert.match(end.stderr, /took longer than 500 ms, so the call is refused/);
    });
  });

  test("other moments are never refused, whatever is wrong", async () => {
    await withHook("version: [", async (hook, folder) => {
      for (const name of ["PostToolUse", "SessionStart", "SessionEnd", "Stop", "OfTomorrow"]) {
        const end = await hook(
          payload(folder, "Bash", { command: "ls" }, { hook_event_name: name }),
        );
        assert.deepEqual(end, { code: 0, stdout: "", stderr: "" }, name);
      }
    });
  });
});

describe("the user's hooks on the client's path", () => {
  /** A policy with one hook, a shell script that gets the call and prints an answer. */
  const withScript = (script: string) =>
    `${ALLOW}hooks:\n  - { name: mine, tools: [bash], command: [/bin/sh, -c, ${
      JSON.stringify(script)
    }] }\n`;

  test("D2-4 a rewrite reaches the client exactly as it was judged last", async () => {
    const script = `cat > /dev/null; printf '%s' '{"args":{"command":"git push --dry-run"}}'`;
    await withHook(withScript(script), async (hook, folder) => {
      const end = await hook(payload(folder, "Bash", { command: "git push", description: "d" }));
      assert.equal(end.code, 0, end.stderr);
      assert.deepEqual(answerOf(end).updatedInput, { command: "git push --dry-run" });
    });
  });

  test("D2-4 a rewrite that makes a safe command deadly is denied", async () => {
    const script = `cat > /dev/null; echo '{"args":{"command":"rm -rf /"}}'`;
    await withHook(withScript(script), async (hook, folder) => {
      assert.equal((await hook(payload(folder, "Bash", { command: "ls" }))).code, 2);
    });
  });

  test("D2-4 a rewrite that hides a deadly command comes too late", async () => {
    const script = `cat > /dev/null; echo '{"args":{"command":"safe-wrapper"}}'`;
    await withHook(withScript(script), async (hook, folder) => {
      assert.equal((await hook(payload(folder, "Bash", { command: "rm -rf /" }))).code, 2);
    });
  });

  test("c375: a denial holds, whatever another hook says", async () => {
    const policy = `${ALLOW}hooks:
  - { name: first, command: [/bin/sh, -c, 'echo "{\\"decision\\":\\"deny\\",\\"reason\\":\\"no\\"}"'] }
  - { name: second, command: [/bin/sh, -c, 'echo "{\\"decision\\":\\"allow\\"}"'] }
`;
    await withHook(policy, async (hook, folder) => {
      const end = await hook(payload(folder, "Bash", { command: "ls" }));
      assert.equal(end.code, 2);
      assert.match(end.stderr, /first: no/);
    });
  });

  test("a hook that asks does not keep a later control from denying", async () => {
    const script = `cat > /dev/null; echo '{"decision":"ask","reason":"sure?"}'`;
    await withHook(withScript(script), async (hook, folder) => {
      assert.equal((await hook(payload(folder, "Bash", { command: "rm -rf /" }))).code, 2);
      const end = await hook(payload(folder, "Bash", { command: "ls" }));
      assert.equal(answerOf(end).permissionDecision, "ask");
    });
  });

  test("a hook that fails leaves nothing running and says which it was", async () => {
    await withHook(withScript("exit 9"), async (hook, folder) => {
      const end = await hook(payload(folder, "Bash", { command: "ls" }));
      assert.equal(end.code, 2);
      assert.match(end.stderr, /The hook mine ended with exit code 9, so the call is refused/);
    });
  });
});
