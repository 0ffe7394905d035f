import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { foldName } from "../../src/guards/absolute_path.ts";
import { FACT_AREAS } from "../../src/guards/destructive_facts.ts";
import { OVERWRITE_FACTS } from "../../src/guards/overwriting.ts";
import { PROTECTED_FILES } from "../../src/guards/protected_files.ts";
import { REMOVAL_FACTS } from "../../src/guards/removal.ts";
import { RUNNING_FACTS } from "../../src/guards/running.ts";
import { PROTECTED_PLACES } from "../../src/guards/self_places.ts";
import { SQL_FACTS } from "../../src/guards/sql.ts";
import { wordsOf } from "../../src/shell/word_list.ts";
import { judgeLine, type Layout } from "./judge_line.ts";

/** What every table's rows have. */
interface Row {
  readonly name: string;
  readonly behavior: "deny" | "escalate" | "allow";
  readonly effect: string;
  readonly instead: string;
  readonly example: string;
}

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  ...Object.fromEntries(FACT_AREAS.map(({ title, facts }) => [title, facts])),
  "Removal": Object.values(REMOVAL_FACTS),
  "Overwriting": Object.values(OVERWRITE_FACTS),
  "SQL": SQL_FACTS,
  "Running": Object.values(RUNNING_FACTS),
};

/** What the examples say is there. */
const LAYOUT: Layout = {
  "/repo/app/notes.txt": { file: "" },
  "/repo/app/src": "folder",
  "/repo/other/src": "folder",
};

for (const { title, programs, facts } of FACT_AREAS) {
  test(`the table "${title}" says which programs it is about`, () => {
    const named = new Set(facts.flatMap((fact) => fact.programs));
    assert.deepEqual(wordsOf(programs).sort(), [...named].sort());
  });
}

for (const [title, rows] of Object.entries(TABLES)) {
  describe(`the table "${title}"`, () => {
    for (const { name, behavior, example, instead, effect } of rows) {
      const words = behavior === "deny"
        ? "refuses"
        : behavior === "allow"
        ? "lets through"
        : "asks about";
      test(`"${name}" ${words} ${example}`, async () => {
        const judged = await judgeLine(example, { layout: LAYOUT });
        if (behavior === "allow") assert.equal(judged.behavior, "allow");
        else {
          const found = judged.findings.find(({ rule }) => rule === name);
          assert.equal(found?.behavior, behavior, JSON.stringify(judged.findings));
          assert.ok(found.effect.startsWith(effect));
          assert.ok(Object.isFrozen(found));
        }
      });

      test(`"${name}" advises ${instead}, which passes`, async () => {
        const judged = await judgeLine(instead, { layout: LAYOUT });
        assert.equal(judged.behavior, "allow", JSON.stringify(judged.findings));
      });

      if (behavior !== "allow") {
        test(`"${name}" is no command in quotes, in a comment, after echo or in a document`, async () => {
          const quoted = `'${example.replaceAll("'", `'\\''`)}'`;
          for (
            const line of [
              `echo ${quoted}`,
              `git commit -m ${quoted}`,
              `grep -rn ${quoted} docs`,
              `ls # ${example.replaceAll("\n", " ")}`,
              `cat > docs/notes.md <<'END'\n${example}\nEND`,
            ]
          ) {
            const judged = await judgeLine(line, { layout: LAYOUT });
            assert.equal(judged.behavior, "allow", `${line}: ${JSON.stringify(judged.findings)}`);
          }
        });
      }
    }
  });
}

describe("the tables", () => {
  test("no two rows have the same name", () => {
    const names = Object.values(TABLES).flat().map(({ name }) => name);
    assert.deepEqual(names.filter((name, index) => names.indexOf(name) !== index), []);
  });

  test("is written as it is asked: in small letters, and from the top beginning with a name", () => {
    for (const { names, except, home, absolute, anywhere } of PROTECTED_FILES) {
      const texts = [names, except, home, absolute, anywhere].flatMap((list) => list ?? []);
      for (const text of texts) assert.equal(foldName(text), text);
      for (const path of absolute ?? []) assert.match(path, /^\/[a-z]+(?:\/|$)/);
    }
    for (const { tail } of PROTECTED_PLACES) {
      for (const name of tail) assert.equal(foldName(name), name);
    }
  });

  test("every kind of protected file has something it is recognised by", () => {
    for (const { name, names, home, absolute, anywhere } of PROTECTED_FILES) {
      assert.ok([names, home, absolute, anywhere].some((list) => list !== undefined), name);
    }
  });
});
