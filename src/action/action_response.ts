import type { Verdict } from "../call.ts";
import { Element, type ElementInit } from "../signals/element.ts";
import type { CallOutcome, FunctionCalling } from "./function_calling.ts";

/** What an {@linkcode ActionResponse} is made of. */
export interface ActionResponseInit extends ElementInit {
  /** The id of the request. */
  readonly requestId: string;
  /** The id the model gave the call. */
  readonly callId?: string | null;
  /** The tool's name. */
  readonly function: string;
  /** The arguments as they were requested. */
  readonly arguments: unknown;
  /** What the tool gave. */
  readonly output: unknown;
  /** What came of the call. */
  readonly outcome: CallOutcome;
  /** What was thrown. */
  readonly error?: unknown;
  /** What the controls said. */
  readonly verdict?: Verdict | null;
  /** The call itself. */
  readonly functionCalling?: FunctionCalling | null;
}

/**
 * What came of a requested action; kept in a branch's messages. Frozen.
 *
 * `outcome` tells a denied, a failed, a cancelled and a completed call apart. Of a denial, `verdict` says which plane
 * and which control refused: the session's gate (then there is no `functionCalling`, D4-6) or a control around the tool.
 */
export class ActionResponse extends Element {
  /** Actions have a role of their own. */
  readonly role = "action" as const;
  /** The id of the request. */
  readonly requestId: string;
  /** The id the model gave the call; `null` when it gave none. */
  readonly callId: string | null;
  /** The tool's name. */
  readonly function: string;
  /** The arguments as they were requested. */
  readonly arguments: unknown;
  /** What the tool gave; the denial payload of the gate (D4-7); `null` when the call failed (D3-7). */
  readonly output: unknown;
  /** What came of the call. */
  readonly outcome: CallOutcome;
  /** What was thrown; `null` when nothing was. */
  readonly error: unknown;
  /** What the controls said; `null` when none was asked. */
  readonly verdict: Verdict | null;
  /** The call itself; `null` when there was none. */
  readonly functionCalling: FunctionCalling | null;

  /** Makes a response; it is frozen. */
  constructor(init: ActionResponseInit) {
    super(init);
    this.requestId = init.requestId;
    this.callId = init.callId ?? null;
    this.function = init.function;
    this.arguments = init.arguments;
    this.output = init.output ?? null;
    this.outcome = init.outcome;
    this.error = init.error ?? null;
    this.verdict = init.verdict ?? null;
    this.functionCalling = init.functionCalling ?? null;
    Object.freeze(this);
  }

  /** What a model should be told: the output, or why there is none. */
  forModel(): unknown {
    if (this.output !== null || this.error === null) return this.output;
    const message = this.error instanceof Error ? this.error.message : String(this.error);
    return { error: message, outcome: this.outcome, function: this.function };
  }

  /** What can be written down of it. */
  toJSON(): Record<string, unknown> {
    return {
      id: this.id,
      createdAt: this.createdAt,
      requestId: this.requestId,
      function: this.function,
      arguments: this.arguments,
      output: this.output,
      outcome: this.outcome,
    };
  }
}
