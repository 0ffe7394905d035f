import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ShellWord } from "../../src/shell/facts.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";

/** The words behind the program `x`, where it stands last. */
function operands(line: string): readonly ShellWord[] {
  const command = readCommandLine(line).commands.findLast(({ words }) => words[0]?.value === "x");
  return command!.words.slice(1);
}

/** Lines, and the values of the words behind the program `x`; `null` where one is not a text. */
const VALUES: readonly (readonly [string, readonly (string | null)[]])[] = [
  [`x a\\ b "c d" 'e f' g""h`, ["a b", "c d", "e f", "gh"]],
  [`x $'\\x72\\155\\n' $"loc"`, ["rm\n", "loc"]],
  [`x "a\\"b\\\\c\\d"`, ['a"b\\c\\d']],
  [`x '' "" $'' \\\n`, ["", "", ""]],
  [`x a\\\nb "c\\\nd"`, ["ab", "cd"]],
  [`x {a,b{1,2}}c {1..3} {c..a} {01..03} {a} {a,} '{a,b}' "{a,b}"`, [
    "ac",
    "b1c",
    "b2c",
    "1",
    "2",
    "3",
    "c",
    "b",
    "a",
    "01",
    "02",
    "03",
    "{a}",
    "a",
    "{a,b}",
    "{a,b}",
  ]],
  [`V="a b"; x $V "$V" "p $V q" \${V}c`, ["a", "b", "a b", "p a b q", "a", "bc"]],
  [`V='*'; x $V "$V"`, ["*", "*"]],
  [`V=; x $V "$V" a$V`, ["", "a"]],
  [`V=abc; x \${V%c} \${V#a} \${V/b/x} \${V:1:1} \${V^^} \${#V}`, [
    "ab",
    "bc",
    "axc",
    "b",
    "ABC",
    null,
  ]],
  [`V=a.b.c; x \${V##*.} \${V%%.*} \${V%.*} \${V#*.}`, ["c", "a", "a.b", "b.c"]],
  [`V=a; W=V; x \${!W} \${V:+set} \${U:-def} \${V-x}`, ["a", "set", null, "a"]],
  [`V=(a 'b c'); x "\${V[@]}" "\${V[1]}" $V "\${V[*]}"`, ["a", "b c", "b c", "a", "a b c"]],
  [`V=(a); V+=(b); x "\${V[@]}"`, ["a", "b"]],
  [`V=a; V+=b; x $V`, ["ab"]],
  [`set -- a 'b c'; x "$@" $1 "$*" $3`, ["a", "b c", "a", "a b c"]],
  [`x $(echo a b) "$(echo a b)" $(printf '%s-%s' 1 2) \`echo c\``, ["a", "b", "a b", "1-2", "c"]],
  [`x "$(echo a; echo b)"`, ["a\nb"]],
  [`x $(date) "$(date)" $((1+1))`, [null, null, null]],
  [`x *.js "*.js" a?b [ab] @(a|b)`, ["*.js", "*.js", "a?b", "[ab]", "@(a|b)"]],
  [`V=c; x [a$V] ["$V"b]* @(a|$V)`, ["[ac]", "[cb]*", "@(a|c)"]],
  [`x ~ ~/a ~bob "~" a~ $HOME/b \${HOME}`, [null, null, null, "~", "a~", null, null]],
  [`V=1 true; x "$V"`, [null]],
  [`unset V; x "$V" b`, ["", "b"]],
  [`printf -v V '%s' a; x $V`, ["a"]],
  [`read V <<< 'a b'; x "$V"`, ["a b"]],
  [`IFS=:; V=a:b; x $V "$V"`, ["a", "b", "a:b"]],
  [`IFS=' :'; V='a : b::c:'; x $V`, ["a", "b", "", "c"]],
  [`export V=a; x $V; bash -c 'x $V'`, ["a"]],
  [`V=a; bash -c 'x $V'`, [null]],
  [`V=a; (V=b); x $V`, ["a"]],
  [`V=a; true | V=b; x $V`, ["a"]],
  [`V=a; if y; then V=b; fi; x $V`, [null]],
  [`V=a; y && V=b; x $V`, [null]],
  [`V=a && x $V`, ["a"]],
  [`V=a; while y; do x $V; V=b; done`, [null]],
  [`f() { x "$2"; }; f a b`, ["b"]],
  [`for V in a b; do :; done; x $V`, [null]],
  [`x -e 'a'$'b'"c"d`, ["-e", "abcd"]],
];

