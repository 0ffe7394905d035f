import type { LauncherEffect, ReachKind, ShellWord, StandardInput, WordPart } from "./facts.ts";
import { exactText } from "./command_parts.ts";
import type { Draft, Frame, Printed, Reading } from "./reading.ts";

/** The frame of what a command starts. */
export function launchFrame(
  frame: Frame,
  draft: Draft,
  name: string,
  effects: readonly LauncherEffect[],
  kind: ReachKind,
): Frame {
  const { index, span } = draft;
  const merged = effects.filter((effect) => !frame.effects.includes(effect));
  return {
    source: frame.source,
    depth: frame.depth + 1,
    parent: index,
    reach: [...frame.reach, { kind, span, name }],
    launchers: [...frame.launchers, { name, index, effects }],
    effects: merged.length === 0 ? frame.effects : [...frame.effects, ...merged],
    stdin: frame.stdin,
    functions: frame.functions,
  };
}

/** Reads what a shell of its own runs: `bash …`. */
export function runShell(
  reading: Reading,
  draft: Draft,
  frame: Frame,
  name: string,
  from: number,
): Printed {
  const { words } = draft;
  const call = readShellCall(words, from);
  if (call.unknown !== null) {
    reading.doubt(
      "unknown-option",
      `${name} with an option known only when it runs`,
      call.unknown.span,
    );
  }
  const inner = launchFrame(frame, draft, name, ["shell"], "script");
  const [first, ...others] = words.slice(call.rest);
  if (call.fromText) {
    if (first === undefined) return null;
    return runAsChild(reading, first, inner, positionalOf(draft, others.slice(1)), true);
  }
  if (first === undefined || call.fromInput || INPUT_NAMES.has(first.value ?? "")) {
    const operands = first === undefined || call.fromInput ? words.slice(call.rest) : others;
    return runInput(reading, draft, inner, positionalOf(draft, operands), name);
  }
  return runFile(reading, draft, first, inner, positionalOf(draft, others));
}

/** Reads a file as a script, when the line says what is in it. */
export function runFile(
  reading: Reading,
  draft: Draft,
  file: ShellWord,
  frame: Frame,
  positional: readonly (readonly WordPart[])[] | null,
): Printed {
  const [part] = file.parts;
  if (file.parts.length === 1 && part.kind === "unknown" && part.source === "process") {
    const printed = reading.printedBy.get(part) ?? null;
    if (printed === null) {
      reading.doubt("unknown-script", `what ${part.text} prints is run`, file.span);
      return null;
    }
    const word = { ...file, parts: printed, known: "known" as const, value: null };
    return runAsChild(reading, word, frame, positional, true);
  }
  const written = reading.writtenFile(draft, file);
  return written === undefined ? null : runAsChild(reading, written, frame, positional, true);
}

/** Reads what a shell reads on its standard input. */
export function runInput(
  reading: Reading,
  draft: Draft,
  frame: Frame,
  positional: readonly (readonly WordPart[])[] | null,
  name: string,
): Printed {
  const stdin: StandardInput = draft.stdin;
  switch (stdin.kind) {
    case "text":
      return runAsChild(
        reading,
        stdin.word,
        { ...frame, stdin: { kind: "other" } },
        positional,
        true,
      );
    case "pipe":
      reading.doubt("unknown-script", `${name} runs what it reads from a pipe`, draft.span);
      return null;
    case "other":
      reading.doubt("unknown-script", `${name} runs what it reads`, draft.span);
      return null;
    case "file":
      return runFile(
        reading,
        draft,
        stdin.target,
        { ...frame, stdin: { kind: "other" } },
        positional,
      );
    case "inherited":
      return null;
    default:
      return stdin satisfies never;
  }
}

/** Reads a script in a shell of its own, or on another machine, and comes back. */
export function runAsChild(
  reading: Reading,
  script: ShellWord,
  frame: Frame,
  positional: readonly (readonly WordPart[])[] | null,
  here: boolean,
): Printed {
  const { state } = reading;
  const mark = state.mark();
  if (here) {
    reading.spend(state.becomeChild(positional ?? []));
    if (positional === null) state.flags = { ...state.flags, positional };
  } else {
    state.becomeRemote();
  }
  const printed = reading.readScript(script, frame);
  state.restore(mark);
  return printed;
}

/** The positional parameters that words become; `null` when some are not known. */
export function positionalOf(
  draft: Draft,
  words: readonly ShellWord[],
): readonly (readonly WordPart[])[] | null {
  if (draft.unseenOperands !== null || words.some((word) => word.splits || word.globs)) return null;
  return words.map((word) => word.parts);
}

/** Names of the standard input. */
export const INPUT_NAMES: ReadonlySet<string> = new Set([
  "-",
  "/dev/stdin",
  "/dev/fd/0",
  "/proc/self/fd/0",
]);

/** Long options of shells that take the next word. */
const VALUED = new Set(["--rcfile", "--init-file", "--emulate"]);

interface ShellCall {
  readonly rest: number;
  readonly fromText: boolean;
  readonly fromInput: boolean;
  readonly unknown: ShellWord | null;
}

function readShellCall(words: readonly ShellWord[], from: number): ShellCall {
  let fromText = false;
  let fromInput = false;
  let unknown: ShellWord | null = null;
  let index = from;
  for (; index < words.length; index++) {
    const word = words[index];
    const text = exactText(word);
    if (text === null) {
      if (!word.splits || fromText) break;
      unknown ??= word;
      continue;
    }
    if (text === "--" || (text === "-" && !fromText)) {
      // `bash -` ends the options; `bash - ` alone reads its input, as without it.
      index++;
      break;
    }
    if (text.startsWith("--")) {
      if (VALUED.has(text)) index++;
    } else if (/^[-+][A-Za-z]+$/.test(text)) {
      if (text.startsWith("-") && text.includes("c")) fromText = true;
      if (text.startsWith("-") && text.includes("s")) fromInput = true;
      if (/[oO]/.test(text)) index++;
    } else break;
  }
  return { rest: index, fromText, fromInput, unknown };
}
