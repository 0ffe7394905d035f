import type { ParameterExpansionPart, Word } from "unbash";
import type { ShellWord, WordPart } from "./facts.ts";
import type { Reading } from "./reading.ts";
import type { Variable } from "./shell_state.ts";

/** What an expansion stands for: one value, or several words. */
export type Expansion =
  | { readonly kind: "value"; readonly parts: readonly WordPart[] }
  | {
    readonly kind: "words";
    readonly words: readonly (readonly WordPart[])[];
    /** Whether they become one word inside quotes: `"$*"`. */
    readonly joins: boolean;
  }
  | { readonly kind: "unknown-words"; readonly part: WordPart };

/** Variables that are always a number. */
const NUMBERS = new Set([
  ..."#?$!",
  ...["UID", "EUID", "PPID", "RANDOM", "SECONDS", "LINENO", "BASHPID", "SRANDOM", "EPOCHSECONDS"],
]);

/** What `$NAME`, `$1`, `$@` stand for. */
export function expandName(reading: Reading, name: string, text: string): Expansion {
  if (name === "@" || name === "*") {
    const words = reading.state.flags.positional;
    return words === null
      ? { kind: "unknown-words", part: unknownVariable(name, text) }
      : { kind: "words", words, joins: name === "*" };
  }
  return { kind: "value", parts: valueOf(reading, name, text) };
}

/**
 * What `${…}` stands for.
 *
 * @param evaluate Evaluates a word inside the braces; called for each of them, since commands may stand in it.
 */
