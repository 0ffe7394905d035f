import { type GateResult, gateResult } from "../call.ts";
import type { GuardedCall } from "./guard_hook.ts";

/** The name the guard's results carry. */
export const SELF_CONTROL = "guard:self";

/** The refusal of a call that would change what guards the agent. */
export function selfRefusal(call: GuardedCall, reason: string): GateResult {
  return gateResult({
    control: SELF_CONTROL,
    behavior: "deny",
    reason: `${reason}. An agent may not change what guards it`,
    reasonCode: "guard",
    tool: call.tool,
    action: call.action,
    advice:
      "Ask the person at the terminal to change it, or to run `gatehouse pause --minutes 10`.",
  });
}
