import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runtime } from "../../src/runtime/current.ts";
import { sqliteStore } from "../../src/store/sqlite_store.ts";
import { describeStore } from "./store_contract.ts";

describeStore("SQLite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-store-"));
  return {
    open: () => sqliteStore(runtime, join(folder, "private", "signals.db")),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
});
