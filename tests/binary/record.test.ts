// What the hook of the real binary writes down, and what it does when it cannot: the verdicts stay the same.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { runtime } from "../../src/runtime/current.ts";
import { MIGRATIONS } from "../../src/store/sqlite_schema.ts";
import { skipSmallDisk, smallDisk } from "../store/small_disk.ts";
import { builtBinary, type ProgramEnd, start } from "./built_binary.ts";

/** A home of its own, and the binary in it. */
interface Home {
  readonly folder: string;
  readonly state: string;
  /** `gatehouse hook claude-code` with a Bash call. */
  hook(command: string, more?: Record<string, unknown>): Promise<ProgramEnd>;
  run(...args: string[]): Promise<ProgramEnd>;
}

const ALLOWED = "git status";
const DENIED = "rm -rf /";

async function withHome(body: (home: Home) => Promise<void>, state?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-record-"));
  const binary = await builtBinary();
  const cwd = join(folder, "project");
  await mkdir(cwd);
  const env = {
    HOME: folder,
    XDG_STATE_HOME: state ?? join(folder, "state"),
    PATH: process.env.PATH ?? "",
    NO_COLOR: "1",
  };
  let calls = 0;
  try {
    await body({
      folder,
      state: join(env.XDG_STATE_HOME, "gatehouse"),
      hook: (command, more = {}) =>
        start([binary, "hook", "claude-code"], {
          cwd,
          env,
          input: JSON.stringify({
            session_id: "session-1",
            transcript_path: join(folder, "t.jsonl"),
            cwd,
            permission_mode: "default",
            hook_event_name: "PreToolUse",
            tool_name: "Bash",
            tool_input: { command, description: "a test" },
            tool_use_id: `toolu_${++calls}`,
            ...more,
          }),
        }),
      run: (...args) => start([binary, ...args], { cwd, env }),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The verdicts are what they are with a store that works. */
async function assertVerdicts(home: Home): Promise<void> {
  const allowed = await home.hook(ALLOWED);
  assert.deepEqual([allowed.code, allowed.stdout, allowed.stderr], [0, "", ""]);
  const denied = await home.hook(DENIED);
  assert.equal(denied.code, 2);
  assert.match(denied.stderr, /gatehouse/);
  assert.equal(JSON.parse(denied.stdout).hookSpecificOutput.permissionDecision, "deny");
}

/** What `signals stats --json` prints, as far as it is looked at here. */
interface Stats {
  readonly state: string;
  readonly waiting: number;
  readonly losses: { readonly lost: number };
  readonly stats: { readonly signals: number } | null;
}

async function stats(home: Home): Promise<Stats> {
  return JSON.parse((await home.run("signals", "stats", "--json")).stdout);
}

describe("what the hook records", () => {
  test("decisions are listed, explained and counted by session", () =>
    withHome(async (home) => {
      await assertVerdicts(home);
      const list = await home.run("signals", "list");
      assert.equal(list.code, 0);
      assert.match(list.stdout, /allow\s+bash\s+git status/);
      assert.match(list.stdout, /DENY\s+bash\s+rm -rf \//);
      const why = await home.run("why", "last");
      assert.equal(why.code, 0);
      assert.match(why.stdout, /denied: bash rm -rf \//);
      const byCall = await home.run("why", "toolu_1");
      assert.match(byCall.stdout, /allowed: bash git status/);
      const [session] = (await home.run("sessions", "--json")).stdout.trim().split("\n")
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        [session.id, session.client, session.calls, session.denials],
        ["session-1", "claude-code", 2, 1],
      );
      const exported = (await home.run("signals", "export", "--jsonl")).stdout.trim().split("\n")
        .map((line) => JSON.parse(line));
      assert.deepEqual(exported.map(({ seq, kind }) => [seq, kind]), [
        [1, "ToolProposed"],
        [2, "ToolDecided"],
        [3, "ToolProposed"],
        [4, "ToolDecided"],
      ]);
      assert.equal(exported[3].payload.behavior, "deny");
      const shown = await home.run("signals", "show", exported[0].id.slice(0, 8));
      assert.match(shown.stdout, /"command": "git status"/);
    }));

  test("a secret in a command is judged in full and stored masked", () =>
    withHome(async (home) => {
      const secret = `ghp_${"Zz9".repeat(12)}`;
      await home.hook(`curl -H 'Authorization: Bearer ${secret}' https://example.org`);
      const { stdout } = await home.run("signals", "export");
      assert.match(stdout, /redacted/);
      assert.ok(!stdout.includes(secret));
      assert.ok(!(await readFile(join(home.state, "signals.db"), "latin1")).includes(secret));
    }));

  test("two hundred hooks fired at once: every verdict right, no gap, no double, nothing lost", () =>
    withHome(async (home) => {
      const ends = await Promise.all(
        Array.from({ length: 200 }, (_, index) => home.hook(index % 2 ? DENIED : ALLOWED)),
      );
      assert.deepEqual(
        ends.map(({ code }) => code),
        Array.from({ length: 200 }, (_, index) => index % 2 ? 2 : 0),
      );
      const found = await stats(home);
      assert.deepEqual([found.state, found.waiting, found.losses.lost], ["fine", 0, 0]);
      assert.equal(found.stats?.signals, 400);
      const database = await runtime.sqlite.open(join(home.state, "signals.db"), {
        busyTimeoutMs: 1_000,
      });
      const [{ rows, least, most, different }] = database.prepare(
        "SELECT COUNT(*) AS rows, MIN(seq) AS least, MAX(seq) AS most, COUNT(DISTINCT seq) AS different " +
          "FROM session_signals",
      ).all();
      database.close();
      assert.deepEqual([rows, least, most, different], [400, 1, 400, 400]);
    }));
});

describe("when it cannot be recorded", () => {
  test("a corrupt store changes no verdict, is reported, and what waits arrives after a reset", () =>
    withHome(async (home) => {
      await mkdir(home.state, { recursive: true });
      await writeFile(
        join(home.state, "signals.db"),
        "this is no database, whatever its name says".repeat(100),
      );
      await assertVerdicts(home);
      await home.hook("", { hook_event_name: "SessionStart", source: "startup" });
      const broken = await home.run("signals", "stats");
      assert.equal(broken.code, 1);
      assert.match(broken.stdout, /failing.*signals reset/);
      assert.match(broken.stdout, /waiting\s+3 records, not lost/);
      const list = await home.run("signals", "list");
      assert.notEqual(list.code, 0);
      assert.match(list.stderr, /signals reset/);
      assert.equal((await home.run("signals", "reset")).code, 0);
      const mended = await stats(home);
      assert.deepEqual([mended.state, mended.waiting, mended.losses.lost], ["fine", 0, 0]);
      assert.equal(mended.stats?.signals, 5);
    }));

  test("a store that another process holds changes no verdict, and nothing is lost", () =>
    withHome(async (home) => {
      await home.hook(ALLOWED);
      await home.run("signals", "list");
      const holder = await runtime.sqlite.open(join(home.state, "signals.db"), {
        busyTimeoutMs: 0,
      });
      holder.execute("BEGIN IMMEDIATE");
      await assertVerdicts(home);
      const started = await home.hook("", { hook_event_name: "SessionStart", source: "startup" });
      assert.equal(started.code, 0);
      const held = await stats(home);
      assert.deepEqual([held.state, held.waiting, held.losses.lost], ["failing", 3, 0]);
      holder.execute("COMMIT");
      holder.close();
      const free = await stats(home);
      assert.deepEqual([free.state, free.waiting, free.stats?.signals], ["fine", 0, 7]);
    }));

  test("a store of a newer version is refused politely, and no verdict changes", () =>
    withHome(async (home) => {
      await mkdir(home.state, { recursive: true });
      const newer = await runtime.sqlite.open(join(home.state, "signals.db"), { busyTimeoutMs: 0 });
      newer.execute("PRAGMA user_version = 999");
      newer.close();
      await assertVerdicts(home);
      const list = await home.run("signals", "list");
      assert.match(list.stderr, /a newer gatehouse wrote it/);
    }));

  test("a full disk changes no verdict, and the loss is counted and reported", {
    skip: skipSmallDisk,
  }, async () => {
    const disk = smallDisk();
    try {
      await withHome(async (home) => {
        await home.hook(ALLOWED);
        await home.run("signals", "list");
        disk.fill();
        await assertVerdicts(home);
        const long = `echo ${"x".repeat(9_000)}`;
        for (let count = 0; count < 3; count++) assert.equal((await home.hook(long)).code, 0);
        const full = await home.run("signals", "stats");
        assert.equal(full.code, 1);
        assert.match(full.stdout, /failing/);
        assert.match(full.stdout, /lost\s+at least \d+.*no-space/);
        assert.match((await home.run("doctor")).stdout, /records.*at least \d+ were lost/);
      }, disk.folder);
    } finally {
      disk.remove();
    }
  });

  test("a state folder that may not be written changes no verdict, and is reported", {
    skip: skipSmallDisk,
  }, async () => {
    const disk = smallDisk();
    try {
      await withHome(async (home) => {
        await home.hook(ALLOWED);
        disk.makeReadOnly();
        await assertVerdicts(home);
        const readOnly = await home.run("signals", "stats");
        assert.equal(readOnly.code, 1);
        assert.match(readOnly.stdout, /failing.*cannot be written.*read-only/);
        assert.match((await home.run("doctor")).stdout, /records.*cannot be written/);
      }, disk.folder);
    } finally {
      disk.remove();
    }
  });

  test("no state folder at all changes no verdict", () =>
    withHome(assertVerdicts, "/proc/no-such-folder"));

  test("a server that does not answer changes no verdict, and the records wait", () =>
    withHome(async (home) => {
      await mkdir(join(home.folder, ".config", "gatehouse"), { recursive: true });
      await writeFile(
        join(home.folder, ".config", "gatehouse", "gatehouse.yaml"),
        "version: 1\nstore: postgres://nobody:hunter2@127.0.0.1:1/none\n",
      );
      await assertVerdicts(home);
      const started = await home.hook("", { hook_event_name: "SessionStart", source: "startup" });
      assert.equal(started.code, 0);
      const { stdout, code } = await home.run("signals", "stats");
      assert.equal(code, 1);
      assert.match(stdout, /failing.*postgres:\/\/127\.0\.0\.1:1\/none/);
      assert.match(stdout, /waiting\s+3 records, not lost/);
      assert.ok(!stdout.includes("hunter2"));
    }));
});

describe("a store of a million signals", () => {
  test("takes records and answers questions as before", () =>
    withHome(async (home) => {
      await mkdir(home.state, { recursive: true });
      const path = join(home.state, "signals.db");
      const database = await runtime.sqlite.open(path, { busyTimeoutMs: 0 });
      database.execute("PRAGMA auto_vacuum = INCREMENTAL");
      database.execute("PRAGMA journal_mode = WAL");
      database.execute("PRAGMA synchronous = OFF");
      for (const statement of MIGRATIONS.flatMap(({ statements }) => statements)) {
        database.execute(statement);
      }
      database.execute(`PRAGMA user_version = ${MIGRATIONS.at(-1)!.version}`);
      const now = Date.now() / 1_000;
      database.transaction(() => {
        database.execute(
          `INSERT INTO sessions SELECT 'old-' || value, 'codex', '/repo', ${now - 1e6}
          FROM (WITH RECURSIVE c(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM c WHERE value < 99)
            SELECT value FROM c)`,
        );
        database.execute(`INSERT INTO session_signals
          SELECT 'id-' || n, 'old-' || (n % 100), n / 100 + 1, 'ToolDecided', 'call-' || n, ${
          now - 1e6
        } + n / 2.0,
            '{"tool":"bash","behavior":"allow"}'
          FROM (WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 999999) SELECT n FROM c)`);
      });
      database.close();
      await assertVerdicts(home);
      await home.hook("", { hook_event_name: "SessionStart", source: "startup" });
      const list = await home.run("signals", "list", "--limit", "5");
      assert.match(list.stdout, /DENY\s+bash\s+rm -rf \//);
      assert.match((await home.run("why", "last")).stdout, /denied: bash rm -rf \//);
      const sessions = (await home.run("sessions", "--json", "--limit", "2")).stdout.trim().split(
        "\n",
      )
        .map((line) => JSON.parse(line));
      assert.equal(sessions[0].id, "session-1");
      assert.deepEqual([sessions[1].signals, sessions[1].calls], [10_000, 10_000]);
      const found = await stats(home);
      assert.deepEqual([found.state, found.stats?.signals], ["fine", 1_000_005]);
    }));
});
