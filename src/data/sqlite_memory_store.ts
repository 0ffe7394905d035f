import type { Runtime, SqliteDatabase, SqliteRow, SqliteValue } from "../runtime/port.ts";
import { checkedQuery, memoryItem, memoryWords } from "./memory_item.ts";
import type { MemoryItem, MemoryQuery, MemoryStore, NewMemoryItem } from "./memory_store.ts";

/** Milliseconds to wait for another process's lock. */
const BUSY_TIMEOUT_MS = 5_000;

/** The version of the tables below. */
const SCHEMA_VERSION = 1;

const SCHEMA = `
CREATE TABLE memory_items (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  content TEXT NOT NULL,
  metadata TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX memory_items_created_at ON memory_items (created_at);
CREATE TABLE memory_metadata (
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  number INTEGER NOT NULL REFERENCES memory_items (number),
  PRIMARY KEY (name, value, number)
) WITHOUT ROWID;
CREATE INDEX memory_metadata_number ON memory_metadata (number);
CREATE VIRTUAL TABLE memory_words USING fts5(words, tokenize='unicode61');
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** A memory store in a SQLite file, searched by FTS5 (D6-C). Never evidence of anything. */
export class SqliteMemoryStore implements MemoryStore {
  readonly #database: SqliteDatabase;

  private constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /**
   * Opens the store in a file, and makes it where there is none.
   *
   * Rejects with {@linkcode SqliteError}; with an `Error` when the file is of a later version.
   *
   * @param path The file; its folder must exist.
   */
  static async open(runtime: Runtime, path: string): Promise<SqliteMemoryStore> {
    const database = await runtime.sqlite.open(path, { busyTimeoutMs: BUSY_TIMEOUT_MS });
    try {
      // The version is read inside the lock: of two processes that find a new file, one makes the tables.
      database.transaction(() => {
        const version = Number(database.prepare("PRAGMA user_version").get()?.user_version);
        if (version > SCHEMA_VERSION) {
          throw new Error(`Cannot open the memory ${path}: it is of the later version ${version}`);
        }
        if (version === 0) database.execute(SCHEMA);
      });
      return new SqliteMemoryStore(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  // deno-lint-ignore require-await -- the protocol is asynchronous, and a malformed item rejects
  async store(given: NewMemoryItem): Promise<string> {
    const item = memoryItem(given);
    this.#database.transaction(() => this.#replace(item));
    return item.id;
  }

  // deno-lint-ignore require-await -- the protocol is asynchronous
  async retrieve(id: string): Promise<MemoryItem | null> {
    const row = this.#database
      .prepare("SELECT id, content, metadata, created_at FROM memory_items WHERE id = ?")
      .get(id.toLowerCase());
    return row === null ? null : itemOf(row);
  }

  // deno-lint-ignore require-await -- the protocol is asynchronous, and a malformed query rejects
  async search(given: MemoryQuery): Promise<MemoryItem[]> {
    const query = checkedQuery(given);
    if (query.words?.length === 0) return [];
    const conditions: string[] = [];
    const values: SqliteValue[] = [];
    if (query.words !== null) {
      conditions.push("memory_words MATCH ?");
      // Each word in quotes is a plain word to FTS5, never an operator.
      values.push(query.words.map((word) => `"${word}"`).join(" "));
    }
    for (const [name, value] of query.metadata) {
      conditions.push(
        "EXISTS (SELECT 1 FROM memory_metadata AS entry " +
          "WHERE entry.name = ? AND entry.value = ? AND entry.number = memory_items.number)",
      );
      values.push(name, JSON.stringify(value));
    }
    if (query.since !== null) {
      conditions.push("created_at >= ?");
      values.push(query.since);
    }
    if (query.until !== null) {
      conditions.push("created_at < ?");
      values.push(query.until);
    }
    const ranked = query.words === null ? "" : "round(bm25(memory_words), 9), ";
    const from = query.words === null
      ? "memory_items"
      : "memory_words JOIN memory_items ON memory_items.number = memory_words.rowid";
    return this.#database
      .prepare(
        `SELECT id, content, metadata, created_at FROM ${from} ` +
          (conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")} `) +
          `ORDER BY ${ranked}created_at DESC, id LIMIT ?`,
      )
      .all(...values, query.limit)
      .map(itemOf);
  }

  #replace(item: MemoryItem): void {
    const prepare = (sql: string) => this.#database.prepare(sql);
    const earlier = prepare("SELECT number FROM memory_items WHERE id = ?").get(item.id);
    if (earlier !== null) {
      prepare("DELETE FROM memory_words WHERE rowid = ?").run(earlier.number);
      prepare("DELETE FROM memory_metadata WHERE number = ?").run(earlier.number);
      prepare("DELETE FROM memory_items WHERE number = ?").run(earlier.number);
    }
    const { number } = prepare(
      "INSERT INTO memory_items (id, content, metadata, created_at) VALUES (?, ?, ?, ?) RETURNING number",
    ).get(item.id, item.content, JSON.stringify(item.metadata), item.createdAt)!;
    // The words are kept as they are compared, so that case and accents are one matter, not SQLite's too.
    prepare("INSERT INTO memory_words (rowid, words) VALUES (?, ?)")
      .run(number, memoryWords(item.content).join(" "));
    const remember = prepare("INSERT INTO memory_metadata (name, value, number) VALUES (?, ?, ?)");
    for (const [name, value] of Object.entries(item.metadata)) {
      remember.run(name, JSON.stringify(value), number);
    }
  }

  /** Closes the file; nothing can be asked afterwards. */
  close(): void {
    this.#database.close();
  }
}

function itemOf(row: SqliteRow): MemoryItem {
  return Object.freeze({
    id: String(row.id),
    content: String(row.content),
    metadata: Object.freeze(JSON.parse(String(row.metadata))),
    createdAt: String(row.created_at),
  });
}
