import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { FIXED_STEPS, MAX_CHARACTERS, STEPS_PER_CHARACTER } from "../../src/shell/limits.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";

/** Pieces that open, close, nest and repeat everything that the shell knows. */
const PIECES = [
  ..."abX01 \t\n;&|()<>{}[]$`'\"\\#~*?!=+-/%@^,.:",
  ..."$( ${ $(( (( )) [[ ]] <( >( `` '' \"\" $' $\" && || ;; ;& |& >> >| &> <<< <> 2>&1 \\\n".split(
    " ",
  ),
  ..."if then else elif fi for in do done while until case esac function select coproc time !"
    .split(" ").map((word) => ` ${word} `),
  ..."rm sudo env xargs eval bash -c source trap alias export read cd printf find -exec {} + ssh h"
    .split(" ").map((word) => `${word} `),
  "<<E\n",
  "\nE\n",
  "f() { ",
  "}; f ",
  "X=$X$X;",
  "A+=(a b);",
  "${A[@]}",
  "$@",
  "set -- $@ $@;",
  "{a,b}",
  "{1..99}",
  "shopt -s expand_aliases\n",
  "alias a='a a'\n",
  "\u200b",
  "\u{1f600}",
  "\ud800",
];

const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }).map((pieces) =>
  pieces.join("")
);

/** Texts that grow with a number, each hard for some parser. */
const GROWING: Readonly<Record<string, (size: number) => string>> = {
  "nested substitutions": (size) => "$(".repeat(size),
  "closed nested substitutions": (size) => `echo ${"$(echo ".repeat(size)}${")".repeat(size)}`,
  "quoted nested substitutions": (size) => `echo ${'"$(echo '.repeat(size)}${')"'.repeat(size)}`,
  "process substitutions": (size) => "<(".repeat(size),
  "backticks": (size) => "`".repeat(size),
  "heredoc openers": (size) =>
    `cat ${Array.from({ length: size }, (_, index) => `<<A${index}`).join(" ")} ; rm -rf /`,
  "heredocs in heredocs": (size) => "cat <<E\n$(cat <<E\n".repeat(size),
  "braces": (size) => `echo ${"{a,b}".repeat(size)}`,
  "nested braces": (size) => `echo ${"{a,".repeat(size)}${"}".repeat(size)}`,
  "open braces": (size) => "{".repeat(size),
  "open parentheses": (size) => "(".repeat(size),
  "arithmetic": (size) => `echo ${"$((1+".repeat(size)}1${"))".repeat(size)}`,
  "parameter defaults": (size) => `${"${a:-".repeat(size)}${"}".repeat(size)}`,
  "array subscripts": (size) => "a[$(".repeat(size),
  "extended patterns": (size) => "@(a|".repeat(size),
  "quotes": (size) => "\"'".repeat(size),
  "backslashes": (size) => "\\".repeat(size),
  "ifs": (size) => "if a; then ".repeat(size),
  "loops": (size) => `${"for i in 1 2 3 4; do ".repeat(size)}ls;${"done;".repeat(size)}`,
  "while loops": (size) => `X=1;${"while a; do X=2; ".repeat(size)}ls;${"done;".repeat(size)}`,
  "functions calling twice": (size) =>
    `${
      Array.from({ length: size }, (_, index) => `f${index}() { f${index + 1}; f${index + 1}; }`)
        .join(";")
    };f0`,
  "doubling variables": (size) => `X=aaaaaaaa;${"X=$X$X;".repeat(size)}echo $X`,
  "long variables used often": (size) => `X=${"b".repeat(size)}; echo ${"$X ".repeat(size)}`,
  "arrays used often": (size) => `A=(${"a ".repeat(size)});${"echo ${A[@]};".repeat(size)}`,
  "positional parameters": (size) => `set -- ${"a ".repeat(size)};${"echo $@;".repeat(size)}`,
  "growing positional parameters": (size) => `set -- a;${"set -- $@ $@;".repeat(size)}`,
  "evals": (size) => `${"eval ".repeat(size)}ls`,
  "launchers": (size) => `${"sudo ".repeat(size)}ls`,
  "finders": (size) => "find . -exec ".repeat(size),
  "actions": (size) => `find . ${"-exec a {} \\; ".repeat(size)}`,
  "aliases": (size) => `shopt -s expand_aliases\nalias a='a a'\n${"a\n".repeat(size)}`,
  "folders": (size) => "cd a;".repeat(size),
  "pipes": (size) => `${"echo a|cat|".repeat(size)}sh`,
  "encoded text": (size) => `echo ${"aGVs".repeat(size)} | base64 -d | sh`,
  "assignments": (size) => "A=a ".repeat(size),
  "exports": (size) => Array.from({ length: size }, (_, index) => `export v${index}=1`).join(";"),
  "hidden characters": (size) => "\u200b".repeat(size),
  "blank lines": (size) => "\n".repeat(size),
};

/** Milliseconds: nothing is timed here, but the machine may be busy. */
const PATIENT = { timeout: 120_000 };

function allowance(text: string): number {
  return FIXED_STEPS + STEPS_PER_CHARACTER * text.length;
}

describe("readCommandLine() on hostile input", () => {
  it("never throws and stays within its steps, whatever the text", PATIENT, () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: "binary", maxLength: 200 })), (text) => {
        const reading = readCommandLine(text);
        assert.ok(reading.steps <= allowance(text));
        assert.equal(reading.understood, reading.reasons.length === 0);
        for (const [index, command] of reading.commands.entries()) {
          assert.equal(command.index, index);
          assert.ok(command.span.start >= 0 && command.span.end <= text.length);
          assert.ok(command.parent === null || command.parent < index);
          assert.equal(typeof command.canonical, "string");
        }
      }),
      { numRuns: 1_000 },
    );
  });

  for (const [name, grow] of Object.entries(GROWING)) {
    it(`needs work in proportion to the length of ${name}`, PATIENT, () => {
      for (const size of [1, 10, 90, 174, 1_000, 4_000]) {
        const text = grow(size).slice(0, MAX_CHARACTERS);
        const { steps, outcome } = readCommandLine(text);
        assert.ok(
          steps <= allowance(text),
          `${size}: ${steps} steps for ${text.length} characters`,
        );
        assert.notEqual(outcome, "not-looked");
      }
    });
  }

  it("reads 90 nested substitutions and 174 hostile characters in few steps", () => {
    assert.ok(readCommandLine("$(".repeat(90)).steps < 5_000);
    const heredocs = GROWING["heredoc openers"](30).slice(-174);
    assert.ok(readCommandLine(heredocs).steps < 500);
  });

  it("still finds the command behind heredocs that never end", () => {
    const { commands } = readCommandLine(GROWING["heredoc openers"](30));
    assert.equal(commands.at(-1)!.canonical, "rm -rf /");
  });
});
