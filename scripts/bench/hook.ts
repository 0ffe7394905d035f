import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { bundle } from "../build/bundle.ts";
import { preparedRuntime, thisMachine } from "../build/prepared_runtime.ts";
import { TARGETS } from "../build/targets.ts";
import type { BenchRow } from "./row.ts";
import { type Contestant, type PairResult, ratioOf, runPairs } from "./run_pairs.ts";

const run = promisify(execFile);

const ROOT = dirname(dirname(import.meta.dirname!));
const FOLDER = join(ROOT, ".build", "bench");
/** The peer that is measured beside us, as its makers publish it. */
const PEER = { name: "cc-safety-net", version: "2.4.5" };
const RULE_COUNTS = [10, 100, 1_000] as const;
/** Turns of each command: enough for a median that holds on a shared machine. */
const TURNS = 60;
const PEER_TURNS = 15;
const WARM_UP = 3;

/**
 * The hook as a whole process, from its start to its end, as a client runs it: against an empty program (E), against
 * the least that any hook does (R), with few and many rules, and against a peer.
 */
export async function bench(): Promise<readonly BenchRow[]> {
  const place = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
  try {
    const contestants = await makeContestants(place);
    const results = await runPairs(contestants, { turns: TURNS, warmUp: WARM_UP, folder: FOLDER });
    const [empty, floor, few, hook, many, denied] = results;
    const peers = await runPairs(
      [contestants[3], contestants[5], ...await peerContestants(place)],
      { turns: PEER_TURNS, warmUp: WARM_UP, folder: FOLDER },
    );
    printDetails([...results, ...peers.slice(2)]);
    const [oursPlain, oursDenied, peerPlain, peerDenied] = peers;
    return [
      row("R (reads JSON, prints a verdict) / E (empty program)", ratioOf(floor, empty), "x"),
      row("hook claude-code, 100 rules in YAML / R", ratioOf(hook, floor), "x R", 1.25, 1.35),
      row("hook claude-code, 1,000 rules / 10 rules", ratioOf(many, few), "x", 1.15, 1.3),
      row("hook claude-code, a denial / R", ratioOf(denied, floor), "x R"),
      row("hook claude-code, peak memory", hook.peakMiB, "MiB", 31, 36),
      faster(`${PEER.name}, git status`, ratioOf(peerPlain, oursPlain)),
      faster(`${PEER.name}, rm -rf /`, ratioOf(peerDenied, oursDenied)),
    ];
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function row(
  name: string,
  measured: number,
  unit: string,
  goal: number | null = null,
  must: number | null = null,
): BenchRow {
  return { name, measured, unit, goal, must };
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
  const plain = await payloadFile(place, project, "git status");
  const destructive = await payloadFile(place, project, "rm -rf /");
  const homes = await Promise.all(RULE_COUNTS.map((count) => homeWithRules(place, count)));
  const hook = (name: string, home: string, input: string, code: number): Contestant => ({
    name,
    argv: [gatehouse, "hook", "claude-code"],
    input,
    env: environment(home),
    code,
  });
  const [few, some, many] = homes;
  return [
    { name: "E", argv: [empty], input: plain, env: environment(few), code: 0 },
    { name: "R", argv: [floor], input: plain, env: environment(few), code: 0 },
    hook("hook, 10 rules, git status", few, plain, 0),
    hook("hook, 100 rules, git status", some, plain, 0),
    hook("hook, 1,000 rules, git status", many, plain, 0),
    hook("hook, 100 rules, rm -rf /", some, destructive, 2),
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

/** A home folder whose configuration allows `git status` and has so many rules that do not match. */
async function homeWithRules(place: string, count: number): Promise<string> {
  const home = join(place, `home-${count}`);
  const folder = join(home, ".config", "gatehouse");
  await mkdir(folder, { recursive: true });
  const rules = Array.from(
    { length: count - 1 },
    (_, index) => `      - "cmd${index} sub${index} *"\n`,
  );
  await writeFile(
    join(folder, "gatehouse.yaml"),
    `version: 1\npolicy:\n  mode: rules\n  allow:\n    bash:\n${
      rules.join("")
    }      - "git status*"\n`,
  );
  return home;
}

function environment(home: string): Record<string, string> {
  return { HOME: home, PATH: process.env.PATH ?? "/usr/bin:/bin" };
}

async function payloadFile(place: string, cwd: string, command: string): Promise<string> {
  const path = join(place, `${command.replace(/\W+/g, "-")}.json`);
  await writeFile(
    path,
    JSON.stringify({
      session_id: "bench",
      transcript_path: join(place, "transcript.jsonl"),
      cwd,
      permission_mode: "default",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command, description: "bench" },
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
  const peer = (command: string): Contestant => ({
    name: `${PEER.name}, ${command}`,
    argv: [stdout.trim(), program, "hook", "--claude-code"],
    input: join(place, `${command.replace(/\W+/g, "-")}.json`),
    env: environment(home),
    code: 0,
  });
  return [peer("git status"), peer("rm -rf /")];
}

function printDetails(results: readonly PairResult[]): void {
  console.log("process                          min ms  median  cpu ms     MiB");
  for (const { name, minMs, medianMs, cpuMs, peakMiB } of results) {
    const figures = [minMs, medianMs, cpuMs, peakMiB].map((value) => value.toFixed(2).padStart(8));
    console.log(name.padEnd(30) + figures.join(""));
  }
  console.log("");
}
