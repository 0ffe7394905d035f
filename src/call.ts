/**
 * The words every room speaks: what a tool call is, what a control answers, what the chain answers.
 *
 * @module
 */

/** The three decisions there are. Nothing else is a decision. */
export type Behavior = "allow" | "deny" | "escalate";

/** Behaviors from the mildest to the strictest; the strictest of several wins. */
export const BEHAVIORS: readonly Behavior[] = ["allow", "escalate", "deny"];

/** The arguments of a tool call: a plain record, as it came out of JSON or out of a program. */
export type Arguments = Record<string, unknown>;

/** A tool call: what is to be run, with what, where, and who asked. */
export interface ToolCall {
  /** The tool in our words: `bash`, `reader`, `editor`, `search`, `mcp__server__tool`, or its own name. */
  readonly tool: string;
  /** What the tool is to do, where a tool has several actions; else the empty string. */
  readonly action: string;
  /** The arguments, as the tool would receive them. */
  readonly args: Arguments;
  /** The absolute folder the call runs in. */
  readonly cwd: string;
  /** The client that asked (`claude-code`, …), when one did. */
  readonly client?: string;
  /** The client's session, when it has one. */
  readonly session?: string;
  /** The client's own id of this call, when it gives one. */
  readonly callId?: string;
  /** The subagent that asked, when the client says so. */
  readonly agent?: string;
}

/** Where a rule or a setting stands: a file and a line, counted from 1. */
export interface Place {
  /** The absolute path of the file. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column?: number;
}

/** Why a control answered as it did, for programs; the reason text is for people. */
export type ReasonCode =
  | "rule" // a rule of the user matched
  | "no-rule" // rules are on and none matched
  | "mode" // the policy's mode answers for every call
  | "shell-control" // a shell-control token, which rules on text cannot see through
  | "guard" // a built-in guard recognised something
  | "not-understood" // the input could not be understood, so it cannot be allowed
  | "hook" // a user's hook refused
  | "gate" // the session's gate refused
  | "configuration" // the configuration could not be read
  | "input" // the call itself could not be read
  | "error" // a control failed; failing is refusing
  | "timeout" // the judgement took too long; that is refusing too
  | "none"; // nobody had an opinion

/** What one control said of one call. Frozen. Extends the document's untyped verdicts (D3, D4). */
export interface GateResult {
  /** The control's name: `policy`, `guard:destructive`, `hook:NAME`, `gate`, … */
  readonly control: string;
  /** The plane it stands in: around the callable (D3) or around the session (D4). */
  readonly plane: "tool" | "session";
  /** What it decided. */
  readonly behavior: Behavior;
  /** Why, for people. */
  readonly reason: string;
  /** Why, for programs. */
  readonly reasonCode: ReasonCode;
  /** The tool's name. */
  readonly tool: string;
  /** What the tool was to do; empty when it has no actions. */
  readonly action: string;
  /** The rule that matched, as it was written; `null` when no rule did. */
  readonly matchedRule: string | null;
  /** Where that rule stands; `null` when it has no place (built in, or made by a program). */
  readonly place: Place | null;
  /** What to do instead, one line; `null` when there is nothing better to say. */
  readonly advice: string | null;
  /** Whether this control handed on other arguments than it was given. */
  readonly rewritten: boolean;
  /** Whether the control failed, rather than refused. */
  readonly errored: boolean;
}

/** The chain's answer to one call: the strictest of all results, and the arguments it is about. Frozen. */
export interface Verdict {
  /** The strictest of all decisions. */
  readonly behavior: Behavior;
  /** Why, for people. */
  readonly reason: string;
  /** Why, for programs. */
  readonly reasonCode: ReasonCode;
  /** The control that decided; `null` when none had an opinion (then `behavior` is `allow`). */
  readonly control: string | null;
  /** The rule that decided, as it was written; `null` when no rule did. */
  readonly matchedRule: string | null;
  /** Where that rule stands. */
  readonly place: Place | null;
  /** What to do instead, one line. */
  readonly advice: string | null;
  /** The exact arguments that were judged last; only these may run. */
  readonly args: Arguments;
  /** Whether `args` differ from what was asked for. */
  readonly rewritten: boolean;
  /** Every result, in the order the controls were asked. */
  readonly results: readonly GateResult[];
  /** What the reader of the answer must know besides: an untrusted file, an ignored rule. */
  readonly notices: readonly string[];
}

/** Builds a frozen {@link GateResult}; what is left out says "nothing to add". */
export function gateResult(
  result:
    & Pick<GateResult, "control" | "behavior" | "reason" | "reasonCode" | "tool" | "action">
    & Partial<GateResult>,
): GateResult {
  return Object.freeze({
    plane: "tool",
    matchedRule: null,
    place: null,
    advice: null,
    rewritten: false,
    errored: false,
    ...result,
  });
}

/** Tells which of two behaviors is stricter: positive when `left` is, negative when `right` is. */
export function compareBehaviors(left: Behavior, right: Behavior): number {
  return BEHAVIORS.indexOf(left) - BEHAVIORS.indexOf(right);
}

/**
 * A refusal of a tool call, thrown by controls (D1, D2): a denial, or an escalation nobody answered.
 *
 * Its {@linkcode PermissionError.result} says by program what its message says in words: which plane,
 * which control, which rule.
 */
export class PermissionError extends Error {
  /** The name of this class of errors. */
  override readonly name = "PermissionError";
  /** What the refusing control said; `null` when the error was made without one. */
  readonly result: GateResult | null;

  /** Makes a refusal. */
  constructor(message: string, options: { result?: GateResult; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.result = options.result ?? null;
  }
}
