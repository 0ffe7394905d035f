import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ActionManager } from "../../src/action/action_manager.ts";
import type { FunctionCalling } from "../../src/action/function_calling.ts";
import { PermissionError } from "../../src/call.ts";
import { runtime } from "../../src/runtime/current.ts";
import { Branch } from "../../src/session/branch.ts";
import { bashTool, OUTPUT_BYTE_CAP } from "../../src/tools/bash.ts";
import { contextTool } from "../../src/tools/context.ts";
import { editorTool } from "../../src/tools/editor.ts";
import { readerTool } from "../../src/tools/reader.ts";
import { searchTool } from "../../src/tools/search.ts";
import { splitWords } from "../../src/tools/split_words.ts";

let folder = "";

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-tools-")));
});

after(() => rm(folder, { recursive: true, force: true }));

/** A new folder below the test's. */
async function place(): Promise<string> {
  return await realpath(await mkdtemp(join(folder, "place-")));
}

type Call = (args: Record<string, unknown>) => Promise<FunctionCalling>;

function caller(tool: ReturnType<typeof bashTool>): Call {
  const manager = new ActionManager([tool]);
  return (args) => manager.invoke({ function: tool.name, arguments: args });
}

async function refused(call: Promise<FunctionCalling>, message: RegExp): Promise<void> {
  const ended = await call;
  assert.equal(ended.outcome, "failed", JSON.stringify(ended.response));
  assert.match(String(ended.execution.error), message);
}

describe("splitWords()", () => {
  const rows: readonly [string, readonly string[]][] = [
    ["", []],
    ["  a   b\tc\n", ["a", "b", "c"]],
    [`a 'b c' "d e"`, ["a", "b c", "d e"]],
    [`a''b "" ''`, ["ab", "", ""]],
    [`"a\\"b" 'c\\d' e\\ f`, ['a"b', "c\\d", "e f"]],
    [`"\\n" "\\\\"`, ["\\n", "\\"]],
    ["$HOME *.ts ~", ["$HOME", "*.ts", "~"]],
  ];
  for (const [command, words] of rows) {
    test(`splits ${JSON.stringify(command)} into ${JSON.stringify(words)}`, () => {
      assert.deepEqual(splitWords(command), words);
    });
  }
  for (const command of ["'a", '"a', "a\\"]) {
    test(`refuses ${JSON.stringify(command)}`, () => {
      assert.throws(() => splitWords(command), /Cannot split the command/);
    });
  }
});

