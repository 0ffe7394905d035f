// The real binary, started in somebody else's folder with somebody else's environment: it must judge as
// it does anywhere, run nothing of theirs, and print nothing but its answer.

import assert from "node:assert/strict";
import { access, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { builtBinary, type ProgramEnd, start } from "./built_binary.ts";
import { EVIL, makeHostile, MARKER } from "./hostile_folder.ts";

const PATH = "/usr/bin:/bin";

let binary = "";
let folder = "";
let plain = "";
let hostile = "";
let home = "";

before(async () => {
  binary = await builtBinary();
  folder = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-binary-")));
  [plain, hostile, home] = ["plain", "hostile", "home"].map((name) => join(folder, name));
  for (const path of [plain, hostile, home]) await mkdir(path);
  await makeHostile(hostile);
});

after(() => rm(folder, { recursive: true, force: true }));

function gatehouse(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string | Uint8Array } = {},
): Promise<ProgramEnd> {
  return start([binary, ...args], {
    cwd: options.cwd ?? hostile,
    env: { PATH, HOME: home, ...options.env },
    input: options.input,
  });
}

/** What Claude Code writes before it runs a command. */
function payload(command: string, cwd: string = hostile): string {
  return JSON.stringify({
    session_id: "s",
    transcript_path: join(home, "t.jsonl"),
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command, description: "d" },
    tool_use_id: "toolu_1",
  });
}

async function assertNothingRan(end: ProgramEnd): Promise<void> {
  assert.ok(!`${end.stdout}${end.stderr}`.includes(EVIL), `foreign code ran: ${end.stdout}`);
  await assert.rejects(access(join(hostile, MARKER)), "foreign code ran and left its marker");
}

async function assertDenied(end: ProgramEnd): Promise<void> {
  await assertNothingRan(end);
  assert.equal(end.code, 2, `${end.signal} ${end.stderr}`);
  const answer = JSON.parse(end.stdout);
  assert.equal(answer.hookSpecificOutput.hookEventName, "PreToolUse");
  assert.equal(answer.hookSpecificOutput.permissionDecision, "deny");
  assert.ok(answer.hookSpecificOutput.permissionDecisionReason.length > 0);
  assert.notEqual(end.stderr.trim(), "");
}

async function assertNoOpinion(end: ProgramEnd): Promise<void> {
  await assertNothingRan(end);
  assert.equal(end.code, 0, end.stderr);
  assert.equal(end.stdout, "");
}

/** Environments that make Bun, Node, Deno or a library of theirs do something else. */
const HOSTILE_ENVIRONMENTS: readonly Record<string, string>[] = [
  { BUN_OPTIONS: "--preload ./evil.js" },
  { BUN_OPTIONS: "--version" },
  { BUN_OPTIONS: "-e 'console.log(1)'" },
  { BUN_OPTIONS: "--config=./bunfig.toml" },
  { BUN_OPTIONS: "--inspect-wait" },
  { BUN_BE_BUN: "1" },
  { BUN_BE_BUN: "1", BUN_OPTIONS: "--preload ./evil.js" },
  { BUN_INSPECT: "ws://127.0.0.1:0/x?wait=1" },
  { BUN_INSPECT: "ws://127.0.0.1:0/x?break=1", BUN_INSPECT_NOTIFY: "unix://./notify" },
  { BUN_INSPECT_CONNECT_TO: "ws://127.0.0.1:1/" },
  { BUN_INSPECT_PRELOAD: "./evil.js" },
  { BUN_PRELOAD: "./evil.js" },
  { NODE_OPTIONS: "--require ./evil.js" },
  { NODE_OPTIONS: "--import ./evil.mjs", NODE_PATH: "./node_modules" },
  { NODE_REPL_EXTERNAL_MODULE: "./evil.js" },
  { NODE_CHANNEL_FD: "1" },
  { NODE_CHANNEL_FD: "no number" },
  { NODE_UNIQUE_ID: "1", NODE_DEBUG: "*", NODE_V8_COVERAGE: "./coverage" },
  { JSC_dumpOptions: "1" },
  { BUN_JSC_dumpOptions: "1" },
  { BUN_JSC_useJIT: "0" },
  { MIMALLOC_VERBOSE: "1", MIMALLOC_SHOW_STATS: "1" },
  { BUN_DEBUG_QUIET_LOGS: "0", BUN_DEBUG: "./debug", BUN_CONFIG_VERBOSE_FETCH: "1" },
  { BUN_INSTALL: ".", BUN_TMPDIR: "/no/such/folder", TMPDIR: "/no/such/folder" },
  { DENO_DIR: ".", DENO_V8_FLAGS: "--expose-gc" },
  { FORCE_COLOR: "3", TZ: "../../x", LANG: "xx_XX" },
  { NODE_ENV: "development", BUN_ENV: "development" },
];

