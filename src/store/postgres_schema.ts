/**
 * The tables in PostgreSQL, version by version: the same as in SQLite, and the function that appends in one
 * round trip.
 *
 * @module
 */

/** A step from one schema version to the next, in one transaction. */
export interface PostgresMigration {
  readonly version: number;
  readonly sql: string;
}

/** Every version, in order. A released one is never changed; a new one is added. */
export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = [
  {
    version: 1,
    sql: `
CREATE TABLE IF NOT EXISTS sessions (
  id          TEXT              PRIMARY KEY,
  client      TEXT,
  cwd         TEXT,
  started_at  DOUBLE PRECISION  NOT NULL
);

CREATE TABLE IF NOT EXISTS session_signals (
  id          TEXT              PRIMARY KEY,
  session_id  TEXT              NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  seq         INTEGER           NOT NULL,
  kind        TEXT              NOT NULL,
  op_id       TEXT              NOT NULL DEFAULT '',
  ts          DOUBLE PRECISION  NOT NULL,
  payload     JSON              NOT NULL DEFAULT '{}'
);

CREATE UNIQUE INDEX IF NOT EXISTS idx_session_signals_seq
  ON session_signals(session_id, seq);
CREATE INDEX IF NOT EXISTS idx_session_signals_session_ts
  ON session_signals(session_id, ts);

CREATE OR REPLACE FUNCTION gatehouse_session(
  of_session TEXT, of_client TEXT, of_cwd TEXT, since DOUBLE PRECISION
) RETURNS VOID LANGUAGE sql AS $$
  INSERT INTO sessions (id, client, cwd, started_at) VALUES (of_session, of_client, of_cwd, since)
  ON CONFLICT (id) DO UPDATE SET client = COALESCE(sessions.client, excluded.client),
    cwd = COALESCE(sessions.cwd, excluded.cwd)
  WHERE (sessions.client IS NULL AND excluded.client IS NOT NULL)
    OR (sessions.cwd IS NULL AND excluded.cwd IS NOT NULL);
$$;

CREATE OR REPLACE FUNCTION gatehouse_append_one(
  of_session TEXT, of_client TEXT, of_cwd TEXT, since DOUBLE PRECISION,
  with_id TEXT, of_kind TEXT, of_op TEXT, at_ts DOUBLE PRECISION, with_payload JSON
) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  last_seq INTEGER;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(of_session, 0));
  SELECT COALESCE(MAX(seq), 0) INTO last_seq FROM session_signals WHERE session_id = of_session;
  IF last_seq = 0 OR of_client IS NOT NULL OR of_cwd IS NOT NULL THEN
    PERFORM gatehouse_session(of_session, of_client, of_cwd, since);
  END IF;
  INSERT INTO session_signals (id, session_id, seq, kind, op_id, ts, payload)
  VALUES (with_id, of_session, last_seq + 1, of_kind, of_op, at_ts, with_payload)
  ON CONFLICT (id) DO NOTHING;
  RETURN CASE WHEN FOUND THEN 1 ELSE 0 END;
END $$;

CREATE OR REPLACE FUNCTION gatehouse_append(
  of_session TEXT, of_client TEXT, of_cwd TEXT, since DOUBLE PRECISION, records JSON
) RETURNS INTEGER LANGUAGE plpgsql AS $$
DECLARE
  last_seq INTEGER;
  first_seq INTEGER;
  record RECORD;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(of_session, 0));
  SELECT COALESCE(MAX(seq), 0) INTO last_seq FROM session_signals WHERE session_id = of_session;
  first_seq := last_seq;
  IF last_seq = 0 OR of_client IS NOT NULL OR of_cwd IS NOT NULL THEN
    PERFORM gatehouse_session(of_session, of_client, of_cwd, since);
  END IF;
  FOR record IN
    SELECT * FROM json_to_recordset(records)
      AS given(id TEXT, kind TEXT, op TEXT, ts DOUBLE PRECISION, payload TEXT)
  LOOP
    INSERT INTO session_signals (id, session_id, seq, kind, op_id, ts, payload)
    VALUES (record.id, of_session, last_seq + 1, record.kind, record.op, record.ts, record.payload::json)
    ON CONFLICT (id) DO NOTHING;
    IF FOUND THEN last_seq := last_seq + 1; END IF;
  END LOOP;
  RETURN last_seq - first_seq;
END $$;
`,
  },
];

/** The version this program writes. */
export const POSTGRES_SCHEMA_VERSION: number =
  POSTGRES_MIGRATIONS[POSTGRES_MIGRATIONS.length - 1].version;

/** The key of the lock under which migrations run: the letters "gate" as a number. */
export const MIGRATION_LOCK = 0x67617465;
