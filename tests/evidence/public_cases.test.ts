import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, test } from "node:test";
import { takeBaseline } from "../../src/evidence/baseline.ts";
import { saveBaseline } from "../../src/evidence/baseline_store.ts";
import { checkCompletionEvidence } from "../../src/evidence/check_completion_evidence.ts";
import type { CompletionEvidence } from "../../src/evidence/completion_evidence.ts";
import { decideOnStop } from "../../src/evidence/decide_on_stop.ts";
import { listFacts } from "../../src/evidence/describe_run.ts";
import { probeRun } from "../../src/evidence/probe_run.ts";
import type { Runtime } from "../../src/runtime/port.ts";
import { type Laboratory, laboratory } from "./repository.ts";

/** One case from a public report, built as a real repository `r`. */
interface Case {
  readonly id: string;
  readonly name: string;
  readonly steps: readonly string[];
  /** The folder to ask about; `r` when left out. */
  readonly cwd?: string;
  readonly base?: string;
  /** The user's own git settings. */
  readonly settings?: string;
  /** The parts of the answer the case is about. */
  readonly expect: Partial<CompletionEvidence>;
}

/** A repository with one commit on main, and a file in it. */
const ONE_COMMIT = [
  "git init -q -b main r",
  "echo x > r/f",
  "git -C r add f",
  "git -C r commit -qm a",
];

/** A repository `up` with one commit on its default branch, to be cloned. */
const upstream = (branch: string) => [
  `git init -q -b ${branch} up`,
  "git -C up commit -q --allow-empty -m a",
];

