/**
 * The text that a client's model and its user read with a refusal or a question.
 *
 * @module
 */

import type { Verdict } from "../call.ts";

/** Why, by which rule and where it stands, what to do instead, and what else the reader must know. Never empty. */
export function explanation(verdict: Verdict): string {
  const reason = verdict.reason.trim() || `${verdict.control ?? "gatehouse"}: ${verdict.behavior}`;
  const lines = [`gatehouse: ${reason}`];
  const place = verdict.place === null ? null : `${verdict.place.file}:${verdict.place.line}`;
  const rule = [
    verdict.matchedRule !== null && !reason.includes(verdict.matchedRule)
      ? ` ${JSON.stringify(verdict.matchedRule)}`
      : "",
    place !== null && !reason.includes(place) ? ` at ${place}` : "",
  ].join("");
  if (rule !== "") lines.push(`Rule${rule}.`);
  if (verdict.advice !== null && !reason.includes(verdict.advice)) {
    lines.push(`Instead: ${verdict.advice}`);
  }
  return [...lines, ...verdict.notices].join("\n");
}

/** For clients that cannot ask: what an escalation comes to there. */
export function approvalNeeded(verdict: Verdict, client: string): string {
  return `${
    explanation(verdict)
  }\nA person must approve this, and ${client} cannot ask one here, so it ` +
    `is denied. Ask the person to run it, or to allow it in gatehouse's configuration.`;
}

/** For clients that cannot be given the rewritten arguments: the original is denied, the rewritten offered. */
export function rewriteOffered(verdict: Verdict, client: string): string {
  const { command } = verdict.args;
  const offer = typeof command === "string" ? command : JSON.stringify(verdict.args);
  return `gatehouse: this call is allowed only in a rewritten form, and ${client} cannot be made to run ` +
    `exactly that. Run this instead:\n${offer}`;
}
