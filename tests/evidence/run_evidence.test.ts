import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { takeBaseline } from "../../src/evidence/baseline.ts";
import { loadBaseline, saveBaseline } from "../../src/evidence/baseline_store.ts";
import { listFacts } from "../../src/evidence/describe_run.ts";
import { probeRun } from "../../src/evidence/probe_run.ts";
import type { RunEvidence } from "../../src/evidence/run_evidence.ts";
import { type Laboratory, laboratory } from "./repository.ts";

/** A clone `r` of `up`, on a branch of its own. */
const CLONE = [
  "git init -q -b main up",
  "echo x > up/f",
  "git -C up add f",
  "git -C up commit -qm a",
  "git clone -q up r",
  "git -C r switch -q -c work",
];

const stateOf = (place: Laboratory): string => join(place.runtime.env.get("HOME")!, "state");

async function inClone(
  body: (
    place: Laboratory,
    probe: (options?: { since?: string; base?: string }) => Promise<RunEvidence>,
    start: () => Promise<string>,
  ) => Promise<void>,
  steps: readonly string[] = CLONE,
): Promise<void> {
  const place = laboratory();
  const cwd = join(place.root, "r");
  const { runtime } = place;
  const stateFolder = stateOf(place);
  try {
    place.sh(...steps);
    await body(
      place,
      (options = {}) => probeRun(cwd, { runtime, stateFolder, ...options }),
      async () => {
        const answer = await takeBaseline(cwd, { runtime });
        assert.equal(answer.status, "taken");
        return answer.status === "taken"
          ? await saveBaseline(runtime, stateFolder, answer.baseline)
          : "";
      },
    );
  } finally {
    place.remove();
  }
}

