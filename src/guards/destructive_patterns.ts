/**
 * The ten patterns of the guard against destructive commands, on the text of the command (D2-6).
 *
 * @module
 */

import { type GateResult, gateResult } from "../call.ts";
import type { GuardedCall } from "./guard_hook.ts";

/** The name the guard's results carry. */
export const DESTRUCTIVE_CONTROL = "guard:destructive";

/** What one pattern recognises, and what to do instead. */
interface DestructivePattern {
  /** The pattern's name, told as the rule that matched. */
  readonly name: string;
  /** Asked of the raw text, whatever the letters' case. */
  readonly pattern: RegExp;
  /** What such a command does; ends the sentence "it …". */
  readonly effect: string;
  readonly advice: string;
}

/** The ten patterns of the document's guard, exactly as wide as recorded: they see text, not commands. */
const PATTERNS: readonly DestructivePattern[] = [
  {
    name: "rm -rf",
    pattern: /\brm\s+-rf\b/i,
    effect: "removes folders with all that is in them",
    advice: "Name the files and remove them one by one, or move them to a temporary folder.",
  },
  {
    name: "git push --force",
    pattern: /\bgit\s+push\s+--force\b/i,
    effect: "overwrites the history of the remote",
    advice: "Push to a new branch.",
  },
  {
    name: "git reset --hard",
    pattern: /\bgit\s+reset\s+--hard\b/i,
    effect: "throws away uncommitted changes",
    advice: "Use git stash, or git reset --keep.",
  },
  {
    name: "git clean -fd",
    pattern: /\bgit\s+clean\s+-fd\b/i,
    effect: "removes files that git does not know",
    advice: "Look first with git clean -n.",
  },
  {
    name: "drop table",
    pattern: /\bdrop\s+table\b/i,
    effect: "removes a table with its rows",
    advice: "Rename the table, or make a backup and ask the user.",
  },
  {
    name: "drop database",
    pattern: /\bdrop\s+database\b/i,
    effect: "removes a database",
    advice: "Make a backup and ask the user.",
  },
  {
    name: "truncate table",
    pattern: /\btruncate\s+table\b/i,
    effect: "removes all rows of a table",
    advice: "Delete with a WHERE clause inside a transaction.",
  },
  {
    name: "mkfs",
    pattern: /\bmkfs\b/i,
    effect: "makes a new file system over what is there",
    advice: "List the devices with lsblk and ask the user.",
  },
  {
    name: "dd if=",
    pattern: /\bdd\s+if=/i,
    effect: "copies raw bytes over a file or a device",
    advice: "Copy files with cp.",
  },
  {
    name: "> /dev/sd",
    pattern: />\s*\/dev\/sd[a-z]/i,
    effect: "writes over a disk",
    advice: "Write to a file in the workspace.",
  },
];

/**
 * Judges a call by the text of its command (D2-6), without an exception.
 *
 * @returns The refusal, or `null` when the guard has no opinion.
 */
export function judgeDestructiveText(call: GuardedCall): GateResult | null {
  const { tool, action } = call;
  const command = commandText(call);
  if (typeof command !== "string") return command;
  const found = PATTERNS.find(({ pattern }) => pattern.test(command));
  if (found === undefined) return null;
  return gateResult({
    control: DESTRUCTIVE_CONTROL,
    behavior: "deny",
    reason: `Refused a destructive command: "${found.name}" ${found.effect}`,
    reasonCode: "guard",
    tool,
    action,
    matchedRule: found.name,
    advice: found.advice,
  });
}

/**
 * The text of a call's command.
 *
 * @returns The text; `null` when there is no command or an empty one; a refusal when it is no text.
 */
export function commandText(call: GuardedCall): string | GateResult | null {
  const { command } = call.args;
  if (command === undefined || command === null || command === "") return null;
  if (typeof command === "string") return command;
  return gateResult({
    control: DESTRUCTIVE_CONTROL,
    behavior: "deny",
    reason: `Cannot judge the command: it is ${kindOf(command)}, not text`,
    reasonCode: "input",
    tool: call.tool,
    action: call.action,
    advice: "Give the command as one string.",
  });
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
