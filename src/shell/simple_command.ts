import type { Command, Word } from "unbash";
import { plainWord } from "./plain_word.ts";
import { joinWords } from "./command_parts.ts";
import { assign, evaluateAssignment, type EvaluatedAssignment } from "./assign.ts";
import type {
  Assignment,
  EnvironmentChange,
  Redirection,
  ShellWord,
  SimpleCommand,
  WordPart,
} from "./facts.ts";
import { type Frame, type Printed, type Reading, withParent } from "./reading.ts";
import { evaluateRedirection } from "./redirections.ts";
import { launchFrame } from "./run_script.ts";
import type { Variable } from "./shell_state.ts";
import { spanOf } from "./source.ts";
import { makeWord, textWord } from "./word_builder.ts";
import { evaluateUnplain } from "./word_evaluation.ts";

const NONE: readonly never[] = Object.freeze([]);

/** Reads one simple command of the tree: its words, then what they mean. */
export function readSimpleCommand(
  reading: Reading,
  frame: Frame,
  node: Command,
  joinedBy: SimpleCommand["joinedBy"],
): Printed {
  const index = reading.reserve();
  if (index === null) return null;
  const { source } = frame;
  // What stands inside the words has this command as its parent; plain words have no inside.
  let inside: Frame | undefined;
  let end = -1;
  const words: ShellWord[] = [];
  let assigned: EvaluatedAssignment[] | undefined;
  let redirected: Redirection[] | undefined;
  const aliased = node.name === undefined ? null : aliasFor(reading, frame, node.name, node.end);

  for (const item of node.prefix) {
    inside ??= withParent(frame, index);
    if (item.type === "Assignment") {
      (assigned ??= []).push(evaluateAssignment(reading, inside, item));
    } else (redirected ??= []).push(evaluateRedirection(reading, inside, item));
  }
  const { name, suffix } = node;
  for (let at = name === undefined ? 0 : -1; at < suffix.length; at++) {
    const item = at === -1 ? name! : suffix[at];
    if (item.type === "Word") {
      const before = words.length;
      const plain = plainWord(reading, source, item);
      if (plain !== null) words.push(plain);
      else evaluateUnplain(reading, inside ??= withParent(frame, index), item, words);
      // The parser gives `a<(b)` as two words that touch; to the shell it is one.
      if (item.pos === end && before > 0 && words.length > before) {
        words.splice(before - 1, 2, joinWords([words[before - 1], words[before]], ""));
      }
      end = item.end;
      continue;
    }
    inside ??= withParent(frame, index);
    if (item.type === "Assignment") {
      words.push(
        declarationWord(reading, inside, evaluateAssignment(reading, inside, item), item.text),
      );
    } else (redirected ??= []).push(evaluateRedirection(reading, inside, item));
  }

  const assignments: readonly Assignment[] = assigned === undefined
    ? NONE
    : assigned.map(({ fact }) => fact);
  const redirections: readonly Redirection[] = redirected ?? NONE;
  const span = spanOf(frame.source, node);
  const alone = words.length === 0;
  const environment: readonly EnvironmentChange[] = alone || assigned === undefined
    ? NONE
    : assignments.map(
      ({ name, value, append }) => ({ name, value: append ? null : value, how: "prefix" as const }),
    );
  let saved: readonly (readonly [string, Variable | undefined])[] = NONE;
  if (assigned !== undefined) {
    if (alone) { for (const one of assigned) assign(reading, one, "assignment"); }
    else saved = setForCommand(reading, assigned);
  }
  const invocation = {
    index,
    span,
    words,
    assignments,
    redirections,
    environment,
    joinedBy,
    unseenOperands: null,
    lookup: "shell" as const,
  };
  if (aliased !== null) {
    reading.admit(
      { ...invocation, words: [textWord(aliased.name, aliased.name, span, false)] },
      frame,
    );
    const draft = reading.commands[index];
    draft.role = "launches";
    const before = reading.commands.length;
    reading.readScript(
      aliased.script,
      launchFrame(frame, draft, aliased.name, ["shell"], "script"),
    );
    draft.opens = reading.commands.slice(before)
      .filter((command) => command.parent === index)
      .map((command) => command.index);
    return null;
  }
  const printed = reading.admit(invocation, frame);
  for (const [name, value] of saved) {
    reading.state.setVariable(name, value ?? { kind: "unset" });
  }
  return printed;
}

/** Sets the variables that stand before a command; what they were is put back afterwards. */
function setForCommand(
  reading: Reading,
  assigned: readonly EvaluatedAssignment[],
): readonly (readonly [string, Variable | undefined])[] {
  const { state } = reading;
  const saved: [string, Variable | undefined][] = [];
  for (const { fact: { name, value, append } } of assigned) {
    saved.push([name, state.variable(name) ?? unsetOrSymbolic(name)]);
    state.setVariable(
      name,
      value === null || append
        ? { kind: "unknown", source: "variable" }
        : { kind: "set", parts: value.parts, elements: null, exported: true },
    );
  }
  return saved.reverse();
}

/** What a variable is again that only a command had: `HOME` stays the home folder. */
function unsetOrSymbolic(name: string): Variable {
  const symbolic = name === "HOME"
    ? [{ kind: "home" as const, user: null }]
    : name === "IFS"
    ? [{ kind: "text" as const, text: " \t\n" }]
    : null;
  return symbolic === null
    ? { kind: "unknown", source: "variable" }
    : { kind: "set", parts: symbolic, elements: null, exported: true };
}

/** `NAME=value` behind `export` and its like, as a word. */
function declarationWord(
  reading: Reading,
  frame: Frame,
  { fact: { name, value, append, span } }: EvaluatedAssignment,
  text: string,
): ShellWord {
  reading.spend(frame.depth > 0 ? 1 : 0);
  const head = `${name}${append ? "+=" : "="}`;
  const rest: readonly WordPart[] = value?.parts ??
    [{ kind: "unknown", source: "pattern", text, name, mayBeEmpty: true }];
  const [first] = rest;
  const parts: readonly WordPart[] = first?.kind === "text"
    ? [{ kind: "text", text: head + first.text }, ...rest.slice(1)]
    : [{ kind: "text", text: head }, ...rest];
  return makeWord(parts, text, span, value?.quoted ?? false, false);
}

interface Aliased {
  readonly name: string;
  readonly script: ShellWord;
}

/** The script that a command becomes when its name is an alias that is in force there. */
function aliasFor(reading: Reading, frame: Frame, name: Word, end: number): Aliased | null {
  const alias = reading.state.alias(name.text);
  if (alias === undefined || frame.reach.some((step) => step.name === name.text)) return null;
  const span = spanOf(frame.source, name);
  reading.spend(span.start - alias.span.end > 0 ? span.start - alias.span.end : 1);
  // An alias is in force from the line after the one that sets it.
  if (
    frame.source.offset !== null && !reading.text.slice(alias.span.end, span.start).includes("\n")
  ) {
    return null;
  }
  if (!reading.state.flags.expandsAliases) {
    reading.doubt("rebound", `${name.text} is an alias where the shell expands aliases`, span);
    return null;
  }
  const text = `${alias.text}${frame.source.text.slice(name.end, end)}`;
  reading.spend(text.length);
  return { name: name.text, script: textWord(text, name.text, span, true) };
}