describe("binary: in a hostile folder", () => {
  test("a batch of calls is judged as in an empty folder, line by line", async () => {
    const commands = [
      "git status",
      "rm -rf /",
      "ls -la",
      "git push --force",
      "mkfs.ext4 /dev/sda1",
    ];
    const input = commands
      .map((command) => `${JSON.stringify({ tool: "bash", args: { command } })}\n`).join("");
    const [there, here] = await Promise.all([
      gatehouse(["check", "--batch"], { cwd: plain, input }),
      gatehouse(["check", "--batch"], { input }),
    ]);
    await assertNothingRan(here);
    const verdicts = here.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.equal(verdicts.length, commands.length);
    assert.equal(verdicts[0].behavior, "allow");
    assert.equal(verdicts[1].behavior, "deny");
    const judged = (end: ProgramEnd) =>
      end.stdout.trimEnd().split("\n").map((line) => {
        const { behavior, reason, control, matchedRule } = JSON.parse(line);
        return { behavior, reason, control, matchedRule };
      });
    assert.deepEqual(judged(here), judged(there));
    assert.equal(here.code, there.code);
  });

  test("a destructive command is denied and a plain one is left to the client", async () => {
    await assertDenied(
      await gatehouse(["hook", "claude-code"], { input: payload("rm -rf /") }),
    );
    await assertNoOpinion(
      await gatehouse(["hook", "claude-code"], { input: payload("git status") }),
    );
  });

  test("the version is the version", async () => {
    const end = await gatehouse(["version"]);
    await assertNothingRan(end);
    assert.equal(end.code, 0, end.stderr);
    assert.match(end.stdout, /\b0\.1\.0\b/);
    assert.equal(end.stdout, (await gatehouse(["version"], { cwd: plain })).stdout);
  });

  test("options of the runtime are not options of ours", async () => {
    for (
      const args of [
        ["--preload", "./evil.js", "hook", "claude-code"],
        ["-r", "./evil.js", "hook", "claude-code"],
        ["-e", "console.log('EVIL-CODE-RAN')"],
        ["run", "hook"],
        ["./evil.js"],
        ["hook", "--preload", "./evil.js", "claude-code"],
      ]
    ) {
      const end = await gatehouse(args, { input: payload("git status") });
      await assertNothingRan(end);
      assert.equal(end.code, 2, `${args.join(" ")}: ${end.stdout}${end.stderr}`);
      assert.notEqual(end.stderr, "");
    }
  });

  test("the folder's own file called gatehouse.yaml may not loosen anything", async () => {
    const project = join(folder, "project");
    await mkdir(project);
    await makeHostile(project);
    const loose = await readFile(join(project, "evil.yaml"), "utf8");
    await writeFile(join(project, "gatehouse.yaml"), loose);
    const end = await gatehouse(["hook", "claude-code"], {
      cwd: project,
      input: payload("rm -rf /", project),
    });
    await assertDenied(end);
  });
});

