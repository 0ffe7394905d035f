import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { quoteText } from "../../src/shell/quote_text.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(..."ab -'\"\\$`*?[]{},~=!#;&|<>()\n\t%^"), maxLength: 12 }),
);

describe("canonical text", () => {
  it("quotes any text so that reading it again gives the text", () => {
    fc.assert(fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
      const line = ["x", ...texts.map(quoteText)].join(" ");
      const { commands } = readCommandLine(line);
      assert.equal(commands.length, 1);
      assert.deepEqual(commands[0].words.map(({ value, globs }) => globs ? null : value), [
        "x",
        ...texts,
      ]);
    }));
  });

  it("of a known command reads as the same words again", () => {
    fc.assert(fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (texts) => {
      const [first] = readCommandLine(
        texts.map((one) => `'${one.replaceAll("'", "'\\''")}'`).join(" "),
      ).commands;
      if (
        first.role === "launches" || first.program.kind !== "named" ||
        first.program.place === "system"
      ) return;
      const [again] = readCommandLine(first.canonical).commands;
      assert.deepEqual(
        again.words.map(({ value }) => value),
        first.words.map(({ value }) => value),
      );
      assert.equal(again.canonical, first.canonical);
    }));
  });

  it("is the same for every spelling of the same words", () => {
    for (
      const line of [
        "git push --force",
        "git  push\t--force",
        "g''it 'push' \"--force\"",
        "gi\\t push --fo\\\nrce",
        "/usr/bin/git push --force 2>&1",
        "X=push; git $X --force",
      ]
    ) {
      assert.equal(readCommandLine(line).commands.at(-1)!.canonical, "git push --force", line);
    }
  });

  it("leaves descriptors and /dev/null out, and files in", () => {
    const canonical = (line: string) => readCommandLine(line).commands[0].canonical;
    assert.equal(canonical("a 2>&1 >/dev/null <&- b"), "a b");
    assert.equal(canonical("a > f 2>> g < h"), "a > f 2>> g < h");
    assert.equal(canonical("> f"), "> f");
    assert.equal(canonical("a <<E\nx\nE"), "a <<");
    assert.equal(canonical("a <<< 'b c'"), "a <<< 'b c'");
  });

  it("never looks like an assignment or a reserved word", () => {
    assert.equal(readCommandLine("'A=b' c").commands[0].canonical, "'A=b' c");
    assert.equal(readCommandLine("\\if c").commands[0].canonical, "'if' c");
  });
});
