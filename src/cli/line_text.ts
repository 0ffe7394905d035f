/**
 * A command line and the commands in it, drawn for a person.
 *
 * @module
 */

import type { ShellReading, SimpleCommand } from "../shell/facts.ts";
import type { Style } from "./style.ts";

/** The line with every command underlined, as a tree: what starts what, how it is reached, what it does besides. */
export function lineText(reading: ShellReading, style: Style): string[] {
  const lines: string[] = [];
  if (reading.outcome === "no-command") {
    lines.push("  nothing runs: the line is blank or a comment");
  }
  if (reading.outcome === "not-looked") lines.push(`  ${style.yellow("the line was not read")}`);
  const depths = new Map<number, number>();
  for (const command of reading.commands) {
    const depth = command.parent === null ? 0 : (depths.get(command.parent) ?? 0) + 1;
    depths.set(command.index, depth);
    const indent = "  ".repeat(depth + 1);
    lines.push(
      `${indent}${style.bold(`[${command.index}]`)} ${
        oneLine(command.canonical) || "(sets variables)"
      }`,
    );
    lines.push(...pictureOf(reading.text, command, indent, style));
    const facts = factsOf(command);
    if (facts.length > 0) lines.push(`${indent}    ${style.dim(facts.join("; "))}`);
  }
  for (const { code, message, span } of reading.reasons) {
    lines.push(
      `  ${style.yellow("not understood")} (${code}) at ${span.start + 1}: ${message}`,
    );
  }
  return lines;
}

/** A line is shown in whole up to this length; of a longer one only the part with the command. */
const WIDTH = 100;

/** The line's text with a command underlined, for commands on a line of their own text. */
function pictureOf(text: string, command: SimpleCommand, indent: string, style: Style): string[] {
  const { start, end } = command.span;
  const before = text.lastIndexOf("\n", start - 1) + 1;
  const after = text.indexOf("\n", start);
  const lineEnd = after === -1 ? text.length : after;
  const from = start - before > WIDTH / 2 ? start - WIDTH / 4 : before;
  const to = Math.min(lineEnd, from + WIDTH);
  const shown = text.slice(from, to).replaceAll("\t", " ");
  if (shown.length <= end - start && from === start) return [];
  const marks = " ".repeat(start - from) + "~".repeat(Math.max(1, Math.min(end, to) - start));
  return [`${indent}    ${style.dim(shown)}`, `${indent}    ${style.blue(marks)}`];
}

function factsOf(command: SimpleCommand): string[] {
  const facts: string[] = [];
  const reached = command.reach.map(({ kind, name }) => name === null ? kind : `${kind} ${name}`);
  if (reached.length > 0) facts.push(`reached through ${reached.join(", ")}`);
  if (command.effects.length > 0) facts.push(command.effects.join(", "));
  if (command.role === "launches") facts.push("only starts others");
  if (command.unseenOperands !== null) facts.push(`more words from ${command.unseenOperands}`);
  if (command.directory.base !== "start" || command.directory.path !== ".") {
    const { directory } = command;
    facts.push(
      `in ${
        directory.base === "unknown" ? "an unknown folder" : `${directory.base}: ${directory.path}`
      }`,
    );
  }
  return facts;
}

function oneLine(text: string): string {
  return text.replaceAll("\n", "⏎");
}
