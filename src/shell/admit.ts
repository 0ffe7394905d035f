import { keep, type Memory, recall } from "./remembered.ts";
import { BUILTINS } from "./builtins.ts";
import { canonicalWord } from "./canonical_text.ts";
import { exactText } from "./command_parts.ts";
import type { Program } from "./facts.ts";
import { FINDERS, runFinder } from "./find_actions.ts";
import { inlineCode } from "./inline_code.ts";
import { interpreterOf, INTERPRETERS, SHELLS } from "./interpreter_table.ts";
import { LAUNCHERS } from "./launchers.ts";
import { MAX_DEPTH } from "./limits.ts";
import { SUBCOMMAND_LAUNCHERS } from "./subcommand_launchers.ts";
import { knownOutput } from "./known_output.ts";
import { launch, launcherOf } from "./launch.ts";
import {
  type Draft,
  enter,
  type Frame,
  type Invocation,
  type Printed,
  type Reading,
  withInput,
} from "./reading.ts";
import { hasSubscriptCommand, SUBSCRIPT_BUILTINS } from "./subscript_command.ts";
import { SYSTEM_FOLDERS } from "./system_folders.ts";
import { hidesOutput, inputOf, writesFile } from "./redirections.ts";
import { launchFrame, runAsChild, runInput, runShell } from "./run_script.ts";

const NONE: readonly never[] = Object.freeze([]);

/** Describes a command whose words are known, lists it, and reads all that it starts. */
export function admitCommand(reading: Reading, invocation: Invocation, frame: Frame): Printed {
  const index = invocation.index ?? reading.reserve();
  if (index === null) return null;
  const { words, redirections } = invocation;
  const { flags } = reading.state;
  const program = programOf(reading, invocation, frame);
  const stdin = redirections.length === 0 ? frame.stdin : inputOf(redirections) ?? frame.stdin;
  const draft: Draft = {
    index,
    span: invocation.span,
    program,
    words,
    unseenOperands: invocation.unseenOperands,
    assignments: invocation.assignments,
    redirections,
    stdin,
    environment: invocation.environment.length === 0
      ? flags.environment
      : [...flags.environment, ...invocation.environment],
    directory: flags.directory,
    otherDirectories: flags.otherDirectories,
    reach: frame.reach,
    joinedBy: invocation.joinedBy,
    parent: frame.parent,
    role: "runs",
    opens: NONE,
    launchers: frame.launchers,
    effects: frame.effects,
    code: NONE,
    canonical: "",
  };
  reading.commands[index] = draft;
  const before = reading.commands.length;
  // What it starts gets the variables before it, too.
  const { state } = reading;
  const sets = invocation.environment.length > 0;
  if (sets) state.flags = { ...state.flags, environment: draft.environment };
  const printed = run(reading, draft, invocation, withInput(frame, stdin));
  if (sets && state.flags.environment === draft.environment) {
    state.flags = { ...state.flags, environment: flags.environment };
  }
  if (reading.commands.length > before) draft.opens = opened(reading, index, before);
  if (draft.role === "launches" && doesMore(reading, draft)) draft.role = "runs";
  return outputOf(reading, draft, printed);
}

/** Which program runs; a doubt when nobody can know. */
function programOf(reading: Reading, invocation: Invocation, frame: Frame): Program {
  const [word] = invocation.words;
  if (word === undefined) return NO_PROGRAM;
  const value = exactText(word);
  if (value !== null) {
    if (invocation.lookup === "shell" && reading.state.function(value) !== undefined) {
      return { kind: "function", name: value, recursive: frame.functions.includes(value) };
    }
    return recall(PROGRAMS, value) ?? keep(PROGRAMS, value, named(value));
  }
  const last = word.parts[word.parts.length - 1];
  const whole = !word.globs && !word.splits && last.kind === "text" && last.text.includes("/");
  if (whole) return named(canonicalWord(word), last.text.slice(last.text.lastIndexOf("/") + 1));
  reading.doubt(
    "unknown-program",
    `the program is ${word.text}, known only when it runs`,
    word.span,
  );
  return UNKNOWN_PROGRAM;
}

const NO_PROGRAM: Program = Object.freeze({ kind: "none" });
const UNKNOWN_PROGRAM: Program = Object.freeze({ kind: "unknown" });

/** What was told before, by the program's path: in a process that reads many lines the same programs come again. */
const PROGRAMS: Memory<Program> = { asked: 0, known: null };

function named(path: string, known?: string): Program {
  const slash = path.lastIndexOf("/");
  if (slash === -1 && known === undefined) {
    return { kind: "named", name: path, path, place: "search" };
  }
  const name = known ?? path.slice(slash + 1);
  const system = known === undefined && SYSTEM_FOLDERS.includes(path.slice(0, slash));
  return { kind: "named", name, path, place: system ? "system" : "elsewhere" };
}

