import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseWorkingTree } from "../../src/evidence/working_tree.ts";

const COMMIT = "a".repeat(40);
const BLOB = "b".repeat(40);
const HEADER = `# branch.oid ${COMMIT}\0# branch.head main\0`;
const CHANGED = `1 .M N... 100644 100644 100644 ${BLOB} ${BLOB} a b\0`;

describe("parseWorkingTree()", () => {
  test("reads the commit and the branch", () => {
    assert.deepEqual(parseWorkingTree(HEADER, false), {
      head: COMMIT,
      branch: "main",
      entries: [],
      cut: false,
    });
  });

  test("reads an unborn and a detached HEAD as null", () => {
    const tree = parseWorkingTree("# branch.oid (initial)\0# branch.head (detached)\0", false);
    assert.deepEqual([tree.head, tree.branch], [null, null]);
  });

  test("passes over headers that it does not need", () => {
    const output = `${HEADER}# branch.upstream origin/main\0# branch.ab +1 -0\0# stash 2\0`;
    assert.deepEqual(parseWorkingTree(output, false).entries, []);
  });

  test("keeps blanks and line breaks of a path", () => {
    const [entry] = parseWorkingTree(`${HEADER}${CHANGED}`, false).entries;
    assert.deepEqual(entry, {
      path: "a b",
      code: ".M",
      state: `.M N... 100644 100644 100644 ${BLOB} ${BLOB}`,
      submodule: false,
    });
    assert.equal(parseWorkingTree("? x\ny  z \0", false).entries[0].path, "x\ny  z ");
  });

  test("tells a submodule, a conflict and an untracked path", () => {
    const output = `1 .M S.M. 160000 160000 160000 ${BLOB} ${BLOB} sub\0` +
      `u UU N... 100644 100644 100644 100644 ${BLOB} ${BLOB} ${BLOB} both\0? new/\0`;
    assert.deepEqual(
      parseWorkingTree(output, false).entries.map(({ path, code, submodule }) => [
        path,
        code,
        submodule,
      ]),
      [["sub", ".M", true], ["both", "UU", false], ["new/", "??", false]],
    );
  });

  test("takes a rename's source for a part of it, not for an entry", () => {
    const output = `2 R. N... 100644 100644 100644 ${BLOB} ${BLOB} R100 to\0? from\0? new\0`;
    const paths = parseWorkingTree(output, false).entries.map(({ path }) => path);
    assert.deepEqual(paths, ["to", "new"]);
  });

  test("drops half a record at the end of a cut output", () => {
    const tree = parseWorkingTree(`${HEADER}? whole\0? ha`, true);
    assert.deepEqual(tree.entries.map(({ path }) => path), ["whole"]);
    assert.equal(tree.cut, true);
  });
});
