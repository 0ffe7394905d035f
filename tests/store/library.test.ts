import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  existingStore,
  laneOf,
  NodeFailed,
  NodeStarted,
  openStore,
  SessionObserver,
  StoreError,
} from "../../mod.ts";

describe("the library's front door", () => {
  test("D5-11 what an observer persisted is there for the next program, and nothing else of it is", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-library-"));
    try {
      const path = join(folder, "signals.db");
      const store = await openStore(path);
      const observer = new SessionObserver().bindPersistence("run-1", store);
      observer.gate((payload) => (payload as { opId: string }).opId !== "hidden");
      await observer.emit(new NodeStarted({ data: { opId: "build" } }));
      await observer.emit(new NodeStarted({ data: { opId: "hidden" } }));
      await observer.emit(new NodeFailed({ data: { opId: "build", reason: "no disk" } }));
      await observer.unbindPersistence();
      await store.close();

      const later = await existingStore(path)();
      assert.ok(later !== null);
      const signals = await later.read("run-1");
      assert.deepEqual(signals.map(({ seq, kind, opId }) => [seq, kind, opId]), [
        [1, "NodeStarted", "build"],
        [2, "NodeFailed", "build"],
      ]);
      assert.equal(
        laneOf(signals.map(({ kind, payload }) => ({ kind, data: JSON.parse(payload) }))),
        "failed",
      );
      await later.close();
      assert.equal(await existingStore(join(folder, "none.db"))(), null);
      await assert.rejects(openStore(join(folder, "none.db"), { create: false }), StoreError);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
