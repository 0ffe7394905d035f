import { forEachChild, parse, type SyntaxNode } from "unbash";
import { compilePolicy } from "../../src/policy/compile_policy.ts";
import { LinePolicy } from "../../src/policy/line_policy.ts";
import { readPlainList } from "../../src/shell/plain_list.ts";
import { readCommandLine } from "../../src/shell/read_command_line.ts";
import { readSimpleCommandLine } from "../../src/shell/simple_command_line.ts";
import { type BenchRow, row } from "./row.ts";

/** A line as agents write them: lists, pipes, a loop, a test, a heredoc, substitutions, redirections. */
const COMPOUND = `set -e; cd "$HOME/src/my app" && git fetch --all 2>&1 | \
tee build/log.txt | grep -v '^From' || true
for f in $(git diff --name-only HEAD~1 -- '*.ts'); do
  if [[ -f "$f" && "\${f##*.}" == ts ]]; then npx prettier --write "$f" >>out.log 2>/dev/null; fi
done
cat <<'EOF' > notes.md
$(rm -rf /) is only text here
EOF
echo "done: $(date +%s)" &`;

const SHORT = "git status --short";

/** A list of plain commands, which is read without the parser. */
const PLAIN_LIST = "cd src && git status --short | head -20 && git log --oneline -n 5 && " +
  "npm test 2>&1 | tail -40; ls -la docs && echo 'all of it is done now'";

const RULE_COUNT = 100;
const ROUNDS = 9;
/** The runtimes go on compiling for a good while; what is measured is a process that runs long. */
const WARM_UP_ROUNDS = 12;
/** How many calls make one measurement: long enough for the clock, short enough to interleave. */
const CALLS = 2_000;

/**
 * Reading a line in a running process, against the parser's own work on it: a parse with all that it leaves for later
 * (parts of words, scripts in substitutions) done at once. Each round measures all bodies, one behind the other.
 */
export function bench(): Promise<readonly BenchRow[]> {
  const policy = manyRules();
  const decide = (text: string) =>
    policy.evaluateLine(
      "bash",
      "",
      readSimpleCommandLine(text) ?? readPlainList(text) ?? readCommandLine(text),
    ).commands.length;
  const bodies: readonly (() => number)[] = [
    () => parseAll(COMPOUND),
    () => readCommandLine(COMPOUND).commands.length,
    () => decide(COMPOUND),
    () => readCommandLine(SHORT).commands.length,
    () => readSimpleCommandLine(SHORT)?.commands.length ?? 0,
    () => decide(SHORT),
    () => parseAll(PLAIN_LIST),
    () => decide(PLAIN_LIST),
  ];
  const rounds: number[][] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const times = bodies.map(microseconds);
    if (round >= WARM_UP_ROUNDS) rounds.push(times);
  }
  const time = (body: number) => median(rounds.map((times) => times[body]));
  const ratio = (body: number, to: number) =>
    median(rounds.map((times) => times[body] / times[to]));
  return Promise.resolve([
    row("parser alone, all parts forced, compound line", time(0), "us"),
    row("reading a compound line / parser alone", ratio(1, 0), "x"),
    row("reading and deciding, 100 rules / parser alone", ratio(2, 0), "x", 1.6, 2),
    row("reading a short line by the full reader", time(3), "us"),
    row("reading a short line by the fast path / the full reader", ratio(4, 3), "x", 0.5, 1),
    row("reading and deciding a short line, 100 rules", time(5), "us"),
    row("reading and deciding a list of plain commands / parser alone", ratio(7, 6), "x", 1.6, 2),
  ]);
}

/** Parses a text and everything that the parser leaves until it is asked for; how many nodes there are. */
function parseAll(text: string): number {
  let count = 0;
  const visit = (node: SyntaxNode): void => {
    count++;
    forEachChild(node, visit);
  };
  visit(parse(text));
  return count;
}

/** Rules of which some match commands of the compound line, and most do not. */
function manyRules(): LinePolicy {
  const others = Array.from({ length: RULE_COUNT - 10 }, (_, index) => `cmd${index} sub${index} *`);
  return new LinePolicy(compilePolicy("rules", {
    deny: { bash: [...others.slice(0, others.length / 2), "rm -rf /*", "mkfs*"] },
    allow: {
      bash: [...others.slice(others.length / 2), "git *", "cd *", "grep *", "echo *", "cat *"],
    },
    escalate: { bash: ["sudo *", "git push*", "npx *"] },
  }, "parse"));
}

function microseconds(body: () => number): number {
  let seen = 0;
  const start = performance.now();
  for (let call = 0; call < CALLS; call++) seen += body();
  const time = performance.now() - start;
  if (seen < CALLS) throw new Error("Cannot measure a reading: it found no command");
  return time * 1_000 / CALLS;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
