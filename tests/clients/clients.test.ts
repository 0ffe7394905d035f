import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  bareInterpreter as bareIn,
  INTERPRETER_NAMES,
  interpreters,
  namesInterpreter,
} from "../../src/clients/bare_interpreter.ts";
import { claudeCode } from "../../src/clients/claude_code.ts";
import type { Client, ClientEvent } from "../../src/clients/client.ts";
import { codex } from "../../src/clients/codex.ts";
import { copilot } from "../../src/clients/copilot.ts";
import { gemini } from "../../src/clients/gemini.ts";
import { opencode } from "../../src/clients/opencode.ts";
import { patchFiles } from "../../src/clients/patch_files.ts";
import { CLIENTS } from "../../src/clients/registry.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";
import { wordsOf } from "../../src/shell/word_list.ts";
import { verdict } from "./verdicts.ts";

/** As the hook asks: lines that name no interpreter are not read. */
const bareInterpreter = (line: string): string | null =>
  namesInterpreter(line) ? bareIn(readCommandLine(line)) : null;

const environment = { cwd: () => "/repo" };
const defer = { onAllow: "defer" } as const;

function snake(client: Client, event: string, tool: unknown, input: unknown): ClientEvent {
  return client.read({ hook_event_name: event, tool_name: tool, tool_input: input }, environment);
}
const claude = (tool: unknown, input: unknown) => snake(claudeCode, "PreToolUse", tool, input);
const inCodex = (tool: unknown, input: unknown) => snake(codex, "PreToolUse", tool, input);
const inGemini = (tool: unknown, input: unknown) => snake(gemini, "BeforeTool", tool, input);
const inOpenCode = (tool: unknown, input: unknown) =>
  snake(opencode, "tool.execute.before", tool, input);
const inCopilot = (tool: unknown, input: unknown) =>
  copilot.read({ toolName: tool, toolArgs: input }, environment);

describe("reading a call strictly", () => {
  const refused: readonly (readonly [string, () => unknown, RegExp])[] = [
    ["a tool name that is no text", () => claude(7, {}), /tool_name/],
    ["an empty tool name", () => claude("", {}), /tool_name/],
    ["arguments that are a list", () => claude("Bash", []), /tool_input is a list, not an object/],
    ["arguments that are a text", () => inCopilot("bash", "ls"), /toolArgs is a text/],
    ["a command that is a list", () => claude("Bash", { command: ["rm"] }), /command is a list/],
    ["a missing command", () => inCodex("Bash", {}), /command is missing/],
    [
      "a write without a file",
      () => inGemini("write_file", { content: "" }),
      /file_path is missing/,
    ],
    [
      "a file under both names",
      () => claude("Read", { file_path: "a", path: "b" }),
      /both file_path and path/,
    ],
    [
      "a search in a folder that is no text",
      () => claude("Grep", { pattern: "a", path: {} }),
      /path is an object/,
    ],
    [
      "a search in a list of numbers",
      () => inCopilot("grep", { pattern: "k", paths: [1] }),
      /paths/,
    ],
    ["a patch without a file", () => inCodex("apply_patch", { command: "hello" }), /names no file/],
    ["no patterns to read", () => inGemini("read_many_files", { include: [] }), /include/],
    [
      "a folder that is not absolute",
      () =>
        claudeCode.read({
          hook_event_name: "PreToolUse",
          tool_name: "Bash",
          tool_input: { command: "ls" },
          cwd: "repo",
        }, environment),
      /not absolute/,
    ],
    [
      "a Copilot payload whose tool is called otherwise",
      () => copilot.read({ tool: "bash" }, environment),
      /no toolName/,
    ],
  ];
  for (const [what, read, message] of refused) {
    test(`${what} is refused, saying so`, () => {
      assert.throws(read, { name: "PayloadError", message });
    });
  }
});

