/**
 * Each case about stores and observers of the collected public reports, by its number.
 *
 * @module
 */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { spoolFolder } from "../../src/store/spool.ts";
import { CHECKS, recorded, rowsAfterDrain } from "./case_checks.ts";
import { skipSmallDisk } from "./small_disk.ts";

interface Case {
  readonly id: string;
  readonly expect: string;
  readonly input: { readonly op?: string; readonly value?: string };
}

const cases: readonly Case[] =
  (await readFile(new URL("./store_cases.jsonl", import.meta.url), "utf8"))
    .trim().split("\n").map((line) => JSON.parse(line));

/** Cases that need a disk of their own. */
const NEED_DISK = ["c443", "c445"];

describe("cases about stores and observers", () => {
  test("every case has a check", () => {
    assert.deepEqual(cases.map(({ id }) => id).sort(), Object.keys(CHECKS).sort());
  });

  for (const { id, input, expect } of cases) {
    const skip = NEED_DISK.includes(id) ? skipSmallDisk : false;
    test(`${id} ${(input.op ?? input.value ?? "").slice(0, 90)}: ${expect}`, { skip }, async () => {
      const folder = await mkdtemp(join(tmpdir(), "gatehouse-case-"));
      try {
        await CHECKS[id](folder, {
          store: join(folder, "signals.db"),
          stateFolder: join(folder, "state"),
        });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  test("the spool is private, and each store has its own", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-case-"));
    try {
      const state = join(folder, "state");
      const here = { store: join(folder, "a.db"), stateFolder: state };
      const there = { store: join(folder, "b.db"), stateFolder: state };
      await recorded(here);
      assert.notEqual(spoolFolder(here), spoolFolder(there));
      for (const path of [state, spoolFolder(here)]) {
        assert.equal((await stat(path)).mode & 0o777, 0o700);
      }
      assert.equal(await rowsAfterDrain(here), 1);
      assert.equal((await stat(here.store)).mode & 0o777, 0o600);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
