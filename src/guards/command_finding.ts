import type { GateResult } from "../call.ts";
import type { ShellReading, SimpleCommand, Span } from "../shell/facts.ts";
import type { Observations } from "./observations.ts";
import type { PlaceBase } from "./places.ts";
import type { PathBase } from "./word_path.ts";

/** What a guard has to say against one command of a line. */
export interface CommandFinding {
  readonly behavior: "deny" | "escalate";
  /** The rule's name. */
  readonly rule: string;
  /** What the command does, as the end of "Refused X: it …". */
  readonly effect: string;
  /** What to do instead; `null` when there is nothing better to say. */
  readonly advice: string | null;
  /** Where on the line. */
  readonly span: Span;
  /** The command's index in the reading; `null` for the line as a whole. */
  readonly command: number | null;
  readonly reasonCode: Extract<GateResult["reasonCode"], "guard" | "not-understood">;
}

/** What commands are judged against. */
export interface CommandContext extends PathBase, PlaceBase {
  readonly observe: Observations;
  /** Reads a text that a command runs as a shell line (`git -c alias.x=!…`); without it such texts are asked about. */
  readonly read?: (text: string) => ShellReading | Promise<ShellReading>;
  /** Whether local changes may be thrown away in a linked worktree of git. Default `false`. */
  readonly discardInLinkedWorktree?: boolean;
  /** What to do about files that are written over and that git may not have. Default `escalate`. */
  readonly overwrite?: "escalate" | "allow";
}

/** A finding about a command. */
export function finding(
  command: SimpleCommand,
  found: Pick<CommandFinding, "behavior" | "rule" | "effect"> & Partial<CommandFinding>,
): CommandFinding {
  return Object.freeze({
    advice: null,
    span: command.span,
    command: command.index,
    reasonCode: "guard" as const,
    ...found,
  });
}
