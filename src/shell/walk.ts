import type {
  AndOr,
  CommandNode,
  CompoundList,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirected,
  Statement,
} from "unbash";
import type { ShellWord, SimpleCommand, StandardInput, WordPart } from "./facts.ts";
import { forgetNames } from "./forget_names.ts";
import { MAX_DEPTH } from "./limits.ts";
import { readFor, readLoop } from "./loops.ts";
import { enter, type Frame, type Printed, type Reading, withInput } from "./reading.ts";
import { evaluateRedirection, hidesOutput, inputOf } from "./redirections.ts";
import type { FunctionBinding } from "./shell_state.ts";
import { readSimpleCommand } from "./simple_command.ts";
import { spanOf } from "./source.ts";
import { makeWord } from "./word_builder.ts";
import { evaluateSingle, readInside } from "./word_evaluation.ts";

type Joint = SimpleCommand["joinedBy"];

/** Reads a parsed script; its errors are doubts. */
export function readScriptNode(reading: Reading, node: ParsedScript, frame: Frame): Printed {
  if (frame.depth > MAX_DEPTH) {
    reading.doubt("too-deep", "scripts nested too deep", spanOf(frame.source, node));
    return null;
  }
  if (node.errors !== undefined) {
    for (const { message, pos } of node.errors) {
      const place = spanOf(frame.source, { pos, end: Math.min(pos + 1, frame.source.text.length) });
      reading.doubt("syntax", message, place);
    }
  }
  return readStatements(reading, node.commands, frame);
}

/** Reads the body of a function that is called, or that never was. */
export function readFunctionBody(
  reading: Reading,
  binding: FunctionBinding,
  frame: Frame,
): Printed {
  const { body } = binding.node;
  const inner = { ...frame, source: binding.source };
  return body.type === "CompoundList"
    ? readStatements(reading, body.commands, inner)
    : readCommand(reading, body, inner, null);
}

function readStatements(
  reading: Reading,
  statements: readonly Statement[],
  frame: Frame,
): Printed {
  if (statements.length === 1 && !reading.stopped) {
    return readStatement(reading, statements[0], frame, null, true);
  }
  let printed: WordPart[] | null = [];
  let joint: Joint = null;
  for (let index = 0; index < statements.length; index++) {
    if (reading.stopped) return null;
    const statement = statements[index];
    const one = readStatement(reading, statement, frame, joint, index === statements.length - 1);
    if (one === null || printed === null) printed = null;
    else for (const part of one) printed.push(part);
    joint = statement.background ? "&" : ";";
  }
  return printed;
}

function readStatement(
  reading: Reading,
  statement: Statement,
  frame: Frame,
  joint: Joint,
  last: boolean,
): Printed {
  reading.spend(1);
  const { command, background } = statement;
  if (!background) return readList(reading, command, frame, joint, last);
  const mark = reading.state.mark();
  const inner = enter(frame, "background", spanOf(frame.source, statement));
  const printed = readList(reading, command, inner, joint, true);
  reading.state.restore(mark);
  return printed;
}

/**
 * Reads one list. After it the folder may still be the old one, since a `cd` that fails does not stop the
 * line; `last` leaves that to whoever reads on behind the whole construct.
 */
