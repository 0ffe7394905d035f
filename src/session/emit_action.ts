import type { ActionResponse } from "../action/action_response.ts";
import type { FunctionCalling } from "../action/function_calling.ts";
import {
  type Arguments,
  gateResult,
  PermissionError,
  type ToolCall,
  type Verdict,
} from "../call.ts";
import { actionOf } from "../hooks/compose.ts";
import { reduceVerdict } from "../hooks/reduce_verdict.ts";
import { decisionSignals, outcomeSignal } from "../signals/tool_signals.ts";
import type { SessionObserver } from "./observer.ts";

/**
 * Emits what happened to one call: that it was proposed, what was decided of it, how it ended.
 *
 * A call that the session's gate refused is not emitted: of that, `GateDenied` stands in the flow and goes no further
 * (D5-4). Whatever goes wrong here changes nothing.
 */
export async function emitAction(
  observer: SessionObserver,
  branchId: string,
  response: ActionResponse,
): Promise<void> {
  const funcCall = response.functionCalling;
  if (funcCall === null) return;
  const call = toolCall(branchId, funcCall);
  const verdict = verdictOf(funcCall, call);
  for (const signal of decisionSignals(call, verdict, funcCall.judgementMs ?? 0)) {
    await observer.emit(signal);
  }
  if (response.outcome === "denied") return;
  await observer.emit(
    outcomeSignal(
      { ...call, args: funcCall.arguments },
      { failed: response.outcome !== "completed", response: response.output },
    ),
  );
}

/** What was decided of a call, also where its tool has no controls and refused by itself. */
function verdictOf({ verdict, execution: { error } }: FunctionCalling, call: ToolCall): Verdict {
  if (verdict !== null && (verdict.behavior !== "allow" || !(error instanceof PermissionError))) {
    return verdict;
  }
  if (!(error instanceof PermissionError)) {
    return reduceVerdict(Object.freeze([]), { args: call.args, rewritten: false });
  }
  const refusal = error.result ?? gateResult({
    control: "tool",
    behavior: "deny",
    reason: error.message,
    reasonCode: "guard",
    tool: call.tool,
    action: call.action,
  });
  const results = [...verdict?.results ?? [], refusal];
  const args = verdict?.args ?? call.args;
  return reduceVerdict(Object.freeze([...results]), {
    args,
    rewritten: verdict?.rewritten ?? false,
  });
}

/** The call as it was asked for, in the words of signals. A branch knows no folder. */
function toolCall(branchId: string, call: FunctionCalling): ToolCall {
  const args: Arguments = call.proposedArguments;
  return {
    tool: call.function,
    action: actionOf(args),
    args,
    cwd: "",
    session: branchId,
    callId: call.id,
  };
}
