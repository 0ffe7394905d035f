/**
 * The shape of the tables in `programs/`: what a program's options and subcommands destroy.
 *
 * @module
 */

import { type WordList, wordList } from "../shell/word_list.ts";

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
  /** The programs that the facts are about. */
  readonly programs: WordList;
  /** Made when they are first asked for: a hook asks about few programs. */
  readonly facts: readonly DestructiveFact[];
}

/**
 * Makes an area.
 *
 * @param programs The programs that the facts are about, so that the others need not be made; a test compares.
 */
export function factArea(
  title: string,
  programs: string,
  make: () => readonly DestructiveFact[],
): FactArea {
  let made: readonly DestructiveFact[] | null = null;
  return {
    title,
    programs: wordList(programs),
    get facts() {
      return made ??= make();
    },
  };
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
