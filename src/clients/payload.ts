/**
 * Takes single fields out of a client's payload, with a clear refusal for each wrong shape.
 *
 * Checked by hand: this is on the hook's fast path, where a schema library would cost more than the judgement.
 *
 * @module
 */

import type { Arguments } from "../call.ts";
import { type ClientEnvironment, PayloadError } from "./client.ts";

/** A payload known to be an object. */
export type Payload = Readonly<Record<string, unknown>>;

/** The payload as an object. Throws {@linkcode PayloadError} for anything else. */
export function payloadObject(payload: unknown): Payload {
  if (!isObject(payload)) {
    throw new PayloadError(`Cannot read the payload: it is ${kindOf(payload)}, not an object`);
  }
  return payload;
}

/** A text that must be there and must not be empty. */
export function requiredText(payload: Payload, field: string): string {
  const value = own(payload, field);
  if (typeof value === "string" && value !== "") return value;
  throw new PayloadError(
    `Cannot read the payload: ${field} is ${
      value === "" ? "empty" : kindOf(value)
    }, not a text as it must be`,
  );
}

/** A text, or `null` when the field is missing, empty or something else. For what is only recorded. */
export function optionalText(payload: Payload, field: string): string | null {
  const value = own(payload, field);
  return typeof value === "string" && value !== "" ? value : null;
}

/** Arguments that must be an object; missing arguments are no arguments. */
export function argumentsOf(payload: Payload, field: string): Arguments {
  const value = own(payload, field);
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value as Arguments;
  throw new PayloadError(`Cannot read the payload: ${field} is ${kindOf(value)}, not an object`);
}

/** The folder that a call runs in: absolute, and the hook's own when the payload names none. */
export function folderOf(payload: Payload, environment: ClientEnvironment): string {
  const value = own(payload, "cwd");
  if (value === undefined || value === null || value === "") return environment.cwd();
  if (typeof value !== "string") {
    throw new PayloadError(`Cannot read the payload: cwd is ${kindOf(value)}, not a text`);
  }
  if (!value.startsWith("/") && !isAbsoluteOnWindows(value)) {
    throw new PayloadError(`Cannot read the payload: cwd ${JSON.stringify(value)} is not absolute`);
  }
  return value;
}

/** A field of the object itself, never one that it inherits. */
export function own(payload: Payload, field: string): unknown {
  return Object.hasOwn(payload, field) ? payload[field] : undefined;
}

/** Whether a value is an object with fields: not `null`, not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `C:\…`, `\\server\…`. */
function isAbsoluteOnWindows(path: string): boolean {
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path);
}

/** What a value is, in words for a message. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "string":
      return "a text";
    case "object":
      return "an object";
    default:
      return `a ${typeof value}`;
  }
}
