/**
 * The signals of runs, of the nodes in a run, and of a conversation (D5): one class a kind, so that
 * observers can ask for them by class.
 *
 * @module
 */

import { Signal } from "./signal.ts";

/** What is known of a run when it ends. */
export interface RunUsage {
  /** Tokens read by the model. */
  readonly inputTokens?: number;
  /** Tokens written by the model. */
  readonly outputTokens?: number;
  /** What the run cost, in US dollars. */
  readonly totalCostUsd?: number;
  /** Turns of the conversation. */
  readonly turns?: number;
  /** Milliseconds from start to end. */
  readonly durationMs?: number;
  /** What the run answered. */
  readonly result?: unknown;
}

/** One node (one operation) of a run. */
export interface NodeFacts {
  /** The operation's id; stored in the column `op_id`. */
  readonly opId: string;
  /** The operation's name. */
  readonly name?: string;
  /** Seconds since the run began. */
  readonly elapsed?: number;
  /** The operation it belongs to; `null` for one of its own. */
  readonly parentId?: string | null;
  /** Ids of the operations it waits for. */
  readonly dependsOn?: readonly string[];
}

/** A node that stopped or waits, and why. */
export interface NodeReason extends NodeFacts {
  /** Why, in words. */
  readonly reason?: string | null;
}

/** A node that was taken into a running graph. */
export interface NodeSpawn extends NodeFacts {
  /** Whether it waits for nothing. */
  readonly independent?: boolean;
  /** Who is to do it. */
  readonly assignee?: string | null;
  /** What is to be done. */
  readonly instruction?: string | null;
}

/** A node that asked for help. */
export interface NodeEscalation extends NodeReason {
  /** `higher_tier`: tried again elsewhere; `give_up`: it ends here; `notify`: it goes on. */
  readonly route: "higher_tier" | "give_up" | "notify";
  /** What was asked for. */
  readonly request?: unknown;
}

/** A run began. */
export class RunStart extends Signal<Record<string, unknown> | null> {
  /** The name it is stored under. */
  static override readonly kind = "RunStart";
}
/** A run ended well. */
export class RunEnd extends Signal<RunUsage> {
  /** The name it is stored under. */
  static override readonly kind = "RunEnd";
}
/** A run failed; the payload is the error. */
export class RunFailed extends Signal<unknown> {
  /** The name it is stored under. */
  static override readonly kind = "RunFailed";
}
/** A node was taken into the running graph. */
export class NodeSpawned extends Signal<NodeSpawn> {
  /** The name it is stored under. */
  static override readonly kind = "NodeSpawned";
}
/** A node may run and waits for its turn. */
export class NodeQueued extends Signal<NodeFacts> {
  /** The name it is stored under. */
  static override readonly kind = "NodeQueued";
}
/** A node began to run. */
export class NodeStarted extends Signal<NodeFacts> {
  /** The name it is stored under. */
  static override readonly kind = "NodeStarted";
}
/** A node ended well. */
export class NodeCompleted extends Signal<NodeFacts> {
  /** The name it is stored under. */
  static override readonly kind = "NodeCompleted";
}
/** A node failed. */
export class NodeFailed extends Signal<NodeReason> {
  /** The name it is stored under. */
  static override readonly kind = "NodeFailed";
}
/** A node was left out. */
export class NodeSkipped extends Signal<NodeReason> {
  /** The name it is stored under. */
  static override readonly kind = "NodeSkipped";
}
/** A node was cancelled. */
export class NodeCancelled extends Signal<NodeReason> {
  /** The name it is stored under. */
  static override readonly kind = "NodeCancelled";
}
/** A node stands at a boundary until it is resumed. */
export class NodePaused extends Signal<NodeReason> {
  /** The name it is stored under. */
  static override readonly kind = "NodePaused";
}
/** A node waits for somebody's approval. */
export class NodeAwaitingApproval extends Signal<NodeReason> {
  /** The name it is stored under. */
  static override readonly kind = "NodeAwaitingApproval";
}
/** A node asked for help. */
export class NodeEscalated extends Signal<NodeEscalation> {
  /** The name it is stored under. */
  static override readonly kind = "NodeEscalated";
}
/** A message was added to a branch; the payload is the message, of which only a reference is stored. */
export class MessageAdded extends Signal<unknown> {
  /** The name it is stored under. */
  /** The name it is stored under. */
  static override readonly kind = "MessageAdded";
}
/** A run produced a structured value. */
export class StructuredOutput<Data = unknown> extends Signal<Data> {
  /** The name it is stored under. */
  static override readonly kind = "StructuredOutput";
}
/** A gate refused the proposed action that is the payload (D4-5). */
export class GateDenied extends Signal<unknown> {
  /** The name it is stored under. */
  /** The name it is stored under. */
  static override readonly kind = "GateDenied";
}
