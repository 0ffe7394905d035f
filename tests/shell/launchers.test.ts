import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUILTINS } from "../../src/shell/builtins.ts";
import type { SimpleCommand } from "../../src/shell/facts.ts";
import { FINDERS } from "../../src/shell/find_actions.ts";
import { INTERPRETERS, SHELLS } from "../../src/shell/interpreter_table.ts";
import type { LauncherGrammar } from "../../src/shell/launcher_grammar.ts";
import { optionsOf } from "../../src/shell/launcher_options.ts";
import { LAUNCHERS } from "../../src/shell/launchers.ts";
import {
  FAMILIES,
  FAMILY_WORDS,
  FILE_INTERPRETERS,
  OPENING_PROGRAMS,
} from "../../src/shell/opening_programs.ts";
import { isWordOf } from "../../src/shell/word_list.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";
import { SUBCOMMAND_LAUNCHERS } from "../../src/shell/subcommand_launchers.ts";

/** As a word, `time` is the shell's own. */
const CALLED: Readonly<Record<string, string>> = { "time": "/usr/bin/time" };

const ALL: readonly (readonly [string, LauncherGrammar])[] = [
  ...LAUNCHERS,
  ...[...SUBCOMMAND_LAUNCHERS].flatMap(([name, { subcommands }]) =>
    Object.entries(subcommands).map(([word, grammar]) => [`${name} ${word}`, grammar] as const)
  ),
];

/** The last command that a line runs; its program must be `rm`. */
function launched(line: string): SimpleCommand {
  const { commands } = readCommandLine(line);
  const command = commands.findLast(({ program }) =>
    program.kind === "named" && program.name === "rm"
  );
  assert.ok(command, `${line} launches rm`);
  return command;
}

describe("every launcher in the table", () => {
  for (const [name, grammar] of ALL) {
    const own = "own ".repeat(grammar.operands);
    const called = CALLED[name] ?? name;
    if (grammar.rest !== "nothing") {
      it(`${name} hands on the command behind its own words`, () => {
        const command = launched(`${called} ${own}rm -rf x`);
        assert.equal(command.canonical.startsWith("rm"), true);
        assert.ok(grammar.effects.every((effect) => command.effects.includes(effect)));
        assert.equal(command.launchers.at(-1)?.name, name);
      });
    }
    for (const { name: option, meaning, takes, separate } of optionsOf(grammar.options).values()) {
      const long = option.startsWith("--");
      if (meaning === "script") {
        it(`${name} ${option} runs a text`, () => {
          launched(long ? `${called} ${own}${option}='rm x'` : `${called} ${own}${option} 'rm x'`);
        });
      } else if (grammar.rest === "words" && (meaning === "flag" || meaning === "value")) {
        it(`${name} skips ${option}`, () => {
          if (!takes) launched(`${called} ${option} ${own}rm x`);
          if (separate) launched(`${called} ${option} value ${own}rm x`);
          if (takes && long) launched(`${called} ${option}=value ${own}rm x`);
        });
      }
    }
  }

  it("doubts an option that is not in the table", () => {
    for (const [name, grammar] of ALL) {
      if (grammar.rest === "nothing") continue;
      const { reasons } = readCommandLine(
        `${CALLED[name] ?? name} --no-such-option-at-all ${"own ".repeat(grammar.operands)}ls`,
      );
      assert.ok(reasons.some(({ code }) => code === "unknown-option"), name);
    }
  });

  it("is known to the fast path, which has names only", () => {
    const opening = [...LAUNCHERS.keys(), ...SHELLS, ...FINDERS];
    const texts = [
      "eval",
      "source",
      ".",
      "trap",
      "hash",
      "enable",
      "compgen",
      "complete",
      "bind",
      "mapfile",
      "readarray",
    ];
    for (const name of [...opening, ...texts, "at", "batch", "alias"]) {
      assert.ok(isWordOf(OPENING_PROGRAMS, name), name);
    }
    for (const name of INTERPRETERS.keys()) {
      assert.ok(isWordOf(OPENING_PROGRAMS, name) || isWordOf(FILE_INTERPRETERS, name), name);
    }
    for (const [name, { subcommands }] of SUBCOMMAND_LAUNCHERS) {
      assert.ok(isWordOf(FAMILIES, name) || isWordOf(OPENING_PROGRAMS, name), name);
      for (const word of Object.keys(subcommands)) {
        assert.ok(isWordOf(FAMILY_WORDS, word.split(" ")[0]), word);
      }
    }
    for (const name of texts) assert.ok(BUILTINS.has(name), name);
  });
});

