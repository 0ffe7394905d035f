import { postgresStore } from "../../src/store/postgres_store.ts";
import { describeStore } from "./store_contract.ts";
import { skipPostgres, testDatabase } from "./test_postgres.ts";

describeStore("PostgreSQL", async () => {
  const database = await testDatabase();
  return { open: () => postgresStore(database.url), remove: database.drop };
}, skipPostgres);
