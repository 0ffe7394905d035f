import type { Arguments } from "../call.ts";

/** How deep arguments may be nested. JSON from a client is never this deep unless it is made to hurt. */
export const MAX_ARGUMENT_DEPTH = 200;

/**
 * Copies arguments so that nobody who holds the original can change the copy.
 *
 * Records and arrays are copied through; a getter is read once and becomes its value. Dates, maps, sets and binary data
 * are cloned. What cannot be copied (functions, instances of classes) is shared.
 *
 * @throws {RangeError} when the arguments are nested deeper than {@linkcode MAX_ARGUMENT_DEPTH}, or in a circle.
 */
export function copyArguments(args: Arguments): Arguments {
  return copyRecord(args, 0);
}

/** Whether a value is a plain record: what the document calls a dict. */
export function isRecord(value: unknown): value is Arguments {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function copyRecord(record: Arguments, depth: number): Arguments {
  if (depth > MAX_ARGUMENT_DEPTH) {
    throw new RangeError(`Cannot copy arguments nested deeper than ${MAX_ARGUMENT_DEPTH} levels`);
  }
  const copy: Arguments = {};
  for (const key in record) {
    if (!Object.hasOwn(record, key)) continue;
    const value = record[key];
    const kept = typeof value === "object" && value !== null ? copyValue(value, depth + 1) : value;
    if (key === "__proto__") {
      // A plain assignment would set the prototype instead of adding the key.
      Object.defineProperty(copy, key, {
        value: kept,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    } else copy[key] = kept;
  }
  return copy;
}

function copyValue(value: object, depth: number): unknown {
  if (Array.isArray(value)) {
    if (depth > MAX_ARGUMENT_DEPTH) {
      throw new RangeError(
        `Cannot copy arguments nested deeper than ${MAX_ARGUMENT_DEPTH} levels`,
      );
    }
    return value.map((item) =>
      typeof item === "object" && item !== null ? copyValue(item, depth + 1) : item
    );
  }
  if (isRecord(value)) return copyRecord(value, depth);
  if (
    value instanceof Date || value instanceof Map || value instanceof Set ||
    ArrayBuffer.isView(value) || value instanceof ArrayBuffer
  ) {
    return structuredClone(value);
  }
  return value;
}
