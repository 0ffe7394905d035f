import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { FAMILIES, FILE_INTERPRETERS, OPENING_PROGRAMS } from "../../src/shell/opening_programs.ts";
import { wordsOf } from "../../src/shell/word_list.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";
import { readSimpleCommandLine, simpleWords } from "../../src/shell/simple_command_line.ts";

const word = fc.stringMatching(/^[\w./:=@,+-]{1,8}$/);
const program = fc.oneof(
  word,
  fc.constantFrom(
    "git",
    "/bin/ls",
    "./x",
    "a=b",
    "a+=b",
    "=x",
    "if",
    "time",
    "cd",
    "export",
    "declare",
    "set",
    "python3.12",
    "/usr/bin/node",
    ...wordsOf(OPENING_PROGRAMS),
    ...wordsOf(FILE_INTERPRETERS),
    ...wordsOf(FAMILIES),
  ),
);
const operand = fc.oneof(
  word,
  fc.constantFrom("-c", "-e", "eval", "exec", "run", "x", "--", "A=b", "-"),
);
const space = fc.constantFrom(" ", "  ", "   ");
const line = fc.tuple(
  fc.constantFrom("", " "),
  program,
  fc.array(fc.tuple(space, operand), { maxLength: 5 }),
  fc.constantFrom("", "  "),
).map(([before, name, operands, after]) => before + name + operands.flat().join("") + after);

/** Milliseconds: the machine may be busy. */
const PATIENT = { timeout: 120_000 };

describe("readSimpleCommandLine()", () => {
  it("gives exactly what the full reader gives, for every line that it takes", PATIENT, () => {
    let taken = 0;
    fc.assert(
      fc.property(line, (text) => {
        const simple = readSimpleCommandLine(text);
        assert.equal(simple !== null, simpleWords(text) !== null);
        if (simple === null) return;
        taken++;
        // The steps are each reader's own work.
        assert.deepEqual({ ...simple, steps: 0 }, { ...readCommandLine(text), steps: 0 });
      }),
      { numRuns: 3_000 },
    );
    assert.ok(taken > 500, `${taken} lines were simple`);
  });

  it("takes everyday lines", () => {
    for (
      const text of [
        "git status",
        "ls -la src/",
        "npm test",
        "npm ci",
        "/usr/bin/git diff HEAD",
        "python3 tools/x.py --all",
        "cargo build --release",
        "rm -rf /",
        "dd if=/dev/zero of=/dev/sda",
        "docker ps -a",
        "cd ..",
      ]
    ) assert.ok(simpleWords(text) !== null, text);
  });

  it("leaves to the full reader what is quoted, expanded, joined, launched or assigned", () => {
    for (
      const text of [
        "",
        " ",
        "git log | head",
        "a; b",
        "a\nb",
        "a\tb",
        "echo $x",
        "ls *",
        "ls ~",
        "echo 'x'",
        "A=1 b",
        "A=1",
        "if a",
        "sudo rm x",
        "/usr/bin/env rm x",
        "bash x.sh",
        "xargs rm",
        "find . -delete",
        "python3 -c x",
        "deno eval x",
        "npx x",
        "npm exec x",
        "docker exec c rm x",
        "eval rm x",
        ". x",
        "echo =x",
        "ls\u00a0x",
        "a/",
        "x".repeat(5_000),
      ]
    ) {
      assert.equal(simpleWords(text), null, text);
      assert.equal(readSimpleCommandLine(text), null);
    }
  });
});