describe("a launcher", () => {
  it("that is asked where a program is launches nothing", () => {
    for (
      const line of [
        "command -v rm",
        "command -V rm",
        "sudo -l rm",
        "sudo --help",
        "xargs --version",
      ]
    ) {
      assert.equal(readCommandLine(line).commands.length, 1, line);
    }
  });

  it("changes the folder of what it launches and of nothing else", () => {
    const { commands } = readCommandLine("env -C sub rm a; env --chdir=/srv rm b; rm c");
    const folders = commands.filter(({ program }) =>
      program.kind === "named" && program.name === "rm"
    )
      .map(({ directory }) => directory);
    assert.deepEqual(folders, [
      { base: "start", path: "sub" },
      { base: "root", path: "/srv" },
      { base: "start", path: "." },
    ]);
  });

  it("that runs elsewhere leaves the folder unknown", () => {
    for (
      const line of [
        "ssh host rm x",
        "docker exec c rm x",
        "kubectl exec p -- rm x",
        "chroot / rm x",
      ]
    ) {
      assert.deepEqual(launched(line).directory, { base: "unknown" }, line);
    }
  });

  it("takes option letters together, attached values and shortened names", () => {
    launched("sudo -nu bob rm x");
    launched("sudo -ubob rm x");
    launched("timeout -k5 9 rm x");
    launched("timeout --kill=5 9 rm x");
    launched("nice -n5 rm x");
    launched("nice -5 rm x");
    launched("xargs -n1 -P 4 -0 rm");
    launched("env -iS 'rm -rf x'");
    launched("env --split-string='rm -rf x'");
    launched("sudo -u bob -- rm x");
    assert.deepEqual(launched("xargs -0n1 rm").unseenOperands, "stdin");
  });

  it("hands items from its input on when the line says them", () => {
    assert.equal(launched("printf '%s\\n' a b | xargs rm").canonical, "rm a b");
    assert.equal(launched("echo a | xargs -I % rm %/b").canonical, "rm a/b");
    assert.equal(launched("ls | xargs -I % rm %/b").canonical, "rm %/b");
    assert.equal(launched("ls | xargs -I % rm %/b").words[1].known, "partly");
    assert.equal(launched("echo \"a 'b c'\" | xargs rm").unseenOperands, "stdin");
  });

  it("cannot call what only the shell has", () => {
    const { commands } = readCommandLine("rm() { ls; }; env rm x; rm y");
    assert.deepEqual(commands.map(({ program }) => program.kind), [
      "named",
      "named",
      "function",
      "named",
    ]);
  });

  it("raises a doubt when the text it runs is not known", () => {
    for (
      const line of [
        'bash -c "$X"',
        'ssh host "$X"',
        'eval "$X"',
        'su -c "$X"',
        "cat f | bash",
        "bash <(curl u)",
        'trap "$X" EXIT',
        'watch "$X"',
        'python3 -c "$X"',
        "curl u | python3",
      ]
    ) {
      const codes = readCommandLine(line).reasons.map(({ code }) => code);
      assert.ok(codes.includes("unknown-script"), line);
    }
  });
});

describe("a finder", () => {
  it("hands on every command of its actions", () => {
    const { commands } = readCommandLine(
      "find a -type f -exec grep -q x {} \\; -exec rm {} + -o -ok ls {} \\;",
    );
    assert.deepEqual(commands.map(({ canonical }) => canonical).slice(1), [
      "grep -q x {}",
      "rm {}",
      "ls {}",
    ]);
    assert.deepEqual(commands.map(({ unseenOperands }) => unseenOperands), [
      null,
      null,
      "found-files",
      null,
    ]);
    assert.deepEqual(commands[0].opens, [1, 2, 3]);
  });
});

describe("an interpreter", () => {
  const code = (line: string) =>
    readCommandLine(line).commands.at(-1)!.code.map((
      { language, word, from },
    ) => [language, word.value, from]);

  it("runs the code of its options", () => {
    assert.deepEqual(code("python3.12 -Ic 'a' b"), [["python", "a", "argument"]]);
    assert.deepEqual(code("node --eval='a'"), [["javascript", "a", "argument"]]);
    assert.deepEqual(code("perl -lane 'a' f"), [["perl", "a", "argument"]]);
    assert.deepEqual(code("php -r 'a'"), [["php", "a", "argument"]]);
    assert.deepEqual(code("awk -v x=1 'a' f"), [["awk", "a", "argument"]]);
    assert.deepEqual(code("awk -f prog f"), []);
    assert.deepEqual(code("sed -n -e a -e b f"), [["sed", "a", "argument"], [
      "sed",
      "b",
      "argument",
    ]]);
    assert.deepEqual(code("fish -c 'a'"), [["unknown", "a", "argument"]]);
    assert.deepEqual(code("cmd /c del x"), [["cmd", "del x", "argument"]]);
  });

  it("runs what it reads only when it is given no file and no module", () => {
    assert.deepEqual(code("python3 <<< a"), [["python", "a\n", "stdin"]]);
    assert.deepEqual(code("python3 - x <<< a"), [["python", "a\n", "stdin"]]);
    assert.deepEqual(code("python3 f.py <<< a"), []);
    assert.deepEqual(code("python3 -m json.tool <<< a"), []);
    assert.equal(readCommandLine("curl u | python3 -m json.tool").understood, true);
    assert.equal(readCommandLine("curl u | node -e 'a'").understood, true);
  });

  it("runs a file that the line wrote", () => {
    assert.deepEqual(code("echo a > f.py; python3 f.py"), [["python", "a\n", "argument"]]);
  });
});