describe("a word's value", () => {
  for (const [line, values] of VALUES) {
    it(`is what the shell would hand on: ${JSON.stringify(line)}`, () => {
      assert.deepEqual(operands(line).map(({ value }) => value), values);
    });
  }

  it("has symbolic parts for the home and the running folder", () => {
    const parts = (line: string) => operands(line)[0].parts;
    assert.deepEqual(parts("x ~/a"), [{ kind: "home", user: null }, { kind: "text", text: "/a" }]);
    assert.deepEqual(parts('x "$HOME/a"'), parts("x ~/a"));
    assert.deepEqual(parts("x ~\\\n"), [{ kind: "home", user: null }]);
    assert.deepEqual(parts("x ~bob"), [{ kind: "home", user: "bob" }]);
    assert.deepEqual(parts('cd a && x "$PWD"'), [
      { kind: "directory", directory: { base: "start", path: "a" } },
    ]);
    assert.deepEqual(parts("cd a && x $(pwd)"), parts('cd a && x "$PWD"'));
  });

  it("says whether an unknown part can be empty and can split", () => {
    const [plain, quoted, checked, number] = operands('x $A "$B" "${C:?}" "$#"');
    assert.deepEqual([plain.splits, quoted.splits, checked.splits], [true, false, false]);
    const mayBeEmpty = (word: ShellWord) =>
      word.parts.map((part) => part.kind === "unknown" ? part.mayBeEmpty : null);
    assert.deepEqual([plain, quoted, checked, number].map(mayBeEmpty), [[true], [true], [false], [
      false,
    ]]);
  });

  it("is known, partly known or unknown", () => {
    assert.deepEqual(operands('x a "$B" "a$B" ~').map(({ known }) => known), [
      "known",
      "unknown",
      "partly",
      "known",
    ]);
  });

  it("is marked as a pattern only where the shell matches files", () => {
    assert.deepEqual(operands(`x * '*' "*" \\* a[b] V=*`).map(({ globs }) => globs), [
      true,
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it("holds a process substitution that touches it", () => {
    const [word] = operands("x a<(y)b");
    assert.deepEqual(word.parts.map((part) => part.kind === "unknown" ? part.source : part), [
      { kind: "text", text: "a" },
      "process",
      { kind: "text", text: "b" },
    ]);
  });

  it("is doubted when a subscript in it would run a command", () => {
    for (
      const line of ["X='a[$(rm y)]'; echo $((X))", "test -v 'a[$(rm y)]'", "unset 'a[`rm y`]'"]
    ) {
      assert.deepEqual(
        readCommandLine(line).reasons.map(({ code }) => code),
        ["unknown-script"],
        line,
      );
    }
    assert.equal(readCommandLine("X='a[1]'; test -v 'a[1]'; echo 'a[$(b)]'").understood, true);
  });

  it("stops at too many braces", () => {
    const { understood, reasons } = readCommandLine("x {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}");
    assert.equal(understood, false);
    assert.equal(reasons[0].code, "too-long");
  });
});

describe("a heredoc", () => {
  it("is text with its expansions when its delimiter is not quoted", () => {
    const [command] = readCommandLine("V=a; cat <<E\n$V \\$V `echo b`\\\nc\nE").commands.slice(1);
    assert.equal(command.redirections[0].target.value, "a $V bc\n");
  });

  it("is literal text when its delimiter is quoted", () => {
    const [command] = readCommandLine("cat <<'E'\n$V \\$V `rm b`\nE").commands;
    assert.equal(command.redirections[0].target.value, "$V \\$V `rm b`\n");
  });
});
