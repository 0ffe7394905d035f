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
