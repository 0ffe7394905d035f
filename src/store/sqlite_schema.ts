/**
 * The tables in SQLite, version by version. `session_signals`, its indexes and its cascade are the document's
 * (D5); `sessions` is its parent, with what a list of sessions shows.
 *
 * @module
 */

/** A step from one schema version to the next, in one transaction. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

/** The oldest SQLite library that has what is used here: upserts. Older systems' own libraries are refused. */
export const OLDEST_SQLITE = [3, 24, 0] as const;

/** Every version, in order. A released one is never changed; a new one is added. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    statements: [
      `CREATE TABLE IF NOT EXISTS sessions (
        id          TEXT    PRIMARY KEY,
        client      TEXT,
        cwd         TEXT,
        started_at  REAL    NOT NULL
      )`,
      `CREATE TABLE IF NOT EXISTS session_signals (
        id          TEXT    PRIMARY KEY,
        session_id  TEXT    NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
        seq         INTEGER NOT NULL,
        kind        TEXT    NOT NULL,
        op_id       TEXT    NOT NULL DEFAULT '',
        ts          REAL    NOT NULL,
        payload     JSON    NOT NULL DEFAULT '{}'
      )`,
      `CREATE UNIQUE INDEX IF NOT EXISTS idx_session_signals_seq
        ON session_signals(session_id, seq)`,
      `CREATE INDEX IF NOT EXISTS idx_session_signals_session_ts
        ON session_signals(session_id, ts)`,
    ],
  },
];

/** The version this program writes. */
export const SCHEMA_VERSION: number = MIGRATIONS[MIGRATIONS.length - 1].version;
