import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { checkCompletionEvidence } from "../../src/evidence/check_completion_evidence.ts";
import type { CompletionEvidence } from "../../src/evidence/completion_evidence.ts";
import { probeRun } from "../../src/evidence/probe_run.ts";
import { laboratory } from "./repository.ts";

/** A state a repository can be in, and the part of the answer that is about it. */
interface State {
  readonly name: string;
  readonly steps: readonly string[];
  readonly cwd?: string;
  readonly base?: string;
  readonly settings?: string;
  readonly expect: Partial<CompletionEvidence>;
}

const ONE_COMMIT = [
  "git init -q -b main r",
  "echo x > r/f",
  "git -C r add f",
  "git -C r commit -qm a",
];

const SUBMODULE = [
  "git init -q -b main sub",
  "echo x > sub/g",
  "git -C sub add g",
  "git -C sub commit -qm s",
  ...ONE_COMMIT,
  'git -C r submodule --quiet add "$PWD/sub" sub',
  "git -C r commit -qm submodule",
];

/** A filter that turns what is in the folder into something else in the repository, like Git LFS. */
const FILTERED = [
  "git init -q -b main r",
  "git -C r config filter.up.clean 'tr a-z A-Z'",
  "echo '*.bin filter=up' > r/.gitattributes",
  "echo abc > r/x.bin",
  "echo abc > r/plain",
  "git -C r add .",
  "git -C r commit -qm a",
  "touch -d 2001-01-01 r/x.bin",
];

