import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { ToolCall, Verdict } from "../../src/call.ts";
import { type CommandContext, UsageError } from "../../src/cli/command.ts";
import { cutText, safeText, safeValue } from "../../src/cli/safe_text.ts";
import { run as sessions } from "../../src/cli/sessions.ts";
import { run as signals } from "../../src/cli/signals.ts";
import { styleOf } from "../../src/cli/style.ts";
import { momentSeconds, sizeBytes, sizeText, spanSeconds } from "../../src/cli/time_text.ts";
import { run as why } from "../../src/cli/why.ts";
import { decisionSignals, outcomeSignal, SessionStarted } from "../../src/signals/tool_signals.ts";
import { drainStore } from "../../src/store/drain_store.ts";
import type { StoreLocation } from "../../src/store/location.ts";
import { recordCall } from "../../src/store/record_call.ts";
import { runtimeWith } from "../runtime_with_environment.ts";

interface Terminal {
  readonly context: CommandContext;
  readonly location: StoreLocation;
  readonly printed: string[];
  readonly errors: string[];
  /** What was printed since the last look. */
  take(): string;
}

async function withTerminal(body: (terminal: Terminal) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-cli-"));
  try {
    const runtime = runtimeWith({ HOME: folder, NO_COLOR: "1", COLUMNS: "140" });
    const printed: string[] = [];
    const errors: string[] = [];
    const style = styleOf(runtime, "output");
    await body({
      context: {
        runtime,
        print: (text) => Promise.resolve(void printed.push(text)),
        printError: (text) => Promise.resolve(void errors.push(text)),
        style,
        errorStyle: style,
      },
      location: {
        store: join(folder, ".local/state/gatehouse/signals.db"),
        stateFolder: join(folder, ".local/state/gatehouse"),
      },
      printed,
      errors,
      take: () => [...printed.splice(0), ...errors.splice(0)].join("\n"),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const call = (command: string, callId: string): ToolCall => ({
  tool: "bash",
  action: "",
  args: { command },
  cwd: "/repo",
  callId,
});

function verdict(behavior: Verdict["behavior"], more: Partial<Verdict> = {}): Verdict {
  return {
    behavior,
    reason: `because it is to be ${behavior}`,
    reasonCode: "rule",
    control: "policy",
    matchedRule: "git *",
    place: null,
    advice: null,
    args: {},
    rewritten: false,
    results: [],
    notices: [],
    ...more,
  };
}

/** Two sessions: three decisions in one, the beginning of another. */
async function fill({ context, location }: Terminal): Promise<void> {
  const session = { id: "one", client: "claude-code", cwd: "/repo" };
  const keep = (made: ReturnType<typeof decisionSignals>, moment: string, of = session) =>
    recordCall(context.runtime, location, { session: of, signals: made, moment }, "never");
  await keep(decisionSignals(call("git status", "c1"), verdict("allow"), 0.5), "PreToolUse");
  await keep(
    [outcomeSignal(call("git status", "c1"), { failed: false, response: "clean" })],
    "PostToolUse",
  );
  const refused = verdict("deny", {
    control: "guard:destructive",
    matchedRule: null,
    advice: "name the folder",
    notices: ["the project's file is not trusted"],
    results: [{
      control: "guard:destructive",
      plane: "tool",
      behavior: "deny",
      reason: "removes everything",
      reasonCode: "guard",
      tool: "bash",
      action: "",
      matchedRule: null,
      place: null,
      advice: null,
      rewritten: false,
      errored: false,
    }],
  });
  await keep(decisionSignals(call("rm -rf / \u001b[2J\u202e", "c2"), refused, 0.5), "PreToolUse");
  const changed = verdict("escalate", {
    rewritten: true,
    args: { command: "npm install --ignore-scripts" },
  });
  await keep(decisionSignals(call("npm install", "c3"), changed, 0.5), "PreToolUse");
  // The later one is listed first, and the clock counts in milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 5));
  await keep([new SessionStarted({ data: { client: "codex", cwd: "/else" } })], "SessionStart", {
    id: "two",
    client: "codex",
    cwd: "/else",
  });
}

describe("gatehouse signals", () => {
  test("says so where nothing was recorded, and makes no file", () =>
    withTerminal(async (terminal) => {
      const { context, location } = terminal;
      for (const args of [["list"], ["tail"], ["stats"], ["prune"]]) {
        assert.equal(await signals(args, context), 0);
        assert.match(terminal.take(), /Nothing is recorded yet/);
      }
      assert.equal(await signals(["export"], context), 0);
      assert.equal(await sessions([], context), 0);
      assert.match(terminal.take(), /Nothing is recorded yet/);
      assert.equal(await context.runtime.fs.exists(location.stateFolder), false);
    }));

  test("list shows time, verdict, tool, command, rule and id, safe to look at", () =>
    withTerminal(async (terminal) => {
      await fill(terminal);
      assert.equal(await signals(["list"], terminal.context), 0);
      const lines = terminal.take().split("\n");
      assert.match(lines[0], /^\d{4}-\d\d-\d\d$/);
      assert.match(
        lines[1],
        /^\d\d:\d\d:\d\d +allow +bash +git status +"git \*" +[0-9a-f]{8}$/,
      );
      assert.match(
        lines[2],
        / +DENY +bash +rm -rf \/ \\u\{1b\}\[2J\\u\{202e\} +guard:destructive +/,
      );
      assert.match(lines[3], / +rewritten +bash +npm install --ignore-scripts/);
      assert.match(lines[4], / +ask +bash +npm install /);
      assert.match(lines[5], / +session began .*codex +\/else/);
      assert.equal(lines.length, 6);
      assert.ok(
        lines.every((line) => line.length <= 140),
        String(Math.max(...lines.map((line) => line.length))),
      );
    }));

  test("list takes filters, and every kind with --all", () =>
    withTerminal(async (terminal) => {
      await fill(terminal);
      const count = async (...args: string[]) => {
        assert.equal(await signals(["list", "--json", ...args], terminal.context), 0);
        return terminal.take().split("\n").filter((line) => line.startsWith("{")).length;
      };
      assert.equal(await count(), 5);
      assert.equal(await count("--all"), 9);
      assert.equal(await count("--behavior", "deny"), 1);
      assert.equal(await count("--session", "two"), 1);
      assert.equal(await count("--kind", "ToolProposed", "--kind", "ToolCompleted"), 4);
      assert.equal(await count("--tool", "reader"), 0);
      assert.equal(await count("--since", "1h"), 5);
      assert.equal(await count("--since", "2990-01-01"), 0);
      assert.equal(await count("--limit", "2"), 2);
      await assert.rejects(signals(["list", "--behavior", "maybe"], terminal.context), UsageError);
      await assert.rejects(signals(["list", "--limit", "0"], terminal.context), UsageError);
      await assert.rejects(signals(["list", "--since", "soon"], terminal.context), UsageError);
    }));

  test("show prints a signal whole, found by the beginning of its id", () =>
    withTerminal(async (terminal) => {
      await fill(terminal);
      await signals(["list", "--json", "--behavior", "deny"], terminal.context);
      const { id, payload } = JSON.parse(terminal.take());
      assert.equal(await signals(["show", id.slice(0, 8)], terminal.context), 0);
      assert.match(terminal.take(), /^ToolDecided [^]*"behavior": "deny"/);
      assert.equal(await signals(["show", id, "--json"], terminal.context), 0);
      assert.deepEqual(JSON.parse(terminal.take()).payload, payload);
      assert.equal(await signals(["show", "zzz"], terminal.context), 1);
      assert.match(terminal.take(), /There is no such signal: zzz/);
      assert.equal(await signals(["show", ""], terminal.context), 1);
      assert.match(terminal.take(), /beginning of several ids/);
      await assert.rejects(signals(["show"], terminal.context), UsageError);
    }));

  test("export prints everything as JSON lines, each session in order", () =>
    withTerminal(async (terminal) => {
      await fill(terminal);
      assert.equal(await signals(["export", "--jsonl"], terminal.context), 0);
      const rows = terminal.take().split("\n").map((line) => JSON.parse(line));
      assert.deepEqual(
        rows.filter((row) => row.session_id === "one").map((row) => row.seq),
        [1, 2, 3, 4, 5, 6, 7, 8],
      );
      assert.deepEqual(
        rows.map((row) => row.kind).filter((kind) => kind === "ToolDecided").length,
        3,
      );
      assert.equal(typeof rows[0].payload, "object");
      await signals(["export", "--behavior", "deny"], terminal.context);
      assert.equal(terminal.take().split("\n").length, 1);
    }));

  test("tail -f shows what comes, once", () =>
    withTerminal(async (terminal) => {
      await fill(terminal);
      const { context, location, printed } = terminal;
      // There is no other end to it than the process's: the third look at the screen ends this one.
      const stop = new Error("enough");
      let shown = 0;
      const screen: CommandContext = {
        ...context,
        print: (text) => {
          printed.push(text);
          if (/git push/.test(text)) shown++;
          return shown === 1 ? Promise.reject(stop) : Promise.resolve();
        },
      };
      const following = signals(["tail", "-f", "-n", "3"], screen);
      const late = { id: "one", client: "claude-code", cwd: "/repo" };
      await new Promise((resolve) => setTimeout(resolve, 50));
      await recordCall(context.runtime, location, {
        session: late,
        signals: decisionSignals(call("git push", "c9"), verdict("allow"), 1),
        moment: "PreToolUse",
      }, "never");
      await assert.rejects(following, stop);
      const text = printed.join("\n");
      assert.equal(text.match(/session began/g)?.length, 1);
      assert.equal(text.match(/npm install --ignore-scripts/g)?.length, 1);
      assert.equal(text.match(/git push/g)?.length, 1);
    }));

  test("prune removes what is too old, and says how much", () =>
    withTerminal(async (terminal) => {
      await fill(terminal);
      assert.equal(await signals(["prune", "--older-than", "1h"], terminal.context), 0);
      assert.match(terminal.take(), /Removed 0 signals and 0 sessions/);
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(await signals(["prune", "--older-than", "0.01s"], terminal.context), 0);
      assert.match(terminal.take(), /Removed 9 signals and 2 sessions/);
      await assert.rejects(signals(["prune", "--max-size", "much"], terminal.context), UsageError);
    }));

  test("stats count, and reset sets the store aside", () =>
    withTerminal(async (terminal) => {
      await fill(terminal);
      assert.equal(await signals(["stats"], terminal.context), 0);
      assert.match(terminal.take(), /9 in 2 sessions[^]*3 ToolDecided/);
      assert.equal(await signals(["reset"], terminal.context), 0);
      assert.match(terminal.take(), /Set aside as .*signals\.db\.aside-/);
      assert.equal(await signals(["list"], terminal.context), 0);
      assert.match(terminal.take(), /Nothing is recorded yet/);
      assert.equal(await signals(["reset"], terminal.context), 0);
      assert.match(terminal.take(), /There is no store/);
    }));

  test("a word that is no part of it is wrong usage", () =>
    withTerminal(async ({ context }) => {
      await assert.rejects(signals([], context), /list, tail, show, export, prune, stats, reset/);
      await assert.rejects(signals(["toString"], context), UsageError);
    }));
});

describe("gatehouse sessions", () => {
  test("lists client, folder, times, calls and denials, the latest first", () =>
    withTerminal(async (terminal) => {
      await fill(terminal);
      assert.equal(await sessions([], terminal.context), 0);
      const lines = terminal.take().split("\n");
      assert.match(lines[0], /^client +folder +began +last +calls +denied +session$/);
      assert.match(lines[1], /^codex +\/else .* 0 +0 +two$/);
      assert.match(lines[2], /^claude-code +\/repo .* 3 +1 +one$/);
      assert.equal(await sessions(["--client", "codex", "--json"], terminal.context), 0);
      assert.equal(JSON.parse(terminal.take()).id, "two");
      assert.equal(await sessions(["--since", "2990-01-01"], terminal.context), 0);
      assert.match(terminal.take(), /No session matches/);
    }));
});

describe("gatehouse why", () => {
  test("explains a decision by its id, by its call, by another signal of the call, and the latest denial", () =>
    withTerminal(async (terminal) => {
      await fill(terminal);
      assert.equal(await why(["last"], terminal.context), 0);
      const text = terminal.take();
      assert.match(text, /denied: bash rm -rf \/ /);
      assert.match(text, /because it is to be deny\n {2}by guard:destructive/);
      assert.match(text, /instead: name the folder/);
      assert.match(text, /note: the project's file is not trusted/);
      assert.match(text, /asked, in order\n {2}deny {2}guard:destructive: removes everything/);
      assert.match(text, /decided in 0\.5 ms/);
      assert.ok(!/[\p{Cc}\u202e]/u.test(text.replaceAll("\n", "")));
      assert.equal(await why(["c1"], terminal.context), 0);
      assert.match(terminal.take(), /allowed: bash git status[^]*rule "git \*"[^]*It ran at/);
      assert.equal(await why(["c3"], terminal.context), 0);
      assert.match(
        terminal.take(),
        /needs approval: bash npm install\n[^]*rewritten\n {2}from npm install\n {2}to {3}npm install --ignore-scripts/,
      );
      await signals(["list", "--json", "--kind", "ToolCompleted"], terminal.context);
      const { id } = JSON.parse(terminal.take());
      assert.equal(await why([id], terminal.context), 0);
      assert.match(terminal.take(), /allowed: bash git status/);
      assert.equal(await why(["c2", "--json"], terminal.context), 0);
      assert.deepEqual(
        terminal.take().split("\n").map((line) => JSON.parse(line).kind),
        ["ToolProposed", "ToolDecided"],
      );
    }));

  test("says so when there is no such decision", () =>
    withTerminal(async (terminal) => {
      assert.equal(await why(["last"], terminal.context), 1);
      assert.match(terminal.take(), /No denial is recorded/);
      await fill(terminal);
      assert.equal(await why(["nothing"], terminal.context), 1);
      assert.match(terminal.take(), /There is no such signal: nothing/);
      await signals(["list", "--json", "--kind", "SessionStarted"], terminal.context);
      const { id } = JSON.parse(terminal.take());
      assert.equal(await why([id], terminal.context), 1);
      assert.match(terminal.take(), /is a SessionStarted, and no decision belongs to it/);
      await assert.rejects(why([], terminal.context), UsageError);
    }));

  test("a store that was drained by somebody else explains the same", () =>
    withTerminal(async (terminal) => {
      await fill(terminal);
      await drainStore(terminal.context.runtime, terminal.location);
      assert.equal(await why(["c2"], terminal.context), 0);
      assert.match(terminal.take(), /denied: bash/);
    }));
});

describe("what is shown and typed", () => {
  test("text that acts on a terminal is shown as escapes", () => {
    assert.equal(
      safeText("a\u001b[31m\u0000\u202e\u2028\ufeff\u009b\n\t\r"),
      "a\\u{1b}[31m\\u{0}\\u{202e}\\u{2028}\\u{feff}\\u{9b}\\n\\t\\r",
    );
    assert.equal(safeText("plain é 漢 😀"), "plain é 漢 😀");
    assert.deepEqual(safeValue({ "k\u001b": ["\u001b", 1, null, { a: "\u0007" }] }), {
      "k\\u{1b}": ["\\u{1b}", 1, null, { a: "\\u{7}" }],
    });
    assert.equal(cutText("😀😀😀", 2), "😀…");
  });

  test("times and sizes are read as people write them", () => {
    assert.deepEqual(["90s", "10m", "12h", "30d", "2w"].map(spanSeconds), [
      90,
      600,
      43_200,
      2_592_000,
      1_209_600,
    ]);
    assert.deepEqual(["500", "500B", "1KB", "200MB", "1.5 GiB"].map(sizeBytes), [
      500,
      500,
      1_024,
      209_715_200,
      1_610_612_736,
    ]);
    assert.equal(momentSeconds("10m", 1_000_000), 400);
    assert.equal(momentSeconds("1970-01-01T00:00:05Z", 0), 5);
    for (const text of ["", "5", "m", "-5m", "5y"]) {
      assert.throws(() => spanSeconds(text), UsageError);
    }
    for (const text of ["", "x", "-1MB", "1TB"]) assert.throws(() => sizeBytes(text), UsageError);
    assert.deepEqual([0, 999, 2_048, 300_000_000, 2 ** 31].map(sizeText), [
      "0 B",
      "999 B",
      "2.0 KB",
      "286 MB",
      "2.0 GB",
    ]);
  });
});