const CASES: readonly Case[] = [
  {
    id: "c388",
    name: "a linked working tree with edits in tracked files only is dirty",
    steps: [...ONE_COMMIT, "git -C r worktree add -q ../wt -b f", "echo more >> wt/f"],
    cwd: "wt",
    expect: { checked: true, dirty: true },
  },
  {
    id: "c389",
    name: "a commit on no branch and no remote is ahead",
    steps: [
      ...ONE_COMMIT,
      "git -C r checkout -q --detach",
      "git -C r commit -q --allow-empty -m b",
    ],
    expect: { checked: true, aheadOfBase: true, commitsAhead: 1 },
  },
  {
    id: "c393",
    name: "a change that is wholly staged is dirty",
    steps: [...ONE_COMMIT, "echo more >> r/f", "git -C r add f"],
    expect: { checked: true, dirty: true },
  },
  {
    id: "c397",
    name: "a fresh branch without tracking and commits of its own is not ahead",
    steps: [
      ...upstream("main"),
      "git clone -q up r",
      "git -C r switch -q --no-track -c f origin/main",
    ],
    expect: { checked: true, aheadOfBase: false, commitsAhead: 0, dirty: false },
  },
  {
    id: "c398",
    name: "a branch whose upstream is gone is counted against the base",
    steps: [
      ...upstream("main"),
      "git clone -q up r",
      "git -C r switch -q -c f",
      "git -C r commit -q --allow-empty -m b",
      "git -C r push -q -u origin f 2>/dev/null",
      "git -C up branch -q -D f",
      "git -C r fetch -q --prune",
    ],
    expect: { checked: true, commitsAhead: 1, baseRef: "origin/main" },
  },
  {
    id: "c402",
    name: "without origin/HEAD a default branch called master is found",
    steps: [
      ...upstream("master"),
      "git init -q -b work r",
      "git -C r remote add origin ../up",
      "git -C r fetch -q",
      "git -C r reset -q --hard origin/master",
      "git -C r commit -q --allow-empty -m b",
    ],
    expect: { checked: true, commitsAhead: 1, baseRef: "origin/master" },
  },
  {
    id: "c404",
    name: "origin/HEAD that points to a branch that is gone is not trusted",
    steps: [
      ...upstream("master"),
      "git clone -q up r",
      "git -C up branch -q -m master main",
      "git -C r fetch -q --prune 2>/dev/null",
      "git -C r symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/master",
      "git -C r branch -q --unset-upstream",
      "git -C r commit -q --allow-empty -m b",
    ],
    expect: { checked: true, commitsAhead: 1, baseRef: "origin/main" },
  },
  {
    id: "c405",
    name: "in a shallow clone that does not reach the base there is no opinion",
    steps: [
      ...upstream("main"),
      "git -C up branch f",
      "for i in 1 2 3 4; do git -C up commit -q --allow-empty -m m$i; done",
      "git -C up switch -q f",
      "for i in 1 2 3; do git -C up commit -q --allow-empty -m f$i; done",
      "git -C up switch -q main",
      'git clone -q --depth 2 --no-single-branch "file://$PWD/up" r',
      "git -C r switch -q f",
    ],
    expect: {
      checked: false,
      commitsAhead: null,
      reason: "the clone is shallow, and its history ends before it meets origin/main",
    },
  },
  {
    id: "c405 variant",
    name: "in a shallow clone a dirty tree is still dirty, and only the count is missing",
    steps: [
      ...upstream("main"),
      "git -C up branch f",
      "for i in 1 2 3 4; do git -C up commit -q --allow-empty -m m$i; done",
      "git -C up switch -q f",
      "for i in 1 2 3; do git -C up commit -q --allow-empty -m f$i; done",
      "git -C up switch -q main",
      'git clone -q --depth 2 --no-single-branch "file://$PWD/up" r',
      "git -C r switch -q f",
      "echo x > r/f",
    ],
    expect: { checked: true, dirty: true, aheadOfBase: null, commitsAhead: null },
  },
  {
    id: "c405 control",
    name: "in a shallow clone commits on top of the base are counted",
    steps: [
      ...upstream("main"),
      "for i in 1 2 3 4; do git -C up commit -q --allow-empty -m m$i; done",
      'git clone -q --depth 2 "file://$PWD/up" r',
      "git -C r commit -q --allow-empty -m b",
    ],
    expect: { checked: true, commitsAhead: 1, dirty: false },
  },
  {
    id: "c408",
    name: "an empty repository is clean",
    steps: ["git init -q -b main r"],
    expect: { checked: true, dirty: false, commitsAhead: null, reason: "" },
  },
  {
    id: "c415",
    name: "an https remote without credentials prompts nobody",
    steps: [...ONE_COMMIT, "git -C r remote add origin https://localhost:1/x.git"],
    expect: { checked: true, dirty: false },
  },
  {
    id: "c416",
    name: "an ssh remote prompts nobody",
    steps: [...ONE_COMMIT, "git -C r remote add origin ssh://localhost:1/x.git"],
    expect: { checked: true, dirty: false },
  },
  {
    id: "c420",
    name: "ignored files are not work",
    steps: [
      ...ONE_COMMIT,
      "echo build > r/.git/info/exclude",
      "mkdir r/build",
      "echo x > r/build/o",
    ],
    expect: { checked: true, dirty: false },
  },
  {
    id: "c426",
    name: "a lock left behind hides nothing in its own tree",
    steps: [
      ...ONE_COMMIT,
      "git -C r worktree add -q ../wt -b f",
      "touch r/.git/worktrees/wt/index.lock",
      "echo more >> wt/f",
    ],
    cwd: "wt",
    expect: { checked: true, dirty: true },
  },
  {
    id: "c426 variant",
    name: "a lock left behind in one tree leaves the other trees answered",
    steps: [
      ...ONE_COMMIT,
      "git -C r worktree add -q ../wt -b f",
      "touch r/.git/worktrees/wt/index.lock",
    ],
    expect: { checked: true, dirty: false, commitsAhead: 0 },
  },
  {
    id: "c685",
    name: "status.showUntrackedFiles=no in the user's settings hides nothing",
    steps: [...ONE_COMMIT, "echo x > r/new"],
    settings: "[status]\n\tshowUntrackedFiles = no\n",
    expect: { checked: true, dirty: true },
  },
  {
    id: "c685 variant",
    name: "status.showUntrackedFiles=no in the repository's settings hides nothing",
    steps: [...ONE_COMMIT, "git -C r config status.showUntrackedFiles no", "echo x > r/new"],
    expect: { checked: true, dirty: true },
  },
  {
    id: "c686",
    name: "a damaged index is no opinion",
    steps: [...ONE_COMMIT, "printf garbage > r/.git/index"],
    expect: { checked: false, dirty: null, reason: "git status probe failed" },
  },
  {
    id: "c694",
    name: "a tag called main is not the branch",
    steps: [
      ...ONE_COMMIT,
      "git -C r tag main",
      "git -C r commit -q --allow-empty -m b",
    ],
    expect: { checked: true, aheadOfBase: false, commitsAhead: 0, baseRef: "main" },
  },
  {
    id: "c694 variant",
    name: "a tag called main is not the branch when the caller says main",
    steps: [
      ...ONE_COMMIT,
      "git -C r tag main",
      "git -C r commit -q --allow-empty -m b",
    ],
    base: "main",
    expect: { checked: true, commitsAhead: 0, baseRef: "main" },
  },
  {
    id: "c696",
    name: "files with CRLF that the user's core.autocrlf explains are unchanged",
    steps: [
      "git init -q -b main r",
      "printf 'a\\r\\nb\\r\\n' > r/f",
      "git -C r add f 2>/dev/null",
      "git -C r commit -qm a",
      "touch -d 2001-01-01 r/f",
    ],
    settings: "[core]\n\tautocrlf = true\n",
    expect: { checked: true, dirty: false },
  },
  {
    id: "c696 variant",
    name: "files with CRLF that the repository's attributes explain are unchanged",
    steps: [
      "git init -q -b main r",
      "echo '* text eol=crlf' > r/.gitattributes",
      "printf 'a\\r\\nb\\r\\n' > r/f",
      "git -C r add . 2>/dev/null",
      "git -C r commit -qm a",
      "touch -d 2001-01-01 r/f",
    ],
    expect: { checked: true, dirty: false },
  },
  {
    id: "c696 variant 2",
    name: "a file mode that core.fileMode=false explains is unchanged",
    steps: [...ONE_COMMIT, "git -C r config core.fileMode false", "chmod +x r/f"],
    expect: { checked: true, dirty: false },
  },
];

