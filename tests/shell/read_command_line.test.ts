import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { MAX_CHARACTERS, MAX_COMMANDS, MAX_DEPTH } from "../../src/shell/limits.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";
import { frozenReading } from "./frozen_reading.ts";
import { describeCommand } from "./describe_command.ts";

interface Line {
  readonly line: string;
  readonly outcome: string;
  readonly reasons: readonly string[];
  readonly commands: readonly string[];
}

const LINES: readonly Line[] = readFileSync(new URL("lines.jsonl", import.meta.url), "utf8")
  .trim().split("\n").map((text) => JSON.parse(text));

describe("readCommandLine() over the table of lines", () => {
  for (const { line, outcome, reasons, commands } of LINES) {
    it(`reads ${JSON.stringify(line).slice(0, 120)}`, () => {
      const reading = readCommandLine(line);
      assert.deepEqual({
        outcome: reading.outcome,
        reasons: reading.reasons.map(({ code }) => code),
        commands: reading.commands.map(describeCommand),
      }, { outcome, reasons, commands });
      assert.equal(reading.understood, reasons.length === 0);
    });
  }
});

describe("readCommandLine()", () => {
  it("tells a blank line from one that it did not look at", () => {
    assert.equal(readCommandLine("  \n # x").outcome, "no-command");
    assert.equal(readCommandLine("  \n # x").understood, true);
    const long = readCommandLine(" ".repeat(MAX_CHARACTERS + 1));
    assert.equal(long.outcome, "not-looked");
    assert.equal(long.understood, false);
    assert.equal(long.reasons[0].code, "too-long");
    const other = readCommandLine("dir", { shell: "other" });
    assert.equal(other.outcome, "not-looked");
    assert.equal(other.reasons[0].code, "other-shell");
  });

  it("lists the commands before a cap and says that there are more", () => {
    const reading = readCommandLine(`${"true;".repeat(MAX_COMMANDS)} rm x`);
    assert.equal(reading.commands.length, MAX_COMMANDS);
    assert.deepEqual(reading.reasons.map(({ code }) => code), ["too-long"]);
  });

  it("does not follow nesting beyond the cap, and says so", () => {
    const depth = MAX_DEPTH + 2;
    for (
      const line of [
        `${"$(".repeat(depth)}rm x${")".repeat(depth)}`,
        `${"(".repeat(1)}${"{ ".repeat(depth)}rm x;${"};".repeat(depth - 1)}})`,
        `${"eval ".repeat(depth)}rm x`,
        `${"sudo ".repeat(depth)}rm x`,
        `${"find . -exec ".repeat(depth)}rm x`,
        `f() { g; }; g() { h; }; h() { ${"if a; then ".repeat(depth)} b; ${
          "fi;".repeat(depth)
        } }; f`,
      ]
    ) {
      const codes = readCommandLine(line).reasons.map(({ code }) => code);
      assert.ok(codes.includes("too-deep"), line);
    }
  });

  it("gives each command the place where it stands", () => {
    const line = "cd a && bash -c 'rm  x' && echo $(date)";
    const pieces = readCommandLine(line).commands
      .map(({ span }) => line.slice(span.start, span.end));
    assert.deepEqual(pieces, ["cd a", "bash -c 'rm  x'", "rm  x", "echo $(date)", "date"]);
  });

  it("gives a script in changed spelling the place of the word that carries it", () => {
    const line = 'bash -c "rm \\"x\\""';
    const [, inner] = readCommandLine(line).commands;
    assert.equal(line.slice(inner.span.start, inner.span.end), '"rm \\"x\\""');
    assert.equal(inner.canonical, "rm x");
  });

  it("reports where the shell stops understanding", () => {
    const { reasons } = readCommandLine("ls; if true");
    assert.equal(reasons[0].code, "syntax");
    assert.equal(typeof reasons[0].span.start, "number");
  });

  it("reads the same again when an earlier reading is frozen with all that it holds", () => {
    for (const line of ["rm x | sudo y", "X=1 ls > a; cd b && git log", "ls"]) {
      const before = frozenReading(line);
      assert.deepEqual(readCommandLine(line), before);
    }
  });

  it("names every hidden character, and none that a text in another script needs", () => {
    for (
      const hidden of [
        "\u200b",
        "\u202e",
        "\u2066",
        "\ufeff",
        "\u00ad",
        "\u0000",
        "\u001b",
        "\u{e0041}",
      ]
    ) {
      const codes = readCommandLine(`echo a${hidden}b`).reasons.map(({ code }) => code);
      assert.ok(codes.includes("hidden-character"), JSON.stringify(hidden));
    }
    for (
      const shown of [
        "h\u00e9llo",
        "\u26a0\ufe0f",
        "\u{1f469}\u200d\u{1f4bb}",
        "\u0645\u06cc\u200c\u0634\u0648\u062f",
        "a\tb",
      ]
    ) {
      assert.deepEqual(readCommandLine(`git commit -m '${shown}'`).reasons, [], shown);
    }
    assert.equal(readCommandLine("ls\r\nls").understood, true);
    assert.equal(readCommandLine("ls\rrm").understood, false);
  });

  it("knows that zsh puts a program's path in place of =name", () => {
    assert.equal(readCommandLine("echo =id").commands[0].words[1].value, "=id");
    assert.equal(
      readCommandLine("echo =id", { shell: "zsh" }).commands[0].words[1].known,
      "unknown",
    );
  });

  it("says which commands write into a pipe", () => {
    const { commands } = readCommandLine("curl a | tee b | sh");
    assert.deepEqual(commands.map(({ stdin }) => stdin.kind === "pipe" ? stdin.from : []), [
      [],
      [0],
      [1],
    ]);
  });

  it("lists the variables in force for each command", () => {
    const names = (line: string) =>
      readCommandLine(line).commands.map(({ environment }) =>
        environment.map(({ name, how }) => `${name} ${how}`)
      );
    assert.deepEqual(names("A=1 b; c"), [["A prefix"], []]);
    assert.deepEqual(names("export A=1; b"), [[], ["A export"]]);
    assert.deepEqual(names("(A=1; b); c"), [["A assignment"], ["A assignment"], []]);
    assert.deepEqual(names("env A=1 b"), [[], ["A launcher"]]);
    assert.deepEqual(names("A=1 bash -c b"), [["A prefix"], ["A prefix"]]);
    assert.deepEqual(names("if x; then A=1; fi; b"), [[], ["A assignment"], ["A assignment"]]);
  });

  it("gives a redirected group an entry of its own, without a program", () => {
    const { commands } = readCommandLine("{ a; b; } >> f");
    assert.equal(commands[0].program.kind, "none");
    assert.equal(commands[0].redirections[0].effect, "append");
    assert.deepEqual(commands.map(({ parent }) => parent), [null, 0, 0]);
  });

  it("reads redirections wherever they stand, with descriptor and effect", () => {
    const [command] =
      readCommandLine("git push 2>/dev/null origin < in >| out 3>&- &>> all >&2 main").commands;
    assert.deepEqual(command.words.map(({ value }) => value), ["git", "push", "origin", "main"]);
    assert.deepEqual(
      command.redirections.map((
        { operator, descriptor, effect, target },
      ) => [operator, descriptor, effect, target.value]),
      [
        [">", 2, "write", "/dev/null"],
        ["<", 0, "read", "in"],
        [">|", 1, "write", "out"],
        [">&", 3, "close", "-"],
        ["&>>", 1, "append", "all"],
        [">&", 1, "duplicate", "2"],
      ],
    );
  });

  it("takes a program for what its path says", () => {
    const program = (line: string) => {
      const { program } = readCommandLine(line).commands[0];
      return program.kind === "named" ? [program.name, program.path, program.place] : program.kind;
    };
    assert.deepEqual(program("rm x"), ["rm", "rm", "search"]);
    assert.deepEqual(program("/usr/bin/rm x"), ["rm", "/usr/bin/rm", "system"]);
    assert.deepEqual(program("./rm x"), ["rm", "./rm", "elsewhere"]);
    assert.deepEqual(program("~/bin/rm x"), ["rm", "~/bin/rm", "elsewhere"]);
    assert.deepEqual(program('"$V"/bin/rm x'), ["rm", "$V/bin/rm", "elsewhere"]);
    assert.deepEqual(program("$V/bin/rm x"), "unknown");
    assert.deepEqual(program("> f"), "none");
  });

  it("never calls a launcher transparent that is some other file of that name", () => {
    assert.equal(readCommandLine("timeout 5 ls").commands[0].role, "launches");
    assert.equal(readCommandLine("./timeout 5 ls").commands[0].role, "runs");
  });

  it("counts a launcher that writes a file as doing something of its own", () => {
    assert.equal(readCommandLine("bash -c 'ls' > f").commands[0].role, "runs");
    const [outer, inner] = readCommandLine("timeout 5 ls > f").commands;
    assert.equal(outer.role, "launches");
    assert.equal(inner.canonical, "ls > f");
  });
});
