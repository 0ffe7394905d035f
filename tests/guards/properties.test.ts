import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { gitIndexEntry } from "../../src/guards/git_index.ts";
import { inlineCode } from "../../src/guards/inline_code.ts";
import { matchesName, matchesParts } from "../../src/guards/name_pattern.ts";
import { pathRules } from "../../src/guards/path_rules.ts";
import { destructiveSql } from "../../src/guards/sql.ts";
import { judgeToolPaths } from "../../src/guards/tool_paths.ts";
import { runtime } from "../../src/runtime/current.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";
import { judgeLine, pretendedFiles, USUAL } from "./judge_line.ts";

/** Pieces that command lines are made of, the awkward ones above all. */
const PIECES = [
  ..."rm -rf / ~ . .. * src $X \"$X\" '$X' && || ; | & ( ) { } > >> >| < << <<< $( ` \\ ! # - -- = +"
    .split(" "),
  ..."git push --force -C ../x -c alias.a=!ls psql -c 'drop find -exec {} + -delete xargs sudo env bash -c"
    .split(" "),
  "'",
  '"',
  "\n",
  "\t",
  "\0",
  "é",
  "‮",
  "$(rm -rf /)",
  "python3 -c 'import os'",
  "cat <<EOF\n",
  "EOF\n",
];

const line = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 6 })), {
  maxLength: 14,
}).map((pieces) => pieces.join(" "));

describe("the guards on arbitrary lines", () => {
  test("never throw, and never allow a line that was not understood", async () => {
    await fc.assert(
      fc.asyncProperty(line, async (command) => {
        const { behavior, findings } = await judgeLine(command);
        if (!readCommandLine(command).understood) assert.notEqual(behavior, "allow");
        for (const found of findings) assert.ok(Object.isFrozen(found));
      }),
      { numRuns: 1500 },
    );
  });

  test("a removal of the top is refused, whatever stands before and after it on other lines", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PIECES.filter((piece) => /^[a-z. ]+$/.test(piece))),
        async (word) => {
          assert.equal((await judgeLine(`${word} a\nrm -rf /\n${word} b`)).behavior, "deny");
        },
      ),
    );
  });

  test("what is not judged twice is judged the same: asking again gives the same answer", async () => {
    await fc.assert(
      fc.asyncProperty(line, async (command) => {
        assert.deepEqual(await judgeLine(command), await judgeLine(command));
      }),
      { numRuns: 200 },
    );
  });
});

