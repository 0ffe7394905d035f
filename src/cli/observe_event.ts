/**
 * The moments of a client's life at which nothing is judged: what happened is recorded, and a stop may be answered.
 *
 * @module
 */

import type { Answer, Client, ClientEvent } from "../clients/client.ts";
import type { Configuration } from "../config/load_configuration.ts";
import { lastSaid } from "../config/setting.ts";
import type { Runtime } from "../runtime/port.ts";
import type { EvidenceFacts } from "../signals/tool_signals.ts";

/** What a moment came to. */
export interface Observed {
  /** `null`: no opinion. */
  readonly answer: Answer | null;
  readonly evidence: EvidenceFacts | null;
}

/** Milliseconds a stop may take: git has five seconds for each of its commands, and the client waits. */
export const STOP_DEADLINE_MS = 25_000;

/**
 * Does what a moment asks for: a session's beginning is remembered, and at its end the working tree is asked what the
 * session added.
 */
export async function observeMoment(
  runtime: Runtime,
  client: Client,
  event: ClientEvent,
  configuration: Configuration,
): Promise<Observed> {
  const nothing: Observed = { answer: null, evidence: null };
  const state = configuration.folders?.state;
  if (state === undefined) return nothing;
  if (event.moment === "session-start") {
    await rememberBeginning(runtime, event, state);
    return nothing;
  }
  if (event.moment !== "stop") return nothing;
  const [{ probeRun }, { decideOnStop }] = await Promise.all([
    import("../evidence/probe_run.ts"),
    import("../evidence/decide_on_stop.ts"),
  ]);
  const evidence = await probeRun(event.cwd, {
    runtime,
    stateFolder: await sessionFolder(runtime, event, state),
  });
  const setting = lastSaid(configuration, ({ onStop }) => onStop) ?? "record";
  const decision = decideOnStop(evidence, setting, event.alreadyStopping);
  const answer = decision.action === "continue"
    ? client.goOn(decision.message)
    : decision.action === "warn"
    ? client.tell(decision.message)
    : null;
  return { answer, evidence: evidence.completion };
}

/** The first beginning counts: a session that is resumed or shortened goes on from where it began. */
async function rememberBeginning(
  runtime: Runtime,
  event: ClientEvent,
  state: string,
): Promise<void> {
  const folder = await sessionFolder(runtime, event, state);
  if (runtime.fs.exists(folder)) return;
  const [{ takeBaseline }, { saveBaseline }] = await Promise.all([
    import("../evidence/baseline.ts"),
    import("../evidence/baseline_store.ts"),
  ]);
  const answer = await takeBaseline(event.cwd, { runtime });
  if (answer.status !== "failed") await saveBaseline(runtime, folder, answer.baseline);
}

/** Where a session's own baselines are; a client that names no session has one for each folder. */
async function sessionFolder(runtime: Runtime, event: ClientEvent, state: string): Promise<string> {
  const name = event.session ?? event.cwd;
  const hash = await runtime.sha256(new TextEncoder().encode(name));
  return `${state}/sessions/${hash.slice(0, 32)}`;
}
