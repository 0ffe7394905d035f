import type { Redirection as Node } from "unbash";
import type { Redirection, ShellWord, StandardInput } from "./facts.ts";
import type { Frame, Reading } from "./reading.ts";
import { spanOf } from "./source.ts";
import { textWord } from "./word_builder.ts";
import { evaluateDocument, evaluateSingle } from "./word_evaluation.ts";

/** Evaluates one redirection. */
export function evaluateRedirection(reading: Reading, frame: Frame, node: Node): Redirection {
  const span = spanOf(frame.source, node);
  const written = node.descriptor;
  const input = node.operator.startsWith("<");
  const descriptor = written === undefined
    ? input ? 0 : 1
    : written.type === "FileDescriptor"
    ? written.value
    : null;
  switch (node.type) {
    case "HereDoc": {
      const { body, delimiter, operator } = node;
      const place = spanOf(frame.source, body);
      const target = delimiter?.quoted
        ? textWord(body.text, body.text, place, true)
        : evaluateDocument(reading, frame, body);
      reading.spend(1);
      return { operator, descriptor, effect: "text", target, span };
    }
    case "HereString":
      return {
        operator: "<<<",
        descriptor,
        effect: "text",
        target: node.target === undefined
          ? textWord("", "", span, false)
          : evaluateSingle(reading, frame, node.target),
        span,
      };
    case "Redirect": {
      const { operator } = node;
      const target = node.target === undefined
        ? textWord("", "", span, false)
        : evaluateSingle(reading, frame, node.target, true);
      const effect = effectOf(operator, target.value);
      return { operator, descriptor, effect, target, span };
    }
    default:
      return node satisfies never;
  }
}

/** What a command with these redirections reads; `null` when they say nothing of it. */
export function inputOf(redirections: readonly Redirection[]): StandardInput | null {
  let stdin: StandardInput | null = null;
  for (const { descriptor, effect, operator, target } of redirections) {
    if (descriptor !== 0) continue;
    if (effect === "text") {
      const from = operator === "<<<" ? "here-string" : "heredoc";
      stdin = { kind: "text", from, word: operator === "<<<" ? withNewline(target) : target };
    } else if (effect === "read" || effect === "read-write") stdin = { kind: "file", target };
    else if (effect === "duplicate" || effect === "close") stdin = { kind: "other" };
  }
  return stdin;
}

/** Whether the standard output goes somewhere else. */
export function hidesOutput(redirections: readonly Redirection[]): boolean {
  return redirections.some(({ descriptor, operator }) =>
    descriptor === 1 && !operator.startsWith("<") || operator.startsWith("&")
  );
}

/** Whether one of them writes a file that stays. */
export function writesFile(redirections: readonly Redirection[]): boolean {
  return redirections.some(({ effect, target }) =>
    (effect === "write" || effect === "append" || effect === "read-write") &&
    target.value !== "/dev/null"
  );
}

type FileOperator = Extract<Node, { type: "Redirect" }>["operator"];

function effectOf(operator: FileOperator, target: string | null): Redirection["effect"] {
  switch (operator) {
    case "<":
      return "read";
    case "<>":
      return "read-write";
    case ">":
    case ">|":
    case "&>":
      return "write";
    case ">>":
    case "&>>":
      return "append";
    case "<&":
      return target === "-" ? "close" : "duplicate";
    case ">&":
      // `>&2` is a descriptor, `>&2file` and `>&$x` may be a file.
      if (target === "-") return "close";
      return target !== null && /^\d+-?$/.test(target) ? "duplicate" : "write";
    default:
      return operator satisfies never;
  }
}

function withNewline(word: ShellWord): ShellWord {
  const last = word.parts[word.parts.length - 1];
  const parts = last?.kind === "text"
    ? [...word.parts.slice(0, -1), { kind: "text" as const, text: `${last.text}\n` }]
    : [...word.parts, { kind: "text" as const, text: "\n" }];
  return { ...word, parts, value: word.value === null ? null : `${word.value}\n` };
}
