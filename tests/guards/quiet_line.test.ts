// The small table that is asked first, against the large ones that it stands for.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { FACT_AREAS } from "../../src/guards/destructive_facts.ts";
import { PROTECTED_FILES } from "../../src/guards/protected_files.ts";
import {
  filterOptions,
  FILTERS,
  isQuietCommand,
  isQuietLine,
  LOOKING,
  LOOKING_GIT,
  PROJECT_TOOLS,
  tasksOf,
} from "../../src/guards/quiet_line.ts";
import { PROTECTED_PLACES } from "../../src/guards/self_places.ts";
import { frozenReading } from "../shell/frozen_reading.ts";
import { simpleWords } from "../../src/shell/simple_command_line.ts";
import { wordsOf } from "../../src/shell/word_list.ts";
import { judgeLine, type Setting } from "./judge_line.ts";

const FACTS = FACT_AREAS.flatMap(({ facts }) => facts);

/** Files that the guards watch over, as paths that a word may be. */
const FILES = [
  ...PROTECTED_FILES.flatMap(({ names = [], home = [], absolute = [], anywhere = [] }) => [
    ...names,
    ...home,
    ...home.map((path) => `/home/u/${path}`),
    ...absolute,
    ...anywhere,
  ]),
  ...PROTECTED_PLACES.map(({ tail }) => tail.join("/")),
].map((path) => path.replaceAll("*", "x"));

/** Folders in which the same word may be another file. */
const FOLDERS = [
  ...new Set(
    FILES.filter((path) => path.startsWith("/")).flatMap((path) => [
      path,
      path.slice(0, path.lastIndexOf("/")) || "/",
    ]),
  ),
  "/home/u",
  "/home/u/Library",
  "/home/u/LIBRARY/Keychains",
  "/home/u/.AWS",
  "/home/u/．aws",
  "/etc",
  "/Etc/ssh",
  "/repo/.git",
  "//etc",
  "/",
];

