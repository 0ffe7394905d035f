import { payloadText } from "./payload.ts";
import { maskContents, namesProtectedFile } from "./protected_content.ts";
import { REDACTED, SECRET_FILTER } from "./redact.ts";
import type { Signal } from "./signal.ts";

/**
 * How much of the arguments and answers of tool calls is stored: as they are, with secrets masked, or not
 * at all.
 */
export type ArgumentsMode = "full" | "redacted" | "none";

/** What is stored when nobody chooses. */
export const DEFAULT_ARGUMENTS_MODE: ArgumentsMode = "redacted";

/** A signal made ready to be stored: nothing in it can change any more. */
export interface PreparedSignal {
  readonly id: string;
  readonly kind: string;
  readonly opId: string;
  /** Seconds since the epoch. */
  readonly ts: number;
  /** JSON text of at most 16,384 bytes. */
  readonly payload: string;
}

/** The fields that hold what a tool was given or answered. */
const ARGUMENT_FIELDS = ["args", "before", "after", "response"] as const;

/** Names under which messages say who they are, who sent them and to whom; the body is never kept. */
const MESSAGE_FIELDS = ["id", "role", "sender", "recipient"] as const;

/**
 * Prepares a signal for a store: its payload as capped JSON, secrets masked, a message as a reference.
 *
 * Never throws: what cannot be read is a mark in the payload.
 *
 * @param signal The signal.
 * @param mode What becomes of arguments and answers.
 */
export function prepareSignal(signal: Signal, mode: ArgumentsMode): PreparedSignal {
  const { data, kind } = signal;
  return {
    id: signal.id,
    kind,
    opId: operationId(data),
    ts: signal.createdAt,
    payload: signal.emitterRole === null ? preparedPayload(kind, data, mode) : payloadText(
      { ...fieldsOf(stored(kind, data, mode)), emitter_role: signal.emitterRole },
      filterOf(mode),
    ),
  };
}

function preparedPayload(kind: string, data: unknown, mode: ArgumentsMode): string {
  return payloadText(fieldsOf(stored(kind, data, mode)), filterOf(mode));
}

function filterOf(mode: ArgumentsMode): typeof SECRET_FILTER | undefined {
  return mode === "full" ? undefined : SECRET_FILTER;
}

/** A stored payload is a record, so that its fields can be asked for; other values stand under `data`. */
function fieldsOf(value: unknown): object {
  if (value === null || value === undefined) return {};
  return isRecord(value) ? value : { data: value };
}

function stored(kind: string, data: unknown, mode: ArgumentsMode): unknown {
  if (kind === "MessageAdded") return { message_ref: messageReference(data) };
  if (mode === "full" || !isRecord(data)) return data;
  try {
    return ARGUMENT_FIELDS.some((name) => name in data) ? withoutSecrets(data, mode) : data;
  } catch {
    return { unreadable: true };
  }
}

function withoutSecrets(data: Record<string, unknown>, mode: ArgumentsMode): unknown {
  const fields = ARGUMENT_FIELDS.filter((name) => name in data);
  if (mode === "none") {
    return { ...data, ...Object.fromEntries(fields.map((name) => [name, null])) };
  }
  const isProtected = fields.some((name) => name !== "response" && namesProtectedFile(data[name]));
  if (!isProtected) return data;
  return {
    ...data,
    ...Object.fromEntries(
      fields.map((name) => [name, name === "response" ? REDACTED : maskContents(data[name])]),
    ),
  };
}

function messageReference(message: unknown): Record<string, unknown> {
  if (typeof message !== "object" || message === null) return {};
  const reference: Record<string, unknown> = {};
  for (const name of MESSAGE_FIELDS) {
    try {
      const value = (message as Record<string, unknown>)[name];
      if (typeof value === "string" || typeof value === "number") {
        reference[name] = typeof value === "string" ? value.slice(0, LONGEST_REFERENCE) : value;
      }
    } catch {
      // An end that cannot be read is not available.
    }
  }
  return reference;
}

/** An id or a role longer than this is a body in disguise. */
const LONGEST_REFERENCE = 256;

function operationId(data: unknown): string {
  try {
    if (!isRecord(data)) return "";
    const id = data.opId ?? data.callId;
    return typeof id === "string" ? id.slice(0, LONGEST_REFERENCE) : "";
  } catch {
    return "";
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  try {
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
  } catch {
    return false;
  }
}
