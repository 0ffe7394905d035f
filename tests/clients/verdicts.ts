/** The four verdicts that every client's answer is tested with. */

import { gateResult } from "../../src/call.ts";
import type { Arguments, Behavior, Verdict } from "../../src/call.ts";
import type { ClientEvent } from "../../src/clients/client.ts";

/** Which answers are recorded for each captured call. */
export const SCENARIOS = ["allow", "deny", "escalate", "rewrite"] as const;

/** One of them. */
export type Scenario = (typeof SCENARIOS)[number];

/** A verdict as the judge gives it on the event's first call. */
export function verdictFor(scenario: Scenario, event: ClientEvent): Verdict {
  const call = event.calls[0];
  switch (scenario) {
    case "allow":
      return verdict({ args: call.args });
    case "deny":
      return verdict({
        behavior: "deny",
        control: "policy",
        reason: "removing files is not allowed",
        reasonCode: "rule",
        matchedRule: "rm *",
        place: { file: "/repo/gatehouse.yaml", line: 12 },
        advice: "move it to the trash",
        args: call.args,
      });
    case "escalate":
      return verdict({
        behavior: "escalate",
        control: "policy",
        reason: "a person decides on this",
        reasonCode: "rule",
        args: call.args,
      });
    case "rewrite":
      return verdict({ args: rewritten(call.args), rewritten: true });
    default:
      return scenario satisfies never;
  }
}

/** Builds a verdict; what is left out is an allow that nobody had an opinion on. */
export function verdict(parts: Partial<Verdict>): Verdict {
  const behavior: Behavior = parts.behavior ?? "allow";
  return Object.freeze({
    behavior,
    reason: "",
    reasonCode: "none",
    control: null,
    matchedRule: null,
    place: null,
    advice: null,
    args: {},
    rewritten: false,
    results: [
      gateResult({
        control: parts.control ?? "none",
        behavior,
        reason: parts.reason ?? "",
        reasonCode: parts.reasonCode ?? "none",
        tool: "bash",
        action: "",
      }),
    ],
    notices: [],
    ...parts,
  });
}

/** Every text made longer at its end, so that no client takes it for the original. */
function rewritten(args: Arguments): Arguments {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === "string" ? `${value}~` : value,
    ]),
  );
}