describe("what a run added since its baseline", () => {
  test("nothing done is none, in one sentence", () =>
    inClone(async (_, probe, start) => {
      await start();
      const evidence = await probe();
      assert.equal(evidence.answer, "none");
      assert.match(
        evidence.sentence,
        /^No work to show since the baseline of .*Z: nothing committed, nothing uncommitted\.$/,
      );
      assert.ok(Object.isFrozen(evidence));
    }));

  test("commits, changed files and untracked files are told apart and named", () =>
    inClone(async (place, probe, start) => {
      await start();
      place.sh(
        "echo y > r/g",
        "git -C r add g",
        "git -C r commit -qm b",
        "echo more >> r/f",
        "mkdir r/new",
        "echo z > r/new/h",
      );
      const evidence = await probe();
      assert.equal(evidence.answer, "evidence");
      assert.deepEqual(evidence.commits, { made: 1, broughtIn: 0, onFirstParent: 1, unpushed: 1 });
      assert.deepEqual(evidence.committedFiles, ["g"]);
      assert.deepEqual(evidence.changedFiles, ["f"]);
      assert.deepEqual(evidence.untrackedFiles, ["new/h"]);
      assert.match(
        evidence.sentence,
        /: 1 commit, 1 changed file not committed, 1 untracked file\.$/,
      );
      assert.ok(listFacts(evidence).includes("committed: g"));
    }));

  test("commits that were there before the run are not the run's", () =>
    inClone(async (place, probe, start) => {
      place.sh("git -C r commit -q --allow-empty -m before");
      await start();
      assert.equal((await probe()).answer, "none");
      assert.equal((await probe({ since: "main" })).answer, "evidence");
    }));

  test("switching to a branch that was there before adds nothing", () =>
    inClone(async (place, probe, start) => {
      place.sh(
        "git -C r switch -q -c theirs",
        "git -C r commit -q --allow-empty -m theirs",
        "git -C r switch -q work",
      );
      await start();
      place.sh("git -C r switch -q theirs");
      const evidence = await probe();
      assert.equal(evidence.answer, "none");
      assert.equal(evidence.commits?.made, 0);
    }));

  test("commits of others that are fetched and merged in are not the run's", () =>
    inClone(async (place, probe, start) => {
      place.sh(
        "GIT_COMMITTER_DATE='2020-01-01T00:00:00Z' git -C up commit -q --allow-empty -m theirs",
      );
      await start();
      place.sh("git -C r pull -q origin main");
      const evidence = await probe();
      assert.deepEqual(evidence.commits, { made: 0, broughtIn: 1, onFirstParent: 0, unpushed: 0 });
      assert.equal(evidence.answer, "none");
    }));

  test("an amended commit is new work", () =>
    inClone(async (place, probe, start) => {
      place.sh("git -C r commit -q --allow-empty -m before");
      await start();
      place.sh("echo y > r/g", "git -C r add g", "git -C r commit -q --amend --no-edit");
      const evidence = await probe();
      assert.equal(evidence.commits?.made, 1);
      assert.deepEqual(evidence.committedFiles, ["g"]);
    }));

  test("the first commit of a repository is new work", () =>
    inClone(async (place, probe, start) => {
      await start();
      assert.equal((await probe()).answer, "none");
      place.sh("git -C r commit -q --allow-empty -m first");
      assert.equal((await probe()).commits?.made, 1);
    }, ["git init -q -b main r"]));

  test("a file that was dirty before, and is put back, is no work and no change", () =>
    inClone(async (place, probe, start) => {
      place.sh("echo more >> r/f");
      await start();
      place.sh("git -C r checkout -q f");
      const evidence = await probe();
      assert.equal(evidence.answer, "none");
      assert.deepEqual(evidence.earlierFiles, []);
    }));

  test("a file that is only touched is as it was", () =>
    inClone(async (place, probe, start) => {
      place.sh("echo more >> r/f", "echo y > r/g");
      await start();
      place.sh("touch -d 2001-01-01 r/f r/g");
      assert.deepEqual((await probe()).earlierFiles, ["f", "g"]);
    }));

  test("pushed work is said to be pushed", () =>
    inClone(async (place, probe, start) => {
      await start();
      place.sh("git -C r commit -q --allow-empty -m b");
      assert.equal((await probe()).pushed, false);
      place.sh("git -C r push -q origin work 2>/dev/null");
      const evidence = await probe();
      assert.equal(evidence.pushed, true);
      assert.equal(evidence.commits?.unpushed, 0);
      assert.equal(evidence.merged, "not-merged");
    }));

  test("without a remote nobody is told that work is not pushed", () =>
    inClone(async (place, probe) => {
      place.sh("git -C r switch -q -c f", "git -C r commit -q --allow-empty -m b");
      assert.equal((await probe()).pushed, null);
    }, ["git init -q -b main r", "git -C r commit -q --allow-empty -m a"]));

  test("merged work is said to be merged", () =>
    inClone(async (place, probe, start) => {
      await start();
      place.sh(
        "echo y > r/g",
        "git -C r add g",
        "git -C r commit -qm b",
        "git -C r push -q origin work 2>/dev/null",
        "git -C up merge -q work",
        "git -C r fetch -q",
      );
      const evidence = await probe();
      assert.equal(evidence.merged, "merged");
      assert.equal(evidence.answer, "evidence");
    }));

  test("squash-merged work of two commits is found, with the base moved on since", () =>
    inClone(async (place, probe, start) => {
      await start();
      place.sh(
        "echo 1 > r/g",
        "git -C r add g",
        "git -C r commit -qm b",
        "echo 2 >> r/g",
        "git -C r commit -qam c",
        "git -C r push -q origin work 2>/dev/null",
      );
      assert.equal((await probe()).merged, "not-merged");
      place.sh(
        "git -C up merge -q --squash work >/dev/null",
        "git -C up commit -qm squashed",
        "echo other > up/other",
        "git -C up add other",
        "git -C up commit -qm other",
        "git -C r fetch -q",
      );
      const evidence = await probe();
      assert.equal(evidence.merged, "squash-merged");
      // The probe of the document cannot see it: history alone says two commits ahead.
      assert.equal(evidence.completion.commitsAhead, 2);
    }));

  test("squash-merged work is found from a linked working tree of a clone that borrows objects", () =>
    inClone(async (place, probe) => {
      place.sh(
        "echo 1 > r/g",
        "git -C r add g",
        "git -C r commit -qm b",
        "git -C r push -q origin work 2>/dev/null",
        "git -C up merge -q --squash work >/dev/null",
        "git -C up commit -qm squashed",
        "git -C r fetch -q",
      );
      assert.equal((await probe()).merged, "squash-merged");
      assert.equal((await probe({ base: "work" })).merged, null);
    }, [
      ...CLONE.slice(0, 4),
      "git clone -q --shared up whole",
      "git -C whole worktree add -q ../r -b work",
    ]));

  test("a trial merge that conflicts says unknown", () =>
    inClone(async (place, probe) => {
      place.sh(
        "echo mine > r/f",
        "git -C r commit -qam b",
        "echo theirs > up/f",
        "git -C up commit -qam c",
        "git -C r fetch -q",
      );
      assert.equal((await probe()).merged, "unknown");
    }));

  test("work on the base branch itself is not called merged", () =>
    inClone(async (place, probe, start) => {
      await start();
      place.sh("git -C r commit -q --allow-empty -m b");
      assert.equal((await probe()).merged, null);
    }, ["git init -q -b main r", "git -C r commit -q --allow-empty -m a"]));

  test("a linked working tree has a baseline of its own", () =>
    inClone(async (place, probe, start) => {
      place.sh("git -C r worktree add -q ../wt -b other");
      await start();
      const other = await probeRun(join(place.root, "wt"), {
        runtime: place.runtime,
        stateFolder: stateOf(place),
      });
      assert.equal(other.since?.kind, "base");
      assert.equal((await probe()).since?.kind, "baseline");
    }));
});