/** Does what the command does to the shell, and reads what it starts. */
function run(reading: Reading, draft: Draft, invocation: Invocation, frame: Frame): Printed {
  const { program, words } = draft;
  switch (program.kind) {
    case "none":
      return draft.redirections.some(({ effect }) => effect === "read") ? null : NONE;
    case "unknown":
      return null;
    case "function":
      return program.recursive ? null : callFunction(reading, draft, frame, program.name);
    case "named":
      break;
    default:
      return program satisfies never;
  }
  const { name, place } = program;
  if (place === "elsewhere") {
    const written = reading.writtenFile(draft, words[0]);
    if (written !== undefined) {
      const inner = launchFrame(frame, draft, name, ["shell"], "script");
      return runAsChild(reading, written, inner, null, true);
    }
  }
  if (invocation.lookup !== "path" && SUBSCRIPT_BUILTINS.has(name)) {
    for (const { value, span } of words) {
      if (!hasSubscriptCommand(value)) continue;
      reading.doubt("unknown-script", `${name} runs what is in the brackets`, span);
    }
  }
  if (!OPENING.has(name) && !mayHaveVersion(name)) return knownOutput(draft);
  if (invocation.lookup !== "path" && place === "search") {
    const printed = BUILTINS.get(name)?.(reading, draft, frame, name);
    if (printed !== undefined) return printed;
  }
  if (SHELLS.has(name)) {
    draft.role = "launches";
    return runShell(reading, draft, frame, name, 1);
  }
  if (FINDERS.has(name)) {
    if (frame.depth <= MAX_DEPTH) return runFinder(reading, draft, frame, name);
    reading.doubt("too-deep", "launchers nested too deep", draft.span);
    return null;
  }
  const launcher = launcherOf(name, words);
  if (launcher !== null && frame.depth > MAX_DEPTH) {
    reading.doubt("too-deep", "launchers nested too deep", draft.span);
  } else if (launcher !== null) {
    const printed = launch(reading, draft, launcher, frame);
    return name === "command" ? printed ?? knownOutput(draft) : printed;
  }
  if (name === "at" || name === "batch") {
    const inner = launchFrame(frame, draft, name, ["later", "shell"], "script");
    return words.some((word) => /^-[cdlqrfV]/.test(word.value ?? "") && word.value !== "-q")
      ? null
      : runInput(reading, draft, inner, NONE, name);
  }
  const interpreter = interpreterOf(name);
  if (interpreter !== undefined) draft.code = inlineCode(reading, draft, interpreter, name);
  return knownOutput(draft);
}

/** Whether a name ends as `python3.12` or `python.exe` does: then it may be another spelling of one in the tables. */
function mayHaveVersion(name: string): boolean {
  const last = name.charCodeAt(name.length - 1);
  return last >= DIGIT_0 && last <= DIGIT_9 || last === DOT ||
    last === SMALL_E && name.endsWith(".exe");
}

const [DIGIT_0, DIGIT_9, DOT, SMALL_E] = [48, 57, 46, 101] as const;

/** All names that the tables know: most programs are in none of them. */
const OPENING: ReadonlySet<string> = new Set([
  ...BUILTINS.keys(),
  ...SHELLS,
  ...FINDERS,
  ...LAUNCHERS.keys(),
  ...SUBCOMMAND_LAUNCHERS.keys(),
  ...INTERPRETERS.keys(),
  "at",
  "batch",
]);

function callFunction(reading: Reading, draft: Draft, frame: Frame, name: string): Printed {
  const { state } = reading;
  const binding = state.function(name);
  if (binding === undefined) return null;
  binding.called = true;
  const { positional } = state.flags;
  const operands = draft.words.slice(1);
  const known = operands.every((word) => !word.splits && !word.globs);
  state.flags = { ...state.flags, positional: known ? operands.map((word) => word.parts) : null };
  draft.role = "launches";
  const inner = enter(frame, "function", draft.span, name);
  const printed = reading.readBody(binding, {
    ...inner,
    parent: draft.index,
    functions: [...frame.functions, name],
  });
  state.flags = { ...state.flags, positional };
  return printed;
}

function opened(reading: Reading, index: number, from: number): readonly number[] {
  const opens: number[] = [];
  for (let at = from; at < reading.commands.length; at++) {
    if (reading.commands[at].parent === index) opens.push(at);
  }
  reading.spend(reading.commands.length - from);
  return opens;
}

/** Whether a launcher does something of its own: it writes a file, is not the known program, or starts nothing. */
function doesMore(reading: Reading, draft: Draft): boolean {
  const { program, opens, redirections } = draft;
  return opens.length === 0 || (program.kind === "named" && program.place === "elsewhere") ||
    (writesFile(redirections) && !passesRedirections(reading, draft));
}

/** Whether the one command that it launches has its redirections as well. */
function passesRedirections(reading: Reading, draft: Draft): boolean {
  return draft.opens.length > 0 &&
    draft.opens.every((index) => writesFile(reading.commands[index].redirections));
}

/** What goes on to the next stage, after the redirections; files that it writes are remembered. */
function outputOf(reading: Reading, draft: Draft, printed: Printed): Printed {
  const { redirections, program } = draft;
  if (program.kind === "named" && program.name === "tee") {
    for (const word of draft.words.slice(1)) {
      if (!word.text.startsWith("-")) reading.writeFile(draft, word, printed, false);
    }
  }
  if (redirections.length === 0 || !hidesOutput(redirections)) return printed;
  for (const { effect, target, descriptor } of redirections) {
    if (descriptor === 1 && (effect === "write" || effect === "append")) {
      reading.writeFile(draft, target, printed, effect === "append");
    }
  }
  return NONE;
}
