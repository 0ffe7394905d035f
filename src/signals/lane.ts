import {
  NodeAwaitingApproval,
  NodeCancelled,
  NodeCompleted,
  NodeEscalated,
  NodeFailed,
  NodePaused,
  NodeQueued,
  NodeSkipped,
  NodeStarted,
  RunEnd,
  RunFailed,
  RunStart,
} from "./lifecycle_signals.ts";
import type { Signal } from "./signal.ts";

/** The nine states of a node. */
export type Lane =
  | "queued"
  | "running"
  | "awaiting_approval"
  | "paused"
  | "succeeded"
  | "failed"
  | "skipped"
  | "cancelled"
  | "escalated";

/** The states that end an attempt. They stay until a new attempt is queued or started. */
export const TERMINAL_LANES: ReadonlySet<Lane> = new Set<Lane>([
  "succeeded",
  "failed",
  "skipped",
  "cancelled",
  "escalated",
]);

/** The states that begin a new attempt. */
const NEW_ATTEMPT: ReadonlySet<Lane> = new Set<Lane>(["queued", "running"]);

/** Which state each kind of signal means, by the kind it is stored under. */
const LANE_OF_KIND: Readonly<Record<string, Lane>> = {
  [NodeQueued.kind]: "queued",
  [NodeStarted.kind]: "running",
  [RunStart.kind]: "running",
  [NodeAwaitingApproval.kind]: "awaiting_approval",
  [NodePaused.kind]: "paused",
  [NodeCompleted.kind]: "succeeded",
  [RunEnd.kind]: "succeeded",
  [NodeFailed.kind]: "failed",
  [RunFailed.kind]: "failed",
  [NodeSkipped.kind]: "skipped",
  [NodeCancelled.kind]: "cancelled",
};

/**
 * Projects the signals of one node, in their order, onto the state it is in.
 *
 * A state that ends an attempt is sticky: what comes late is ignored until the node is queued or
 * started again. Signals that say nothing of a state are passed over; no signal at all is `queued`.
 */
export function laneOf(signals: Iterable<Pick<Signal, "kind" | "data">>): Lane {
  let lane: Lane = "queued";
  for (const signal of signals) {
    const next = impliedLane(signal);
    if (next === null) continue;
    if (TERMINAL_LANES.has(lane) && !NEW_ATTEMPT.has(next)) continue;
    lane = next;
  }
  return lane;
}

function impliedLane(signal: Pick<Signal, "kind" | "data">): Lane | null {
  if (signal.kind === NodeEscalated.kind) {
    // A notice asks for help and goes on; the node's own state is untouched.
    const route = (signal.data as { route?: unknown } | null)?.route;
    return route === "notify" ? null : "escalated";
  }
  return Object.hasOwn(LANE_OF_KIND, signal.kind) ? LANE_OF_KIND[signal.kind] : null;
}