function readList(
  reading: Reading,
  node: PipelineNode | AndOr,
  frame: Frame,
  joint: Joint,
  last: boolean,
): Printed {
  const { state } = reading;
  const { flags } = state;
  if (node.type !== "AndOr") {
    const printed = readPipeline(reading, node, frame, joint);
    if (!flags.stopsOnError && !last) state.mayAlsoBeIn(flags);
    return printed;
  }
  const { commands, operators } = node;
  let printed = readPipeline(reading, commands[0], frame, joint);
  const mark = state.mark();
  let sure = true;
  for (let index = 1; index < commands.length && !reading.stopped; index++) {
    const operator = operators[index - 1];
    const command = commands[index];
    const inner = enter(frame, operator === "&&" ? "and" : "or", spanOf(frame.source, command));
    if (operator === "&&") {
      const one = readPipeline(reading, command, inner, "&&");
      printed = one === null || printed === null ? null : [...printed, ...one];
      continue;
    }
    printed = null;
    const after = state.flags;
    // Behind `||` the one before has failed: a `cd` in it did nothing.
    const leaves = index === commands.length - 1 && endsLine(command);
    if (after.directory !== flags.directory) {
      const { directory, otherDirectories } = flags;
      state.flags = { ...after, directory, otherDirectories };
      if (!leaves && index > 1) state.mayAlsoBeIn(after);
    }
    readPipeline(reading, command, inner, "||");
    if (leaves) state.flags = after;
    else {
      sure = false;
      state.mayAlsoBeIn(after);
    }
  }
  const leaves = operators[operators.length - 1] === "||" &&
    endsLine(commands[commands.length - 1]);
  if (leaves && sure) return printed;
  if (state.flags === flags && mark.flags === flags) {
    reading.spend(state.blur(mark));
    return printed;
  }
  const { directory, otherDirectories } = state.flags;
  reading.spend(state.blur(mark));
  const kept = sure && (flags.stopsOnError || last);
  if (kept) state.flags = { ...state.flags, directory, otherDirectories };
  else state.mayAlsoBeIn(flags);
  return printed;
}

/** Whether what stands behind `||` leaves the line, so that what follows runs after a success only. */
function endsLine(node: PipelineNode): boolean {
  switch (node.type) {
    case "Command":
      return /^(?:exit|return|break|continue)$/.test(node.name?.text ?? "");
    case "BraceGroup": {
      const last = node.body.commands[node.body.commands.length - 1];
      return last !== undefined && last.command.type === "Command" && endsLine(last.command);
    }
    default:
      return false;
  }
}

function readPipeline(
  reading: Reading,
  node: PipelineNode,
  frame: Frame,
  joint: Joint,
): Printed {
  if (node.type !== "Pipeline") return readCommand(reading, node, frame, joint);
  const { prefixes, commands } = node;
  reading.spend(prefixes.length);
  const negation = prefixes.find((prefix) => prefix.type === "Negation");
  const inner = negation === undefined
    ? frame
    : enter(frame, "negation", spanOf(frame.source, negation));
  if (commands.length > 1) return readStages(reading, node, inner, joint);
  // `time` and `!` may stand alone.
  if (commands.length === 0) return [];
  const { flags } = reading.state;
  const printed = readCommand(reading, commands[0], inner, joint);
  // What follows `! cd a` runs when that failed.
  if (negation !== undefined) reading.state.mayAlsoBeIn(flags);
  return printed;
}

function readStages(reading: Reading, node: Pipeline, frame: Frame, joint: Joint): Printed {
  const { state } = reading;
  const inner = enter(frame, "pipe", spanOf(frame.source, node));
  let stdin: StandardInput = frame.stdin;
  let printed: Printed = null;
  for (let index = 0; index < node.commands.length; index++) {
    if (reading.stopped) return null;
    const command = node.commands[index];
    const first = reading.commands.length;
    const mark = state.mark();
    const operator = index === 0 ? joint : node.operators[index - 1];
    printed = readCommand(reading, command, withInput(inner, stdin), operator);
    state.restore(mark);
    if (index === node.commands.length - 1) break;
    stdin = printed === null
      ? { kind: "pipe", from: writers(reading, first, inner) }
      : { kind: "text", from: "pipe", word: pipedWord(frame, command, printed) };
  }
  return printed;
}

function pipedWord(frame: Frame, node: CommandNode, parts: readonly WordPart[]): ShellWord {
  const text = frame.source.text.slice(node.pos, node.end);
  return makeWord(parts, text, spanOf(frame.source, node), true, false);
}

/** The commands whose output goes into the pipe. */
function writers(reading: Reading, first: number, frame: Frame): readonly number[] {
  const from: number[] = [];
  reading.spend(reading.commands.length - first);
  for (let index = first; index < reading.commands.length; index++) {
    const { reach } = reading.commands[index];
    const aside = reach.slice(frame.reach.length)
      .some(({ kind }) => kind === "substitution" || kind === "process-substitution");
    if (!aside) from.push(index);
  }
  return from;
}

