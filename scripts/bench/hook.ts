import { execFile } from "node:child_process";
import { access, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { bundle } from "../build/bundle.ts";
import { preparedRuntime, thisMachine } from "../build/prepared_runtime.ts";
import { TARGETS } from "../build/targets.ts";
import { type BenchRow, row } from "./row.ts";
import { type Contestant, type PairResult, ratioOf, runPairs, together } from "./run_pairs.ts";

const run = promisify(execFile);

const ROOT = dirname(dirname(import.meta.dirname!));
const FOLDER = join(ROOT, ".build", "bench");
/** The peer that is measured beside us, as its makers publish it. */
const PEER = { name: "cc-safety-net", version: "2.4.5" };
const RULE_COUNTS = [10, 100, 1_000] as const;
/** Turns of each command: enough for a median that holds on a shared machine. */
const TURNS = 40;
/** How many files each program is run from. */
const COPIES = 3;
const PEER_TURNS = 15;
const WARM_UP = 3;

/** Lists and pipelines of plain commands, as agents write them: a little more than 300 characters. */
const PLAIN_LIST = "cd src && git status --short | head -20 && git log --oneline -n 5 && " +
  "git diff --stat | tail -30; ls -la docs && echo 'the first part is done' && " +
  "npm test 2>&1 | tail -40 && git status -sb && git rev-parse HEAD && ls -R . | wc -l && " +
  "git show --stat | grep -v '^ ' | head -15 && echo 'all of it is done now'";

/** The same length with a loop, a test, a heredoc and substitutions: for the parser, and for the guards' tables. */
const SCRIPT = `set -e; cd src && git fetch --all 2>&1 | tee build/log.txt | grep -v '^From' || true
for f in $(git diff --name-only HEAD~1 -- '*.ts'); do
  if [[ -f "$f" && "\${f##*.}" == ts ]]; then echo "$f" >>out.log 2>/dev/null; fi
done
cat <<'EOF' > notes.md
$(rm -rf /) is only text here
EOF
echo "done: $(date +%s)" &`;

/**
 * The hook as a whole process, from its start to its end, as a client runs it: against an empty program (E), against
 * the least that any hook does (R), with few and many rules, for other tools and longer lines, and against a peer.
 */
export async function bench(): Promise<readonly BenchRow[]> {
  const place = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
  try {
    const contestants = await makeContestants(place);
    const results = await runCopies(contestants, place);
    const [empty, floor, few, hook, many, recorded, denied, list, script, read, edit] = results;
    const ours = [contestants[3], contestants[6]];
    const peers = await runPairs(
      [
        ...await Promise.all(ours.map((one, at) => withOwnFile(one, join(place, `ours-${at}`)))),
        ...await peerContestants(place),
      ],
      { turns: PEER_TURNS, warmUp: WARM_UP, folder: FOLDER, cwd: join(place, "project") },
    );
    printDetails([...results, ...peers.slice(2)]);
    const [oursPlain, oursDenied, peerPlain, peerDenied] = peers;
    return [
      row("R (reads JSON, prints a verdict) / E (empty program)", ratioOf(floor, empty), "x"),
      row("hook claude-code, 100 rules in YAML / R", ratioOf(hook, floor), "x R", 1.25, 1.35),
      row("hook claude-code, 1,000 rules / 10 rules", ratioOf(many, few), "x", 1.15, 1.3),
      row("hook claude-code, with its record / R", ratioOf(recorded, floor), "x R", 1.5, 1.9),
      row("hook claude-code, a denial / R", ratioOf(denied, floor), "x R"),
      row("hook claude-code, a list of plain commands / R", ratioOf(list, floor), "x R", 1.6, 2),
      row("hook claude-code, a script in one line / R", ratioOf(script, floor), "x R", 1.6, 2),
      row("hook claude-code, Read / R", ratioOf(read, floor), "x R"),
      row("hook claude-code, Edit / R", ratioOf(edit, floor), "x R"),
      row("hook claude-code, peak memory", hook.peakMiB, "MiB", 31, 36),
      faster(`${PEER.name}, git status`, ratioOf(peerPlain, oursPlain)),
      faster(`${PEER.name}, rm -rf /`, ratioOf(peerDenied, oursDenied)),
    ];
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/**
 * Runs each contestant from several files of its own: one that ran just before would still be in the processor's caches,
 * and where the kernel keeps a file's pages makes a few percent. A turn of it is the median of its files.
 */
async function runCopies(
  contestants: readonly Contestant[],
  place: string,
): Promise<readonly PairResult[]> {
  const copied: Contestant[] = [];
  for (const contestant of contestants) {
    for (let copy = 0; copy < COPIES; copy++) {
      copied.push(await withOwnFile(contestant, join(place, `program-${copied.length}`)));
    }
  }
  // The files of one program do not run one behind the other.
  const order = copied.map((_, index) =>
    index % contestants.length * COPIES + Math.floor(index / contestants.length)
  );
  const ran = await runPairs(order.map((index) => copied[index]), {
    turns: TURNS,
    warmUp: WARM_UP,
    folder: FOLDER,
    // Clients start hooks in the project.
    cwd: join(place, "project"),
  });
  return contestants.map((_, index) =>
    together(
      order.flatMap((copy, at) => Math.floor(copy / COPIES) === index ? [ran[at]] : []),
    )
  );
}

/** A contestant whose program is a file of its own. */
async function withOwnFile(contestant: Contestant, file: string): Promise<Contestant> {
  const [program, ...args] = contestant.argv;
  await copyFile(program, file);
  return { ...contestant, argv: [file, ...args] };
}

function faster(what: string, measured: number): BenchRow {
  const name = `hook claude-code is faster than ${what}`;
  return { name, measured, unit: "times", goal: 10, must: 7, better: "higher" };
}

async function makeContestants(place: string): Promise<Contestant[]> {
  const gatehouse = join(ROOT, "dist", "gatehouse");
  await access(gatehouse);
  const [empty, floor] = await Promise.all([compile("empty"), compile("floor")]);
  const project = join(place, "project");
  await mkdir(join(project, ".git"), { recursive: true });
  await mkdir(join(project, "src"));
  const file = join(project, "src", "main.ts");
  await writeFile(file, "export {};\n");
  const bash = (name: string, command: string) =>
    payloadFile(place, project, name, "Bash", { command, description: "bench" });
  const plain = await bash("git-status", "git status");
  const destructive = await bash("rm-rf", "rm -rf /");
  const list = await bash("list", PLAIN_LIST);
  const script = await bash("script", SCRIPT);
  const read = await payloadFile(place, project, "read", "Read", { file_path: file });
  const edit = await payloadFile(place, project, "edit", "Edit", {
    file_path: file,
    old_string: "export {};",
    new_string: "export const a = 1;",
  });
  const [few, some, many] = await Promise.all(
    RULE_COUNTS.map((count) => homeWithRules(place, `home-${count}`, count)),
  );
  const recording = await homeWithRules(place, "home-recording", 100, { records: true });
  const parsing = await homeWithRules(place, "home-parsing", 100, { parses: true });
  const hook = (name: string, home: string, input: string, code: number): Contestant => ({
    name,
    argv: [gatehouse, "hook", "claude-code"],
    input,
    env: environment(home),
    code,
  });
  return [
    { name: "E", argv: [empty], input: plain, env: environment(few), code: 0 },
    { name: "R", argv: [floor], input: plain, env: environment(few), code: 0 },
    hook("hook, 10 rules, git status", few, plain, 0),
    hook("hook, 100 rules, git status", some, plain, 0),
    hook("hook, 1,000 rules, git status", many, plain, 0),
    hook("hook, with its record", recording, plain, 0),
    hook("hook, 100 rules, rm -rf /", some, destructive, 2),
    hook("hook, a list", parsing, list, 0),
    hook("hook, a script", parsing, script, 0),
    hook("hook, Read", parsing, read, 0),
    hook("hook, Edit", parsing, edit, 0),
  ];
}

/** Builds a program of this folder exactly as the binary is built. */
async function compile(name: string): Promise<string> {
  const machine = await thisMachine();
  const target = TARGETS.find((candidate) => candidate.name === machine);
  const version = process.versions.bun;
  if (!target || !version) throw new Error(`Cannot measure on ${machine}: run this with Bun`);
  await mkdir(FOLDER, { recursive: true });
  const cache = join(ROOT, ".build", "runtimes");
  const outfile = join(FOLDER, name);
  await rm(outfile, { force: true });
  await bundle({
    root: ROOT,
    entry: `scripts/bench/programs/${name}.ts`,
    outfile,
    runtime: await preparedRuntime(target, ROOT, version, cache),
    bunName: target.bunName,
  });
  return outfile;
}

/** A home folder whose configuration allows what is measured, and has so many rules, of which most do not match. */
async function homeWithRules(
  place: string,
  name: string,
  count: number,
  options: { records?: boolean; parses?: boolean } = {},
): Promise<string> {
  const home = join(place, name);
  const folder = join(home, ".config", "gatehouse");
  await mkdir(folder, { recursive: true });
  const allowed = options.parses ? PARSED_RULES : ["git status*"];
  const rules = [
    ...Array.from({ length: count - allowed.length }, (_, index) => `cmd${index} sub${index} *`),
    ...allowed,
  ];
  const lines = [
    "version: 1",
    ...(options.records ? [] : ["store: false"]),
    "policy:",
    "  mode: rules",
    ...(options.parses ? ["  shell: parse"] : []),
    "  allow:",
    ...(options.parses ? ['    reader: ["*"]', '    editor: ["*"]'] : []),
    "    bash:",
    ...rules.map((rule) => `      - "${rule}"`),
  ];
  await writeFile(join(folder, "gatehouse.yaml"), `${lines.join("\n")}\n`);
  return home;
}

/** Rules that allow every command of the longer lines. */
const PARSED_RULES =
  "cd *|git *|head *|tail *|ls *|ls|echo *|npm test*|wc *|grep *|tee *|set *|true|cat*|date *|test *"
    .split("|");

function environment(home: string): Record<string, string> {
  return { HOME: home, PATH: process.env.PATH ?? "/usr/bin:/bin" };
}

async function payloadFile(
  place: string,
  cwd: string,
  name: string,
  tool: string,
  input: Readonly<Record<string, string>>,
): Promise<string> {
  const path = join(place, `${name}.json`);
  await writeFile(
    path,
    JSON.stringify({
      session_id: "bench",
      transcript_path: join(place, "transcript.jsonl"),
      cwd,
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: tool,
      tool_input: input,
      tool_use_id: "toolu_bench",
    }),
  );
  return path;
}

/** The peer on the node that is here, installed for this bench alone. */
async function peerContestants(place: string): Promise<Contestant[]> {
  const folder = join(FOLDER, PEER.name);
  const program = join(folder, "node_modules", PEER.name, "dist", "bin", `${PEER.name}.js`);
  try {
    await access(program);
  } catch {
    await mkdir(folder, { recursive: true });
    await run("npm", [
      "install",
      "--no-audit",
      "--no-fund",
      "--prefix",
      folder,
      `${PEER.name}@${PEER.version}`,
    ]);
  }
  const home = join(place, "home-peer");
  await mkdir(home, { recursive: true });
  const { stdout } = await run("node", ["-p", "process.execPath"]);
  const peer = (command: string, name: string): Contestant => ({
    name: `${PEER.name}, ${command}`,
    argv: [stdout.trim(), program, "hook", "--claude-code"],
    input: join(place, `${name}.json`),
    env: environment(home),
    code: 0,
  });
  return [peer("git status", "git-status"), peer("rm -rf /", "rm-rf")];
}

function printDetails(results: readonly PairResult[]): void {
  console.log("process                          min ms  median  cpu ms     MiB");
  for (const { name, minMs, medianMs, cpuMs, peakMiB } of results) {
    const figures = [minMs, medianMs, cpuMs, peakMiB].map((value) => value.toFixed(2).padStart(8));
    console.log(name.padEnd(30) + figures.join(""));
  }
  console.log("");
}