const STATES: readonly State[] = [
  {
    name: "a submodule with nothing new in it is clean",
    steps: SUBMODULE,
    expect: { checked: true, dirty: false, reason: "" },
  },
  {
    name: "a submodule with a changed file in it is dirty",
    steps: [...SUBMODULE, "echo more >> r/sub/g"],
    expect: { checked: true, dirty: true },
  },
  {
    name: "a submodule with an untracked file in it is dirty",
    steps: [...SUBMODULE, "echo x > r/sub/new"],
    expect: { checked: true, dirty: true },
  },
  {
    name: "a submodule that its settings ask to ignore is dirty all the same",
    steps: [...SUBMODULE, "git -C r config submodule.sub.ignore all", "echo more >> r/sub/g"],
    expect: { checked: true, dirty: true },
  },
  {
    name: "a submodule at another commit is dirty",
    steps: [...SUBMODULE, "git -C r/sub commit -q --allow-empty -m more"],
    expect: { checked: true, dirty: true },
  },
  {
    name: "a submodule that was never checked out is clean",
    steps: [...SUBMODULE, "git -C r submodule --quiet deinit -f sub"],
    expect: { checked: true, dirty: false },
  },
  {
    name: "a change in a submodule's submodule is dirty",
    steps: [
      "git init -q -b main deep",
      "echo x > deep/h",
      "git -C deep add h",
      "git -C deep commit -qm d",
      ...SUBMODULE,
      'git -C r/sub submodule --quiet add "$PWD/deep" deep',
      "git -C r/sub commit -qm deep",
      "git -C r commit -qam pointer",
      "echo more >> r/sub/deep/h",
    ],
    expect: { checked: true, dirty: true },
  },
  {
    name: "inside a submodule the answer is the submodule's",
    steps: [...SUBMODULE, "echo x > r/new"],
    cwd: "r/sub",
    expect: { checked: true, dirty: false, baseRef: "origin/main", commitsAhead: 0 },
  },
  {
    name: "a submodule that cannot be looked into is no opinion",
    steps: [...SUBMODULE, "printf garbage > r/.git/modules/sub/index"],
    expect: {
      checked: false,
      reason: "the submodule sub cannot be looked into (git status probe failed)",
    },
  },
  {
    name: "a submodule that cannot be looked into hides no other change",
    steps: [...SUBMODULE, "printf garbage > r/.git/modules/sub/index", "echo more >> r/f"],
    expect: { checked: true, dirty: true },
  },
  {
    name: "a repository added without .gitmodules is looked into as well",
    steps: [
      ...ONE_COMMIT,
      "git init -q -b main r/inner",
      "echo x > r/inner/g",
      "git -C r/inner add g",
      "git -C r/inner commit -qm s",
      "git -C r add inner 2>/dev/null",
      "git -C r commit -qm inner",
      "echo more >> r/inner/g",
    ],
    expect: { checked: true, dirty: true },
  },
  {
    name: "a file behind a filter that may be unchanged is no opinion",
    steps: FILTERED,
    expect: {
      checked: false,
      reason: "1 file behind a content filter may have changed, and the filter is not run",
    },
  },
  {
    name: "a file behind a filter does not hide another that is changed",
    steps: [...FILTERED, "echo more >> r/plain"],
    expect: { checked: true, dirty: true },
  },
  {
    name: "a file behind a filter that is deleted is dirty",
    steps: [...FILTERED, "rm r/x.bin"],
    expect: { checked: true, dirty: true },
  },
  {
    name: "a file behind a filter does not hide a commit",
    steps: [
      ...FILTERED,
      "git -C r switch -q -c f",
      "git -C r commit -q --allow-empty -m b",
      "touch -d 2002-01-01 r/x.bin",
    ],
    expect: { checked: true, aheadOfBase: true, dirty: null },
  },
  {
    name: "Git LFS in the user's settings leaves a repository without it alone",
    steps: [...ONE_COMMIT, "echo more >> r/f"],
    settings: '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tprocess = git-lfs filter-process\n',
    expect: { checked: true, dirty: true, reason: "" },
  },
  {
    name: "a sparse checkout is clean",
    steps: [
      ...ONE_COMMIT,
      "mkdir r/in r/out",
      "echo x > r/in/a",
      "echo x > r/out/b",
      "git -C r add .",
      "git -C r commit -qm more",
      "git -C r sparse-checkout set in",
    ],
    expect: { checked: true, dirty: false },
  },
  {
    name: "a change in a sparse checkout is dirty",
    steps: [
      ...ONE_COMMIT,
      "mkdir r/in r/out",
      "echo x > r/in/a",
      "echo x > r/out/b",
      "git -C r add .",
      "git -C r commit -qm more",
      "git -C r sparse-checkout set in",
      "echo more >> r/in/a",
    ],
    expect: { checked: true, dirty: true },
  },
  {
    name: "a lock on the index is neither waited for nor a failure",
    steps: [...ONE_COMMIT, "touch r/.git/index.lock", "touch -d 2001-01-01 r/f"],
    expect: { checked: true, dirty: false },
  },
  {
    name: "a conflict is dirty",
    steps: [
      ...ONE_COMMIT,
      "git -C r switch -q -c side",
      "echo one > r/f",
      "git -C r commit -qam one",
      "git -C r switch -q main",
      "echo two > r/f",
      "git -C r commit -qam two",
      "git -C r merge -q side >/dev/null || true",
    ],
    expect: { checked: true, dirty: true },
  },
  {
    name: "a renamed file is dirty",
    steps: [...ONE_COMMIT, "git -C r mv f g"],
    expect: { checked: true, dirty: true },
  },
  {
    name: "a working tree that core.worktree moves away is no opinion",
    steps: [...ONE_COMMIT, "mkdir away", 'git -C r config core.worktree "$PWD/away"'],
    expect: {
      checked: false,
      reason:
        "git status probe failed: the repository's core.worktree points away from this folder",
    },
  },
  {
    name: "a working tree that core.worktree widens is no opinion",
    steps: [...ONE_COMMIT, 'git -C r config core.worktree "$PWD"'],
    expect: { checked: false },
  },
  {
    name: "a .git that is a link to a folder works",
    steps: [...ONE_COMMIT, "mv r/.git elsewhere", "ln -s ../elsewhere r/.git", "echo x > r/new"],
    expect: { checked: true, dirty: true },
  },
  {
    name: "a separate git folder works",
    steps: [
      ...ONE_COMMIT,
      "git init -q --separate-git-dir=elsewhere r",
      "git -C r switch -q -c f",
      "git -C r commit -q --allow-empty -m b",
    ],
    expect: { checked: true, commitsAhead: 1, baseRef: "main" },
  },
  {
    name: "packed references are found",
    steps: [
      ...ONE_COMMIT,
      "git -C r switch -q -c f",
      "git -C r commit -q --allow-empty -m b",
      "git -C r pack-refs --all",
    ],
    expect: { checked: true, commitsAhead: 1, baseRef: "main" },
  },
  {
    name: "a packed origin/main comes before a main of one's own",
    steps: [
      "git init -q -b main up",
      "git -C up commit -q --allow-empty -m a",
      "git clone -q up r",
      "git -C r remote set-head origin --delete",
      "git -C r pack-refs --all",
      "rm -rf r/.git/refs/remotes",
      "git -C r commit -q --allow-empty -m b",
    ],
    expect: { checked: true, commitsAhead: 1, baseRef: "origin/main" },
  },
  {
    name: "a base by its commit",
    steps: [
      ...ONE_COMMIT,
      "git -C r commit -q --allow-empty -m b",
      "git -C r commit -q --allow-empty -m c",
    ],
    base: "main~2",
    expect: { checked: true, commitsAhead: 2, baseRef: "main~2" },
  },
  {
    name: "a base by its full name",
    steps: [...ONE_COMMIT, "git -C r tag v", "git -C r commit -q --allow-empty -m b"],
    base: "refs/tags/v",
    expect: { checked: true, commitsAhead: 1, baseRef: "refs/tags/v" },
  },
  {
    name: "a base that is a range is none",
    steps: [...ONE_COMMIT, "git -C r commit -q --allow-empty -m b"],
    base: "main~1..main",
    expect: { checked: true, commitsAhead: 0, baseRef: "main" },
  },
  {
    name: "a base that is an option with a value is none",
    steps: ONE_COMMIT,
    base: "--output=../written",
    expect: { checked: true, commitsAhead: 0, baseRef: "main" },
  },
  {
    name: "a base with a control character is none",
    steps: ONE_COMMIT,
    base: "ma\0in",
    expect: { checked: true, commitsAhead: 0, baseRef: "main" },
  },
  {
    name: "a base without common history counts everything",
    steps: [
      ...ONE_COMMIT,
      "git -C r switch -q --orphan o",
      "git -C r commit -q --allow-empty -m o",
      "git -C r commit -q --allow-empty -m p",
    ],
    expect: { checked: true, commitsAhead: 2, baseRef: "main" },
  },
  {
    name: "a folder that is a file is no working tree",
    steps: ONE_COMMIT,
    cwd: "r/f",
    expect: { checked: false, reason: "cwd is not a git working tree" },
  },
  {
    name: "a repository with SHA-256 names works",
    steps: [
      "git init -q --object-format=sha256 -b main r",
      "git -C r commit -q --allow-empty -m a",
      "git -C r switch -q -c f",
      "git -C r commit -q --allow-empty -m b",
      "echo x > r/new",
    ],
    expect: { checked: true, dirty: true, commitsAhead: 1, baseRef: "main" },
  },
  {
    name: "a partial clone is clean",
    steps: [
      ...ONE_COMMIT,
      "mv r up",
      "git -C up config uploadpack.allowFilter true",
      'git clone -q --filter=blob:none "file://$PWD/up" r',
      "git -C r commit -q --allow-empty -m b",
    ],
    expect: { checked: true, dirty: false, commitsAhead: 1 },
  },
  {
    name: "a change in a partial clone is dirty, with its remote gone",
    steps: [
      ...ONE_COMMIT,
      "mv r up",
      "git -C up config uploadpack.allowFilter true",
      'git clone -q --filter=blob:none "file://$PWD/up" r',
      "rm -rf up",
      "echo more >> r/f",
    ],
    expect: { checked: true, dirty: true, commitsAhead: 0 },
  },
  {
    name: "a clone that borrows its objects works",
    steps: [
      ...ONE_COMMIT,
      "mv r up",
      "git clone -q --shared up r",
      "git -C r commit -q --allow-empty -m b",
    ],
    expect: { checked: true, dirty: false, commitsAhead: 1 },
  },
  {
    name: "a path with a line break in it is dirty",
    steps: [...ONE_COMMIT, 'touch "r/a\nb"'],
    expect: { checked: true, dirty: true },
  },
];