describe("where a run is counted from", () => {
  test("without a baseline it is the base", () =>
    inClone(async (place, probe) => {
      place.sh("git -C r commit -q --allow-empty -m b");
      const evidence = await probe();
      assert.equal(evidence.since?.name, "origin/main");
      assert.match(evidence.sentence, /^There is work to show against origin\/main: 1 commit\.$/);
    }));

  test("a baseline that was asked for and never taken is no opinion", () =>
    inClone(async (_, probe) => {
      const evidence = await probe({ since: "baseline" });
      assert.equal(evidence.answer, "no-opinion");
      assert.match(evidence.sentence, /gatehouse evidence start/);
    }));

  test("a revision that does not exist is no opinion, and an option is no revision", () =>
    inClone(async (_, probe) => {
      assert.equal((await probe({ since: "nowhere" })).answer, "no-opinion");
      assert.equal((await probe({ since: "--all" })).answer, "no-opinion");
    }));

  test("a clean tree without any base is no opinion, and without any commit is none", () =>
    inClone(async (place, probe) => {
      assert.equal((await probe()).answer, "none");
      place.sh("git -C r commit -q --allow-empty -m a");
      const evidence = await probe();
      assert.equal(evidence.answer, "no-opinion");
      assert.match(evidence.reason, /no base/);
    }, ["git init -q -b trunk r"]));

  test("on the base branch itself, clean and without a baseline, is no opinion", () =>
    inClone(async (place, probe, start) => {
      const evidence = await probe();
      assert.equal(evidence.answer, "no-opinion");
      assert.match(evidence.reason, /^HEAD is on main itself/);
      // The probe of the document has the answer it was recorded with.
      assert.equal(evidence.completion.aheadOfBase, false);
      await start();
      assert.equal((await probe()).answer, "none");
      place.sh("git -C r commit -q --allow-empty -m b");
      assert.equal((await probe()).answer, "evidence");
    }, ["git init -q -b main r", "git -C r commit -q --allow-empty -m a"]));

  test("the base can be named", () =>
    inClone(async (place, probe) => {
      place.sh("git -C r tag v1", "git -C r commit -q --allow-empty -m b");
      assert.equal((await probe({ base: "v1" })).completion.baseRef, "v1");
    }));
});

describe("the baseline's file", () => {
  test("is for the user alone, in the state folder, and replaces an earlier one", () =>
    inClone(async (place, _, start) => {
      const path = await start();
      const folder = join(stateOf(place), "baselines");
      assert.equal(path.slice(0, path.lastIndexOf("/")), folder);
      assert.equal(statSync(path).mode & 0o777, 0o600);
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      await start();
      assert.equal(readdirSync(folder).length, 1);
    }));

  test("comes back as it was, and not for another working tree", () =>
    inClone(async (place) => {
      const { runtime } = place;
      const taken = await takeBaseline(join(place.root, "r"), { runtime });
      assert.ok(taken.status === "taken");
      const { baseline } = taken;
      const path = await saveBaseline(runtime, stateOf(place), baseline);
      const load = (gitDirectory: string) => loadBaseline(runtime, stateOf(place), gitDirectory);
      assert.deepEqual(await load(baseline.gitDirectory), baseline);
      assert.equal(await load("/elsewhere"), null);
      await runtime.fs.writeFile(path, JSON.stringify({ ...baseline, gitDirectory: "/other" }));
      assert.equal(await load(baseline.gitDirectory), null);
    }));

  test("that is damaged is no baseline", () =>
    inClone(async (place, probe, start) => {
      const path = await start();
      await place.runtime.fs.writeFile(path, '{"version":1,"head":"--all"}');
      assert.equal((await probe()).since?.kind, "base");
      assert.equal((await probe({ since: "baseline" })).answer, "no-opinion");
    }));

  test("of commits that are gone still answers", () =>
    inClone(async (place, probe, start) => {
      place.sh("git -C r commit -q --allow-empty -m gone");
      await start();
      place.sh(
        "git -C r reset -q --hard HEAD~1",
        "git -C r reflog expire --expire=now --all",
        "git -C r gc -q --prune=now",
        "git -C r commit -q --allow-empty -m b",
      );
      const evidence = await probe();
      assert.equal(evidence.answer, "evidence");
    }));

  test("cannot be taken where there is no working tree, and says why", async () => {
    const place = laboratory();
    try {
      const answer = await takeBaseline(place.root, { runtime: place.runtime });
      assert.deepEqual(answer, { status: "failed", reason: "cwd is not a git working tree" });
    } finally {
      place.remove();
    }
  });
});
