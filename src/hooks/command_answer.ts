import type { Arguments } from "../call.ts";
import { isRecord } from "../action/copy_arguments.ts";

/** What an external hook answered. */
export type CommandAnswer =
  | { readonly kind: "no-opinion" }
  | { readonly kind: "refuse"; readonly behavior: "deny" | "escalate"; readonly reason: string }
  | { readonly kind: "rewrite"; readonly args: Arguments }
  | { readonly kind: "not-understood"; readonly why: string };

const REFUSING: Readonly<Record<string, "deny" | "escalate">> = {
  deny: "deny",
  block: "deny",
  escalate: "escalate",
  ask: "escalate",
};

/** Words that do not refuse. An external hook can refuse or rewrite; it cannot approve. */
const NOT_REFUSING: ReadonlySet<string> = new Set(["allow", "approve", "none", "continue"]);

/**
 * Reads what an external hook printed: nothing, or JSON with a `decision` and a `reason`, or with new `args`.
 *
 * A refusal anywhere in it counts, whatever is printed around it: a banner must not undo a denial.
 */
export function readCommandAnswer(output: string): CommandAnswer {
  const text = output.replace(/^\ufeff/, "").trim();
  if (text === "") return { kind: "no-opinion" };
  const objects = objectsIn(text);
  for (const object of objects) {
    const word = decisionOf(object);
    if (word === null) continue;
    const behavior = REFUSING[word.toLowerCase()];
    if (behavior !== undefined) return { kind: "refuse", behavior, reason: reasonOf(object) };
    if (!NOT_REFUSING.has(word.toLowerCase())) {
      return { kind: "not-understood", why: `its decision is ${JSON.stringify(word)}` };
    }
  }
  if (objects.length === 0) {
    return { kind: "not-understood", why: "it printed text that is not JSON" };
  }
  const rewrites = objects.filter((object) => object.args !== undefined);
  if (rewrites.length === 0) return { kind: "no-opinion" };
  if (rewrites.length > 1) {
    return { kind: "not-understood", why: "it printed more than one set of args" };
  }
  const { args } = rewrites[0];
  return isRecord(args)
    ? { kind: "rewrite", args }
    : { kind: "not-understood", why: "its args are not a mapping" };
}

/** The JSON objects in a text: the text as a whole, or its lines that are objects. */
function objectsIn(text: string): Record<string, unknown>[] {
  const whole = objectOf(text);
  if (whole !== null) return [whole];
  return text.split("\n").map((line) => objectOf(line.trim())).filter((object) => object !== null);
}

function objectOf(text: string): Record<string, unknown> | null {
  if (!text.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** The word of decision: ours, or the one that hooks written for coding agents use. */
function decisionOf(object: Record<string, unknown>): string | null {
  const specific = object.hookSpecificOutput;
  const words = [
    isRecord(specific) ? specific.permissionDecision : undefined,
    object.decision,
    object.permissionDecision,
    object.behavior,
  ].filter((word) => word !== undefined && word !== null);
  const refusing = words.find((word) => REFUSING[String(word).toLowerCase()] !== undefined);
  return words.length === 0 ? null : String(refusing ?? words[0]);
}

function reasonOf(object: Record<string, unknown>): string {
  const specific = object.hookSpecificOutput;
  const reasons = [
    object.reason,
    isRecord(specific) ? specific.permissionDecisionReason : undefined,
    object.permissionDecisionReason,
    object.message,
  ];
  const reason = reasons.find((value) => typeof value === "string" && value.trim() !== "");
  return typeof reason === "string" ? reason.trim() : "no reason given";
}
