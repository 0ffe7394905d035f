import type { LauncherEffect } from "./facts.ts";

/**
 * How a launcher is called: what stands before the command that it launches.
 *
 * `options` lists each option it knows, separated by spaces. What follows the name says what it takes:
 *
 * | spelling | meaning |
 * |---|---|
 * | `-a` | a flag |
 * | `-a=` | takes a value, attached or as the next word |
 * | `-a?` | takes a value only when it is attached |
 * | `-a=directory` | the value is the folder to run in |
 * | `-a=split` | the value is split into words, which come before the rest |
 * | `-a=script` | the value is a text that a shell runs |
 * | `-a=item`, `-a?item` | the value is replaced by items in the command's words |
 * | `-a!` | with this flag nothing is launched |
 * | `-a:words` | the rest begins right behind it |
 * | `-a:shell` | with this flag the rest is a text for a shell, or nothing |
 */
export interface LauncherGrammar {
  readonly effects: readonly LauncherEffect[];
  /** Whether it does nothing of its own: then a rule that allows the command is enough. */
  readonly transparent: boolean;
  readonly options: string;
  /** How many words of its own stand before the command: `timeout 5`, `ssh host`. */
  readonly operands: number;
  /** Whether `NAME=value` words may stand before the command. */
  readonly assignments: boolean;
  /**
   * What the rest is: `words` of a command; a `script` for a shell, made of the words joined by spaces;
   * `scripts`, one in each word; a `package` whose name is the program's, perhaps with a version;
   * `nothing`, only its options launch.
   */
  readonly rest: "words" | "script" | "scripts" | "package" | "nothing";
  /** Whether its options may stand behind its operands too, up to `--` (`kubectl exec pod -c x -- cmd`). */
  readonly permutes: boolean;
  /** Whether the launched program is one of the shell's own: `command`, `builtin`. */
  readonly inShell: boolean;
}

const NONE: readonly LauncherEffect[] = Object.freeze([]);

/** A grammar from what differs: an opaque launcher without operands, of words. */
export function launcher(
  options: string,
  more: Partial<LauncherGrammar> = {},
): LauncherGrammar {
  return Object.freeze({
    effects: NONE,
    transparent: false,
    operands: 0,
    assignments: false,
    rest: "words",
    permutes: false,
    inShell: false,
    options,
    ...more,
  });
}
