import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { takeBaseline } from "../../src/evidence/baseline.ts";
import { checkCompletionEvidence } from "../../src/evidence/check_completion_evidence.ts";
import { probeRun } from "../../src/evidence/probe_run.ts";
import { type Laboratory, laboratory } from "./repository.ts";

/** A repository that runs its own program when git is used carelessly. */
interface Trap {
  readonly name: string;
  /** Commands that set the trap; `$TRAP` is a program that leaves a mark. The repository is `r`, with one commit on main. */
  readonly set: readonly string[];
  /** A careless command that springs it, to show that the trap works at all. */
  readonly careless: string;
  /** Whether the probe can still say that the tree is dirty; "no opinion" where only the trap's program could tell. */
  readonly expect: "clean" | "dirty" | "no-opinion";
}

/** A file whose content is as it was, but which git has to read again to know that. */
const TOUCH_LATER = "touch -d '2001-01-01' r/f";

const CLONE_WITHOUT_BLOBS = [
  "git -C r config uploadpack.allowFilter true",
  "git -C r config uploadpack.allowAnySHA1InWant true",
  "mv r up",
  'git clone -q --no-checkout --filter=tree:0 "file://$PWD/up" r',
];

const TRAPS: readonly Trap[] = [
  {
    name: "core.fsmonitor",
    set: ['git -C r config core.fsmonitor "$TRAP"'],
    careless: "git -C r status",
    expect: "clean",
  },
  {
    name: "core.fsmonitor through an included file",
    set: [
      `printf '[core]\\n\\tfsmonitor = %s\\n' "$TRAP" > r/.git/more`,
      "git -C r config include.path more",
    ],
    careless: "git -C r status",
    expect: "clean",
  },
  {
    name: "a clean filter",
    set: [
      'git -C r config filter.x.clean "$TRAP; cat"',
      "echo '* filter=x' > r/.git/info/attributes",
      TOUCH_LATER,
    ],
    careless: "git -C r status",
    expect: "clean",
  },
  {
    name: "a required clean filter, committed attributes",
    set: [
      "echo '* filter=x' > r/.gitattributes",
      "git -C r add .gitattributes",
      "git -C r commit -qm attributes",
      'git -C r config filter.x.clean "$TRAP; cat"',
      "git -C r config filter.x.required true",
      "echo more >> r/f",
    ],
    careless: "git -C r add f",
    expect: "no-opinion",
  },
  {
    name: "a filter process",
    set: [
      'git -C r config filter.x.process "$TRAP"',
      "echo '* filter=x' > r/.git/info/attributes",
      TOUCH_LATER,
    ],
    careless: "git -C r status",
    expect: "clean",
  },
  {
    name: "a filter through a conditional include",
    set: [
      `printf '[filter "y"]\\n\\tclean = %s; cat\\n' "$TRAP" > r/.git/more`,
      'git -C r config "includeIf.gitdir:**.path" more',
      "echo '* filter=y' > r/.git/info/attributes",
      TOUCH_LATER,
    ],
    careless: "git -C r status",
    expect: "clean",
  },
  {
    name: "a filter in the settings of one working tree",
    set: [
      "git -C r config extensions.worktreeConfig true",
      'git -C r config --worktree filter.x.clean "$TRAP; cat"',
      "echo '* filter=x' > r/.git/info/attributes",
      TOUCH_LATER,
    ],
    careless: "git -C r status",
    expect: "clean",
  },
  {
    name: "a filter called lfs",
    set: [
      'git -C r config filter.lfs.clean "$TRAP; cat"',
      "echo '* filter=lfs' > r/.git/info/attributes",
      TOUCH_LATER,
    ],
    careless: "git -C r status",
    expect: "clean",
  },
  {
    name: "a filter whose name holds an equals sign",
    set: [
      'git -C r config "filter.a=b.clean" "$TRAP; cat"',
      "printf '[attr]z filter=a=b\\n* filter=a=b\\n' > r/.git/info/attributes",
      TOUCH_LATER,
    ],
    careless: "git -C r status",
    expect: "no-opinion",
  },
  {
    name: "a filter in a repository above a damaged one",
    set: [
      'git -C r config filter.x.clean "$TRAP; cat"',
      "echo '* filter=x' > r/.git/info/attributes",
      "mv r outer",
      "git init -q outer/r",
      "echo broken > outer/r/.git/HEAD",
      "touch -d '2001-01-01' outer/f",
      "ln -s outer/r r",
    ],
    careless: "git -C outer status",
    expect: "clean",
  },
  {
    name: "a filter inside a submodule",
    set: [
      "git init -q -b main sub",
      "echo x > sub/g",
      "git -C sub add g",
      "git -C sub commit -qm s",
      'git -C r submodule --quiet add "$PWD/sub" sub',
      "git -C r commit -qm submodule",
      'git -C r/sub config filter.x.clean "$TRAP; cat"',
      "echo '* filter=x' > r/.git/modules/sub/info/attributes",
      "touch -d '2001-01-01' r/sub/g",
    ],
    careless: "git -C r status",
    expect: "clean",
  },
  {
    name: "a filter inside a repository added without .gitmodules",
    set: [
      "git init -q -b main r/inner",
      "echo x > r/inner/g",
      "git -C r/inner add g",
      "git -C r/inner commit -qm s",
      "git -C r add inner 2>/dev/null",
      "git -C r commit -qm inner",
      'git -C r/inner config filter.x.clean "$TRAP; cat"',
      "echo '* filter=x' > r/inner/.git/info/attributes",
      "touch -d '2001-01-01' r/inner/g",
    ],
    careless: "git -C r status",
    expect: "clean",
  },
  {
    name: "a monitor inside a submodule",
    set: [
      "git init -q -b main sub",
      "git -C sub commit -q --allow-empty -m s",
      'git -C r submodule --quiet add "$PWD/sub" sub',
      "git -C r commit -qm submodule",
      'git -C r/sub config core.fsmonitor "$TRAP"',
    ],
    careless: "git -C r status",
    expect: "clean",
  },
  {
    name: "textconv",
    set: [
      'git -C r config diff.x.textconv "$TRAP"',
      "echo '* diff=x' > r/.git/info/attributes",
      "echo more >> r/f",
    ],
    careless: "git -C r diff",
    expect: "dirty",
  },
  {
    name: "an external diff",
    set: ['git -C r config diff.external "$TRAP"', "echo more >> r/f"],
    careless: "git -C r diff",
    expect: "dirty",
  },
  {
    name: "an external diff by attribute",
    set: [
      'git -C r config diff.x.command "$TRAP"',
      "echo '* diff=x' > r/.git/info/attributes",
      "echo more >> r/f",
    ],
    careless: "git -C r diff",
    expect: "dirty",
  },
  {
    name: "a merge driver",
    set: [
      "git -C r switch -q -c side",
      "echo one > r/f",
      "git -C r commit -qam one",
      "git -C r switch -q main",
      "echo two > r/f",
      "git -C r commit -qam two",
      "git -C r switch -q side",
      'git -C r config merge.x.driver "$TRAP; false"',
      "echo '* merge=x' > r/.git/info/attributes",
    ],
    careless: "git -C r merge-tree --write-tree main side",
    expect: "dirty",
  },
  {
    name: "a merge driver by default, called text",
    set: [
      "git -C r switch -q -c side",
      "echo one > r/f",
      "git -C r commit -qam one",
      "git -C r switch -q main",
      "echo two > r/f",
      "git -C r commit -qam two",
      "git -C r switch -q side",
      'git -C r config merge.text.driver "$TRAP; false"',
      "git -C r config merge.default text",
    ],
    careless: "git -C r merge-tree --write-tree main side",
    expect: "dirty",
  },
  {
    name: "the post-index-change hook",
    set: ['ln -s "$TRAP" r/.git/hooks/post-index-change', TOUCH_LATER],
    careless: "git -C r status",
    expect: "clean",
  },
  {
    name: "core.hooksPath",
    set: [
      "mkdir r/.git/other",
      'ln -s "$TRAP" r/.git/other/post-index-change',
      "git -C r config core.hooksPath .git/other",
      TOUCH_LATER,
    ],
    careless: "git -C r status",
    expect: "clean",
  },
  {
    name: "an alias with a command's own name",
    set: [
      'git -C r config alias.st "!$TRAP"',
      'git -C r config alias.status "!$TRAP"',
      'git -C r config alias.rev-list "!$TRAP"',
    ],
    careless: "git -C r st",
    expect: "clean",
  },
  {
    name: "a pager",
    set: [
      'git -C r config core.pager "$TRAP"',
      'git -C r config pager.status "$TRAP"',
      'git -C r config pager.rev-list "$TRAP"',
    ],
    careless: "script -qec 'git -C r status' /dev/null",
    expect: "clean",
  },
  {
    name: "askpass",
    set: [
      'git -C r config core.askPass "$TRAP"',
      "git -C r remote add origin https://user@localhost:1/x",
    ],
    careless: "printf 'protocol=https\\nhost=localhost\\n\\n' | git -C r credential fill",
    expect: "clean",
  },
  {
    name: "a credential helper",
    set: ['git -C r config credential.helper "!$TRAP"'],
    careless: "printf 'protocol=https\\nhost=localhost\\n\\n' | git -C r credential fill",
    expect: "clean",
  },
  {
    name: "an ssh command",
    set: [
      'git -C r config core.sshCommand "$TRAP"',
      "git -C r remote add origin ssh://localhost/x",
    ],
    careless: "git -C r fetch origin",
    expect: "clean",
  },
  {
    name: "a partial clone that fetches what is missing",
    set: [
      ...CLONE_WITHOUT_BLOBS,
      'git -C r config remote.origin.uploadpack "$TRAP"',
    ],
    careless: "git -C r ls-tree -r HEAD",
    expect: "no-opinion",
  },
  {
    name: "a partial clone over a transport of its own",
    set: [
      ...CLONE_WITHOUT_BLOBS,
      'git -C r config remote.origin.url "ext::$TRAP"',
      "git -C r config protocol.ext.allow always",
    ],
    careless: "git -C r ls-tree -r HEAD",
    expect: "no-opinion",
  },
  {
    name: "a signature checker",
    set: [
      'git -C r config gpg.program "$TRAP"',
      "git -C r config log.showSignature true",
      "tree=$(git -C r write-tree)",
      "printf 'tree %s\\nauthor A <a@b> 1 +0000\\ncommitter A <a@b> 1 +0000\\ngpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n -----END PGP SIGNATURE-----\\n\\nm\\n' $tree > signed",
      "git -C r update-ref refs/heads/main $(git -C r hash-object -t commit -w --stdin < signed)",
    ],
    careless: "git -C r log -1",
    expect: "clean",
  },
  {
    name: "alternates with a command to list their references",
    set: [
      "git clone -q --bare r other.git",
      'echo "$PWD/other.git/objects" > r/.git/objects/info/alternates',
      'git -C r config core.alternateRefsCommand "$TRAP"',
    ],
    careless: "git -C r rev-list --alternate-refs -1",
    expect: "clean",
  },
  {
    name: "an editor",
    set: ['git -C r config core.editor "$TRAP"', 'git -C r config sequence.editor "$TRAP"'],
    careless: "git -C r commit --amend",
    expect: "clean",
  },
  {
    name: "a git of its own on the path",
    set: ["mkdir r/bin", 'ln -s "$TRAP" r/bin/git', "echo bin > r/.git/info/exclude"],
    careless: "PATH=$PWD/r/bin:$PATH git status",
    expect: "clean",
  },
];

