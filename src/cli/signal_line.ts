import type { StoredSignal } from "../store/port.ts";
import { cutText, safeText } from "./safe_text.ts";
import type { Style } from "./style.ts";
import { clockText } from "./time_text.ts";

/** A stored payload, read; empty when it was cut and is no record of its own fields any more. */
export type Payload = Readonly<Record<string, unknown>>;

/** Widths of the columns of a line. */
const TOOL_WIDTH = 10;
const VERDICT_WIDTH = 8;
/** Characters of an id that are shown: enough for `gatehouse why`. */
export const SHORT_ID = 8;
/** Characters of a line when the terminal does not say how wide it is. */
const LINE_WIDTH = 120;

/** What stands in the second column for each verdict, and its colour. */
const VERDICTS = {
  allow: { word: "allow", colour: "green" },
  deny: { word: "DENY", colour: "red" },
  escalate: { word: "ask", colour: "yellow" },
} as const;

/** Words for signals that are no decision. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  SessionStarted: "session began",
  SessionEnded: "session ended",
  ToolProposed: "asked",
  ToolCompleted: "ran",
  ToolFailed: "failed",
  ArgumentsRewritten: "rewritten",
  CompletionEvidenceFound: "evidence",
};

/** Reads a stored payload. */
export function payloadOf(signal: StoredSignal): Payload {
  try {
    const payload = JSON.parse(signal.payload);
    return typeof payload === "object" && payload !== null ? payload as Payload : {};
  } catch {
    return {};
  }
}

/**
 * A signal as one line for a person: time, verdict, tool, the first words of the command, the rule, the id.
 *
 * @param args The arguments of the call it is about, when they are known from another signal.
 * @param width Characters of the whole line.
 */
export function signalLine(
  signal: StoredSignal,
  args: unknown,
  style: Style,
  width: number = LINE_WIDTH,
): string {
  const payload = payloadOf(signal);
  const tool = cutText(safeText(text(payload.tool) ?? ""), TOOL_WIDTH).padEnd(TOOL_WIDTH);
  const verdict = VERDICTS[payload.behavior as keyof typeof VERDICTS];
  const isDecision = signal.kind === "ToolDecided" && verdict !== undefined;
  const word = isDecision ? verdict.word : KIND_WORDS[signal.kind] ?? signal.kind;
  const column = cutText(word, Math.max(VERDICT_WIDTH, word.length)).padEnd(VERDICT_WIDTH);
  const rule = isDecision ? ruleText(payload) : "";
  const beginning = 10 + column.length + 2 + tool.length + 2;
  const room = Math.max(20, width - beginning - rule.length - SHORT_ID - 4);
  const subject = cutText(subjectText(signal, payload, args), room).padEnd(room);
  return [
    style.dim(clockText(signal.ts)),
    isDecision ? style[verdict.colour](column) : style.dim(column),
    isDecision ? style.bold(tool) : style.dim(tool),
    isDecision ? subject : style.dim(subject),
    `${rule === "" ? "" : `${style.blue(rule)}  `}${style.dim(signal.id.slice(0, SHORT_ID))}`,
  ].join("  ");
}

/** The rule that decided, or else the control. */
function ruleText(payload: Payload): string {
  if (payload.behavior === "allow" && payload.rule === null) return "";
  const rule = text(payload.rule);
  const by = text(payload.control) ?? "";
  return cutText(safeText(rule === null ? by : JSON.stringify(rule)), 32);
}

function subjectText(signal: StoredSignal, payload: Payload, args: unknown): string {
  if (signal.kind === "SessionStarted") {
    return safeText([payload.client, payload.cwd].filter((part) => text(part) !== null).join("  "));
  }
  const given = payload.args ?? payload.after ?? args;
  if (typeof given === "object" && given !== null) return argumentsText(given);
  return safeText(text(payload.reason) ?? "");
}

/** What arguments are about: the command, the path, or all of them. */
export function argumentsText(args: object): string {
  const named = args as Record<string, unknown>;
  const parts = [named.command, named.file_path, named.pattern, named.path]
    .filter((part) => typeof part === "string");
  return safeText(parts.length > 0 ? parts.join(" ") : JSON.stringify(args));
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
