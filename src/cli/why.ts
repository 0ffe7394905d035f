import { parseArgs } from "node:util";
import type { Arguments, Behavior, Place, ReasonCode, ToolCall, Verdict } from "../call.ts";
import type { SignalStore, StoredSignal } from "../store/port.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { signalLocation, withSignals } from "./open_signals.ts";
import { safeText, safeValue } from "./safe_text.ts";
import { argumentsText, type Payload, payloadOf } from "./signal_line.ts";
import { argumentsOf, signalJson } from "./signals_list.ts";
import { signalById } from "./signals_keep.ts";
import { clockText, dayText } from "./time_text.ts";
import { verdictText } from "./verdict_text.ts";

/** The word for the latest denial. */
const LAST = "last";

/** `gatehouse why <id>`: explains a past decision from what was stored. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { store: { type: "string" }, json: { type: "boolean", default: false } },
  });
  if (positionals.length !== 1) {
    throw new UsageError(
      `name a decision by the beginning of its id, or \`${LAST}\` for the latest denial`,
    );
  }
  const [named] = positionals;
  return await withSignals(context, await signalLocation(context, values.store), async (store) => {
    const decision = await decisionOf(context, store, named);
    if (decision === null || store === null) return 1;
    const call = await callSignals(store, decision);
    if (values.json) {
      for (const signal of call) await context.print(signalJson(signal));
    } else {
      await context.print(await explanation(context, store, decision, call));
    }
    return 0;
  });
}

/** The decision that is meant: by its own id, by the id of its call, or by that of another signal of its call. */
async function decisionOf(
  context: CommandContext,
  store: SignalStore | null,
  named: string,
): Promise<StoredSignal | null> {
  const kinds = ["ToolDecided"];
  if (named === LAST) {
    const [last] = await store?.search({ kinds, behavior: "deny" }, { limit: 1 }) ?? [];
    if (last === undefined) await context.printError("No denial is recorded.");
    return last ?? null;
  }
  const [byCall] = await store?.search({ kinds, opId: named }, { limit: 1 }) ?? [];
  if (byCall !== undefined) return byCall;
  const signal = await signalById(context, store, { idPrefix: named }, named);
  if (signal === null || signal.kind === "ToolDecided" || store === null) return signal;
  const [decision] = signal.opId === ""
    ? []
    : await store.search({ kinds, sessionId: signal.sessionId, opId: signal.opId }, { limit: 1 });
  if (decision === undefined) {
    await context.printError(
      `${safeText(named)} is a ${safeText(signal.kind)}, and no decision belongs to it.`,
    );
  }
  return decision ?? null;
}

/** Every signal of the call, in order. */
async function callSignals(store: SignalStore, decision: StoredSignal): Promise<StoredSignal[]> {
  if (decision.opId === "") return [decision];
  const found = await store.search({ sessionId: decision.sessionId, opId: decision.opId });
  return found.sort((left, right) => left.seq - right.seq);
}

async function explanation(
  context: CommandContext,
  store: SignalStore,
  decision: StoredSignal,
  signals: readonly StoredSignal[],
): Promise<string> {
  const { style, runtime } = context;
  const payload = safeValue(payloadOf(decision));
  const args = safeValue(await argumentsOf(store, decision));
  const lines = [
    style.dim(
      `${dayText(decision.ts)} ${clockText(decision.ts)}, session ${
        safeText(decision.sessionId)
      }, ` +
        `signal ${safeText(decision.id)}`,
    ),
    await verdictText(runtime, storedCall(payload, args), storedVerdict(payload, args), style),
  ];
  const answers = Array.isArray(payload.results) ? payload.results as Payload[] : [];
  if (answers.length > 0) lines.push(style.bold("asked, in order"), ...answers.map(answerLine));
  for (const signal of signals) {
    if (signal.kind === "ArgumentsRewritten") {
      const { before, after } = safeValue(payloadOf(signal));
      lines.push(
        style.bold("rewritten"),
        `  from ${shown(before)}`,
        `  to   ${shown(after)}`,
      );
    }
    if (signal.kind === "ToolCompleted") lines.push(`It ran at ${clockText(signal.ts)}.`);
    if (signal.kind === "ToolFailed") lines.push(`It ran and failed at ${clockText(signal.ts)}.`);
  }
  if (typeof payload.durationMs === "number") {
    lines.push(style.dim(`decided in ${payload.durationMs.toFixed(1)} ms`));
  }
  return lines.join("\n");
}

function answerLine({ control, behavior, reason, rule }: Payload): string {
  const by = rule === null || rule === undefined ? "" : ` (rule ${JSON.stringify(rule)})`;
  return `  ${behavior}  ${control}: ${reason}${by}`;
}

function shown(args: unknown): string {
  return typeof args === "object" && args !== null ? argumentsText(args) : "(not recorded)";
}

function storedCall(payload: Payload, args: unknown): ToolCall {
  return {
    tool: String(payload.tool ?? "?"),
    action: String(payload.action ?? ""),
    args: argumentsRecord(args),
    cwd: "",
  };
}

/** What was stored, as the verdict it was: the same words explain both. */
function storedVerdict(payload: Payload, args: unknown): Verdict {
  const texts = (value: unknown) => Array.isArray(value) ? value.map(String) : [];
  return {
    behavior:
      (["allow", "deny", "escalate"].includes(String(payload.behavior))
        ? payload.behavior
        : "deny") as Behavior,
    reason: String(payload.reason ?? "the reason was not recorded"),
    reasonCode: (payload.reasonCode ?? "none") as ReasonCode,
    control: textOrNull(payload.control),
    matchedRule: textOrNull(payload.rule),
    place: (payload.place ?? null) as Place | null,
    advice: textOrNull(payload.advice),
    args: argumentsRecord(args),
    // Shown from its own signal, with both sides.
    rewritten: false,
    results: [],
    notices: texts(payload.notices),
  };
}

function argumentsRecord(args: unknown): Arguments {
  return typeof args === "object" && args !== null ? args as Arguments : {};
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
