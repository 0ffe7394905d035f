import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { judgeCommandText } from "../../src/guards/command_text.ts";
import { gitIndexEntry } from "../../src/guards/git_index.ts";
import { observeFiles } from "../../src/guards/observations.ts";
import { runtime } from "../../src/runtime/current.ts";

let root = "";
let repository = "";
const observe = observeFiles(runtime.fs);

function git(folder: string, ...args: string[]): void {
  execFileSync("git", args, {
    cwd: folder,
    stdio: "ignore",
    env: {
      PATH: process.env.PATH,
      HOME: root,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@example.net",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@example.net",
    },
  });
}

before(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-observe-")));
  repository = join(root, "repo");
  await mkdir(join(repository, "src"), { recursive: true });
  git(repository, "init", "-q", "-b", "main");
  for (const name of ["src/clean.ts", "src/changed.ts", "a-name-of-another-length.txt"]) {
    await writeFile(join(repository, name), "one\n");
    // Long before the index is written, as files are in daily life.
    await utimes(join(repository, name), 1_700_000_000, 1_700_000_000);
  }
  git(repository, "add", ".");
  git(repository, "commit", "-q", "-m", "one");
  await writeFile(join(repository, "src/changed.ts"), "two, not added\n");
  await writeFile(join(repository, "src/new.ts"), "never added\n");
  await symlink("src/clean.ts", join(repository, "link"));
  git(repository, "worktree", "add", "-q", join(root, "linked"), "-b", "linked");
  await mkdir(join(root, "copied"));
  await cp(join(root, "linked", ".git"), join(root, "copied", ".git"));
});
after(() => rm(root, { recursive: true, force: true }));

describe("observeFiles()", () => {
  test("tells what stands at a path", async () => {
    assert.equal(await observe.target(join(repository, "src")), "directory");
    assert.equal(await observe.target(join(repository, "src/new.ts")), "file");
    assert.equal(await observe.target(join(repository, "link")), "file");
    assert.equal(await observe.target(join(repository, "nothing")), "nothing");
  });

  test("tells whether git has a file's content, by its index", async () => {
    assert.equal(await observe.saved(join(repository, "src/clean.ts")), "saved");
    assert.equal(await observe.saved(join(repository, "a-name-of-another-length.txt")), "saved");
    assert.equal(await observe.saved(join(repository, "src/changed.ts")), "modified");
    assert.equal(await observe.saved(join(repository, "src/new.ts")), "untracked");
    assert.equal(await observe.saved(join(repository, "src")), "unknown");
    assert.equal(await observe.saved(join(root, "nothing")), "unknown");
  });

  test("knows a linked worktree by the link back as well", async () => {
    assert.equal(await observe.linkedWorktree(join(root, "linked")), true);
    assert.equal(await observe.linkedWorktree(join(root, "linked/src")), true);
    assert.equal(await observe.linkedWorktree(repository), false);
    assert.equal(await observe.linkedWorktree(join(root, "copied")), false);
    assert.equal(await observe.linkedWorktree(root), false);
  });
});

describe("the guards on a real repository", () => {
  const behavior = async (command: string, cwd = repository) =>
    (await judgeCommandText({ tool: "bash", action: "", args: { command } }, {
      cwd,
      workspace: [repository, join(root, "linked")],
      observe,
      discardInLinkedWorktree: true,
    }))?.behavior ?? "allow";

  test("what git has may be written over, and what it has not is asked about", async () => {
    assert.equal(await behavior("echo x > src/clean.ts"), "allow");
    assert.equal(await behavior("echo x > src/changed.ts"), "escalate");
    assert.equal(await behavior("echo x > src/new.ts"), "escalate");
    assert.equal(await behavior("echo x >> src/new.ts"), "allow");
    assert.equal(await behavior("echo x > src/not-there.ts"), "allow");
    assert.equal(await behavior("cp src/clean.ts src/new.ts"), "escalate");
    assert.equal(await behavior("cp src/new.ts src/clean.ts"), "allow");
  });

  test("one file may be removed, unless git's copy is another one", async () => {
    assert.equal(await behavior("rm src/new.ts"), "allow");
    assert.equal(await behavior("rm -f src/clean.ts"), "allow");
    assert.equal(await behavior("rm src/changed.ts"), "escalate");
    assert.equal(await behavior("rm -rf src"), "escalate");
    assert.equal(await behavior("rm -rf not-there"), "allow");
  });

  test("committed files are checked out freely where nothing is lost", async () => {
    assert.equal(await behavior("git checkout -- src/clean.ts"), "allow");
    assert.equal(await behavior("git checkout -- src/changed.ts"), "escalate");
    assert.equal(await behavior("git restore src/clean.ts"), "allow");
    assert.equal(await behavior("git checkout src"), "escalate");
    assert.equal(await behavior("git checkout main"), "allow");
  });

  test("a linked worktree may be reset, and nothing through it", async () => {
    const linked = join(root, "linked");
    assert.equal(await behavior("git reset --hard", linked), "allow");
    assert.equal(await behavior("git clean -fd", linked), "allow");
    assert.equal(await behavior("git -C ../repo reset --hard", linked), "escalate");
    assert.equal(await behavior("cd ../repo && git reset --hard", linked), "escalate");
    assert.equal(await behavior("git --git-dir=../repo/.git reset --hard", linked), "escalate");
    assert.equal(await behavior("GIT_DIR=../repo/.git git reset --hard", linked), "escalate");
    assert.equal(await behavior("git push --force", linked), "deny");
    assert.equal(await behavior("git reset --hard", join(root, "copied")), "escalate");
  });
});

describe("gitIndexEntry()", () => {
  const text = (value: string) => new TextEncoder().encode(value);

  test("gives no answer to what is no index it knows", () => {
    assert.equal(gitIndexEntry(new Uint8Array(), "a"), "unknown");
    assert.equal(gitIndexEntry(text("no index at all"), "a"), "unknown");
    const version4 = new Uint8Array(12);
    version4.set([0x44, 0x49, 0x52, 0x43, 0, 0, 0, 4, 0, 0, 0, 0]);
    assert.equal(gitIndexEntry(version4, "a"), "unknown");
    const cut = version4.slice();
    cut.set([0, 0, 0, 2, 0, 0, 0, 9], 4);
    assert.equal(gitIndexEntry(cut, "a"), "unknown");
  });

  test("an index without entries knows no file", () => {
    const empty = new Uint8Array(12);
    empty.set([0x44, 0x49, 0x52, 0x43, 0, 0, 0, 2, 0, 0, 0, 0]);
    assert.equal(gitIndexEntry(empty, "a"), null);
  });
});
