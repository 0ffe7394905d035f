// Two of the probe's numbered lines by themselves; the recorded answers have them in passing.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { checkCompletionEvidence } from "../../src/evidence/check_completion_evidence.ts";
import { laboratory } from "./repository.ts";

/** A repository with one commit, whose branch is called as said. */
const repository = (branch: string): string[] => [
  `git init -q -b ${branch} repo`,
  "git -C repo commit -q --allow-empty -m first",
];

async function baseOf(steps: readonly string[], baseRef: string | null = null) {
  const place = laboratory();
  try {
    place.sh(...steps);
    const { runtime } = place;
    return await checkCompletionEvidence(join(place.root, "repo"), { baseRef, runtime });
  } finally {
    place.remove();
  }
}

describe("the completion probe's base", () => {
  /** Each adds a base that goes before those of the rows above it. */
  const bases: readonly [base: string, step: string][] = [
    ["master", "git -C repo branch master work"],
    ["main", "git -C repo branch main work"],
    ["origin/master", "git -C repo update-ref refs/remotes/origin/master work"],
    ["origin/main", "git -C repo update-ref refs/remotes/origin/main work"],
    [
      "origin/trunk",
      "git -C repo update-ref refs/remotes/origin/trunk work && " +
      "git -C repo symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/trunk",
    ],
  ];
  for (const [index, [base]] of bases.entries()) {
    test(`D6-3 ${base} is the base when nothing that goes before it is there`, async () => {
      const steps = bases.slice(0, index + 1).map(([, step]) => step);
      assert.equal((await baseOf([...repository("work"), ...steps])).baseRef, base);
    });
  }

  test("D6-3 a base that the caller gives goes before all others", async () => {
    const steps = [
      ...repository("work"),
      ...bases.map(([, step]) => step),
      "git -C repo branch own work",
    ];
    assert.equal((await baseOf(steps, "own")).baseRef, "own");
  });

  for (const dirty of [false, true]) {
    test(`D6-4 without a base a ${dirty ? "dirty" : "clean"} working tree is told of, and commits are not`, async () => {
      const steps = [...repository("work"), ...dirty ? ["touch repo/file"] : []];
      const { checked, aheadOfBase, commitsAhead, baseRef, ...rest } = await baseOf(steps);
      assert.deepEqual([checked, aheadOfBase, commitsAhead, baseRef], [true, null, null, null]);
      assert.equal(rest.dirty, dirty);
    });
  }
});
