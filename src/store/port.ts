/**
 * The signal store's port: what it keeps and what can be asked of it. SQLite and PostgreSQL stand behind it.
 *
 * @module
 */

/** How many signals one page holds when nobody says otherwise (D5-9). */
export const DEFAULT_PAGE_SIZE = 500;

/** A signal on its way into a store: its payload is JSON already, redacted and capped. */
export interface SignalRecord {
  /** Unique in the store; a record whose id is there already is not written twice. */
  readonly id: string;
  /** The name it is stored under. */
  readonly kind: string;
  /** What belongs together: an operation, a tool call. `""` when nothing does. */
  readonly opId: string;
  /** Seconds since the epoch. */
  readonly ts: number;
  /** JSON text of at most 16,384 bytes. */
  readonly payload: string;
}

/** A signal as it stands in a store. */
export interface StoredSignal extends SignalRecord {
  /** The session it belongs to. */
  readonly sessionId: string;
  /** Its place in the session, from 1, without gaps. */
  readonly seq: number;
}

/** What is known of a session. */
export interface SessionDetails {
  /** The session's id. */
  readonly id: string;
  /** The client (`claude-code`, …), when one is known. */
  readonly client?: string | null;
  /** The folder it works in, when known. */
  readonly cwd?: string | null;
  /** Seconds since the epoch; of its first signal when left out. */
  readonly startedAt?: number;
}

/** A session as it stands in a store, with what its signals say. */
export interface StoredSession {
  /** The session's id. */
  readonly id: string;
  /** The client, when one is known. */
  readonly client: string | null;
  /** The folder, when one is known. */
  readonly cwd: string | null;
  /** Seconds since the epoch. */
  readonly startedAt: number;
  /** Seconds since the epoch of its last signal; of its start when it has none. */
  readonly lastAt: number;
  /** How many signals it has. */
  readonly signals: number;
  /** Tool calls decided on. */
  readonly calls: number;
  /** Of these, denied. */
  readonly denials: number;
}

/** Which signals are wanted. Whatever is given must hold. */
export interface SignalFilter {
  /** Of this session only. */
  readonly sessionId?: string;
  /** Of these kinds only. */
  readonly kinds?: readonly string[];
  /** The payload's `tool`. */
  readonly tool?: string;
  /** The payload's `behavior`. */
  readonly behavior?: string;
  /** Of this operation only. */
  readonly opId?: string;
  /** Seconds since the epoch; only signals from then on. */
  readonly since?: number;
  /** Signals whose id begins so. */
  readonly idPrefix?: string;
}

/** A place between two signals in the order of {@linkcode SignalStore.search}. */
export interface SignalCursor {
  /** Seconds since the epoch. */
  readonly ts: number;
  /** The signal's id. */
  readonly id: string;
}

/** What a store holds. */
export interface StoreStats {
  /** What is behind the store. */
  readonly backend: "sqlite" | "postgres";
  /** How many sessions it has. */
  readonly sessions: number;
  /** How many signals it has. */
  readonly signals: number;
  /** Bytes on disk. */
  readonly bytes: number;
  /** Seconds since the epoch of the oldest and the newest signal; `null` when there is none. */
  readonly oldest: number | null;
  /** Seconds since the epoch; `null` when it is empty. */
  readonly newest: number | null;
  /** How many signals of each kind, most first. */
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
}

/** What to keep. */
export interface Retention {
  /** Signals older than this many seconds go. */
  readonly maxAgeSeconds?: number;
  /** The oldest signals go until the store is at most this many bytes. */
  readonly maxBytes?: number;
  /** Look only at what arrived first, which is cheap enough to be done often. A server is left alone. */
  readonly quick?: boolean;
  /** The time "now", in seconds since the epoch; for tests. */
  readonly now?: number;
}

/** What a prune removed. */
export interface PruneReport {
  /** Signals that were removed. */
  readonly signals: number;
  /** Sessions that were removed. */
  readonly sessions: number;
  /** Bytes before. */
  readonly bytesBefore: number;
  /** Bytes after. */
  readonly bytesAfter: number;
}

/** A store of signals. Every function may reject with a {@linkcode StoreError}; callers that record swallow it. */
export interface SignalStore {
  /** What is behind it. */
  readonly backend: "sqlite" | "postgres";
  /**
   * Appends records to one session in one transaction; the session's row is made when it is missing.
   * `seq` is MAX(seq)+1 inside the write (D5-9). A record whose id the store has is passed over.
   *
   * @returns How many records are new.
   */
  append(session: SessionDetails, records: readonly SignalRecord[]): Promise<number>;
  /** A page of a session's signals with `seq > afterSeq`, ascending (D5-9). */
  read(sessionId: string, options?: { afterSeq?: number; limit?: number }): Promise<StoredSignal[]>;
  /** A page of signals of all sessions by time; ascending after `after`, or the newest first before it. */
  search(filter: SignalFilter, options?: SearchOptions): Promise<StoredSignal[]>;
  /** Sessions, the latest first. */
  sessions(options?: { since?: number; client?: string; limit?: number }): Promise<StoredSession[]>;
  /** Removes a session and, with it, its signals (D5-10). */
  deleteSession(sessionId: string): Promise<boolean>;
  /** Removes what is too old or too much. */
  prune(retention: Retention): Promise<PruneReport>;
  /** What it holds. */
  stats(): Promise<StoreStats>;
  /** Closes it. */
  close(): Promise<void>;
}

/** How a search is paged. */
export interface SearchOptions {
  /** Where the last page ended. */
  readonly after?: SignalCursor;
  /** Signals of one page. */
  readonly limit?: number;
  /** Whether the newest come first. */
  readonly newestFirst?: boolean;
}

/** Why a store cannot do what was asked. */
export type StoreErrorCode =
  | "missing" // no store there, and none is to be made
  | "busy" // another process holds it for longer than we wait
  | "corrupt" // damaged, or no store at all
  | "read-only" // the file or its folder may not be written
  | "full" // no space left
  | "newer" // made by a newer version
  | "unreachable" // the server does not answer, or not in time
  | "outdated" // the SQLite library of this system is too old
  | "other";

/** A store's failure: what, where, and what to do. */
export class StoreError extends Error {
  /** The name of this class of errors. */
  override readonly name = "StoreError";
  /** Why it failed. */
  readonly code: StoreErrorCode;

  /** Makes the error of a store. */
  constructor(message: string, code: StoreErrorCode, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
