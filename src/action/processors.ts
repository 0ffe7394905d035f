import type { Arguments, Verdict } from "../call.ts";

/** What a callable and its processors are told of the call besides its arguments. */
export interface CallContext {
  /** The tool's name. */
  readonly tool: string;
  /** The id of the `FunctionCalling`. */
  readonly callId: string;
  /** Aborted when the call is cancelled. */
  readonly signal: AbortSignal | undefined;
}

/** What processors are told and may tell. */
export interface ProcessorContext extends CallContext {
  /** The arguments that were judged last; before that, those the call came with. A copy. */
  readonly arguments: Arguments;
  /** Keeps the verdict of a chain of controls with the call. */
  record(verdict: Verdict): void;
}

/** Extra options handed to a processor at every call. */
export type ProcessorOptions = Readonly<Record<string, unknown>>;

/** A tool's function. It gets a copy of the arguments that nobody else holds. */
export type Callable = (args: Arguments, context: CallContext) => unknown;

/**
 * Runs before the callable. A returned record replaces the arguments, anything else leaves them (D2-5); throwing stops
 * the call.
 */
export type Preprocessor = (
  args: Arguments,
  options: ProcessorOptions,
  context: ProcessorContext,
) => unknown;

/** Runs after the callable returned. Anything but `undefined` replaces the response. */
export type Postprocessor = (
  response: unknown,
  options: ProcessorOptions,
  context: ProcessorContext,
) => unknown;

/** Is told of a call that failed. What it returns is not looked at; when it throws, that is kept beside the call. */
export type ErrorProcessor = (error: unknown, context: ProcessorContext) => unknown;

/** Everything that runs around a callable. */
export interface Processors {
  /** Runs before the callable. */
  readonly preprocessor: Preprocessor | null;
  /** Extra options for it. */
  readonly preprocessorKwargs: ProcessorOptions;
  /** Runs after the callable. */
  readonly postprocessor: Postprocessor | null;
  /** Extra options for it. */
  readonly postprocessorKwargs: ProcessorOptions;
  /** Is told of failures. */
  readonly onError: ErrorProcessor | null;
}

/** A call that is proposed to a gate. */
export interface ProposedCall {
  /** The tool's name. */
  readonly function: string;
  /** Its arguments; a copy. */
  readonly arguments: Arguments;
}

/**
 * What an `ActionManager` puts around every tool that is registered with it, now or later. It becomes part of the tool,
 * so that no way of calling the tool goes around it.
 */
export interface Governance {
  /** Says whether a call may go on; asked once, before the processors. */
  readonly authorize?: (call: ProposedCall) => Promise<boolean>;
  /** Builds what really runs around the callable out of the tool's own processors. */
  readonly wrap?: (toolName: string, own: Processors) => Processors;
}