function build(trap: Trap): { place: Laboratory; sprung: () => boolean } {
  const place = laboratory();
  const mark = join(place.root, "sprung");
  place.write("trap.sh", `#!/bin/sh\n/bin/touch '${mark}'\nexit 1\n`);
  chmodSync(join(place.root, "trap.sh"), 0o755);
  try {
    place.sh(
      "git init -q -b main r",
      "echo x > r/f",
      "git -C r add f",
      "git -C r commit -qm a",
      'TRAP="$PWD/trap.sh"',
      ...trap.set,
    );
  } catch (error) {
    place.remove();
    throw error;
  }
  // Setting a trap may spring it.
  rmSync(mark, { force: true });
  return { place, sprung: () => existsSync(mark) };
}

describe("a repository that would run its own programs", () => {
  for (const trap of TRAPS) {
    test(`${trap.name}: the trap works`, () => {
      const { place, sprung } = build(trap);
      try {
        place.sh(`(${trap.careless}) >/dev/null 2>&1 </dev/null || true`);
        assert.ok(sprung(), `${trap.careless} runs the program`);
      } finally {
        place.remove();
      }
    });

    test(`${trap.name}: the probe runs nothing of it`, async () => {
      const { place, sprung } = build(trap);
      const cwd = join(place.root, "r");
      const runtime = place.withEnvironment({
        PATH: `${cwd}/bin:bin:.::${place.runtime.env.get("PATH")}`,
        XDG_STATE_HOME: join(place.root, "state"),
      });
      try {
        const evidence = await checkCompletionEvidence(cwd, { runtime });
        assert.ok(!sprung(), "the probe ran the program");
        const found = !evidence.checked
          ? "no-opinion"
          : evidence.dirty || evidence.aheadOfBase
          ? "dirty"
          : "clean";
        assert.equal(found, trap.expect, JSON.stringify(evidence));
        if (!evidence.checked) assert.notEqual(evidence.reason, "");
        await takeBaseline(cwd, { runtime });
        assert.ok(!sprung(), "taking a baseline ran the program");
        await probeRun(cwd, { runtime });
        assert.ok(!sprung(), "the look at the run ran the program");
      } finally {
        place.remove();
      }
    });
  }

  for (const [name, value] of [["HOME", "."], ["GIT_CONFIG_GLOBAL", ".gitconfig"]]) {
    test(`a relative ${name} does not make the repository speak as the user`, async () => {
      const { place, sprung } = build({
        name: "",
        set: [
          `printf '[filter "x"]\\n\\tclean = %s; cat\\n' "$TRAP" > r/.gitconfig`,
          "echo '.gitconfig' > r/.git/info/exclude",
          "echo '* filter=x' > r/.git/info/attributes",
          TOUCH_LATER,
        ],
        careless: "",
        expect: "clean",
      });
      const cwd = join(place.root, "r");
      try {
        place.sh(`cd r; ${name}=${value} git status >/dev/null`);
        assert.ok(sprung(), "the trap works");
        // Another time than before: git compares seconds, and has just looked.
        place.sh("touch -d '2002-02-02' r/f", "rm sprung");
        const runtime = place.withEnvironment({ [name]: value });
        const evidence = await checkCompletionEvidence(cwd, { runtime });
        await probeRun(cwd, { runtime });
        assert.ok(!sprung());
        assert.equal(evidence.dirty, false);
      } finally {
        place.remove();
      }
    });
  }

  test("a look leaves the repository as it was, byte for byte", async () => {
    const { place } = build({ name: "", set: [TOUCH_LATER], careless: "", expect: "clean" });
    place.sh(
      "git -C r switch -q -c side",
      "git -C r commit -q --allow-empty -m b",
      "echo y > r/g",
    );
    const cwd = join(place.root, "r");
    try {
      const before = inventory(cwd);
      await checkCompletionEvidence(cwd, { runtime: place.runtime });
      await probeRun(cwd, { runtime: place.runtime });
      assert.ok(before.length > 10);
      assert.ok(inventory(cwd).join("\n") === before.join("\n"), "a file was changed");
    } finally {
      place.remove();
    }
  });
});

/** Every file below a folder with its text, and its time unless git keeps an object young by it. */
function inventory(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const time = path.includes("/.git/objects/") ? "" : statSync(path).mtimeMs;
      return `${path} ${time} ${readFileSync(path, "latin1")}`;
    })
    .sort();
}