describe("states a working tree can be in", () => {
  for (const { name, steps, cwd = "r", base, settings = "", expect } of STATES) {
    test(name, async () => {
      const place = laboratory(settings);
      try {
        place.sh(...steps);
        const evidence = await checkCompletionEvidence(join(place.root, cwd), {
          runtime: place.runtime,
          baseRef: base,
        });
        assert.deepEqual({ ...evidence, ...expect }, evidence);
        assert.equal(await place.runtime.fs.exists(join(place.root, "written")), false);
      } finally {
        place.remove();
      }
    });
  }

  test("a folder reached through a link is the folder it leads to", async () => {
    const place = laboratory();
    try {
      place.sh(...ONE_COMMIT, "mkdir r/sub other", "echo x > r/new");
      symlinkSync(join(place.root, "r/sub"), join(place.root, "other/link"));
      const evidence = await checkCompletionEvidence(join(place.root, "other/link"), {
        runtime: place.runtime,
      });
      assert.equal(evidence.dirty, true);
    } finally {
      place.remove();
    }
  });

  test("a relative folder is taken from the current one", async () => {
    const place = laboratory();
    try {
      place.sh(...ONE_COMMIT, "echo x > r/new");
      const runtime = {
        ...place.runtime,
        env: { ...place.runtime.env, get: place.runtime.env.get, cwd: () => place.root },
      };
      assert.equal((await checkCompletionEvidence("./r/", { runtime })).dirty, true);
    } finally {
      place.remove();
    }
  });

  test("fifty thousand files are answered", { timeout: 60_000 }, async () => {
    const place = laboratory();
    try {
      // In the index and not on the disk: all deleted, and later all outside of a sparse checkout.
      place.sh(
        "git init -q -b main r",
        "cd r",
        "blob=$(git hash-object -w --stdin < /dev/null)",
        'seq -f "100644 $blob\tfolder%g/file" 50000 | git update-index --index-info',
        "git commit -qm a",
        "git switch -q -c f",
        "git commit -q --allow-empty -m b",
      );
      const cwd = join(place.root, "r");
      const { runtime } = place;
      const deleted = await checkCompletionEvidence(cwd, { runtime });
      assert.deepEqual([deleted.dirty, deleted.commitsAhead], [true, 1], deleted.reason);
      const run = await probeRun(cwd, { runtime });
      assert.equal(run.changedFiles.length, 50_000);
      assert.match(run.sentence, /50000 changed files not committed/);
      place.sh("cd r", "git ls-files -z | git update-index -z --skip-worktree --stdin");
      const clean = await checkCompletionEvidence(cwd, { runtime });
      assert.deepEqual([clean.dirty, clean.commitsAhead], [false, 1], clean.reason);
    } finally {
      place.remove();
    }
  });

  test("two commands are enough for a plain repository", async () => {
    const place = laboratory();
    try {
      place.sh(
        "git init -q -b main up",
        "git -C up commit -q --allow-empty -m a",
        "git clone -q up r",
        "git -C r switch -q -c f",
        "git -C r commit -q --allow-empty -m b",
      );
      const started: string[] = [];
      const { subprocess } = place.runtime;
      const runtime = {
        ...place.runtime,
        subprocess: {
          run: (request: Parameters<typeof subprocess.run>[0]) => {
            started.push(request.argv.find((word) => /^(status|rev-)/.test(word)) ?? "another");
            return subprocess.run(request);
          },
        },
      };
      const evidence = await checkCompletionEvidence(join(place.root, "r"), { runtime });
      assert.equal(evidence.commitsAhead, 1);
      assert.deepEqual(started.sort(), ["rev-list", "status"]);
    } finally {
      place.remove();
    }
  });
});
