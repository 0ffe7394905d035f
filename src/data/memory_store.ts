/**
 * The memory protocol: content that a caller keeps and finds again (D6-C).
 *
 * There is no order to be proved, no version, nothing to verify: an item can be replaced. It is never
 * evidence of anything.
 *
 * @module
 */

/** A value an item can be found by. */
export type MemoryValue = string | number | boolean | null;

/** What is kept. */
export interface MemoryItem {
  /** A UUID. */
  readonly id: string;
  /** The text that is searched. */
  readonly content: string;
  /** Whatever else belongs to it. */
  readonly metadata: Readonly<Record<string, MemoryValue>>;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
}

/** What is given to be kept; what is left out is made. An `id` that is there already is replaced. */
export interface NewMemoryItem {
  /** Its id; a new random one when left out. */
  readonly id?: string;
  /** The text to be found again. */
  readonly content: string;
  /** What it can be found by besides its text. */
  readonly metadata?: Readonly<Record<string, MemoryValue>>;
  /** When it was made, as an ISO date; now when left out. */
  readonly createdAt?: string;
}

/** What to look for; all that is given must hold. */
export interface MemoryQuery {
  /** Words that all occur in the content, whatever their case and accents. */
  readonly text?: string;
  /** Values that the metadata has. */
  readonly metadata?: Readonly<Record<string, MemoryValue>>;
  /** Made at this time or later, ISO 8601. */
  readonly since?: string;
  /** Made before this time, ISO 8601. */
  readonly until?: string;
  /** At most so many; 10 when left out. */
  readonly limit?: number;
}

/** Stores, retrieves, searches (D6-C). */
export interface MemoryStore {
  /**
   * Keeps a copy of an item and resolves to its id.
   *
   * Rejects with a `TypeError` when the item is malformed.
   */
  store(item: NewMemoryItem): Promise<string>;
  /** The item with an id, or `null`. */
  retrieve(id: string): Promise<MemoryItem | null>;
  /**
   * The items that match: with `text` those where its words weigh most first (BM25), the newest first among
   * equals; without it the newest first.
   */
  search(query: MemoryQuery): Promise<MemoryItem[]>;
}
