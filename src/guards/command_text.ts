/**
 * The guards on command lines, from the text of a call's command.
 *
 * @module
 */

import { type GateResult, gateResult } from "../call.ts";
import type { ShellReading } from "../shell/facts.ts";
import { readLine } from "../shell/read_line.ts";
import type { CommandContext } from "./command_finding.ts";
import { type CommandPathOptions, judgeCommandPaths } from "./command_paths.ts";
import { judgeCommands } from "./commands.ts";
import { commandText, DESTRUCTIVE_CONTROL } from "./destructive_patterns.ts";
import type { GuardedCall } from "./guard_hook.ts";
import { NO_OBSERVATIONS, type Observations } from "./observations.ts";

/** What a command line is judged against. */
export interface CommandTextOptions {
  /** The absolute folder in which the command runs. */
  readonly cwd: string;
  /** The absolute home folder. */
  readonly home?: string;
  /** The absolute folders the agent works in. Default: `cwd`. */
  readonly workspace?: readonly string[];
  /** More folders for temporary files than the usual ones, such as `$TMPDIR`. */
  readonly temporary?: readonly string[];
  /** What may be asked of the host; `observeFiles(runtime.fs)`. Default: nothing. */
  readonly observe?: Observations;
  /** Whether local changes may be thrown away in a linked worktree of git. Default `false`. */
  readonly discardInLinkedWorktree?: boolean;
  /** What to do about files that are written over and that git may not have. Default `escalate`. */
  readonly overwrite?: "escalate" | "allow";
}

/** Shells whose language is read here. */
const READABLE_SHELLS = new Set(["bash", "sh", "dash", "ash", "ksh", "zsh"]);

/**
 * Judges the command of a call by what it destroys.
 *
 * @param reading The line, when it has been read before.
 * @returns The refusal, or `null` when the guard has no opinion.
 */
export async function judgeCommandText(
  call: GuardedCall,
  options: CommandTextOptions,
  reading?: ShellReading,
): Promise<GateResult | null> {
  const text = commandText(call);
  if (typeof text !== "string") return text;
  const read = reading ?? await readLine(text);
  return await judgeCommands(call, read, commandContext(options)) ?? foreignShell(call, read);
}

/**
 * Judges the command of a call by the files it reads and writes.
 *
 * @param reading The line, when it has been read before.
 * @returns The refusal, or `null` when the guard has no opinion.
 */
export async function judgeCommandTextPaths(
  call: GuardedCall,
  options: CommandPathOptions,
  reading?: ShellReading,
): Promise<GateResult | null> {
  const text = commandText(call);
  if (typeof text !== "string") return text;
  return await judgeCommandPaths(call, reading ?? await readLine(text), options);
}

/** The context that the pure functions take, out of what a caller says. */
export function commandContext(options: CommandTextOptions): CommandContext {
  return {
    ...options,
    workspace: options.workspace ?? [options.cwd],
    observe: options.observe ?? NO_OBSERVATIONS,
    read: readLine,
  };
}

/** A line for a shell of another language, or a word that only zsh would change, is asked about. */
function foreignShell(call: GuardedCall, reading: ShellReading): GateResult | null {
  const { shell } = call.args;
  if (typeof shell !== "string" || shell === "") return null;
  const name = shell.split(/[\\/]/).at(-1)!.toLowerCase().replace(/\.exe$/, "");
  const isForeign = !READABLE_SHELLS.has(name);
  const isZshOnly = name === "zsh" &&
    reading.commands.some(({ words }) => words.some(({ text }) => /^=\w/.test(text)));
  if (!isForeign && !isZshOnly) return null;
  return gateResult({
    control: DESTRUCTIVE_CONTROL,
    behavior: "escalate",
    reason: isForeign
      ? `Cannot tell what this runs: it is written for ${name}`
      : "Cannot tell what this runs: zsh puts a program's path in place of =NAME",
    reasonCode: "not-understood",
    tool: call.tool,
    action: call.action,
    advice: "Write the command for a POSIX shell.",
  });
}
