import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { absoluteDirectory, absolutePath } from "../../src/shell/absolute_path.ts";
import { directoryText, normalizePath } from "../../src/shell/directory.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";

const PLACES = { start: "/repo/app", home: "/home/me" };

/** The path that the last word of a line's last command names. */
function path(line: string): string | null {
  const command = readCommandLine(line).commands.at(-1)!;
  return absolutePath(command.words.at(-1)!, command.directory, PLACES);
}

describe("absolutePath()", () => {
  it("resolves a word against the folder in which its command runs", () => {
    assert.equal(path("rm x"), "/repo/app/x");
    assert.equal(path("rm ./a/../x/"), "/repo/app/x");
    assert.equal(path("cd sub && rm x"), "/repo/app/sub/x");
    assert.equal(path("cd .. && rm x"), "/repo/x");
    assert.equal(path("cd ../../../.. && rm x"), "/x");
    assert.equal(path("cd /srv && rm x"), "/srv/x");
    assert.equal(path("cd && rm x"), "/home/me/x");
    assert.equal(path("cd ~/a && cd ../.. && rm x"), "/home/x");
    assert.equal(path("cd /srv && rm /etc/x"), "/etc/x");
    assert.equal(path('rm "$PWD/../x"'), "/repo/x");
    assert.equal(path('cd /srv && rm "$OLDPWD/x"'), "/repo/app/x");
    assert.equal(path("rm ~/.ssh/x"), "/home/me/.ssh/x");
    assert.equal(path("X=~/a; rm $X/b"), "/home/me/a/b");
    assert.equal(path("rm src/*.ts"), "/repo/app/src/*.ts");
    assert.equal(path("git -C sub rm x; sudo -D /srv rm x"), "/srv/x");
  });

  it("gives null where something is not known", () => {
    for (
      const line of [
        "rm $X",
        'rm "$X/a"',
        "cd $X && rm a",
        "rm ~bob/x",
        "cd - && rm x",
        "ssh h rm x",
      ]
    ) {
      assert.equal(path(line), null, line);
    }
    assert.equal(path("cd $X && rm /a"), "/a");
    const command = readCommandLine("rm ~").commands[0];
    assert.equal(
      absolutePath(command.words[1], command.directory, { start: "/a", home: null }),
      null,
    );
  });
});

describe("a folder", () => {
  it("is normalized and printed in one spelling", () => {
    assert.equal(normalizePath("a//b/./../c/"), "a/c");
    assert.equal(normalizePath("/../a"), "/a");
    assert.equal(normalizePath("../../a/.."), "../..");
    assert.equal(normalizePath(""), ".");
    assert.equal(directoryText({ base: "home", user: null, path: "." }), "~");
    assert.equal(directoryText({ base: "home", user: "bob", path: "a" }), "~bob/a");
    assert.equal(absoluteDirectory({ base: "start", path: "../b" }, PLACES), "/repo/b");
    assert.equal(absoluteDirectory({ base: "unknown" }, PLACES), null);
  });

  it("is followed through lists, and both ways where a cd may have failed", () => {
    const last = (line: string) => {
      const { directory, otherDirectories } = readCommandLine(line).commands.at(-1)!;
      return [directory, ...otherDirectories].map(directoryText);
    };
    assert.deepEqual(last("cd a && x"), ["a"]);
    assert.deepEqual(last("cd a; x"), ["a", "."]);
    assert.deepEqual(last("cd a\nx"), ["a", "."]);
    assert.deepEqual(last("cd a || exit; x"), ["a"]);
    assert.deepEqual(last("cd a || return 1; x"), ["a"]);
    assert.deepEqual(last("cd a || x"), ["."]);
    assert.deepEqual(last("set -e; cd a; x"), ["a"]);
    assert.deepEqual(last("(cd a); x"), ["."]);
    assert.deepEqual(last("{ cd a; }; x"), ["a", "."]);
    assert.deepEqual(last("cd a | y; x"), ["."]);
    assert.deepEqual(last("f() { cd a; }; f && x"), ["a"]);
    assert.deepEqual(last("if y; then cd a; else cd b; fi; x"), [".", "a", "b"]);
    assert.deepEqual(last("if cd a; then x; fi"), ["a"]);
    assert.deepEqual(last("if cd a; then y; else x; fi"), [".", "a"].toReversed());
    assert.deepEqual(last("! cd a && x"), ["a", "."]);
    assert.deepEqual(last("until cd a; do x; done"), ["a", ".", "?"]);
    assert.deepEqual(last("while cd a; do x; done"), ["a", "?"]);
    assert.deepEqual(last("for i in a b; do cd $i; done; x"), ["a/b", "b", "a", "."]);
    assert.deepEqual(last("while y; do cd ..; done; x"), [".", ".."]);
    assert.deepEqual(last("bash -c 'cd a'; x"), ["."]);
    assert.deepEqual(last("eval 'cd a' && x"), ["a"]);
    assert.deepEqual(last("pushd a && popd && x"), ["."]);
    assert.deepEqual(last("cd a && cd - && x"), ["."]);
    assert.deepEqual(last("CDPATH=/s; cd a && x"), ["?"]);
  });
});