describe("bash", () => {
  test("runs one program without a shell and gives its output and exit code", async () => {
    const cwd = await place();
    const call = caller(bashTool(runtime, { cwd }));
    const said = await call({ command: "printf '%s,' a 'b c' $HOME *" });
    assert.deepEqual(said.response, {
      stdout: "a,b c,$HOME,*,",
      stderr: "",
      exit_code: 0,
      timed_out: false,
      truncated: false,
    });
    assert.equal(
      ((await call({ command: "pwd" })).response as { stdout: string }).stdout,
      `${cwd}\n`,
    );
    assert.equal(
      ((await call({ command: "false" })).response as { exit_code: number }).exit_code,
      1,
    );
  });

  for (const command of ["a; b", "a && b", "a | b", "a > f", "a < f", "a `b`", "a $(b)", "a\nb"]) {
    test(`refuses the shell-control token in ${JSON.stringify(command)} by itself`, async () => {
      const ended = await caller(bashTool(runtime, { cwd: folder }))({ command });
      assert.equal(ended.outcome, "denied");
      const { error } = ended.execution;
      assert.ok(error instanceof PermissionError);
      assert.equal(error.result?.reasonCode, "shell-control");
    });
  }

  test("with a shell a whole command line runs, without start files and exported functions", async () => {
    const cwd = await place();
    await writeFile(join(cwd, "start"), "echo started");
    const env = {
      PATH: runtime.env.get("PATH")!,
      BASH_ENV: join(cwd, "start"),
      "BASH_FUNC_ls%%": "() { echo mine; }",
      KEPT: "kept",
    };
    const call = caller(bashTool(runtime, { cwd, shell: "parse", env }));
    const said = (await call({ command: "echo $KEPT | tr k K; ls" })).response as {
      stdout: string;
    };
    assert.equal(said.stdout, "Kept\nstart\n");
  });

  test("a command whose time is up is killed with what it started, and its output so far is kept", async () => {
    const cwd = await place();
    const call = caller(bashTool(runtime, { cwd, shell: "parse" }));
    const ended = await call({ command: "sleep 300 & echo $!; wait", timeout_ms: 500 });
    const response = ended.response as { stdout: string; timed_out: boolean; exit_code: null };
    assert.deepEqual([response.timed_out, response.exit_code], [true, null]);
    await gone(Number(response.stdout));
  });

  test("a cancelled command is killed with what it started", async () => {
    const cwd = await place();
    const manager = new ActionManager([bashTool(runtime, { cwd, shell: "parse" })]);
    const call = manager.matchTool({
      function: "bash",
      arguments: { command: "sleep 300 & echo $! > pid; wait" },
    });
    const controller = new AbortController();
    const running = call.invoke({ signal: controller.signal });
    const pid = join(cwd, "pid");
    while ((await readFile(pid, "utf8").catch(() => "")) === "") {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    controller.abort();
    await assert.rejects(running);
    assert.equal(call.outcome, "cancelled");
    await gone(Number(await readFile(pid, "utf8")));
  });

  test("output is capped at 100,000 bytes a stream, and the program still ends well", async () => {
    const call = caller(bashTool(runtime, { cwd: folder }));
    const said = (await call({ command: "head -c 300000 /dev/zero" })).response as {
      stdout: string;
      truncated: boolean;
      exit_code: number;
    };
    assert.deepEqual([said.stdout.length, said.truncated, said.exit_code], [
      OUTPUT_BYTE_CAP,
      true,
      0,
    ]);
  });

  test("a program that is not there fails the call and is named", async () => {
    await refused(
      caller(bashTool(runtime, { cwd: folder }))({ command: "no-such-program x" }),
      /Cannot run/,
    );
  });
});

describe("reader", () => {
  test("gives a range of lines, and says where to go on", async () => {
    const cwd = await place();
    await writeFile(join(cwd, "f"), "one\ntwo\nthree\n");
    const call = caller(readerTool(runtime, { cwd }));
    assert.deepEqual((await call({ path: "f", offset: 2, limit: 1 })).response, {
      path: "f",
      content: "two",
      firstLine: 2,
      lastLine: 2,
      totalLines: 3,
      nextOffset: 3,
    });
    const whole = (await call({ path: join(cwd, "f") })).response as {
      content: string;
      nextOffset: null;
    };
    assert.deepEqual([whole.content, whole.nextOffset], ["one\ntwo\nthree", null]);
    await refused(call({ path: "f", offset: 5 }), /from line 5: it has 3 lines/);
  });

  test("an empty file has no lines", async () => {
    const cwd = await place();
    await writeFile(join(cwd, "empty"), "");
    const read = (await caller(readerTool(runtime, { cwd }))({ path: "empty" })).response;
    assert.deepEqual(read, {
      path: "empty",
      content: "",
      firstLine: 0,
      lastLine: 0,
      totalLines: 0,
      nextOffset: null,
    });
  });

  test("a long read ends at the cap with the line to go on with, and a long line is cut", async () => {
    const cwd = await place();
    await writeFile(join(cwd, "long"), `${"x".repeat(1_000)}\n`.repeat(300));
    await writeFile(join(cwd, "wide"), "y".repeat(5_000));
    const call = caller(readerTool(runtime, { cwd }));
    const long = (await call({ path: "long" })).response as {
      lastLine: number;
      nextOffset: number;
    };
    assert.ok(long.lastLine < 300 && long.nextOffset === long.lastLine + 1);
    const wide = (await call({ path: "wide" })).response as { content: string };
    assert.match(wide.content, /^y{2000} \[line cut, 5000 characters\]$/);
  });

  test("what is no readable text is refused, each with its reason", async () => {
    const cwd = await place();
    await writeFile(join(cwd, "binary"), new Uint8Array([65, 0, 66]));
    await writeFile(join(cwd, "latin"), new Uint8Array([0xe4, 0x6f]));
    await symlink("loop", join(cwd, "loop"));
    await symlink("/dev/zero", join(cwd, "zero"));
    await mkdir(join(cwd, "sub"));
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    await writeFile(join(cwd, "huge"), new Uint8Array(11 * 1024 * 1024).fill(65));
    const call = caller(readerTool(runtime, { cwd }));
    const rows: readonly [string, RegExp][] = [
      ["binary", /it is a binary file/],
      ["latin", /it is not UTF-8 text/],
      ["loop", /go round in a circle/],
      ["zero", /it is no plain file/],
      ["pipe", /it is no plain file/],
      ["sub", /it is a folder/],
      ["none", /there is no such file/],
      ["huge", /more than 10485760; search in it instead/],
      ["", /an empty path/],
      ["~/x", /"~" is not expanded/],
      ["file:///etc/passwd", /it is an address, not a path/],
    ];
    for (const [path, message] of rows) await refused(call({ path }), message);
  });

  test("lists a folder, with a mark for folders and links", async () => {
    const cwd = await place();
    await mkdir(join(cwd, "sub"));
    await writeFile(join(cwd, "file"), "");
    await symlink("file", join(cwd, "link"));
    const call = caller(readerTool(runtime, { cwd }));
    assert.deepEqual((await call({ action: "list", path: "." })).response, {
      path: ".",
      entries: ["file", "link@", "sub/"],
      truncated: false,
    });
    await refused(call({ action: "list", path: "file" }), /it is no folder/);
    await refused(call({ action: "list", path: "none" }), /there is no such folder/);
  });
});

describe("editor", () => {
  test("creates a file with the folders above it, once", async () => {
    const cwd = await place();
    const call = caller(editorTool(runtime, { cwd }));
    const created = await call({ action: "create", file_path: "a/b/f", content: "é\n" });
    assert.deepEqual(created.response, {
      path: "a/b/f",
      action: "create",
      created: true,
      replacements: null,
      bytes: 3,
    });
    assert.equal(await readFile(join(cwd, "a/b/f"), "utf8"), "é\n");
    await refused(
      call({ action: "create", file_path: "a/b/f", content: "" }),
      /it is there already/,
    );
    await refused(call({ action: "write", file_path: "a/b", content: "" }), /it is a folder/);
    await refused(call({ action: "write", file_path: "x" }), /content is missing/);
  });

  test("writes over a file and keeps its mode", async () => {
    const cwd = await place();
    await writeFile(join(cwd, "run"), "old");
    await chmod(join(cwd, "run"), 0o755);
    const call = caller(editorTool(runtime, { cwd }));
    await call({ action: "write", file_path: "run", content: "new" });
    assert.equal(await readFile(join(cwd, "run"), "utf8"), "new");
    assert.equal((await stat(join(cwd, "run"))).mode & 0o777, 0o755);
    await call({ action: "edit", file_path: "run", old_string: "new", new_string: "newer" });
    assert.equal((await stat(join(cwd, "run"))).mode & 0o777, 0o755);
  });

  test("an edit replaces the one exact occurrence, or all when asked, and takes no pattern", async () => {
    const cwd = await place();
    const file = join(cwd, "f");
    await writeFile(file, "a.b\na.b\naxb $&\n");
    const call = caller(editorTool(runtime, { cwd }));
    const edit = (more: Record<string, unknown>) =>
      call({ action: "edit", file_path: "f", ...more });
    await refused(
      edit({ old_string: "a.b", new_string: "x" }),
      /occurs 2 times, on the lines 1, 2/,
    );
    const all = await edit({ old_string: "a.b", new_string: "$&", replace_all: true });
    assert.equal((all.response as { replacements: number }).replacements, 2);
    assert.equal(await readFile(file, "utf8"), "$&\n$&\naxb $&\n");
    await edit({ old_string: "axb", new_string: "y" });
    assert.equal(await readFile(file, "utf8"), "$&\n$&\ny $&\n");
  });

  test("an edit that finds nothing says why, as far as it can", async () => {
    const cwd = await place();
    await writeFile(join(cwd, "dos"), "a\r\nb\r\n");
    await writeFile(join(cwd, "tabs"), "\tif x:\n\t\ty\n");
    const call = caller(editorTool(runtime, { cwd }));
    const edit = (file_path: string, old_string: string, new_string = "z") =>
      call({ action: "edit", file_path, old_string, new_string });
    await refused(edit("dos", "a\nb"), /its lines end in CRLF/);
    await refused(edit("tabs", "if x:\n    y"), /only with other white space/);
    await refused(edit("tabs", "nothing"), /old_string is not in the file; read the file again/);
    await refused(edit("tabs", "", "z"), /old_string is empty/);
    await refused(edit("tabs", "y", "y"), /the two texts are the same/);
    await refused(edit("none", "a"), /there is no such file/);
    await refused(call({ action: "edit", file_path: "tabs" }), /give old_string and new_string/);
  });

  test("a symbolic link is never written through", async () => {
    const cwd = await place();
    const outside = await place();
    await writeFile(join(outside, "target"), "safe");
    await symlink(join(outside, "target"), join(cwd, "link"));
    await symlink(join(outside, "fresh"), join(cwd, "dangling"));
    const call = caller(editorTool(runtime, { cwd }));
    await refused(
      call({ action: "write", file_path: "link", content: "x" }),
      /it is a symbolic link to .*target; name that file instead/,
    );
    await refused(call({ action: "write", file_path: "dangling", content: "x" }), /symbolic link/);
    assert.equal(await readFile(join(outside, "target"), "utf8"), "safe");
    assert.equal(await lstat(join(outside, "fresh")).catch(() => null), null);
  });

  test("a byte order mark and the line ends of the rest of the file survive an edit", async () => {
    const cwd = await place();
    await writeFile(join(cwd, "f"), "\ufeffa\r\nb\r\n");
    await caller(editorTool(runtime, { cwd }))({
      action: "edit",
      file_path: "f",
      old_string: "b",
      new_string: "c",
    });
    assert.equal(await readFile(join(cwd, "f"), "utf8"), "\ufeffa\r\nc\r\n");
  });
});

for (const kind of ["a repository", "a plain folder"] as const) {
  describe(`search in ${kind}`, () => {
    let cwd = "";
    let call: Call;

    before(async () => {
      cwd = await place();
      await mkdir(join(cwd, "src/deep"), { recursive: true });
      await mkdir(join(cwd, "out"));
      await writeFile(join(cwd, ".gitignore"), "out/\n*.log\n!kept.log\n");
      await writeFile(join(cwd, "src/.gitignore"), "local.ts\n");
      await writeFile(join(cwd, "src/a.ts"), "const answer = 42;\nlet Answer;\n");
      await writeFile(join(cwd, "src/local.ts"), "answer\n");
      await writeFile(join(cwd, "src/deep/b c.ts"), "answer 7\r\n");
      await writeFile(join(cwd, "out/built.ts"), "answer\n");
      await writeFile(join(cwd, "x.log"), "answer\n");
      await writeFile(join(cwd, "kept.log"), "answer (a.b)\n");
      await writeFile(join(cwd, ".hidden"), "answer\n");
      await writeFile(
        join(cwd, "binary"),
        new Uint8Array([...new TextEncoder().encode("answer"), 0, 10]),
      );
      await symlink("src/a.ts", join(cwd, "link.ts"));
      if (kind === "a repository") {
        execFileSync("git", ["init", "-q"], { cwd });
        execFileSync("git", ["add", "src/a.ts"], { cwd });
      }
      call = caller(searchTool(runtime, { cwd }));
    });

    const content = async (args: Record<string, unknown>): Promise<string[]> => {
      const { response, execution } = await call(args);
      assert.equal(execution.error, null);
      return (response as { matches: { path: string; line: number; text: string }[] }).matches
        .map(({ path, line, text }) => `${path}:${line}:${text}`).sort();
    };
    const names = async (args: Record<string, unknown>): Promise<string[]> => {
      const { response, execution } = await call({ action: "names", ...args });
      assert.equal(execution.error, null);
      return [...(response as { files: string[] }).files].sort();
    };

    test("finds lines by expression, and leaves out what ignore files leave out", async () => {
      assert.deepEqual(await content({ pattern: "answer" }), [
        ".hidden:1:answer",
        "kept.log:1:answer (a.b)",
        "src/a.ts:1:const answer = 42;",
        "src/deep/b c.ts:1:answer 7",
      ]);
      assert.deepEqual(await content({ pattern: "answer\\s+=?\\s*\\d+", ignore_case: true }), [
        "src/a.ts:1:const answer = 42;",
        "src/deep/b c.ts:1:answer 7",
      ]);
      assert.deepEqual(await content({ pattern: "no such text" }), []);
    });

    test("takes a literal pattern, a glob, a path, and the ignored files when asked", async () => {
      assert.deepEqual(await content({ pattern: "(a.b)", literal: true }), [
        "kept.log:1:answer (a.b)",
      ]);
      assert.deepEqual(await content({ pattern: "answer", glob: "*.ts", ignore_case: true }), [
        "src/a.ts:1:const answer = 42;",
        "src/a.ts:2:let Answer;",
        "src/deep/b c.ts:1:answer 7",
      ]);
      assert.deepEqual(await content({ pattern: "answer", path: "src/deep" }), [
        "b c.ts:1:answer 7",
      ]);
      assert.deepEqual(await content({ pattern: "answer", path: "src/a.ts" }), [
        "a.ts:1:const answer = 42;",
      ]);
      const all = await content({ pattern: "answer", include_ignored: true });
      assert.ok(all.includes("out/built.ts:1:answer") && all.includes("src/local.ts:1:answer"));
    });

    test("finds names by glob: of the file without a slash, of the path with one", async () => {
      assert.deepEqual(await names({ pattern: "*.ts", path: "src" }), ["a.ts", "deep/b c.ts"]);
      assert.deepEqual(await names({ pattern: "src/*.ts" }), ["src/a.ts"]);
      assert.deepEqual(await names({ pattern: "**/*.ts", path: "src" }), ["a.ts", "deep/b c.ts"]);
      assert.deepEqual(await names({ pattern: "../**/*.ts", path: "src/deep" }), []);
      assert.ok((await names({ pattern: "*.ts", include_ignored: true })).includes("out/built.ts"));
    });

    test("does not show the lines of files whose names mean secrets, and says which", async () => {
      for (const name of [".env", "src/.env.local"]) {
        await writeFile(join(cwd, name), "KEY=answer\n");
      }
      const found = (await call({ pattern: "KEY=" })).response as {
        matches: unknown[];
        withheld: string[];
      };
      assert.deepEqual([found.matches, [...found.withheld].sort()], [[], [
        ".env",
        "src/.env.local",
      ]]);
      for (const name of [".env", "src/.env.local"]) await rm(join(cwd, name));
    });

    test("says when there is more than it gives", async () => {
      const cut = (await call({ pattern: "answer", max_results: 2 })).response as {
        matches: unknown[];
        truncated: boolean;
      };
      assert.deepEqual([cut.matches.length, cut.truncated], [2, true]);
    });

    test("refuses what it cannot search, and what lies outside", async () => {
      await refused(call({ pattern: "(" }), /Cannot search for \(/);
      await refused(call({ pattern: "a", path: "none" }), /there is no such path/);
      await refused(call({ pattern: "a", path: ".." }), /it is outside/);
      await refused(call({ pattern: "a", path: "/etc" }), /it is outside/);
      await symlink("/etc", join(cwd, "away")).catch(() => {});
      await refused(call({ pattern: "a", path: "away" }), /it is outside/);
      await rm(join(cwd, "away"));
    });

    test("a pattern that looks like an option is a pattern", async () => {
      assert.deepEqual(await content({ pattern: "--open-files-in-pager=touch x" }), []);
      assert.deepEqual(await content({ pattern: "-answer" }), []);
    });

    if (kind === "a plain folder") {
      test("an expression that may never end is refused", async () => {
        await refused(call({ pattern: "(a+)+$" }), /a repetition inside a repetition/);
        assert.deepEqual(await content({ pattern: "(an)+swer 7" }), ["src/deep/b c.ts:1:answer 7"]);
      });
    } else {
      test("a file that was removed and not committed is not listed", async () => {
        await writeFile(join(cwd, "going.ts"), "");
        execFileSync("git", ["add", "going.ts"], { cwd });
        await rm(join(cwd, "going.ts"));
        assert.equal((await names({ pattern: "*.ts" })).includes("going.ts"), false);
      });
    }
  });
}

describe("context", () => {
  test("shows the conversation in short and whole, and leaves messages out of it", async () => {
    const branch = new Branch({ system: "be brief" });
    branch.registerTool(contextTool(() => branch));
    const long = branch.addMessage("user", "u".repeat(500));
    const act = async (
      args: Record<string, unknown>,
    ) => (await branch.acts.invoke({ function: "context", arguments: args }));
    assert.deepEqual((await act({ action: "status" })).response, { messages: 2, characters: 508 });
    const list = (await act({ action: "list" })).response as { beginning: string; role: string }[];
    assert.deepEqual(list.map(({ role, beginning }) => [role, beginning.length]), [
      ["system", 8],
      ["user", 80],
    ]);
    assert.equal(
      ((await act({ action: "read", id: long.id })).response as { text: string }).text.length,
      500,
    );
    assert.deepEqual((await act({ action: "evict", ids: [long.id] })).response, { evicted: 1 });
    assert.deepEqual((await act({ action: "status" })).response, { messages: 1, characters: 8 });
    await refused(act({ action: "read", id: "none" }), /there is none/);
    await refused(act({ action: "evict" }), /ids is missing/);
  });

  test("an action and its answer can be read as well", async () => {
    const branch = new Branch();
    branch.registerTool(contextTool(() => branch));
    await branch.act({ function: "context", arguments: { action: "status" } });
    const [asked, answered] = branch.messages;
    for (const { id } of [asked, answered]) {
      const call = await branch.acts.invoke({
        function: "context",
        arguments: { action: "read", id },
      });
      assert.match((call.response as { text: string }).text, /"function":"context"/);
    }
  });
});

/** Waits until a process has gone. */
async function gone(pid: number): Promise<void> {
  assert.ok(pid > 1);
  for (let tries = 0; tries < 500; tries += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`process ${pid} lives on`);
}
