/**
 * Doing what a model asked for: the session's gate first, then the tool (D4-6).
 *
 * @module
 */

import type { ActionManager } from "../action/action_manager.ts";
import { ActionRequest, type ActionRequestLike } from "../action/action_request.ts";
import { ActionResponse } from "../action/action_response.ts";
import { markAuthorized } from "../action/authorized.ts";
import { copyArguments, isRecord } from "../action/copy_arguments.ts";
import { type CallOutcome, type FunctionCalling, gateRefusal } from "../action/function_calling.ts";
import type { Verdict } from "../call.ts";
import { reduceVerdict } from "../hooks/reduce_verdict.ts";
import { toolInvocation } from "./control.ts";
import type { BranchMessage } from "./message.ts";

/** How requested actions are done. */
export interface ActOptions {
  /** All at once, or one after the other in their order. Default `concurrent`. */
  readonly strategy?: "concurrent" | "sequential";
  /**
   * Whether a call that could not even be made (no such tool, arguments that do not fit) becomes a failed response
   * instead of an exception. Default `true`.
   */
  readonly suppressErrors?: boolean;
  /** Cancels the calls when it is aborted. */
  readonly signal?: AbortSignal;
}

/** What `act` needs of a branch. */
export interface ActingBranch {
  readonly id: string;
  readonly acts: ActionManager;
  authorize(action: unknown): Promise<boolean>;
  record(message: BranchMessage): void;
}

/** What came of one request, before it is thrown or returned. */
interface Done {
  readonly response: ActionResponse;
  /** Must be thrown on. */
  readonly thrown?: { readonly error: unknown };
}

/** The fixed payload of a call that the gate refused (D4-7). */
export function denialPayload(tool: string): { error: string; function: string } {
  return { error: "denied by governance gate", function: tool };
}

/**
 * Does what is requested, and keeps every request and its response in the branch's history.
 *
 * @returns The responses, in the order of the requests.
 */
export async function act(
  branch: ActingBranch,
  given: readonly ActionRequestLike[],
  options: ActOptions = {},
): Promise<ActionResponse[]> {
  const requests = given.map(snapshot);
  const responses: ActionResponse[] = [];
  if (options.strategy === "sequential") {
    for (const request of requests) {
      branch.record(request);
      const done = await doOne(branch, request, options);
      branch.record(done.response);
      if (done.thrown !== undefined) throw done.thrown.error;
      responses.push(done.response);
    }
    return responses;
  }
  for (const request of requests) branch.record(request);
  const all = await Promise.all(requests.map((request) => doOne(branch, request, options)));
  for (const { response } of all) {
    branch.record(response);
    responses.push(response);
  }
  const stopped = all.find(({ thrown }) => thrown !== undefined);
  if (stopped !== undefined) throw stopped.thrown!.error;
  return responses;
}

/** What is asked of the gate must be what runs, so the caller keeps no hold on it. */
function snapshot(given: ActionRequestLike): ActionRequest {
  const request = ActionRequest.from(given);
  if (!isRecord(request.arguments)) return request;
  return new ActionRequest({
    id: request.id,
    createdAt: request.createdAt,
    metadata: request.metadata,
    function: request.function,
    arguments: copyArguments(request.arguments),
    callId: request.callId ?? undefined,
  });
}

/** Never rejects. */
async function doOne(
  branch: ActingBranch,
  request: ActionRequest,
  options: ActOptions,
): Promise<Done> {
  let call: FunctionCalling | null = null;
  try {
    options.signal?.throwIfAborted();
    // The gate gets a copy of its own: what it does to it must not reach the call.
    const shown = isRecord(request.arguments) ? copyArguments(request.arguments) : {};
    const invocation = toolInvocation(request.function, shown, branch.id);
    if (!await branch.authorize(invocation)) return { response: denied(request) };
    options.signal?.throwIfAborted();
    call = branch.acts.matchTool(request);
    markAuthorized(call);
    await call.invoke({ signal: options.signal });
    return { response: respond(request, call.outcome, call.response, call.execution.error, call) };
  } catch (error) {
    if (options.signal?.aborted === true) {
      const output = { error: "cancelled", function: request.function };
      return { response: respond(request, "cancelled", output, error, call), thrown: { error } };
    }
    const message = error instanceof Error ? error.message : String(error);
    const output = { error: message, function: request.function };
    const response = respond(request, "failed", output, error, call);
    return options.suppressErrors === false ? { response, thrown: { error } } : { response };
  }
}

function denied(request: ActionRequest): ActionResponse {
  const error = gateRefusal(request.function, request.arguments);
  const args = isRecord(request.arguments) ? request.arguments : {};
  const verdict = reduceVerdict(Object.freeze([error.result!]), { args, rewritten: false });
  return respond(request, "denied", denialPayload(request.function), error, null, verdict);
}

function respond(
  request: ActionRequest,
  outcome: CallOutcome,
  output: unknown,
  error: unknown,
  call: FunctionCalling | null,
  verdict: Verdict | null = call?.verdict ?? null,
): ActionResponse {
  return new ActionResponse({
    requestId: request.id,
    callId: request.callId,
    function: request.function,
    arguments: request.arguments,
    output,
    outcome,
    error,
    verdict,
    functionCalling: call,
  });
}
