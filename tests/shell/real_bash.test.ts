import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import { wordText } from "../../src/shell/absolute_path.ts";
import { expandBraces } from "../../src/shell/brace_expansion.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";
import { BASH, RealBash, STUBS } from "./real_bash.ts";

/** Milliseconds: hundreds of processes are started, on a machine that may be busy. */
const PATIENT = { timeout: 120_000 };

/** Pieces of words: every way of quoting, and every expansion that we follow. */
const PIECE = fc.constantFrom(
  ..."x y 1 -r Z _ + % ^ , : = @ ~ # é . !".split(" "),
  ...["m", " ", "'", '"', "$", "\\", "*", "{", "n", ";", "~", "\n", "#"].map((one) => `\\${one}`),
  ...["a b", "$X", "\\", "*", "", " ", '"', "{a,b}"].map((one) => `'${one}'`),
  ...[
    "a b",
    "$X",
    "\\\\",
    "\\$X",
    "*",
    "",
    "'",
    "\\n",
    "${X}",
    "$(echo q)",
    "~",
    "{a,b}",
    "\\\n",
    "`echo r`",
    "$*",
    "$@",
  ]
    .map((one) => `"${one}"`),
  ...["\\x41", "\\n", "\\101", "a b", "\\'", "\\u00e9", "\\e"].map((one) => `$'${one}'`),
  ...[
    "X",
    "Y",
    "{X}",
    "{X:-d}",
    "{X:+e f}",
    "{X%b}",
    "{X#a}",
    "{X/a/zz}",
    "{X^^}",
    "{X:1:2}",
    "@",
    "*",
    "{X:1}",
  ].map((one) => `$${one}`),
  ...["{Y%%.*}", "{Y##*.}", "{Y%.*}", "{A[0]}", "{A[@]}", "{A[1]}", "{A[*]}"].map((one) =>
    `$${one}`
  ),
  ...[
    "a,b",
    "1..3",
    "a",
    "a,",
    "a,{b,c}",
    "c..a",
    "01..03",
    "x,'y z'",
    ",",
    "$X,b",
    "a..c..2",
    "a,b}{c,d",
    "-1..1",
    '"a,b"',
  ].map((one) => `{${one}}`),
  ..."* ? [ab] [!a]* [ ] } {".split(" "),
  ...["u v", "w", "'q  q'", "-n k", "\\\\", "$X"].map((one) => `$(echo ${one})`),
  "`echo u v`",
);
const WORD = fc.array(PIECE, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(""));
/** A word in the list of a loop; a comment there would leave the list empty, and we read the body all the same. */
const LISTED = WORD.filter((word) => !/^(?:\\\n)*#/.test(word));
const COMMAND = fc.tuple(fc.constantFrom(...STUBS), fc.array(WORD, { maxLength: 3 }))
  .map(([name, words]) => [name, ...words].join(" "));
const SETTING = fc.constantFrom(
  "X=ab",
  "X='a b'",
  "Y=q.r.s",
  'X="-r *"',
  "Y='  m n '",
  "X=",
  "A=(p 'q r')",
  "X=$Y",
  "X+=z",
  "IFS=:",
  "X=a:b",
  "set -- j 'k l'",
  "unset X",
  "X=~/h",
  'read X <<< "r s"',
  "printf -v X %s-%s 1 2",
  "export Y=$X",
  "A+=(n)",
);
const STATEMENT = fc.oneof(
  { weight: 5, arbitrary: COMMAND },
  { weight: 3, arbitrary: SETTING },
  fc.tuple(LISTED, LISTED).map(([one, two]) => `for i in ${one} ${two}; do aa "$i" $i; done`),
  fc.tuple(COMMAND, WORD, WORD).map(([body, one, two]) =>
    `f() { ${body} "$1" $2 "$@"; }; f ${one} ${two}`
  ),
  COMMAND.map((command) => `(X=sub; ${command} $X)`),
  COMMAND.map((command) => `{ ${command}; }`),
  COMMAND.map((command) => `case x in x) ${command};; esac`),
  COMMAND.map((command) => `X=before ${command} $X`),
  COMMAND.map((command) => `if aa; then ${command}; fi`),
);
const LINE = fc.tuple(
  fc.array(STATEMENT, { minLength: 1, maxLength: 4 }),
  fc.constantFrom("; ", "\n"),
)
  .map(([statements, joint]) =>
    `X=ab; Y=q.r.s; A=(p 'q r'); set -- j 'k l'\n${statements.join(joint)}`
  );

/** Words that the shell knows, in any order, with and without space. */
const TOKENS = fc.array(
  fc.tuple(
    fc.constantFrom(
      ..."aa bb if then fi else elif for in do done while case esac x) ;; { } ( ) (( )) [[ ]] && || | |& ; & ! > < >> 2>&1 <<< $( ` ' \" $ function f() = # a=1 time coproc until &> >| -n == x * {a,b} \\ $((1 + ~ ;;& [ ] a[1]=2 =~"
        .split(" "),
      "\n",
      "<<E\nx\nE\n",
    ),
    fc.constantFrom(" ", " ", ""),
  ),
  { minLength: 1, maxLength: 7 },
).map((tokens) => tokens.flat().join(""));

describe("beside a real bash", { skip: BASH === undefined }, () => {
  let bash: RealBash;
  before(() => bash = new RealBash());
  after(() => bash.close());

  it("programs get the words that we read, in the same order", PATIENT, () => {
    let compared = 0;
    fc.assert(
      fc.property(LINE, (line) => {
        const reading = readCommandLine(line);
        const commands = reading.commands.filter(({ program }) =>
          program.kind === "named" && STUBS.includes(program.name)
        );
        const places = { start: bash.folder, home: "/nowhere/home" };
        const ours = commands.map(({ words }) => words.map(({ parts }) => wordText(parts, places)));
        // An unknown word may be any number of words: nothing can be compared then.
        if (!reading.understood || ours.some((words) => words.includes(null))) return;
        compared++;
        assert.deepEqual(ours, bash.run(line), line);
      }),
      { numRuns: 150 },
    );
    assert.ok(compared > 40, `${compared} lines were compared`);
  });

  it("no line that bash accepts is taken for one that it refuses", PATIENT, () => {
    fc.assert(
      fc.property(TOKENS, (line) => {
        // Of what is inside backticks, (( and an unfinished [[ bash -n says nothing, and behind "time" in a
        // substitution it accepts what it refuses elsewhere: there we are the stricter ones.
        if (/`|\[\[|\(\(|\btime\b/.test(line)) return;
        const refused = readCommandLine(line).reasons.some(({ code }) => code === "syntax");
        if (refused) assert.equal(bash.accepts(line), false, line);
      }),
      { numRuns: 150 },
    );
  });

  it("a line that bash refuses lists no command that bash would have run", () => {
    for (
      const line of [
        "if aa; then",
        "aa && && bb",
        "aa )",
        "(aa",
        "aa 'x",
        'aa "x',
        "aa $(bb",
        "for i in; aa",
        "case x in",
        "{ aa",
        "aa;;",
        "| aa",
        "while aa; do",
        "f() ",
      ]
    ) {
      assert.equal(bash.accepts(line), false, line);
      assert.equal(readCommandLine(line).understood, false, line);
    }
  });

  it("braces expand to the same words", PATIENT, () => {
    const brace = fc.array(fc.constantFrom(..."{ } , a b .. 1 3 x ' \" \\".split(" ")), {
      maxLength: 12,
    })
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(brace, (text) => {
        if (/\\$|['"]/.test(text) || text === "") return;
        const words = expandBraces(text, 64);
        if (words === null) return;
        const [record] = bash.run(`aa ${text}`);
        const plain = words.map((word) => word.replace(/\\(.)/g, "$1")).filter((word) =>
          word !== ""
        );
        assert.deepEqual(record.slice(1), plain, text);
      }),
      { numRuns: 100 },
    );
  });
});
