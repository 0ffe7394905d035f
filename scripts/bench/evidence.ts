import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { checkCompletionEvidence } from "../../src/evidence/check_completion_evidence.ts";
import { runtime } from "../../src/runtime/current.ts";
import type { BenchRow } from "./row.ts";

const SMALL_FILES = 30;
const LARGE_FILES = 50_000;
/** Files in one folder of a repository. */
const FILES_IN_FOLDER = 100;
/** Turns of each contestant: enough for a median that holds on a shared machine. */
const SMALL_TURNS = 60;
const LARGE_TURNS = 15;
const WARM_UP = 3;

const STATUS = ["status", "--porcelain=v2", "--branch"];
const COUNT = ["rev-list", "--count", "origin/main..HEAD"];

/**
 * The completion probe against the git commands it cannot do without: both at once in a small repository,
 * `git status` alone in a large one. In turns, and compared by the median of the ratios of each turn.
 */
export async function bench(): Promise<readonly BenchRow[]> {
  const place = await mkdtemp(join(tmpdir(), "gatehouse-bench-"));
  try {
    const small = await makeRepository(place, "small", SMALL_FILES);
    const probe = (cwd: string) => async () => {
      const evidence = await checkCompletionEvidence(cwd, { runtime });
      if (!evidence.checked || evidence.commitsAhead !== 1 || evidence.dirty !== false) {
        throw new Error(`Cannot measure a wrong answer: ${JSON.stringify(evidence)}`);
      }
    };
    const smallRatio = await medianRatio(
      probe(small),
      () => Promise.all([git(small, STATUS), git(small, COUNT)]),
      SMALL_TURNS,
    );
    // Only now: the disk is busy for a while with so many new files.
    const large = await makeRepository(place, "large", LARGE_FILES);
    const largeRatio = await medianRatio(
      probe(large),
      () => git(large, ["status"]),
      LARGE_TURNS,
    );
    return [
      {
        name: `completion probe, ${SMALL_FILES} files / its two git commands at once`,
        measured: smallRatio,
        unit: "x",
        goal: 1.15,
        must: 1.4,
      },
      {
        name: `completion probe, ${LARGE_FILES.toLocaleString("en")} files / git status alone`,
        measured: largeRatio,
        unit: "x",
        goal: 1.05,
        must: 1.15,
      },
    ];
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** A clone with a branch of its own that is one commit ahead, and clean. */
async function makeRepository(place: string, name: string, files: number): Promise<string> {
  const upstream = join(place, `${name}-upstream`);
  const clone = join(place, name);
  const settings = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  const run = (cwd: string, ...args: string[]) =>
    execFileSync("git", [...settings, ...args], { cwd, stdio: "ignore" });
  await mkdir(upstream);
  run(upstream, "init", "-q", "-b", "main");
  for (let index = 0; index < files; index++) {
    const folder = join(upstream, `folder${Math.floor(index / FILES_IN_FOLDER)}`);
    if (index % FILES_IN_FOLDER === 0) await mkdir(folder);
    await writeFile(join(folder, `file${index}.txt`), `${index}\n`);
  }
  run(upstream, "add", ".");
  run(upstream, "commit", "-q", "-m", "all");
  run(place, "clone", "-q", upstream, clone);
  run(clone, "switch", "-q", "-c", "work");
  run(clone, "commit", "-q", "--allow-empty", "-m", "work");
  // The clone's files are as old as its index, and git reads such files again; a second look settles that.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  run(clone, "status");
  return clone;
}

async function medianRatio(
  ours: () => Promise<unknown>,
  anchor: () => Promise<unknown>,
  turns: number,
): Promise<number> {
  const ratios: number[] = [];
  for (let turn = -WARM_UP; turn < turns; turn++) {
    // Who goes first changes from turn to turn, so that nobody always finds the caches warm.
    const oursFirst = turn % 2 === 0;
    const first = await milliseconds(oursFirst ? ours : anchor);
    const second = await milliseconds(oursFirst ? anchor : ours);
    if (turn >= 0) ratios.push(oursFirst ? first / second : second / first);
  }
  return ratios.sort((left, right) => left - right)[Math.floor(ratios.length / 2)];
}

async function milliseconds(body: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await body();
  return performance.now() - begin;
}

/** Runs git the quickest way the runtime has, and reads its output. */
function git(cwd: string, args: string[]): Promise<string> {
  return "Bun" in globalThis ? bunGit(cwd, args) : nodeGit(cwd, args);
}

interface BunSpawn {
  spawn(argv: string[], options: {
    cwd: string;
    env: Record<string, string | undefined>;
    stdin: "ignore";
    stderr: "ignore";
  }): { readonly stdout: ReadableStream<Uint8Array>; readonly exited: Promise<number> };
}

declare const Bun: BunSpawn;

async function bunGit(cwd: string, args: string[]): Promise<string> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0" };
  const started = Bun.spawn(["git", ...args], { cwd, env, stdin: "ignore", stderr: "ignore" });
  const output = await new Response(started.stdout).text();
  await started.exited;
  return output;
}

function nodeGit(cwd: string, args: string[]): Promise<string> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0" };
  return new Promise((resolve, reject) =>
    execFile("git", args, { cwd, env }, (error, stdout) => error ? reject(error) : resolve(stdout))
  );
}
