import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { FAMILIES, FILE_INTERPRETERS, OPENING_PROGRAMS } from "../../src/shell/opening_programs.ts";
import { readPlainList } from "../../src/shell/plain_list.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";
import { wordsOf } from "../../src/shell/word_list.ts";

const BUILTINS =
  ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable " +
  "eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd " +
  "read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias " +
  "unset wait";

const PROGRAMS = [
  ...("git ls npm cat head tail grep wc sort tee base64 xxd rev which dirname basename seq mkdir touch chmod sleep cp rm " +
    "/bin/ls /usr/bin/git ./x if then fi time python3.12 /usr/bin/node A=1").split(" "),
  ...BUILTINS.split(" "),
  ...wordsOf(OPENING_PROGRAMS),
  ...wordsOf(FILE_INTERPRETERS),
  ...wordsOf(FAMILIES),
];

const OPERANDS =
  ("-n 5 --oneline src a/b ../x . .. / - -- -- =x A=b HEAD~1 ~ ~/x a~ --x=~/y :~ 1 2 2x -c -e eval exec run 'a b' \"a b\" '' \"\" " +
    "--format='%h' x'y'\"z\"~ '$x' \"$x\" \"a!\" '!' \"\\n\" '\\n' a\\b # 'é' é * {a,b} $x -d -r -p %s")
    .split(/ (?=(?:[^'"]|'[^']*'|"[^"]*")*$)/);

const REDIRECTIONS =
  "2>&1|2>/dev/null|>/dev/null|2> /dev/null|> /dev/null|&>/dev/null|> x|>/dev/nullx|2>&12|</dev/null|2 >/dev/null|>&2"
    .split("|");

const JOINTS = [" && ", " || ", "; ", " | ", "&&", ";", "|", " |& ", " & ", " ;; ", "\n"];

const command = fc.tuple(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("git", "ls", "npm", "cd", "grep", "cat", "echo") },
    { weight: 1, arbitrary: fc.constantFrom(...PROGRAMS) },
  ),
  fc.array(fc.constantFrom(...OPERANDS), { maxLength: 3 }),
  fc.oneof(
    { weight: 2, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: fc.constantFrom(...REDIRECTIONS).map((text) => ` ${text}`) },
  ),
).map(([program, operands, redirection]) => [program, ...operands].join(" ") + redirection);

const line = fc.tuple(
  fc.constantFrom("", "", " ", "cd src && ", "cd ../x; ", "cd /srv && ", "cd . && "),
  command,
  fc.array(
    fc.tuple(
      fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...JOINTS.slice(0, 7)) },
        { weight: 1, arbitrary: fc.constantFrom(...JOINTS) },
      ),
      command,
    ),
    { maxLength: 4 },
  ),
  fc.constantFrom("", "", "", ";", " ; ", "&&", " #"),
).map(([before, first, more, after]) => before + first + more.flat().join("") + after);

/** Milliseconds: the machine may be busy. */
const PATIENT = { timeout: 120_000 };

function assertSame(text: string): boolean {
  const plain = readPlainList(text);
  if (plain === null) return false;
  // The steps are each reader's own work.
  assert.deepEqual({ ...plain, steps: 0 }, { ...readCommandLine(text), steps: 0 }, text);
  return true;
}

describe("readPlainList()", () => {
  it("gives exactly what the full reader gives, for every line that it takes", PATIENT, () => {
    let taken = 0;
    fc.assert(
      fc.property(line, (text) => {
        if (assertSame(text)) taken++;
      }),
      { numRuns: 20_000 },
    );
    assert.ok(taken > 500, `${taken} lines were plain`);
  });

  it("also for lines put together of single characters", PATIENT, () => {
    let taken = 0;
    const pieces = [
      "ls",
      "cd",
      "a",
      "2",
      " ",
      " ",
      " ",
      "&",
      "|",
      ";",
      ">",
      "'",
      '"',
      "=",
      "~",
      "-",
      "/",
    ];
    const text = fc.array(fc.constantFrom(...pieces, "&1", "/dev/null", " && ", " | "), {
      minLength: 1,
      maxLength: 14,
    });
    fc.assert(
      fc.property(text, (parts) => {
        if (assertSame(`ls${parts.join("")}`)) taken++;
      }),
      { numRuns: 30_000 },
    );
    assert.ok(taken > 500, `${taken} lines were plain`);
  });

  it("takes everyday lines", () => {
    for (
      const text of [
        "cd app && npm test 2>&1 | tail -40",
        "git status --short && git log --oneline -n 5 | head -3",
        "grep -rn 'note: x' src | wc -l; ls -la docs 2>/dev/null || echo none",
        'git commit -m "Say what is done, and why" && git push origin main',
        "cargo build --release 2>&1 | grep -v warning | head -20;",
      ]
    ) assert.ok(assertSame(text), text);
  });

  it("leaves all others to the full reader", () => {
    for (
      const text of [
        "",
        "ls && ",
        "; ls",
        "ls &",
        "ls |& cat",
        "ls > x",
        "ls $x | cat",
        "echo rm -rf / | sh",
        "echo x | cat",
        "cat x | python3",
        "export PATH=/tmp; ls",
        "ls; cd src && ls",
        "cd src || ls",
        "cd src && cd lib && ls",
        "cd $x && ls",
        "X=1 ls && ls",
        "sudo ls && ls",
        "ls 'é' | cat",
        "ls\nls",
        '"ls" x | cat',
      ]
    ) assert.equal(readPlainList(text), null, text);
  });
});