function readCommand(
  reading: Reading,
  node: CommandNode,
  frame: Frame,
  joint: Joint,
): Printed {
  if (node.type === "Command") return readSimpleCommand(reading, frame, node, joint);
  reading.spend(1);
  const span = spanOf(frame.source, node);
  if (frame.depth > MAX_DEPTH) {
    reading.doubt("too-deep", "commands nested too deep", span);
    return null;
  }
  const { state } = reading;
  switch (node.type) {
    case "Subshell": {
      const mark = state.mark();
      const printed = readStatements(reading, node.body.commands, enter(frame, "subshell", span));
      state.restore(mark);
      return printed;
    }
    case "BraceGroup":
      return readStatements(reading, node.body.commands, enter(frame, "group", span));
    case "Redirected":
      return readRedirected(reading, node, frame, joint);
    case "Function":
      state.setFunction(node.name.text, { node, source: frame.source, called: false });
      return [];
    case "Coproc": {
      const mark = state.mark();
      const inner = enter(frame, "coprocess", span);
      const { body } = node;
      if (body.type === "CompoundList") readStatements(reading, body.commands, inner);
      else readCommand(reading, body, inner, null);
      state.restore(mark);
      return [];
    }
    case "If": {
      const { flags } = state;
      readStatements(reading, node.clause.commands, enter(frame, "condition", span));
      const inner = enter(frame, "branch", span);
      const branches = [readBranch(reading, node.then, inner)];
      // All others run when the condition failed, and with it perhaps a `cd`.
      state.mayAlsoBeIn(flags);
      for (const branch of node.elif) {
        const { flags } = state;
        readStatements(reading, branch.clause.commands, enter(frame, "condition", span));
        branches.push(readBranch(reading, branch.then, inner));
        state.mayAlsoBeIn(flags);
      }
      if (node.else !== undefined) branches.push(readBranch(reading, node.else, inner));
      for (const branch of branches) reading.spend(state.join(branch));
      return null;
    }
    case "Case": {
      evaluateSingle(reading, frame, node.word);
      const inner = enter(frame, "case", span);
      const branches = node.items.map((item) => {
        for (const pattern of item.pattern) evaluateSingle(reading, frame, pattern);
        return readBranch(reading, item.body, inner);
      });
      for (const branch of branches) reading.spend(state.join(branch));
      return null;
    }
    case "While":
      return readLoop(reading, frame, node, () => {
        const { flags } = state;
        readStatements(reading, node.clause.commands, enter(frame, "condition", span));
        if (node.kind === "until") state.mayAlsoBeIn(flags);
        readStatements(reading, node.body.commands, enter(frame, "loop", span));
      });
    case "ArithmeticFor":
      return readLoop(reading, frame, node, () => {
        for (const part of [node.initialize, node.test, node.update]) {
          if (part !== undefined) readInside(reading, frame, part);
        }
        readStatements(reading, node.body.commands, enter(frame, "loop", span));
      });
    case "Select":
    case "For":
      return readFor(
        reading,
        frame,
        node,
        (inner) => readStatements(reading, node.body.commands, inner),
      );
    case "TestCommand":
      readInside(reading, frame, node.expression);
      return [];
    case "ArithmeticCommand":
      forgetNames(reading, node.body);
      if (node.expression !== undefined) readInside(reading, frame, node.expression);
      return [];
    default:
      return node satisfies never;
  }
}

/** A compound command with redirections: those stand in an entry of their own. */
function readRedirected(
  reading: Reading,
  node: Redirected,
  frame: Frame,
  joint: Joint,
): Printed {
  const index = reading.reserve();
  if (index === null) return null;
  const around = { ...frame, parent: index };
  const redirections = node.redirects.map((one) => evaluateRedirection(reading, around, one));
  reading.admit({
    index,
    words: [],
    span: spanOf(frame.source, node),
    assignments: [],
    redirections,
    environment: [],
    joinedBy: joint,
    unseenOperands: null,
    lookup: "shell",
  }, frame);
  const stdin = inputOf(redirections) ?? frame.stdin;
  const printed = readCommand(reading, node.command, { ...around, stdin }, null);
  return hidesOutput(redirections) ? [] : printed;
}

function readBranch(reading: Reading, body: CompoundList, frame: Frame) {
  const mark = reading.state.mark();
  readStatements(reading, body.commands, frame);
  return reading.state.leaveBranch(mark);
}
