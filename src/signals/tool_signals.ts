/**
 * The signals of a client's tool calls: what the hook saw, decided, and saw of the outcome.
 *
 * @module
 */

import type { Arguments, Behavior, Place, ReasonCode, ToolCall, Verdict } from "../call.ts";
import { Signal, type SignalInit } from "./signal.ts";

/** What every signal of one call says of it. */
export interface CallFacts {
  /** The tool in our words. */
  readonly tool: string;
  /** What the tool was to do; `""` where it has one action. */
  readonly action: string;
  /** The client's id of the call, or one made for it; stored in the column `op_id`. */
  readonly callId: string;
  /** The subagent that asked, when the client says so. */
  readonly agent?: string;
}

/** A call as it was asked for. */
export interface ToolProposal extends CallFacts {
  /** The arguments, as they were asked for. */
  readonly args: Arguments;
  /** The folder it was to run in. */
  readonly cwd: string;
}

/** What was decided of a call, by whom, why, and how long that took. */
export interface ToolDecision extends CallFacts {
  /** What was decided. */
  readonly behavior: Behavior;
  /** Why, in words. */
  readonly reason: string;
  /** Why, for programs. */
  readonly reasonCode: ReasonCode;
  /** The control that decided; `null` when none had an opinion. */
  readonly control: string | null;
  /** The rule that matched, as it was written; `null` when none did. */
  readonly rule: string | null;
  /** Where the rule stands; `null` when it has no place. */
  readonly place: Place | null;
  /** What to do instead; `null` when there is nothing to say. */
  readonly advice: string | null;
  /** Whether other arguments were judged last than were asked for. */
  readonly rewritten: boolean;
  /** Milliseconds the decision took. */
  readonly durationMs: number;
  /** What was to be known besides. */
  readonly notices: readonly string[];
  /** What each control said, in the order they were asked. */
  readonly results: readonly ControlAnswer[];
}

/** One control's answer, in short. */
export interface ControlAnswer {
  /** The control's name. */
  readonly control: string;
  /** What it said. */
  readonly behavior: Behavior;
  /** Why, in words. */
  readonly reason: string;
  /** Its rule that matched; `null` when none did. */
  readonly rule: string | null;
}

/** Arguments before and after a transform or an approver changed them. */
export interface RewrittenArguments extends CallFacts {
  /** The arguments as they were asked for. */
  readonly before: Arguments;
  /** The arguments that were judged last, and may run. */
  readonly after: Arguments;
}

/** A call that ran. */
export interface ToolOutcome extends CallFacts {
  /** The arguments it ran with. */
  readonly args: Arguments;
  /** What the tool answered. */
  readonly response?: unknown;
}

/** A session of a client that began. */
export interface SessionBeginning {
  /** The client; `null` when it is not known. */
  readonly client: string | null;
  /** Where it works; `null` when that is not known. */
  readonly cwd: string | null;
  /** Why it began (`startup`, `resume`, …), when the client says so. */
  readonly source?: string;
}

/** A session of a client that ended. */
export interface SessionEnding {
  /** Why it ended, when the client says so. */
  readonly reason?: string;
}

/** What the Git probe found when a run ended (D6). */
export interface EvidenceFacts {
  /** Whether there is an answer at all. */
  readonly checked: boolean;
  /** Whether the branch has commits that its base has not; `null` when that cannot be said. */
  readonly aheadOfBase: boolean | null;
  /** How many; `null` when that cannot be said. */
  readonly commitsAhead: number | null;
  /** Whether the work tree has changes; `null` when that cannot be said. */
  readonly dirty: boolean | null;
  /** The base it was compared with; `null` when none was found. */
  readonly baseRef: string | null;
  /** What was found, in words. */
  readonly reason: string;
}

/** A client's session began. */
export class SessionStarted extends Signal<SessionBeginning> {
  /** The name it is stored under. */
  static override readonly kind = "SessionStarted";
}
/** A client's session ended. */
export class SessionEnded extends Signal<SessionEnding> {
  /** The name it is stored under. */
  static override readonly kind = "SessionEnded";
}
/** A client asked for a tool call. */
export class ToolProposed extends Signal<ToolProposal> {
  /** The name it is stored under. */
  static override readonly kind = "ToolProposed";
}
/** A tool call was decided on. */
export class ToolDecided extends Signal<ToolDecision> {
  /** The name it is stored under. */
  static override readonly kind = "ToolDecided";
}
/** A tool call ran to its end. */
export class ToolCompleted extends Signal<ToolOutcome> {
  /** The name it is stored under. */
  static override readonly kind = "ToolCompleted";
}
/** A tool call ran and failed. */
export class ToolFailed extends Signal<ToolOutcome> {
  /** The name it is stored under. */
  static override readonly kind = "ToolFailed";
}
/** A tool call's arguments were rewritten before it ran. */
export class ArgumentsRewritten extends Signal<RewrittenArguments> {
  /** The name it is stored under. */
  static override readonly kind = "ArgumentsRewritten";
}
/** The completion probe looked at a repository. */
export class CompletionEvidenceFound extends Signal<EvidenceFacts> {
  /** The name it is stored under. */
  static override readonly kind = "CompletionEvidenceFound";
}

/**
 * The signals of one decision: the proposal, the rewriting when there was one, the decision.
 *
 * @param call The call as it was asked for.
 * @param verdict What was decided.
 * @param durationMs Milliseconds the decision took.
 * @param callId The call's id when the client gives none; a random one when left out.
 */
export function decisionSignals(
  call: ToolCall,
  verdict: Verdict,
  durationMs: number,
  callId: string = call.callId ?? crypto.randomUUID(),
): Signal[] {
  const facts = callFacts(call, callId);
  const results = [];
  for (const { control, behavior, reason, matchedRule } of verdict.results) {
    results.push({ control, behavior, reason, rule: matchedRule });
  }
  const signals: Signal[] = [
    new ToolProposed({ data: { ...facts, args: call.args, cwd: call.cwd } }),
  ];
  if (verdict.rewritten) {
    signals.push(
      new ArgumentsRewritten({ data: { ...facts, before: call.args, after: verdict.args } }),
    );
  }
  signals.push(
    new ToolDecided({
      data: {
        ...facts,
        behavior: verdict.behavior,
        reason: verdict.reason,
        reasonCode: verdict.reasonCode,
        control: verdict.control,
        rule: verdict.matchedRule,
        place: verdict.place,
        advice: verdict.advice,
        rewritten: verdict.rewritten,
        durationMs,
        notices: verdict.notices,
        results,
      },
    }),
  );
  return signals;
}

/**
 * The signal of a call's outcome.
 *
 * @param call The call that ran.
 * @param outcome Whether it completed, and what the tool answered.
 */
export function outcomeSignal(
  call: ToolCall,
  outcome: { readonly failed: boolean; readonly response?: unknown },
): Signal {
  const init: SignalInit<ToolOutcome> = {
    data: {
      ...callFacts(call, call.callId ?? ""),
      args: call.args,
      ...(outcome.response === undefined ? {} : { response: outcome.response }),
    },
  };
  return outcome.failed ? new ToolFailed(init) : new ToolCompleted(init);
}

function callFacts(call: ToolCall, callId: string): CallFacts {
  return {
    tool: call.tool,
    action: call.action,
    callId,
    ...(call.agent === undefined ? {} : { agent: call.agent }),
  };
}