describe("our words for the clients' tools", () => {
  const mapped: readonly (readonly [string, ClientEvent, unknown])[] = [
    [
      "Claude Code's notebook edit is the editor",
      claude("NotebookEdit", { notebook_path: "/n.ipynb", new_source: "1" }),
      [["editor", "edit", { file_path: "/n.ipynb", new_source: "1" }]],
    ],
    [
      "Claude Code's Monitor runs a command",
      claude("Monitor", { command: "rm -r x", timeout_ms: 1 }),
      [["bash", "monitor", { command: "rm -r x", timeout_ms: 1 }]],
    ],
    [
      "Claude Code's Monitor of a socket keeps its name",
      claude("Monitor", { ws: { url: "wss://x" } }),
      [["Monitor", "", { ws: { url: "wss://x" } }]],
    ],
    ["a tool called constructor keeps its name", claude("constructor", {}), [[
      "constructor",
      "",
      {},
    ]]],
    [
      "Gemini's many reads are one call each",
      inGemini("read_many_files", { include: ["a", "b/**"] }),
      [["reader", "read", { path: "a" }], ["reader", "read", { path: "b/**" }]],
    ],
    [
      "what Copilot types into a running shell is judged as a command",
      inCopilot("write_bash", { shellId: "1", input: "rm -r x" }),
      [["bash", "input", { shellId: "1", command: "rm -r x" }]],
    ],
    [
      "Copilot's search in several folders is one call each",
      inCopilot("grep", { pattern: "k", paths: ["src", "/etc"] }),
      [["search", "grep", { pattern: "k", path: "src" }], ["search", "grep", {
        pattern: "k",
        path: "/etc",
      }]],
    ],
    [
      "Copilot's search in one folder is one call",
      inCopilot("glob", { pattern: "*", paths: "/etc" }),
      [["search", "glob", { pattern: "*", path: "/etc" }]],
    ],
    [
      "OpenCode's patch is one call for each file",
      inOpenCode("apply_patch", {
        patchText: "*** Begin Patch\n*** Delete File: a\n*** Add File: b\n+x\n*** End Patch",
      }),
      [["editor", "delete", { file_path: "a", content: "" }], ["editor", "write", {
        file_path: "b",
        content: "x",
      }]],
    ],
    [
      "a patch in Codex's shell counts as command and as edits",
      inCodex("Bash", {
        command:
          "apply_patch <<'E'\n*** Begin Patch\n*** Update File: .env\n@@\n-a\n+b\n*** End Patch\nE",
      }),
      [["bash", "", {
        command:
          "apply_patch <<'E'\n*** Begin Patch\n*** Update File: .env\n@@\n-a\n+b\n*** End Patch\nE",
      }], ["editor", "edit", { file_path: ".env", content: "b" }]],
    ],
  ];
  for (const [what, event, expected] of mapped) {
    test(what, () => {
      assert.deepEqual(event.calls.map(({ tool, action, args }) => [tool, action, args]), expected);
    });
  }

  test("a command that only looks for patches carries none", () => {
    for (const command of ["grep -rn '*** Begin Patch' .", "echo '*** Begin Patch'"]) {
      assert.equal(inCodex("Bash", { command }).calls.length, 1);
    }
    const elsewhere =
      "cd ../up && apply_patch <<'E'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nE";
    assert.deepEqual(inCodex("Bash", { command: elsewhere }).calls.map(({ cwd }) => cwd), [
      "/repo",
      "/repo/../up",
    ]);
    const unknown = elsewhere.replace("cd ../up", "cd $X");
    assert.throws(() => inCodex("Bash", { command: unknown }), {
      name: "PayloadError",
      message: /in which folder/,
    });
    const inline = "apply_patch '*** Begin Patch\n*** Delete File: a\n*** End Patch'";
    assert.equal(inCodex("Bash", { command: inline }).calls.length, 2);
  });

  test("a command that a client runs in another folder is judged in that folder", () => {
    assert.equal(
      inGemini("run_shell_command", { command: "ls", dir_path: "sub" }).calls[0].cwd,
      "/repo/sub",
    );
    assert.equal(inOpenCode("bash", { command: "ls", workdir: "/srv" }).calls[0].cwd, "/srv");
  });

  test("a moved file counts at both ends", () => {
    const files = patchFiles(
      "*** Begin Patch\n*** Update File: a\n*** Move to: .git/hooks/x\n@@\n+y\n*** End Patch",
    );
    assert.deepEqual(files.map(({ action, args }) => [action, args.file_path]), [["edit", "a"], [
      "write",
      ".git/hooks/x",
    ]]);
  });

  test("a header with blanks around it names a file too", () => {
    const files = patchFiles(
      "*** Begin Patch\r\n*** Add File: a\r\n+x\r\n  *** Delete File: b  \r\n*** End Patch\r\n",
    );
    assert.deepEqual(files.map(({ args }) => args.file_path), ["a", "b"]);
  });

  test("a header that we do not know is refused", () => {
    assert.throws(() => patchFiles("*** Begin Patch\n*** Copy File: a\n*** End Patch"), {
      name: "PayloadError",
      message: /unknown header/,
    });
  });
});

describe("what runs is what was judged", () => {
  test("rewritten arguments go back in the client's own names", () => {
    const event = claude("Read", { file_path: "/a", limit: 3 });
    const answer = claudeCode.write(
      verdict({ rewritten: true, args: { path: "/b" } }),
      event,
      defer,
    );
    assert.deepEqual(JSON.parse(answer.stdout).hookSpecificOutput, {
      hookEventName: "PreToolUse",
      updatedInput: { file_path: "/b" },
    });
  });

  test("arguments that would need one name twice are denied", () => {
    const event = claude("Read", { file_path: "/a" });
    const answer = claudeCode.write(
      verdict({ rewritten: true, args: { path: "/b", file_path: "/c" } }),
      event,
      defer,
    );
    assert.equal(answer.exitCode, 2);
  });

  test("empty arguments, which Claude Code would take for none, are denied", () => {
    const answer = claudeCode.write(
      verdict({ rewritten: true, args: {} }),
      claude("X", { a: 1 }),
      defer,
    );
    assert.equal(answer.exitCode, 2);
  });

  test("Gemini, which lays rewritten arguments over the old, is denied a rewrite that takes one away", () => {
    const event = inGemini("run_shell_command", { command: "ls", is_background: true });
    const answer = gemini.write(
      verdict({ rewritten: true, args: { command: "ls -l" } }),
      event,
      defer,
    );
    assert.equal(answer.exitCode, 2);
    assert.match(answer.stderr, /Run this instead:\nls -l/);
  });

  test("an ask carries the rewritten arguments too", () => {
    const answer = claudeCode.write(
      verdict({ behavior: "escalate", rewritten: true, args: { command: "b" } }),
      claude("Bash", { command: "a" }),
      defer,
    );
    assert.deepEqual(JSON.parse(answer.stdout).hookSpecificOutput.updatedInput, { command: "b" });
    assert.equal(JSON.parse(answer.stdout).hookSpecificOutput.permissionDecision, "ask");
  });
});