async function within<T>(
  steps: readonly string[],
  settings: string,
  body: (place: Laboratory, cwd: string) => Promise<T>,
): Promise<T> {
  const place = laboratory(settings);
  try {
    place.sh(...steps);
    return await body(place, join(place.root, "r"));
  } finally {
    place.remove();
  }
}

describe("cases from public reports, with real repositories", () => {
  for (const { id, name, steps, cwd = "r", base, settings = "", expect } of CASES) {
    test(`${id}: ${name}`, () =>
      within(steps, settings, async (place) => {
        const evidence = await checkCompletionEvidence(join(place.root, cwd), {
          runtime: place.runtime,
          baseRef: base,
        });
        assert.deepEqual({ ...evidence, ...expect }, evidence);
      }));
  }

  test("c382: core.fsmonitor is not run, and the answer is the normal one", () =>
    within(
      [...ONE_COMMIT, "git -C r config core.fsmonitor 'touch ../marker;'"],
      "",
      async (place, cwd) => {
        const evidence = await checkCompletionEvidence(cwd, { runtime: place.runtime });
        assert.equal(evidence.checked, true);
        assert.equal(evidence.dirty, false);
        assert.equal(await place.runtime.fs.exists(join(place.root, "marker")), false);
      },
    ));

  test("c389: commits on no branch are said to be so", () =>
    within(
      [
        ...ONE_COMMIT,
        "git -C r checkout -q --detach",
        "git -C r commit -q --allow-empty -m b",
      ],
      "",
      async (place, cwd) => {
        const evidence = await probeRun(cwd, { runtime: place.runtime });
        assert.equal(evidence.onNoBranch, true);
        assert.match(listFacts(evidence).join("\n"), /on no branch: they are lost when HEAD moves/);
      },
    ));

  test("c391: a resumed run counts from its recorded beginning, not from HEAD", () =>
    within([...ONE_COMMIT, "git -C r switch -q -c f"], "", async (place, cwd) => {
      const { runtime } = place;
      await baselineOf(cwd, runtime);
      place.sh("git -C r commit -q --allow-empty -m b");
      const evidence = await probeRun(cwd, { runtime, stateFolder: stateFolder(runtime) });
      assert.equal(evidence.commits?.made, 1);
      assert.equal(evidence.since?.kind, "baseline");
    }));

  test("c412: GIT_DIR and kin of a surrounding hook do not answer for another repository", () =>
    within(
      [
        ...ONE_COMMIT,
        "git init -q -b main other",
        "git -C other commit -q --allow-empty -m o",
        "echo x > other/untracked",
      ],
      "",
      async (place, cwd) => {
        const other = join(place.root, "other");
        const runtime = place.withEnvironment({
          GIT_DIR: join(other, ".git"),
          GIT_WORK_TREE: other,
          GIT_INDEX_FILE: join(other, ".git/index"),
          GIT_OBJECT_DIRECTORY: join(other, ".git/objects"),
          GIT_COMMON_DIR: join(other, ".git"),
          GIT_NAMESPACE: "elsewhere",
          GIT_CEILING_DIRECTORIES: place.root,
          GIT_CONFIG_PARAMETERS: "'status.showuntrackedfiles=no'",
          GIT_CONFIG_COUNT: "1",
          GIT_CONFIG_KEY_0: "core.bare",
          GIT_CONFIG_VALUE_0: "true",
        });
        const before = await checkCompletionEvidence(cwd, { runtime });
        assert.equal(before.checked, true);
        assert.equal(before.dirty, false);
        place.sh("echo x > r/new");
        assert.equal((await checkCompletionEvidence(cwd, { runtime })).dirty, true);
      },
    ));

  test("c414: a repository of another user is no opinion, and says so", () =>
    within(ONE_COMMIT, "", async (place, cwd) => {
      if (process.getuid?.() === 0) place.sh("chown -R 12345 r");
      const { subprocess } = place.runtime;
      const runtime: Runtime = {
        ...place.runtime,
        subprocess: {
          // Git's own switch to treat every folder as somebody else's, for those who may not change owners.
          run: (request) =>
            subprocess.run({
              ...request,
              env: { ...request.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" },
            }),
        },
      };
      const evidence = await checkCompletionEvidence(cwd, { runtime });
      assert.equal(evidence.checked, false);
      assert.match(evidence.reason, /another user owns \(safe\.directory\)/);
      assert.equal((await probeRun(cwd, { runtime })).answer, "no-opinion");
      assert.doesNotMatch(
        new TextDecoder().decode(
          await runtime.fs.readFile(`${runtime.env.get("HOME")}/.gitconfig`),
        ),
        /directory/,
      );
    }));

  test("c423: a tree that equals an older commit is dirty, and nobody is told to commit it", () =>
    within(
      [
        ...ONE_COMMIT,
        "git -C r switch -q -c f",
        "git -C r worktree add -q ../wt main",
        "git -C wt switch -q -c g",
        "echo new > wt/f",
        "git -C wt commit -qam b",
        "git -C wt update-ref refs/heads/f HEAD",
      ],
      "",
      async (place, cwd) => {
        const evidence = await probeRun(cwd, { runtime: place.runtime });
        assert.equal(evidence.completion.dirty, true);
        assert.doesNotMatch(
          [evidence.sentence, ...listFacts(evidence)].join("\n"),
          /commit and push|git push/,
        );
      },
    ));

  test("c427: without git there is no opinion, and the reason names it", () =>
    within(ONE_COMMIT, "", async (place, cwd) => {
      const runtime = place.withEnvironment({ PATH: join(place.root, "empty") });
      const evidence = await checkCompletionEvidence(cwd, { runtime });
      assert.equal(evidence.checked, false);
      assert.equal(evidence.reason, "git could not be started: it is not on PATH");
    }));

  test("c427: a git that does not know an option is no opinion", () =>
    within([...ONE_COMMIT, "mkdir old"], "", async (place, cwd) => {
      const program = join(place.root, "old/git");
      writeFileSync(program, "#!/bin/sh\necho 'error: unknown option' >&2\nexit 129\n", {
        mode: 0o755,
      });
      const runtime = place.withEnvironment({ PATH: join(place.root, "old") });
      const evidence = await checkCompletionEvidence(cwd, { runtime });
      assert.equal(evidence.checked, false);
      assert.equal(evidence.reason, "git status probe failed");
    }));

  test("D6-1 c428: a status that takes longer than five seconds is ended, and is no opinion", {
    timeout: 30_000,
  }, () =>
    within([...ONE_COMMIT, "mkfifo r/.gitignore"], "", async (place, cwd) => {
      const evidence = await checkCompletionEvidence(cwd, { runtime: place.runtime });
      assert.equal(evidence.checked, false);
      assert.equal(evidence.reason, "git status probe failed: no answer within five seconds");
      const left = place.sh("ps -eo args | grep '[s]tatus --porcelain=v2' || true");
      assert.ok(!left.includes("--untracked-files=normal"), left);
    }));

  const OPERATIONS: readonly (readonly [string, string])[] = [
    ["merge", "git -C r merge -q --no-commit --no-ff -s ours side"],
    ["rebase", "git -C r rebase -q -x false HEAD~1 2>/dev/null || true"],
    [
      "cherry-pick",
      "git -C r cherry-pick --no-commit side; git -C r rev-parse side > r/.git/CHERRY_PICK_HEAD; git -C r reset -q --hard 2>/dev/null; git -C r rev-parse side > r/.git/CHERRY_PICK_HEAD",
    ],
    ["bisect", "git -C r bisect start -q HEAD HEAD~1 >/dev/null"],
  ];
  for (const [operation, begin] of OPERATIONS) {
    test(`c429: an unfinished ${operation} is work, by name`, () =>
      within(
        [
          ...ONE_COMMIT,
          "git -C r commit -q --allow-empty -m b",
          "git -C r switch -q -c side",
          "git -C r commit -q --allow-empty -m s",
          "git -C r switch -q main",
          begin,
        ],
        "",
        async (place, cwd) => {
          const evidence = await probeRun(cwd, { runtime: place.runtime });
          assert.equal(evidence.operation, operation);
          assert.equal(evidence.answer, "evidence");
          assert.match(evidence.sentence, new RegExp(`an unfinished ${operation}`));
        },
      ));
  }

  test("c663: what was there when the session began is reported apart and does not count", () =>
    within([...ONE_COMMIT, "echo more >> r/f", "echo x > r/mine"], "", async (place, cwd) => {
      const { runtime } = place;
      await baselineOf(cwd, runtime);
      const evidence = await probeRun(cwd, { runtime, stateFolder: stateFolder(runtime) });
      assert.equal(evidence.completion.dirty, true);
      assert.equal(evidence.answer, "none");
      assert.deepEqual(evidence.earlierFiles, ["f", "mine"]);
      place.sh("echo even more >> r/f");
      const later = await probeRun(cwd, { runtime, stateFolder: stateFolder(runtime) });
      assert.equal(later.answer, "evidence");
      assert.deepEqual(later.changedFiles, ["f"]);
      assert.deepEqual(later.earlierFiles, ["mine"]);
      assert.equal(decideOnStop(later, "block", false).action, "stop");
    }));

  test("c666: the uncommitted paths of a sub-agent's own working tree are named", () =>
    within(
      [...ONE_COMMIT, "git -C r worktree add -q ../wt -b f", "echo more >> wt/f"],
      "",
      async (place) => {
        const evidence = await probeRun(join(place.root, "wt"), { runtime: place.runtime });
        assert.equal(evidence.answer, "evidence");
        assert.deepEqual(evidence.changedFiles, ["f"]);
        assert.match(listFacts(evidence).join("\n"), /not committed: f/);
      },
    ));

  test("c691: commits that a merge brought in are told from the branch's own", () =>
    within(
      [
        ...ONE_COMMIT,
        "git -C r switch -q -c theirs",
        "for i in $(seq 30); do git -C r commit -q --allow-empty -m m$i; done",
        "git -C r switch -q -c f main",
        "git -C r commit -q --allow-empty -m own",
        "git -C r merge -q --no-edit theirs",
      ],
      "",
      async (place, cwd) => {
        const evidence = await probeRun(cwd, { runtime: place.runtime });
        // The document counts all of them (D6-5); the branch's own are beside it.
        assert.equal(evidence.completion.commitsAhead, 32);
        assert.equal(evidence.commits?.onFirstParent, 2);
      },
    ));
});

function stateFolder(runtime: Runtime): string {
  return `${runtime.env.get("HOME")}/state`;
}

async function baselineOf(cwd: string, runtime: Runtime): Promise<void> {
  const answer = await takeBaseline(cwd, { runtime });
  assert.equal(answer.status, "taken");
  if (answer.status === "taken") await saveBaseline(runtime, stateFolder(runtime), answer.baseline);
}