describe("binary: in a hostile environment", () => {
  for (const environment of HOSTILE_ENVIRONMENTS) {
    const words = Object.entries(environment).map(([name, value]) => `${name}=${value}`).join(" ");
    test(`${words}: the same answers, nothing foreign runs, nothing else is printed`, async () => {
      const denied = await gatehouse(["hook", "claude-code"], {
        env: environment,
        input: payload("rm -rf /"),
      });
      await assertDenied(denied);
      await assertNoOpinion(
        await gatehouse(["hook", "claude-code"], {
          env: environment,
          input: payload("git status"),
        }),
      );
    });
  }

  test("no variable makes the runtime write a file", async () => {
    const written = join(folder, "written-by-the-runtime");
    for (const name of ["BUN_BYTECODE_ORDER_OUT", "BUN_BYTECODE_DIGEST_OUT", "BUN_WATCHER_TRACE"]) {
      await assertDenied(
        await gatehouse(["hook", "claude-code"], {
          env: { [name]: written },
          input: payload("rm -rf /"),
        }),
      );
      await assert.rejects(access(written), `${name} wrote a file`);
    }
  });

  test("a variable that breaks the runtime gives no answer that could be taken for an approval", async () => {
    for (
      const environment of [
        { BUN_JSC_noSuchOption: "1" },
        { BUN_JSC_maxPerThreadStackUsage: "1" },
        { MIMALLOC_DISALLOW_OS_ALLOC: "1" },
      ]
    ) {
      const end = await gatehouse(["hook", "claude-code"], {
        env: environment as unknown as Record<string, string>,
        input: payload("rm -rf /"),
      });
      await assertNothingRan(end);
      assert.notEqual(end.code, 0, JSON.stringify(environment));
      assert.ok(end.stdout === "" || JSON.parse(end.stdout).hookSpecificOutput !== undefined);
      assert.doesNotMatch(end.stdout, /"allow"/);
    }
  });
});

describe("binary: what it may be given on standard input", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  for (
    const [what, input] of [
      ["nothing", ""],
      ["white space", " \n\t "],
      ["no JSON", "rm -rf /"],
      ["a JSON value that is no payload", "42"],
      ["an empty object", "{}"],
      ["two payloads", `${'{"a":1}'}${'{"a":1}'}`],
      ["a byte that is no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])],
      ["a value nested 200,000 deep", deep],
      ["a cut payload", '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_inp'],
      [
        "a command that is no text",
        '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":3},"cwd":"/"}',
      ],
      ["more than 8 MiB", `{"hook_event_name":"PreToolUse","x":"${"x".repeat(8_388_608)}"}`],
    ] as const
  ) {
    test(`${what} is refused with a reason`, async () => {
      const end = await gatehouse(["hook", "claude-code"], { cwd: plain, input });
      assert.equal(end.code, 2, end.stderr);
      assert.notEqual(end.stderr.trim(), "");
      assert.equal(JSON.parse(end.stdout).hookSpecificOutput.permissionDecision, "deny");
    });
  }

  test("a byte order mark before a payload changes nothing", async () => {
    await assertDenied(
      await gatehouse(["hook", "claude-code"], { input: `\ufeff${payload("rm -rf /")}` }),
    );
  });

  test("a command with a NUL or half a character in it is not waved through", async () => {
    for (const command of ["rm -rf /\0", "rm -rf / \ud800"]) {
      await assertDenied(
        await gatehouse(["hook", "claude-code"], { input: payload(command) }),
      );
    }
  });

  test("a payload of 1 MB is judged: long text is no matter, a long command is asked about", async () => {
    const long = "x".repeat(1_000_000);
    const write = JSON.parse(payload("", plain));
    write.tool_name = "Write";
    write.tool_input = { file_path: join(plain, "a.txt"), content: long };
    await assertNoOpinion(
      await gatehouse(["hook", "claude-code"], { cwd: plain, input: JSON.stringify(write) }),
    );
    const asked = await gatehouse(["hook", "claude-code"], {
      cwd: plain,
      input: payload(`echo ${long}`, plain),
    });
    assert.equal(JSON.parse(asked.stdout).hookSpecificOutput.permissionDecision, "ask");
  });

  test("c343: a command of 1 MB whose last part is deadly is denied", async () => {
    await assertDenied(
      await gatehouse(["hook", "claude-code"], {
        input: payload(`echo ${"x".repeat(1_000_000)}; rm -rf /`),
      }),
    );
  });

  test("a client that is not known is a refusal", async () => {
    const end = await gatehouse(["hook", "no-such-client"], { input: payload("git status") });
    assert.equal(end.code, 2);
    assert.notEqual(end.stderr.trim(), "");
  });
});