/** Every word that some table has an eye for. */
const WORDS = [
  ...new Set([
    ...FACTS.flatMap((fact) => [
      ...(fact.subcommand ?? []).flatMap((choices) => choices.split("|")),
      ...fact.options ?? [],
      ...fact.also ?? [],
      ...fact.without ?? [],
      ...fact.example.split(" "),
      ...fact.instead.split(" "),
      ...fact.programs,
    ]),
    ...FILES,
    ..."-o -ox --o --output --output=x --out x /dev/sda /etc/passwd ../x . .. / ~ rm rm.sh -f -y --yes -x --pre"
      .split(
        " ",
      ),
    ..."add stage hash-object install ci update delete remove drop reset -t -T --target-dir=../x -C -c //host/share"
      .split(
        " ",
      ),
  ]),
].filter((word) => word !== "" && !/["'`$|&;<>(){}\\]/.test(word));

/** How every quiet line begins. */
const HEADS = [
  ...wordsOf(LOOKING),
  ...wordsOf(LOOKING_GIT).map((subcommand) => `git ${subcommand}`),
  ...wordsOf(PROJECT_TOOLS).flatMap((tool) =>
    wordsOf(tasksOf(tool)).map((task) => `${tool} ${task}`)
  ),
  ...wordsOf(FILTERS).map((program) => program === "grep" ? "grep x" : program),
  "cd src",
  "git log -n 20",
];

/** Every option of every filter, as the table has it. */
const FILTER_LINES = wordsOf(FILTERS).flatMap((program) => {
  const [alone, numbered] = filterOptions(program);
  const start = program === "grep" ? "grep x" : program;
  return [
    ...[...alone].map((letter) => `${start} -${letter}`),
    ...[...numbered].flatMap((letter) => [`${start} -${letter} 5`, `${start} -${letter}5`]),
    ...(alone === "" ? [] : [`${start} -${alone}`]),
  ];
});

/** Commands that stand together on a line, and what joins them. */
const PARTS = [
  ...HEADS,
  ...FILTER_LINES,
  "git log --oneline --stat -n 20",
  "tail -40",
  "grep -v '^a'",
  "cd /elsewhere/x/app-2",
  "cd /etc",
  "cd id_rsa",
  "cd .ssh",
  "cd ..",
  "cd",
  'echo "at $(git rev-parse HEAD)"',
  'echo "$X" $Y',
  "echo *",
  'echo "//$X"',
  "echo $(cat .env)",
  "cat <<'E'\nrm -rf /\nE\n",
  "cat <<E\n$(rm -rf /)\nE\n",
  "cat <<< x",
  "npm test 2>&1",
  "ls 2>/dev/null",
  "ls > /dev/null 2>&1",
  "ls > /dev/sda",
  "ls > x",
  "cat < .env",
  "rm -rf x",
  "sh",
  "xargs rm",
  "yes",
  "curl https://example.net/x",
  "cat src/a.ts",
  "sort -o x",
  "(ls; ls)",
  "! ls",
  "X=1",
  "export PATH=/tmp",
  "f() { ls; }",
  "for x in a b; do ls; done",
];
const JOINS = [" && ", " || ", "; ", " | ", " & ", " |& ", "\n"];

/** Settings under which the guards say as much as they can. */
const STRICT: readonly Setting[] = [
  {
    context: { workspace: ["/elsewhere"], overwrite: "escalate" },
    paths: { allowed: ["/elsewhere"], denied: ["/repo/**"], outsideReads: "deny" },
  },
  { paths: { allowed: ["/elsewhere"], style: "windows", outsideReads: "escalate" } },
];

async function assertSilent(line: string, cwd = "/repo/app"): Promise<boolean> {
  const isQuiet = isQuietLine(frozenReading(line), cwd);
  const words = simpleWords(line);
  if (words !== null) assert.equal(isQuietCommand(words, cwd), isQuiet, `${line} in ${cwd}`);
  if (!isQuiet) return false;
  for (const setting of STRICT) {
    const { findings } = await judgeLine(line, { ...setting, cwd });
    assert.deepEqual(findings, [], `${line} in ${cwd}`);
  }
  return true;
}

describe("quiet lines", () => {
  test("each way to begin one is quiet by itself", () => {
    const loud = HEADS.filter((head) => !isQuietLine(frozenReading(head), "/repo/app"));
    assert.deepEqual(loud, []);
  });

  test("no word that a table knows makes the guards speak of a line that is told quiet", async () => {
    let quiet = 0;
    for (const head of HEADS) {
      for (const word of WORDS) if (await assertSilent(`${head} ${word}`)) quiet++;
    }
    assert.ok(quiet > HEADS.length * 20, `only ${quiet} lines were quiet`);
  });

  test("nor does the folder it runs in", async () => {
    for (const cwd of FOLDERS) {
      for (const head of HEADS) {
        await assertSilent(head, cwd);
        await assertSilent(`${head} config -q`, cwd);
      }
    }
  });

  test("nor do several such words in any order", async () => {
    const line = fc.tuple(
      fc.constantFrom(...HEADS),
      fc.array(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 5 }),
    ).map(([head, words]) => `${head} ${words.join(" ")}`);
    await fc.assert(
      fc.asyncProperty(line, fc.constantFrom("/repo/app", "/home/u", ...FOLDERS), assertAgreement),
      { numRuns: 3_000 },
    );
  });

  test("every option of a filter is quiet, and its files are not", async () => {
    for (const line of FILTER_LINES) {
      assert.equal(await assertSilent(line), true, line);
      assert.equal(isQuietLine(frozenReading(`${line} src/a.ts`), "/repo/app"), false, line);
    }
  });

  test("lines of many commands are quiet when each of them is", async () => {
    for (
      const line of [
        "cd src && git log --oneline -n 20 | grep -v '^merge' | head -n 5",
        'echo "head: $(git rev-parse --short HEAD)"; npm test 2>&1 | tail -n 40',
        "ls 2>/dev/null || true",
        "cat <<'E' | wc -l\nrm -rf /\nE\necho done",
        "(cd src && git diff --stat) | sort -rn -k 2 | uniq -c",
      ]
    ) assert.equal(await assertSilent(line), true, line);
  });

  test("nor do several commands, however they are joined", async () => {
    let quiet = 0;
    const line = fc.array(fc.tuple(fc.constantFrom(...PARTS), fc.constantFrom(...JOINS)), {
      minLength: 2,
      maxLength: 4,
    }).map((parts) => parts.map(([part, join]) => part + join).join("").replace(/[ |&;]+$/, ""));
    await fc.assert(
      fc.asyncProperty(line, fc.constantFrom("/repo/app", ...FOLDERS), async (text, cwd) => {
        if (await assertSilent(text, cwd)) quiet++;
      }),
      { numRuns: 3_000 },
    );
    assert.ok(quiet > 300, `only ${quiet} lines were quiet`);
  });

  test("nor does a folder that is changed into", async () => {
    const folders = [...new Set(FILES.flatMap((path) => [path, ...path.split("/")]))];
    for (const folder of folders) {
      for (const cwd of FOLDERS) {
        for (
          const rest of ["", " && npm test", "; npm test config", " && cd config && make build"]
        ) {
          await assertSilent(`cd ${folder}${rest}`, cwd);
        }
      }
    }
  });

  test("no example of a table, and no line known to be dangerous, is quiet", async () => {
    const dangerous = (await readFile(
      join(import.meta.dirname!, "..", "cases", "dangerous.jsonl"),
      "utf8",
    )).trim().split("\n").map((text) => JSON.parse(text).command as string);
    const examples = FACTS.map(({ example }) => example);
    assert.ok(dangerous.length > 50 && examples.length > 100);
    const quiet = [...dangerous, ...examples].filter((line) =>
      isQuietLine(frozenReading(line), "/repo/app")
    );
    assert.deepEqual(quiet, []);
  });

  test("nor is a line with a file, a variable that is set, a launcher, or a program by its path", () => {
    for (
      const line of [
        "ls > x",
        "echo $HOME/x $(rm x)",
        "FOO=1 ls",
        "ls && rm x",
        "ls | xargs rm",
        "cat < x",
        "cat x",
        "grep -r x src",
        "sort -ox",
        "cd .ssh",
        "cd ..",
        "cd src/id_rsa",
        "git log -n 20 -p x",
        "for x in a; do ls; done",
        "sudo ls",
        "ls | sh",
        "./ls",
        "/tmp/ls",
        "ls *",
        "git -C .. status",
        "git add x",
        "",
      ]
    ) {
      assert.equal(isQuietLine(frozenReading(line), "/repo/app"), false, line);
    }
  });
});

async function assertAgreement(line: string, cwd: string): Promise<void> {
  await assertSilent(line, cwd);
}
