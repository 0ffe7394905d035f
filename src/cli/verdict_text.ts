/**
 * A verdict in words, as a good compiler tells an error: what, by which control and rule, where, and what to do.
 *
 * @module
 */

import type { Behavior, Place, ToolCall, Verdict } from "../call.ts";
import type { Runtime } from "../runtime/port.ts";
import type { Style } from "./style.ts";

const WORDS: Readonly<Record<Behavior, string>> = {
  allow: "allowed",
  deny: "denied",
  escalate: "needs approval",
};

/** How much of a call's text is shown. */
const SUBJECT_LENGTH = 200;

/** The verdict on a call, for a person. */
export async function verdictText(
  runtime: Runtime,
  call: ToolCall,
  verdict: Verdict,
  style: Style,
): Promise<string> {
  const colour = { allow: style.green, deny: style.red, escalate: style.yellow }[verdict.behavior];
  const lines = [
    `${colour(style.bold(WORDS[verdict.behavior]))}: ${style.bold(call.tool)} ${subjectOf(call)}`,
    `  ${verdict.reason}`,
  ];
  if (verdict.control !== null) {
    const rule = verdict.matchedRule === null
      ? ""
      : `, rule ${JSON.stringify(verdict.matchedRule)}`;
    lines.push(`  by ${verdict.control}${rule}`);
  }
  if (verdict.place !== null) lines.push(...await excerpt(runtime, verdict.place, style));
  if (verdict.rewritten) lines.push(`  rewritten to: ${JSON.stringify(verdict.args)}`);
  if (verdict.advice !== null) lines.push(`  ${style.blue("instead:")} ${verdict.advice}`);
  for (const notice of verdict.notices) lines.push(`  ${style.yellow("note:")} ${notice}`);
  return lines.join("\n");
}

/** What a call is about, in one line. */
export function subjectOf(call: ToolCall): string {
  const { command, file_path: filePath, path, pattern } = call.args;
  const texts = [command, filePath, pattern, path].filter((text) => typeof text === "string");
  const text = texts.length > 0 ? texts.join(" ") : JSON.stringify(call.args);
  const line = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return line.length > SUBJECT_LENGTH ? `${line.slice(0, SUBJECT_LENGTH)}…` : line;
}

/** The line of the file that decided. */
async function excerpt(runtime: Runtime, place: Place, style: Style): Promise<string[]> {
  const number = String(place.line);
  const gutter = " ".repeat(number.length);
  const lines = [`  ${gutter}${style.blue("-->")} ${place.file}:${place.line}`];
  try {
    const text = new TextDecoder().decode(await runtime.fs.readFile(place.file));
    const line = text.split("\n")[place.line - 1];
    if (line !== undefined) {
      lines.push(
        `  ${gutter} ${style.blue("|")}`,
        `  ${style.blue(`${number} |`)} ${line.trimEnd()}`,
      );
    }
  } catch {
    // The place says enough without the line.
  }
  return lines;
}

/** A verdict for programs. */
export function verdictJson(verdict: Verdict): Record<string, unknown> {
  const { behavior, reason, reasonCode, control, matchedRule, place, advice, rewritten, notices } =
    verdict;
  return {
    behavior,
    reason,
    reasonCode,
    control,
    matchedRule,
    place,
    advice,
    ...(rewritten ? { args: verdict.args } : {}),
    notices,
  };
}