export function expandParameter(
  reading: Reading,
  part: ParameterExpansionPart,
  evaluate: (word: Word) => ShellWord,
): Expansion {
  const { parameter, prefix, index, operation, text } = part;
  if (prefix === undefined && index === undefined && operation === undefined) {
    return expandName(reading, parameter, text);
  }
  const indexValue = index === undefined ? null : evaluate(index).value;
  const operands = operandsOf(operation).map(evaluate);
  const unknown = (mayBeEmpty = true): Expansion => ({
    kind: "value",
    parts: [{ kind: "unknown", source: "pattern", text, name: parameter, mayBeEmpty }],
  });

  if (prefix === "#") return { kind: "value", parts: [numberPart(text, parameter)] };
  if (prefix === "!") {
    const target = operation === undefined && index === undefined
      ? plainText(valueOf(reading, parameter, text))
      : null;
    if (target !== null && /^\w+$/.test(target)) return expandName(reading, target, text);
    return operation?.type === "Names" || indexValue === "@"
      ? { kind: "unknown-words", part: unknownVariable(parameter, text) }
      : unknown();
  }
  if (indexValue === "@" || indexValue === "*" || parameter === "@" || parameter === "*") {
    if (operation !== undefined) {
      return { kind: "unknown-words", part: unknownVariable(parameter, text) };
    }
    return index === undefined
      ? expandName(reading, parameter, text)
      : elementsOf(reading, parameter, text, indexValue === "*");
  }
  const parts = index === undefined
    ? valueOf(reading, parameter, text)
    : elementOf(reading, parameter, indexValue, text);
  if (operation === undefined) return { kind: "value", parts };

  const variable = reading.state.variable(parameter);
  const empty = parts.length === 0;
  const sure = parts.length > 0 && parts.some((one) => one.kind !== "unknown" || !one.mayBeEmpty);
  switch (operation.type) {
    case "Default": {
      const colon = operation.operator.length === 2;
      const operand = operands[0].parts;
      // Without the colon only an unset variable counts; an empty one is set.
      const missing = empty && (colon || variable === undefined || variable.kind === "unset");
      switch (operation.operator) {
        case "-":
        case ":-":
        case "=":
        case ":=": {
          const value = missing ? operand : sure ? parts : null;
          if (operation.operator.endsWith("=") && missing) {
            reading.state.setVariable(parameter, {
              kind: "set",
              parts: operand,
              elements: null,
              exported: false,
            });
          }
          if (value !== null) return { kind: "value", parts: value };
          return {
            kind: "value",
            parts: [{
              kind: "unknown",
              source: "variable",
              text,
              name: parameter,
              mayBeEmpty: !colon || operand.length === 0,
            }],
          };
        }
        case "+":
        case ":+":
          if (sure) return { kind: "value", parts: operand };
          return missing ? { kind: "value", parts: [] } : unknown();
        case "?":
        case ":?":
          return {
            kind: "value",
            parts: parts.map((one) =>
              one.kind === "unknown" && operation.operator === ":?" && parts.length === 1
                ? { ...one, mayBeEmpty: false }
                : one
            ),
          };
      }
      return operation satisfies never;
    }
    case "Transform": {
      const value = plainText(parts);
      if (operands[0].value === "P" && (value === null || /[$`\\]/.test(value))) {
        reading.doubt(
          "unknown-script",
          `${text} runs what the value contains`,
          operands[0].span,
        );
      }
      return unknown();
    }
    case "Remove":
    case "Replace":
    case "Slice":
    case "CaseModification": {
      const value = plainText(parts);
      if (value === null || value.length > MAX_COMPUTED) return unknown();
      const computed = compute(operation, value, operands);
      return computed === null ? unknown() : { kind: "value", parts: textParts(computed) };
    }
    case "Names":
    case "Unknown":
      return unknown();
    default:
      return operation satisfies never;
  }
}

/** Longest value that an operation is computed on, in characters: each may be read once per operation. */
const MAX_COMPUTED = 1_024;

type Operation = NonNullable<ParameterExpansionPart["operation"]>;

function operandsOf(operation: Operation | undefined): Word[] {
  switch (operation?.type) {
    case "Default":
    case "Remove":
    case "Transform":
      return [operation.operand];
    case "Replace":
      return [operation.pattern, operation.replacement];
    case "Slice":
      return operation.length === undefined
        ? [operation.offset]
        : [operation.offset, operation.length];
    case "CaseModification":
      return operation.operand === undefined ? [] : [operation.operand];
    default:
      return [];
  }
}

/** The result of an operation on a known text; `null` when it is not one we compute. */
function compute(operation: Operation, value: string, operands: ShellWord[]): string | null {
  const texts = operands.map((operand) => operand.value);
  if (texts.some((text) => text === null)) return null;
  const [first, second] = texts as string[];
  switch (operation.type) {
    case "Remove": {
      const front = operation.operator.startsWith("#");
      if (!operands[0].globs && !/[*?[\\]/.test(first)) {
        if (front) return value.startsWith(first) ? value.slice(first.length) : value;
        return value.endsWith(first) ? value.slice(0, value.length - first.length) : value;
      }
      return removeThroughStar(operation.operator, value, first);
    }
    case "Replace":
      if (operands[0].globs || /[*?[\\&]/.test(first + second) || first === "") return null;
      switch (operation.operator) {
        case "/":
          return value.replace(first, () => second);
        case "//":
          return value.replaceAll(first, () => second);
        case "/#":
          return value.startsWith(first) ? second + value.slice(first.length) : value;
        case "/%":
          return value.endsWith(first)
            ? value.slice(0, value.length - first.length) + second
            : value;
      }
      return operation satisfies never;
    case "Slice": {
      if (!/^ ?-?\d{1,6}$/.test(first) || !/^\d{0,6}$/.test(second ?? "")) return null;
      const start = Number(first) < 0 ? value.length + Number(first) : Number(first);
      if (start < 0) return "";
      return value.slice(start, second === undefined ? undefined : start + Number(second));
    }
    case "CaseModification": {
      if (operands.length > 0) return null;
      const change = (text: string) =>
        operation.operator.startsWith("^") ? text.toUpperCase() : text.toLowerCase();
      return operation.operator.length === 2
        ? change(value)
        : change(value.slice(0, 1)) + value.slice(1);
    }
    default:
      return null;
  }
}

/** `${f##*.}`, `${f%/*}` and the like: one star at the open end of a plain text. */
function removeThroughStar(operator: string, value: string, pattern: string): string | null {
  const front = operator.startsWith("#");
  const rest = front ? pattern.slice(1) : pattern.slice(0, -1);
  const star = front ? pattern[0] : pattern[pattern.length - 1];
  if (star !== "*" || rest === "" || /[*?[\\]/.test(rest)) return null;
  const long = operator.length === 2;
  if (front) {
    const at = long ? value.lastIndexOf(rest) : value.indexOf(rest);
    return at === -1 ? value : value.slice(at + rest.length);
  }
  const at = long ? value.indexOf(rest) : value.lastIndexOf(rest);
  return at === -1 ? value : value.slice(0, at);
}

/** The value of a variable or a positional parameter. */
function valueOf(reading: Reading, name: string, text: string): readonly WordPart[] {
  const { state } = reading;
  const variable = state.variable(name);
  if (variable !== undefined) return partsOf(variable, name, text);
  const { directory, otherDirectories, previousDirectory, positional } = state.flags;
  switch (name) {
    case "HOME":
      return [{ kind: "home", user: null }];
    case "PWD":
      return otherDirectories.length === 0
        ? [{ kind: "directory", directory }]
        : [unknownVariable(name, text)];
    case "OLDPWD":
      return [{ kind: "directory", directory: previousDirectory }];
    case "IFS":
      return [{ kind: "text", text: " \t\n" }];
    case "0":
      return [unknownVariable(name, text)];
  }
  if (name >= "0" && name < ":" && /^\d+$/.test(name)) {
    return positional === null ? [unknownVariable(name, text)] : positional[Number(name) - 1] ?? [];
  }
  return [NUMBERS.has(name) ? numberPart(text, name) : unknownVariable(name, text)];
}

function partsOf(variable: Variable, name: string, text: string): readonly WordPart[] {
  switch (variable.kind) {
    case "set":
      return variable.elements === null ? variable.parts : variable.elements[0] ?? [];
    case "unset":
      return [];
    case "unknown":
      return [{ kind: "unknown", source: variable.source, text, name, mayBeEmpty: true }];
    default:
      return variable satisfies never;
  }
}

function elementsOf(
  reading: Reading,
  name: string,
  text: string,
  joins: boolean,
): Expansion {
  const variable = reading.state.variable(name);
  switch (variable?.kind) {
    case "set":
      return { kind: "words", words: variable.elements ?? [variable.parts], joins };
    case "unset":
      return { kind: "words", words: [], joins };
    default:
      return { kind: "unknown-words", part: unknownVariable(name, text) };
  }
}

function elementOf(
  reading: Reading,
  name: string,
  index: string | null,
  text: string,
): readonly WordPart[] {
  const variable = reading.state.variable(name);
  if (variable?.kind === "set" && index !== null && /^\d{1,6}$/.test(index)) {
    const elements = variable.elements ?? [variable.parts];
    return elements[Number(index)] ?? [];
  }
  return [unknownVariable(name, text)];
}

function unknownVariable(name: string, text: string): WordPart {
  return { kind: "unknown", source: "variable", text, name, mayBeEmpty: true };
}

function numberPart(text: string, name: string): WordPart {
  return { kind: "unknown", source: "arithmetic", text, name, mayBeEmpty: false };
}

function textParts(text: string): readonly WordPart[] {
  return text === "" ? [] : [{ kind: "text", text }];
}

/** The text of parts that are nothing but text. */
function plainText(parts: readonly WordPart[]): string | null {
  let text = "";
  for (const part of parts) {
    if (part.kind !== "text") return null;
    text += part.text;
  }
  return text;
}
