import type { ParsedScript } from "unbash";
import type {
  Assignment,
  EnvironmentChange,
  Launcher,
  LauncherEffect,
  NotUnderstoodCode,
  ReachKind,
  ReachStep,
  Redirection,
  ShellWord,
  SimpleCommand,
  Span,
  StandardInput,
  WordPart,
} from "./facts.ts";
import type { FunctionBinding, ShellState } from "./shell_state.ts";
import type { Source } from "./source.ts";

/** The surroundings of what is read: how it is reached, what it reads, how deep it is. */
export interface Frame {
  readonly source: Source;
  readonly depth: number;
  readonly parent: number | null;
  readonly reach: readonly ReachStep[];
  readonly launchers: readonly Launcher[];
  readonly effects: readonly LauncherEffect[];
  readonly stdin: StandardInput;
  /** The functions whose bodies we are in. */
  readonly functions: readonly string[];
}

/** What a command prints, when that is known; else `null`. */
export type Printed = readonly WordPart[] | null;

/** A command that is being described. */
export type Draft = { -readonly [Key in keyof SimpleCommand]: SimpleCommand[Key] };

/** A command whose words are evaluated, before it is known what they mean. */
export interface Invocation {
  readonly words: readonly ShellWord[];
  readonly span: Span;
  readonly assignments: readonly Assignment[];
  readonly redirections: readonly Redirection[];
  /** The variables that are set for this command alone. */
  readonly environment: readonly EnvironmentChange[];
  readonly joinedBy: SimpleCommand["joinedBy"];
  readonly unseenOperands: SimpleCommand["unseenOperands"];
  /** Whether functions, aliases and builtins of the shell are asked for the program's name. */
  readonly lookup: "shell" | "builtin" | "path";
  /** Where it stands in `commands`, when that is settled already. */
  readonly index?: number;
}

/**
 * One reading at work. The functions are how the files of this room reach each other without importing
 * each other in a circle.
 */
export interface Reading {
  /** The line. */
  readonly text: string;
  readonly shell: "bash" | "zsh";
  readonly state: ShellState;
  readonly commands: Draft[];
  /** Whether a cap stopped the reading; then nothing more is read. */
  readonly stopped: boolean;
  /** How many times the bodies around this point are read by loops. */
  iterations: number;
  /** Remembers what a command writes to a file; `null`: not known what. */
  writeFile(draft: Draft, file: ShellWord, content: Printed, append: boolean): void;
  /** The text that the line wrote to a file that a command names. */
  writtenFile(draft: Draft, file: ShellWord): ShellWord | undefined;
  /** What process substitutions print, by the part that stands for them. */
  readonly printedBy: Map<WordPart, Printed>;

  /** How many stand-ins for parts of scripts are in use; see `script_text.ts`. */
  standIns: number;

  /** Counts work; stops the reading when the budget is used up. */
  spend(steps: number): void;
  /** Notes that something is not understood. */
  doubt(code: NotUnderstoodCode, message: string, span: Span): void;
  /** Takes the next place in `commands`; `null` over the cap. */
  reserve(): number | null;
  /** Reads a parsed script. */
  readNode(node: ParsedScript, frame: Frame): Printed;
  /** Parses and reads a text that something runs. */
  readScript(word: ShellWord, frame: Frame): Printed;
  /** Reads the body of a function. */
  readBody(binding: FunctionBinding, frame: Frame): Printed;
  /** Describes a command whose words are known, and all that it starts. */
  admit(invocation: Invocation, frame: Frame): Printed;
}

/** A frame one step further in. */
export function enter(
  frame: Frame,
  kind: ReachKind,
  span: Span,
  name: string | null = null,
): Frame {
  const { source, depth, parent, reach, launchers, effects, stdin, functions } = frame;
  const step: ReachStep = { kind, span, name };
  return {
    source,
    depth: isFlat(kind) ? depth : depth + 1,
    parent,
    reach: reach.length === 0 ? [step] : [...reach, step],
    launchers,
    effects,
    stdin,
    functions,
  };
}

/** The frame of what a command contains. */
export function withParent(frame: Frame, parent: number): Frame {
  const { source, depth, reach, launchers, effects, stdin, functions } = frame;
  return { source, depth, parent, reach, launchers, effects, stdin, functions };
}

/** The same frame with another input. */
export function withInput(frame: Frame, stdin: StandardInput): Frame {
  if (stdin === frame.stdin) return frame;
  const { source, depth, parent, reach, launchers, effects, functions } = frame;
  return { source, depth, parent, reach, launchers, effects, stdin, functions };
}

/** Whether a way cannot nest without another one between. */
function isFlat(kind: ReachKind): boolean {
  return kind === "and" || kind === "or" || kind === "pipe" || kind === "negation" ||
    kind === "background";
}
