import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { checkCompletionEvidence } from "../../src/evidence/check_completion_evidence.ts";
import { hasCompletionEvidence } from "../../src/evidence/completion_evidence.ts";
import { laboratory } from "./repository.ts";

interface Row {
  readonly name: string;
  readonly steps: readonly string[];
  readonly cwd: string | null;
  readonly base_ref: string | null;
  readonly expect: {
    readonly checked: boolean;
    readonly ahead_of_base: boolean | null;
    readonly commits_ahead: number | null;
    readonly dirty: boolean | null;
    readonly base_ref: string | null;
    readonly reason: string;
  };
  readonly has_evidence: boolean;
}

const rows: Row[] = readFileSync(new URL("../golden/completion.jsonl", import.meta.url), "utf8")
  .trim().split("\n").map((line) => JSON.parse(line));

describe("the recorded answers of the completion probe", () => {
  test("there are 27 of them", () => assert.equal(rows.length, 27));

  for (const row of rows) {
    test(`D6-1 … D6-5 recorded: ${row.name}`, async () => {
      const place = laboratory();
      try {
        place.sh(...row.steps);
        const evidence = await checkCompletionEvidence(
          row.cwd === null ? null : join(place.root, row.cwd),
          { baseRef: row.base_ref, runtime: place.runtime },
        );
        assert.deepEqual(evidence, {
          checked: row.expect.checked,
          aheadOfBase: row.expect.ahead_of_base,
          commitsAhead: row.expect.commits_ahead,
          dirty: row.expect.dirty,
          baseRef: row.expect.base_ref,
          reason: row.expect.reason,
        });
        assert.equal(hasCompletionEvidence(evidence), row.has_evidence);
        assert.ok(Object.isFrozen(evidence));
      } finally {
        place.remove();
      }
    });
  }
});
