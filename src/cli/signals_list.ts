import { parseArgs } from "node:util";
import { drainSpool } from "../store/drain_spool.ts";
import type { SignalFilter, SignalStore, StoredSignal } from "../store/port.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { NOTHING_RECORDED, signalLocation, withSignals } from "./open_signals.ts";
import { wholeNumber } from "./sessions.ts";
import { payloadOf, signalLine } from "./signal_line.ts";
import { dayText, momentSeconds } from "./time_text.ts";

/** What is listed when nobody says what: decisions and what is out of the ordinary. */
const LISTED_KINDS = [
  "SessionStarted",
  "SessionEnded",
  "ToolDecided",
  "ToolFailed",
  "ArgumentsRewritten",
  "CompletionEvidenceFound",
  "RunFailed",
  "NodeFailed",
  "GateDenied",
];

/** Signals that are listed when nobody says how many. */
const LISTED = "50";
/** Signals that `tail` begins with. */
const TAILED = "20";
/** Milliseconds between two looks of `tail -f`. */
const LOOK_MS = 500;
/** Signals a look takes, and the ids that are remembered so that none is shown twice. */
const LOOK_SIZE = 500;
const REMEMBERED = 5_000;

/** Options that choose signals, alike for `list`, `tail` and `export`. */
export const FILTER_OPTIONS = {
  session: { type: "string" },
  kind: { type: "string", multiple: true },
  tool: { type: "string" },
  behavior: { type: "string" },
  since: { type: "string" },
  store: { type: "string" },
} as const;

/** Reads the options that choose signals. */
export function signalFilter(
  values: {
    session?: string;
    kind?: string[];
    tool?: string;
    behavior?: string;
    since?: string;
  },
  all: boolean,
): SignalFilter {
  const { behavior } = values;
  if (behavior !== undefined && !["allow", "deny", "escalate"].includes(behavior)) {
    throw new UsageError(`--behavior is allow, deny or escalate, not ${behavior}`);
  }
  return {
    sessionId: values.session,
    kinds: values.kind ?? (all ? undefined : LISTED_KINDS),
    tool: values.tool,
    behavior,
    since: values.since === undefined ? undefined : momentSeconds(values.since, Date.now()),
  };
}

/** `gatehouse signals list`: the latest signals, oldest of them first. */
export async function listSignals(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...FILTER_OPTIONS,
      all: { type: "boolean", default: false },
      limit: { type: "string", default: LISTED },
      json: { type: "boolean", default: false },
    },
  });
  const filter = signalFilter(values, values.all);
  const limit = wholeNumber("--limit", values.limit);
  return await withSignals(context, await signalLocation(context, values.store), async (store) => {
    const found = (await store?.search(filter, { limit }) ?? []).reverse();
    if (values.json) {
      for (const signal of found) await context.print(signalJson(signal));
    } else if (found.length === 0) {
      await context.print(store === null ? NOTHING_RECORDED : "No signal matches.");
    } else {
      const printer = new LinePrinter(context);
      for (const signal of found) await printer.print(store!, signal);
    }
    return 0;
  });
}

/** `gatehouse signals tail [-f]`: the latest signals, and with `-f` those that come. */
export async function tailSignals(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...FILTER_OPTIONS,
      all: { type: "boolean", default: false },
      follow: { type: "boolean", short: "f", default: false },
      limit: { type: "string", short: "n", default: TAILED },
      json: { type: "boolean", default: false },
    },
  });
  const filter = signalFilter(values, values.all);
  const limit = wholeNumber("--limit", values.limit);
  const location = await signalLocation(context, values.store);
  const printer = new LinePrinter(context);
  const show = async (store: SignalStore, signal: StoredSignal) => {
    if (values.json) await context.print(signalJson(signal));
    else await printer.print(store, signal);
  };
  let seen: string[] = [];
  const remembered = new Set<string>();
  const showNew = async (store: SignalStore, size: number, wanted: SignalFilter) => {
    const found = (await store.search(wanted, { limit: size })).reverse();
    for (const signal of found) {
      if (remembered.has(signal.id)) continue;
      await show(store, signal);
      remembered.add(signal.id);
      seen.push(signal.id);
    }
    for (const old of seen.slice(0, -REMEMBERED)) remembered.delete(old);
    seen = seen.slice(-REMEMBERED);
  };
  while (true) {
    const began = Date.now() / 1_000;
    const opened = await withSignals(context, location, async (store) => {
      if (store === null) return false;
      await showNew(store, limit, filter);
      const after = Math.max(filter.since ?? 0, began);
      while (values.follow) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        await drainSpool(context.runtime, location, store);
        await showNew(store, LOOK_SIZE, { ...filter, since: after });
      }
      return true;
    });
    if (!values.follow) {
      if (!opened) await context.print(NOTHING_RECORDED);
      return 0;
    }
    // Nothing is recorded yet: wait for the first.
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** A stored signal for programs: its payload as a value, not as text. */
export function signalJson(signal: StoredSignal): string {
  const { id, sessionId, seq, kind, opId, ts, payload } = signal;
  const beginning = JSON.stringify({ id, session_id: sessionId, seq, kind, op_id: opId, ts });
  return `${beginning.slice(0, -1)},"payload":${payload}}`;
}

/** Prints lines, a heading for each day, and finds the command that a decision is about. */
class LinePrinter {
  readonly #context: CommandContext;
  #day = "";

  constructor(context: CommandContext) {
    this.#context = context;
  }

  async print(store: SignalStore, signal: StoredSignal): Promise<void> {
    const { style, runtime } = this.#context;
    const day = dayText(signal.ts);
    if (day !== this.#day) await this.#context.print(style.bold(day));
    this.#day = day;
    const args = signal.kind === "ToolDecided" ? await argumentsOf(store, signal) : null;
    const width = Number(runtime.env.get("COLUMNS")) || undefined;
    await this.#context.print(signalLine(signal, args, style, width));
  }
}

/** The arguments of the call that a decision is about: from the proposal that stands before it. */
export async function argumentsOf(store: SignalStore, decision: StoredSignal): Promise<unknown> {
  const [before] = await store.read(decision.sessionId, {
    afterSeq: decision.seq - 2,
    limit: 1,
  });
  if (before?.kind === "ToolProposed" && before.opId === decision.opId) {
    return payloadOf(before).args ?? null;
  }
  if (decision.opId === "") return null;
  const [proposal] = await store.search({
    sessionId: decision.sessionId,
    opId: decision.opId,
    kinds: ["ToolProposed"],
  }, { limit: 1 });
  return proposal === undefined ? null : payloadOf(proposal).args ?? null;
}
