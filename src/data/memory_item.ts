import type { MemoryItem, MemoryQuery, MemoryValue, NewMemoryItem } from "./memory_store.ts";

/** How many items a search answers with unless it is told. */
const DEFAULT_LIMIT = 10;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A query whose every part is known to be sound. */
export interface CheckedQuery {
  /** The words of the text; `null` when any content will do. */
  readonly words: readonly string[] | null;
  readonly metadata: readonly (readonly [string, MemoryValue])[];
  readonly since: string | null;
  readonly until: string | null;
  readonly limit: number;
}

/**
 * Completes and checks an item, and freezes a copy of it.
 *
 * @throws TypeError When it is malformed.
 */
export function memoryItem(given: NewMemoryItem): MemoryItem {
  const id = (given.id ?? crypto.randomUUID()).toLowerCase();
  if (!UUID.test(id)) throw new TypeError(`Cannot keep an item: its id ${given.id} is no UUID`);
  if (typeof given.content !== "string" || !isSoundText(given.content)) {
    throw new TypeError(
      "Cannot keep an item: its content is no text, or holds a NUL or half a character",
    );
  }
  // Through JSON, so that every store gives back the same: it knows no negative zero.
  const metadata = JSON.parse(
    JSON.stringify(Object.fromEntries(checkedMetadata(given.metadata ?? {}))),
  );
  return Object.freeze({
    id,
    content: given.content,
    metadata: Object.freeze(metadata),
    createdAt: given.createdAt === undefined ? new Date().toISOString() : time(given.createdAt),
  });
}

/**
 * Checks a query.
 *
 * @throws TypeError When it is malformed.
 */
export function checkedQuery(query: MemoryQuery): CheckedQuery {
  const { text, metadata = {}, since, until, limit = DEFAULT_LIMIT } = query;
  if (!Number.isInteger(limit) || limit < 0) {
    throw new TypeError(`Cannot search for ${limit} items: a whole number from 0`);
  }
  return {
    words: text === undefined ? null : memoryWords(text),
    metadata: checkedMetadata(metadata),
    since: since === undefined ? null : time(since),
    until: until === undefined ? null : time(until),
    limit,
  };
}

/** The words of a text as they are compared: letters and digits, without case and accents. */
export function memoryWords(text: string): string[] {
  const plain = text.normalize("NFD").replace(/\p{Mn}/gu, "").normalize("NFC").toLowerCase();
  return plain.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
}

function checkedMetadata(
  metadata: Readonly<Record<string, MemoryValue>>,
): (readonly [string, MemoryValue])[] {
  const entries = Object.entries(metadata);
  for (const [name, value] of entries) {
    const plain = value === null || typeof value === "boolean" ||
      (typeof value === "string" && isSoundText(value)) ||
      (typeof value === "number" && Number.isFinite(value));
    if (!plain || !isSoundText(name)) {
      throw new TypeError(
        `Cannot use the metadata ${
          JSON.stringify(name)
        }: text, a finite number, true, false or null`,
      );
    }
  }
  return entries;
}

/** Whether every store can keep a text: a database ends one at a NUL, and UTF-8 has no half of a surrogate pair. */
function isSoundText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** A time in the one form that sorts as text. */
function time(text: string): string {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) {
    throw new TypeError(`Cannot read the time ${JSON.stringify(text)}`);
  }
  return new Date(milliseconds).toISOString();
}