describe("the guards on arbitrary arguments", () => {
  test("judgeToolPaths() never throws", async () => {
    const tool = fc.constantFrom("reader", "editor", "search", "mcp__a__b", "mcp__a__read", "");
    const options = { allowed: ["/repo/app"], cwd: "/repo/app", fs: pretendedFiles(USUAL) };
    await fc.assert(
      fc.asyncProperty(
        tool,
        fc.dictionary(
          fc.constantFrom("path", "files", "pattern", "glob", "patch", "x"),
          fc.jsonValue(),
        ),
        async (tool, args) => {
          await judgeToolPaths({ tool, action: "", args }, options);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("code, SQL and git indexes of any form are looked at without an error", () => {
    fc.assert(fc.property(fc.string({ maxLength: 400 }), (text) => {
      for (const language of ["python", "javascript", "awk", "sed", "perl"] as const) {
        inlineCode(language, text);
      }
      destructiveSql(text);
    }));
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isIndex) => {
      if (isIndex) bytes.set([0x44, 0x49, 0x52, 0x43, 0, 0, 0, 2].slice(0, bytes.length));
      gitIndexEntry(bytes, "a");
    }));
  });
});

describe("matchesName()", () => {
  test("agrees with a pattern of regular expressions", () => {
    const sign = fc.constantFrom("a", "b", ".", "*", "?");
    const text = (signs: fc.Arbitrary<string>) =>
      fc.array(signs, { maxLength: 8 }).map((all) => all.join(""));
    fc.assert(fc.property(text(sign), text(fc.constantFrom("a", "b", ".")), (pattern, name) => {
      const expression = new RegExp(
        `^${pattern.replaceAll(".", "\\.").replaceAll("*", "[^]*").replaceAll("?", "[^]")}$`,
      );
      assert.equal(matchesName(pattern, name, false), expression.test(name));
    }));
  });

  test("reads sets as fnmatch does", () => {
    assert.ok(matchesName("[a-c]x", "bx", false));
    assert.ok(!matchesName("[!a-c]x", "bx", false));
    assert.ok(matchesName("[]]x", "]x", false));
    assert.ok(matchesName("[x", "[x", false));
    assert.ok(matchesName("[id]", "[id]", false));
    assert.ok(matchesName("A*", "abc", true));
  });

  test("two stars stand for any number of parts, and a folder's match is its contents' match", () => {
    assert.ok(matchesParts(["a", "**", "b"], ["a", "b"], false));
    assert.ok(matchesParts(["a", "**", "b"], ["a", "x", "y", "b", "c"], false));
    assert.ok(!matchesParts(["a", "**", "b"], ["x", "a", "b"], false));
    assert.ok(matchesParts(["**", "b"], ["x", "a", "b"], false));
    assert.ok(!matchesParts(["a"], [], false));
  });
});

describe("matchesParts()", () => {
  test("agrees with a walk that tries everything", () => {
    const tries = (pattern: readonly string[], parts: readonly string[]): boolean => {
      const [wanted, ...rest] = pattern;
      if (wanted === undefined) return true;
      if (wanted === "**" && tries(rest, parts)) return true;
      const [part, ...below] = parts;
      if (part === undefined) return false;
      return wanted === "**"
        ? tries(pattern, below)
        : matchesName(wanted, part, false) && tries(rest, below);
    };
    const list = (names: readonly string[]) =>
      fc.array(fc.constantFrom(...names), { maxLength: 5 });
    fc.assert(
      fc.property(
        list(["a", "b", "a*", "?", "**", "[ab]"]),
        list(["a", "b", "ab"]),
        (pattern, parts) =>
          assert.equal(matchesParts(pattern, parts, false), tries(pattern, parts)),
      ),
    );
  });
});

describe("pathRules() on a real tree of links", () => {
  let root = "";
  const names = ["a", "b", "c", "in", "out", "up", "loop"];
  before(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-links-")));
    for (const folder of ["repo/a/b", "repo/b/c", "other/a/b"]) {
      await mkdir(join(root, folder), { recursive: true });
    }
    await writeFile(join(root, "repo/a/b/c"), "");
    const links: Record<string, string> = {
      "repo/in": "a/b",
      "repo/out": "../other",
      "repo/up": "..",
      "repo/loop": "loop",
      "repo/a/out": "../../other/a",
      "repo/b/in": "../in",
      "repo/b/up": "../../repo/up",
      "other/in": "../repo",
      "other/a/up": "../../repo/a",
    };
    for (const [link, target] of Object.entries(links)) await symlink(target, join(root, link));
  });
  after(() => rm(root, { recursive: true, force: true }));

  /** Where a path really leads, as the system itself resolves the deepest parent that is there. */
  async function whereItLeads(path: string): Promise<string | null> {
    const missing: string[] = [];
    for (let at = path;; at = dirname(at)) {
      try {
        return join(await realpath(at), ...missing);
      } catch (error) {
        if ((error as { code?: string }).code === "ELOOP") return null;
        missing.unshift(at.slice(dirname(at).length + 1));
      }
    }
  }

  test("what is allowed leads into the root, by the system's own judgement", async () => {
    const rules = pathRules({ allowed: [join(root, "repo")], fs: runtime.fs });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 6 }),
        async (parts) => {
          const refusal = await rules.judge(parts.join("/"));
          const leads = await whereItLeads(`${root}/repo/${parts.join("/")}`);
          const isInside = leads !== null &&
            (leads === join(root, "repo") || leads.startsWith(join(root, "repo/")));
          assert.equal(refusal === null, isInside, `${parts.join("/")} leads to ${leads}`);
        },
      ),
      { numRuns: 400 },
    );
  });
});
