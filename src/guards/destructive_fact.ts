/**
 * The shape of the tables in `programs/`: what a program's options and subcommands destroy.
 *
 * @module
 */

/** One thing a program can destroy, and how it is recognised. All that is given must hold. */
export interface DestructiveFact {
  /** The rule's name, told with every refusal; unique. */
  readonly name: string;
  /** The programs it is about. */
  readonly programs: readonly string[];
  /** The operands it must begin with; `a|b` in one place means either. */
  readonly subcommand?: readonly string[];
  /** One of these options must be given. */
  readonly options?: readonly string[];
  /** And one of these. */
  readonly also?: readonly string[];
  /** With one of these it is harmless. */
  readonly without?: readonly string[];
  /** One of the operands after the subcommand, or an option's value, must match. */
  readonly operand?: RegExp;
  /** How many operands there must be after the subcommand. */
  readonly atLeast?: number;
  readonly behavior: "deny" | "escalate";
  /** What it does, as the end of "it …". */
  readonly effect: string;
  /** A command to use instead; the guard lets it through. */
  readonly instead: string;
  /** A command that this fact refuses. */
  readonly example: string;
}

/** The facts of one area, as a chapter of the documentation. */
export interface FactArea {
  readonly title: string;
  readonly facts: readonly DestructiveFact[];
}

/** Options with which every program in the tables changes nothing. */
export const HARMLESS_OPTIONS: readonly string[] = [
  "--help",
  "--dry-run",
  "--dryrun",
  "--just-print",
  "--what-if",
  "--whatif",
];
