import postgres from "postgres";
import process from "node:process";

/** The URL of a server made for tests, where `scripts/with_postgres.ts` has put it. */
const SERVER = process.env.GATEHOUSE_TEST_POSTGRES;

const MISSING = "no PostgreSQL: run the tests with `bun scripts/with_postgres.ts COMMAND`";

/**
 * Why tests of PostgreSQL are skipped, or `false` when they are not. In CI a missing server is a failure: a
 * suite that quietly tests half of what it says is worse than a red one.
 */
export const skipPostgres: string | false = SERVER ? false : MISSING;
if (!SERVER && process.env.CI) throw new Error(`Cannot test the PostgreSQL store: ${MISSING}`);

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Makes an empty database on the test server. */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  const url = new URL(SERVER!);
  url.pathname = `/${name}`;
  await administer(`CREATE DATABASE ${name}`);
  return {
    url: url.href,
    drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Runs one statement on the server, outside any test's database. */
export async function administer(statement: string): Promise<void> {
  const sql = postgres(SERVER!, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