describe("where nobody can be asked", () => {
  const escalate = verdict({ behavior: "escalate", reason: "careful", args: { command: "x" } });
  for (
    const [name, client, event] of [
      ["Codex", codex, inCodex("Bash", { command: "x" })],
      ["OpenCode", opencode, inOpenCode("bash", { command: "x" })],
      ["Gemini CLI", gemini, inGemini("run_shell_command", { command: "x" })],
    ] as const
  ) {
    test(`an escalation in ${name} is a denial that says a person must approve`, () => {
      const answer = client.write(escalate, event, defer);
      assert.equal(answer.exitCode, 2);
      assert.match(
        answer.stderr,
        new RegExp(`careful\nA person must approve this, and ${name} cannot ask`),
      );
    });
  }

  for (const [name, client] of Object.entries(CLIENTS)) {
    test(`${name} is answered at a stop where its abilities say so`, () => {
      assert.equal(client.goOn("go on") !== null, client.capabilities.goOn);
      assert.equal(client.tell("nothing") !== null, client.capabilities.tell !== "no");
    });
  }

  test("Gemini CLI on a screen is asked", () => {
    const answer = gemini.write(escalate, inGemini("run_shell_command", { command: "x" }), {
      ...defer,
      onScreen: true,
    });
    assert.equal(answer.exitCode, 0);
    assert.equal(JSON.parse(answer.stdout).decision, "ask");
  });
});

describe("programs that Codex could type into unseen", () => {
  test("the names are those in the table", () => {
    assert.deepEqual(wordsOf(INTERPRETER_NAMES), [...interpreters().keys()]);
  });

  const bare = [
    "docker exec -it box bash",
    "script -c sh",
    "python3 -i -c 'x = 1'",
    "sh",
    "bash",
    "/bin/bash -i",
    "bash -l",
    "env FOO=1 bash",
    "exec zsh",
    "cd /x && bash",
    "python3",
    "python3.12 -i x.py",
    "node",
    "sudo -s",
    "sudo bash",
    "timeout 60 sh",
    "bash -c sh",
    "bash -lc 'exec bash'",
    "sh -s",
    "( bash )",
    "echo $(sh)",
    "true; python",
    "X=1 python3",
    "vim a.txt",
    "ssh host",
    "xargs rm",
    "sqlite3 a.db",
    "psql",
    "nohup sh &",
    "busybox sh",
    "su",
    "bash -",
    "nice -n 5 bash",
  ];
  for (const line of bare) {
    test(`${line} is found`, () => assert.notEqual(bareInterpreter(line), null));
  }
  const fine = [
    "ls",
    "bash x.sh",
    "bash -c 'ls -l'",
    "bash -lc 'npm test'",
    "python3 x.py",
    "python3 -c 'print(1)'",
    "python3 -m pytest",
    "node -e 1",
    "node build.js",
    "echo x | sh",
    "sh < x.sh",
    "cat > x <<'E'\nbash\npython3\nE",
    "bash <<'E'\nls\nE",
    "python3 - <<'E'\nprint()\nE",
    "git log | xargs echo",
    "echo bash",
    "grep -r python src",
    "which node",
    "ssh host ls",
    "sqlite3 a.db 'select 1'",
    "psql -c 'select 1'",
    "sudo ls",
    "echo 'run (bash) now'",
    "man bash",
    "node --test",
    "env",
    "timeout 5 python3 x.py",
    "command -v python3 >/dev/null",
    "",
    "# sh",
  ];
  for (const line of fine) {
    test(`${JSON.stringify(line)} is left alone`, () => assert.equal(bareInterpreter(line), null));
  }

  test("Codex may not start one, and is told what to do instead", async () => {
    const denial = await codex.forbids!(inCodex("Bash", { command: "cd x && sh" }));
    assert.equal(denial?.behavior, "deny");
    assert.match(denial?.reason ?? "", /bare sh/);
    assert.match(denial?.advice ?? "", /here-document/);
    assert.equal(await codex.forbids!(inCodex("Bash", { command: "sh x.sh" })), null);
  });
});
