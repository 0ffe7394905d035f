import { VERSION } from "../config/version.ts";
import { type CommandEntry, COMMANDS, HOOK_HELP } from "./commands.ts";
import type { Style } from "./style.ts";

const ALL: readonly CommandEntry[] = [HOOK_HELP, ...COMMANDS];

/** The help for the program as a whole. */
export function generalHelp(style: Style): string {
  const width = Math.max(...ALL.map(({ name }) => name.length));
  return [
    `${style.bold("gatehouse")} ${VERSION}: the local gate for the tool calls of AI agents`,
    "",
    style.bold("Usage:") + " gatehouse <command> [arguments]",
    "",
    style.bold("Commands:"),
    ...ALL.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "`gatehouse help <command>` says more of one, with examples.",
  ].join("\n");
}

/** The help for one command; `null` when there is none of that name. */
export function commandHelp(name: string, style: Style): string | null {
  const help = ALL.find((entry) => entry.name === name);
  if (help === undefined) return null;
  const lines = [
    `gatehouse ${help.name}: ${help.summary}`,
    "",
    style.bold("Usage:"),
    ...help.usage.map((usage) => `  gatehouse ${help.name} ${usage}`.trimEnd()),
    "",
    help.description,
  ];
  if (help.options.length > 0) {
    const width = Math.max(...help.options.map(([option]) => option.length));
    lines.push("", style.bold("Options:"));
    for (const [option, meaning] of help.options) {
      lines.push(`  ${option.padEnd(width)}  ${meaning}`);
    }
  }
  lines.push("", style.bold("Examples:"));
  for (const [line, meaning] of help.examples) {
    lines.push(`  ${line}`, `      ${style.dim(meaning)}`);
  }
  return lines.join("\n");
}
