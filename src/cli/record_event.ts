import type { Verdict } from "../call.ts";
import type { ClientEvent, ClientName } from "../clients/client.ts";
import { userFolders } from "../config/user_folders.ts";
import type { Runtime } from "../runtime/port.ts";
import type { ArgumentsMode } from "../signals/record.ts";
import type { Signal } from "../signals/signal.ts";
import {
  CompletionEvidenceFound,
  decisionSignals,
  type EvidenceFacts,
  outcomeSignal,
  SessionEnded,
  SessionStarted,
} from "../signals/tool_signals.ts";
import { storeLocation } from "../store/location.ts";
import { type DrainChoice, recordCall } from "../store/record_call.ts";

/** What the hook came to, to be recorded. */
export interface HookEvent {
  readonly client: ClientName;
  readonly event: ClientEvent;
  /** One for each of the event's calls; empty when none was judged. */
  readonly verdicts: readonly Verdict[];
  /** Milliseconds the judgement took. */
  readonly durationMs: number;
  /** What the completion probe found, on a stop. */
  readonly evidence?: EvidenceFacts;
  /** `store` of the configuration. */
  readonly store?: string;
  /** `signals.arguments` of the configuration. */
  readonly arguments?: ArgumentsMode;
}

/** The session of clients that do not name theirs: one for each client and folder. */
function unnamedSession(client: string, cwd: string): string {
  return `${client}:${cwd}`;
}

/** Records what the hook saw and decided. Never rejects, never prints; see {@linkcode recordCall}. */
export async function recordEvent(runtime: Runtime, hook: HookEvent): Promise<void> {
  try {
    const signals = signalsOf(hook);
    if (signals.length === 0) return;
    const { client, event } = hook;
    const location = storeLocation(runtime.env, userFolders(runtime.env).state, hook.store);
    await recordCall(runtime, location, {
      session: { id: event.session ?? unnamedSession(client, event.cwd), client, cwd: event.cwd },
      signals,
      moment: event.name,
      arguments: hook.arguments,
    }, drainChoice(event));
  } catch {
    // Without a home folder there is no place to record or to count; the verdict stands.
  }
}

function signalsOf({ client, event, verdicts, durationMs, evidence }: HookEvent): Signal[] {
  switch (event.moment) {
    case "before-tool":
    case "permission-request":
      return decisionsOn(event, verdicts, durationMs);
    case "after-tool":
    case "tool-failed":
      return event.calls.map((call) =>
        outcomeSignal(call, {
          failed: event.moment === "tool-failed",
          response: event.response,
        })
      );
    case "session-start":
      return [new SessionStarted({ data: { client, cwd: event.cwd } })];
    case "session-end":
      return [new SessionEnded({ data: {} })];
    case "stop":
    case "subagent-stop":
      return evidence === undefined ? [] : [new CompletionEvidenceFound({ data: evidence })];
    case "subagent-start":
    case "prompt":
    case "other":
      return [];
  }
  return event.moment satisfies never;
}

function decisionsOn(
  { calls }: ClientEvent,
  verdicts: readonly Verdict[],
  durationMs: number,
): Signal[] {
  const signals: Signal[] = [];
  for (let index = 0; index < calls.length; index++) {
    const verdict = verdicts[index];
    if (verdict === undefined) continue;
    for (const signal of decisionSignals(calls[index], verdict, durationMs)) signals.push(signal);
  }
  return signals;
}

/** Sessions begin and end when nobody waits for a tool. */
function drainChoice({ moment }: ClientEvent): DrainChoice {
  return moment === "session-start" || moment === "session-end" ? "now" : "sometimes";
}
