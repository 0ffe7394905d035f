import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  commandWords,
  givenOption,
  type OptionGrammar,
  UNKNOWN,
  wordText,
} from "../../src/guards/command_words.ts";
import { pathText, wordPath } from "../../src/guards/word_path.ts";
import type { ShellWord } from "../../src/shell/facts.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";

/** The words of a command line's first command, its program's name left out. */
function words(line: string): readonly ShellWord[] {
  return readCommandLine(line).commands[0]!.words.slice(1);
}

function read(line: string, grammar?: OptionGrammar) {
  const { options, operands } = commandWords(words(line), grammar);
  return {
    options: options.map(({ name, value }) => value === null ? name : `${name}=${value}`),
    operands: operands.map(({ text }) => text),
  };
}

describe("commandWords()", () => {
  test("takes letters that stand together apart", () => {
    assert.deepEqual(read("rm -rf a b"), { options: ["-r", "-f"], operands: ["a", "b"] });
  });

  test("gives an option its value, glued, after a sign or in the next word", () => {
    const grammar = { valued: ["-m", "--message"] };
    assert.deepEqual(read("git -m x a", grammar), { options: ["-m=x"], operands: ["a"] });
    assert.deepEqual(read("git -am x a", grammar), { options: ["-a", "-m=x"], operands: ["a"] });
    assert.deepEqual(read("git -mx a", grammar), { options: ["-m=x"], operands: ["a"] });
    assert.deepEqual(read("git --message=x a", grammar).options, ["--message=x"]);
    assert.deepEqual(read("git --mess x a", grammar), { options: ["--mess=x"], operands: ["a"] });
  });

  test("takes no option after two dashes, nor after an operand where that ends them", () => {
    assert.deepEqual(read("rm -- -rf"), { options: [], operands: ["-rf"] });
    assert.deepEqual(read("git push -f", { stopsAtOperand: true }).operands, ["push", "-f"]);
  });

  test("reads whole words after one dash where a program does", () => {
    const grammar = { style: "single-dash" as const };
    assert.deepEqual(read("terraform -chdir=x apply -auto-approve", grammar), {
      options: ["-chdir=x", "-auto-approve"],
      operands: ["apply"],
    });
  });

  test("a negative number is an operand of kill, after its signal", () => {
    const grammar = { negativeOperands: true };
    assert.deepEqual(read("kill -9 -1", grammar), { options: ["-9"], operands: ["-1"] });
    assert.deepEqual(read("kill -1 12", grammar), { options: ["-1"], operands: ["12"] });
  });

  test("what is not known stands in the text as a sign of its own", () => {
    assert.deepEqual(words('x "a$B" ~/c $(d)').map(wordText), [`a${UNKNOWN}`, "~/c", UNKNOWN]);
  });
});

describe("givenOption()", () => {
  test("knows shortened spellings where a program takes them, and no others", () => {
    const getopt = commandWords(words("git --mi"));
    assert.equal(givenOption(getopt, ["--mirror"])?.name, "--mi");
    assert.equal(givenOption(getopt, ["--force"]), null);
    const exact = commandWords(words("docker --vol"), { style: "exact" });
    assert.equal(givenOption(exact, ["--volumes"]), null);
    const all = commandWords(words("git --all"));
    assert.equal(givenOption(all, ["--allow-empty"])?.name, "--all");
    assert.equal(givenOption(commandWords(words("git --allow-empty")), ["--all"]), null);
  });
});

describe("wordPath()", () => {
  const base = { cwd: "/repo/app", home: "/home/u" };
  const of = (line: string): string => {
    const [word] = words(line);
    const path = wordPath(word!, { base: "start", path: "sub" }, base);
    if (path.kind === "unknown") return "unknown";
    if (path.kind === "partly") return `${pathText(path.prefix)}/…`;
    return pathText(path.path) + (path.pattern === null ? "" : ` from ${path.pattern}`);
  };
  const rows: [string, string][] = [
    ["x a", "/repo/app/sub/a"],
    ["x ../a/./b//c/", "/repo/app/a/b/c"],
    ["x /a/../b", "/b"],
    ["x ~/a", "/home/u/a"],
    ["x $HOME/a", "/home/u/a"],
    ["x ~bob/a", "/home/bob/a"],
    ["x $PWD/a", "/repo/app/a"],
    ["x a/*.ts", "/repo/app/sub/a/*.ts from 4"],
    ["x *", "/repo/app/sub/* from 3"],
    ["x '*'", "/repo/app/sub/*"],
    ["x a/$B", "/repo/app/sub/a/…"],
    ["x a$B", "/repo/app/sub/…"],
    ["x $B/a", "unknown"],
    ["x $(mktemp -d)/a", "/tmp/made-by-mktemp/a"],
    ["x C:/a", "unknown"],
    ["x '\\\\server\\a'", "unknown"],
  ];
  for (const [line, expected] of rows) {
    test(`${line} leads to ${expected}`, () => assert.equal(of(line), expected));
  }

  test("a home that is not known has a root of its own, in no folder", () => {
    const [word] = words("x ~/a");
    const path = wordPath(word!, { base: "unknown" }, { cwd: "/repo/app" });
    assert.equal(path.kind === "known" ? pathText(path.path) : null, "~/a");
  });

  test("in a folder that is not known only paths from the top lead somewhere", () => {
    const where = (line: string) => wordPath(words(line)[0]!, { base: "unknown" }, base).kind;
    assert.equal(where("x a"), "unknown");
    assert.equal(where("x /a"), "known");
  });
});
