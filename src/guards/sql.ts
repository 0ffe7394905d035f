import { UNKNOWN } from "./command_words.ts";

/** What a statement destroys. */
export interface SqlFact {
  readonly name: string;
  readonly pattern: RegExp;
  readonly behavior: "deny" | "escalate";
  readonly effect: string;
  readonly instead: string;
  readonly example: string;
}

/** Statements that destroy, asked of one statement without its texts and comments. */
export const SQL_FACTS: readonly SqlFact[] = [
  {
    name: "DROP",
    pattern:
      /^\s*drop\s+(?:materialized\s+|temporary\s+|foreign\s+)?(?:table|database|schema|view|user|role|tablespace|keyspace|collection|owned|type|sequence)\b/i,
    behavior: "deny",
    effect: "removes a table, a database or what else is named, with its rows",
    instead: "psql -c 'SELECT count(*) FROM users'",
    example: "psql -c 'DROP TABLE users'",
  },
  {
    name: "TRUNCATE",
    pattern: /^\s*truncate\b/i,
    behavior: "deny",
    effect: "removes all rows of a table",
    instead: "psql -c 'SELECT count(*) FROM users'",
    example: "mysql -e 'TRUNCATE TABLE users' app",
  },
  {
    name: "DELETE without WHERE",
    pattern: /^\s*(?:with\b.*\)\s*)?delete\s+from\b(?!.*\bwhere\b)/is,
    behavior: "deny",
    effect: "removes all rows of a table",
    instead: "sqlite3 app.db 'SELECT count(*) FROM users'",
    example: "sqlite3 app.db 'DELETE FROM users'",
  },
  {
    name: "DELETE",
    pattern: /^\s*(?:with\b.*\)\s*)?delete\s+from\b/is,
    behavior: "escalate",
    effect: "removes rows of a table",
    instead: "sqlite3 app.db 'SELECT * FROM users WHERE id = 1'",
    example: "sqlite3 app.db 'DELETE FROM users WHERE id = 1'",
  },
  {
    name: "UPDATE without WHERE",
    pattern: /^\s*update\b(?!.*\bwhere\b).*\bset\b/is,
    behavior: "escalate",
    effect: "writes over all rows of a table",
    instead: "psql -c 'SELECT * FROM users LIMIT 5'",
    example: "psql -c 'UPDATE users SET admin = true'",
  },
  {
    name: "ALTER … DROP",
    pattern: /^\s*alter\s+(?:table|database|schema)\b.*\bdrop\b/is,
    behavior: "escalate",
    effect: "removes a column or a constraint with its data",
    instead: "psql -c 'SELECT * FROM users LIMIT 5'",
    example: "psql -c 'ALTER TABLE users DROP COLUMN email'",
  },
  {
    name: "a shell from SQL",
    pattern:
      /^\s*(?:\\!|\.(?:shell|system|import\s+\|)|system\s|\\copy\b.*\bprogram\b|copy\b.*\bprogram\b)/i,
    behavior: "escalate",
    effect: "runs a program from inside the database client",
    instead: "psql -c 'SELECT 1'",
    example: "psql -c '\\! ls'",
  },
];

/** The options in which SQL clients take statements, by client. */
export const SQL_CLIENTS: Readonly<Record<string, readonly string[]>> = {
  psql: ["-c", "--command"],
  pgcli: ["-c", "--command"],
  mysql: ["-e", "--execute"],
  mariadb: ["-e", "--execute"],
  sqlite3: ["-cmd"],
  duckdb: ["-c", "-cmd"],
  sqlcmd: ["-Q", "-q"],
  "clickhouse-client": ["-q", "--query"],
  clickhouse: ["-q", "--query"],
  cockroach: ["-e", "--execute"],
  cqlsh: ["-e", "--execute"],
  usql: ["-c", "--command"],
  bq: [],
  snowsql: ["-q", "--query"],
  turso: [],
  libsql: [],
};

/** The strictest fact that some statement of a text matches; `null` when none does. */
export function destructiveSql(text: string): SqlFact | null {
  let found: SqlFact | null = null;
  for (const statement of statements(text)) {
    const fact = SQL_FACTS.find(({ pattern }) => pattern.test(statement));
    if (fact === undefined) continue;
    if (fact.behavior === "deny") return fact;
    found ??= fact;
  }
  return found;
}

/** Whether a text is SQL that is not known beforehand. */
export function isUnknownSql(text: string): boolean {
  return text.trimStart().startsWith(UNKNOWN);
}

/** The statements of a text, without comments, quoted names and texts. */
function statements(text: string): string[] {
  return text
    .replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, " ")
    .replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, "''")
    .split(";");
}
