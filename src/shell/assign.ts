import type { Assignment as Node } from "unbash";
import type { Assignment, EnvironmentChange, ShellWord, WordPart } from "./facts.ts";
import type { Frame, Reading } from "./reading.ts";
import type { Variable } from "./shell_state.ts";
import { spanOf } from "./source.ts";
import { hasSubscriptCommand } from "./subscript_command.ts";
import { evaluateSingle, evaluateWords } from "./word_evaluation.ts";

/** An assignment, and the elements when it is an array's. */
export interface EvaluatedAssignment {
  readonly fact: Assignment;
  readonly elements: readonly (readonly WordPart[])[] | null;
}

/** Evaluates `NAME=value` without assigning anything. */
export function evaluateAssignment(
  reading: Reading,
  frame: Frame,
  node: Node,
): EvaluatedAssignment {
  const { name, index, value } = node;
  const append = node.append === true;
  const span = spanOf(frame.source, node);
  if (index !== undefined) evaluateSingle(reading, frame, index);
  if (value.type === "ArrayValue") {
    const words: ShellWord[] = [];
    for (const element of value.elements) evaluateWords(reading, frame, element, words);
    const plain = words.every((word) => !word.splits && !/^\[[^\]]*\]=/.test(word.text));
    return {
      fact: { name, value: null, append, span },
      elements: plain ? words.map((word) => word.parts) : null,
    };
  }
  const word = evaluateSingle(reading, frame, value);
  return { fact: { name, value: index === undefined ? word : null, append, span }, elements: null };
}

/** Assigns, as the shell would from here on. */
export function assign(
  reading: Reading,
  assignment: EvaluatedAssignment,
  how: EnvironmentChange["how"],
): void {
  const { fact, elements } = assignment;
  const { name, value, append } = fact;
  const { state } = reading;
  const old = state.variable(name);
  const exported = how !== "assignment" || (old?.kind === "set" && old.exported);
  let variable: Variable = { kind: "unknown", source: "variable" };
  if (elements !== null) {
    const before = !append ? [] : old?.kind === "set" ? old.elements ?? [old.parts] : null;
    if (before !== null) {
      const all = [...before, ...elements];
      reading.spend(all.length);
      variable = { kind: "set", parts: all[0] ?? [], elements: all, exported };
    }
  } else if (value !== null) {
    const before = !append ? [] : old?.kind === "set" && old.elements === null ? old.parts : null;
    if (hasSubscriptCommand(value.value)) {
      reading.doubt("unknown-script", `arithmetic with ${name} would run what is in it`, fact.span);
    }
    if (before !== null) {
      reading.spend(before.length);
      variable = { kind: "set", parts: [...before, ...value.parts], elements: null, exported };
    }
  }
  state.setVariable(name, variable);
  state.addEnvironment({ name, value: append ? null : value, how });
}
