/**
 * What every coding agent's file in this room provides: reading its payloads, saying what it can do,
 * writing the answer it really honours, and how it is wired up.
 *
 * @module
 */

import type { Arguments, GateResult, ToolCall, Verdict } from "../call.ts";

/** The clients there are, by the word used on the command line. */
export type ClientName = "claude-code" | "codex" | "gemini" | "opencode" | "copilot";

/** What a client can be told, found by running it. */
export interface Capabilities {
  /** Whether an answer "ask" brings up a question to a person: always, only on a screen, or never. */
  readonly ask: "yes" | "on-screen" | "no";
  /** Whether an answer "allow" skips the client's own question. */
  readonly approve: boolean;
  /** Whether rewritten arguments are used: always, or not when a person was asked. */
  readonly rewrite: "yes" | "unless-asked";
  /** Whether a hook that crashes stops the call: always, when a setting of the client says so, or never by itself. */
  readonly failClosed: "yes" | "by-setting" | "no";
  /** Whether a subagent's call is marked. */
  readonly subagentMark: boolean;
  /** Whether every call has an id of its own. */
  readonly callId: boolean;
  /** Whether an agent that stops can be made to go on. */
  readonly goOn: boolean;
  /** Whether a message at a stop is shown to a person: always, never without a screen, or never. */
  readonly tell: "yes" | "not-headless" | "no";
}

/** Which moment of a client's life a payload tells of. */
export type Moment =
  | "before-tool"
  | "after-tool"
  | "tool-failed"
  | "permission-request"
  | "session-start"
  | "session-end"
  | "stop"
  | "subagent-start"
  | "subagent-stop"
  | "prompt"
  | "other";

/** A client's payload, read. Unknown events are `other`, unknown tools keep their own names; nothing is dropped. */
export interface ClientEvent {
  readonly moment: Moment;
  /** The event's name as the client spells it. */
  readonly name: string;
  /** The calls to judge, one for each file a patch touches; empty unless the moment is about a tool. */
  readonly calls: readonly ToolCall[];
  /** The tool's name and arguments as the client spells them; `null` when the moment is not about a tool. */
  readonly native: { readonly tool: string; readonly args: Arguments } | null;
  readonly cwd: string;
  readonly session: string | null;
  /** On a stop: whether the client is already going on because a hook asked it to. */
  readonly alreadyStopping: boolean;
  /** What the tool answered, after it ran; `undefined` before. */
  readonly response?: unknown;
}

/** What the hook prints and how it ends. Nothing but this is ever printed. */
export interface Answer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A payload that cannot be read. The hook refuses the call with this message. */
export class PayloadError extends Error {
  override readonly name = "PayloadError";
}

/** One client. */
export interface Client {
  readonly name: ClientName;
  /** Reads a payload. Throws {@linkcode PayloadError} when a call in it cannot be understood. */
  read(payload: unknown, environment: ClientEnvironment): ClientEvent;
  readonly capabilities: Capabilities;
  /**
   * What this client may not be let do whatever the policy says, since it would then do things that no hook sees: a
   * denial, or `null`. Left out where there is nothing of the kind.
   */
  forbids?(event: ClientEvent): Promise<GateResult | null>;
  /** Writes the verdict on a `before-tool` event as this client honours it. */
  write(verdict: Verdict, event: ClientEvent, options: AnswerOptions): Answer;
  /** Writes a refusal when there is no verdict: the payload, the configuration or the judgement failed. */
  refuse(reason: string): Answer;
  /** Writes, on a `stop` event, that the agent is to go on and why; `null` where a client cannot be told. */
  goOn(reason: string): Answer | null;
  /** Writes, on a `stop` event, a message for the person; `null` where a client shows none. */
  tell(message: string): Answer | null;
}

/** What a payload may leave out. */
export interface ClientEnvironment {
  /** Gives the folder the hook was started in. */
  cwd(): string;
}

/** How an answer is to be given. */
export interface AnswerOptions {
  /** `approve`: a call that the policy allows skips the client's own question. `defer`: it does not. */
  readonly onAllow: "defer" | "approve";
  /**
   * Whether the client runs on a screen where a person can answer. Only Gemini CLI needs to be told: its
   * payloads do not say it, and an ask without a screen hangs it for ever. Default `false`.
   */
  readonly onScreen?: boolean;
}
