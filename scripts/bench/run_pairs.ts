import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A command that takes its turn. */
export interface Contestant {
  readonly name: string;
  readonly argv: readonly string[];
  /** The file that it reads as its standard input. */
  readonly input: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The exit code it must end with: a program that fails is quick, and says nothing. */
  readonly code: number;
}

/** What a command took, over all turns. */
export interface PairResult {
  readonly name: string;
  readonly minMs: number;
  readonly medianMs: number;
  /** User and system time. */
  readonly cpuMs: number;
  readonly peakMiB: number;
  /** Wall time of every turn, in milliseconds. */
  readonly wallTurns: readonly number[];
  /** User and system time of every turn, in milliseconds. */
  readonly cpuTurns: readonly number[];
}

/**
 * Runs commands in turn (see `pairs.c`), and returns what each took. Compare by {@linkcode ratioOf}, never by the
 * milliseconds alone: a shared machine's speed drifts.
 *
 * @param options `folder` is for what the measuring needs, `cwd` where the commands run.
 */
export async function runPairs(
  contestants: readonly Contestant[],
  options: { turns: number; warmUp: number; folder: string; cwd?: string },
): Promise<readonly PairResult[]> {
  await mkdir(options.folder, { recursive: true });
  const program = join(options.folder, "pairs");
  await run("cc", ["-O2", "-o", program, join(import.meta.dirname!, "pairs.c")]);
  const plan = join(options.folder, "plan");
  await writeFile(
    plan,
    contestants.map(({ argv, input, env }) =>
      `${
        [input, ...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...argv].join(
          "\t",
        )
      }\n`
    ).join(""),
  );
  const { stdout } = await run(program, [String(options.turns), String(options.warmUp), plan], {
    cwd: options.cwd ?? options.folder,
    maxBuffer: 64 * 1_048_576,
  });
  const runs = stdout.trimEnd().split("\n").map((line) => line.split("\t").map(Number));
  return contestants.map(({ name, code }, index) => {
    const own = runs.filter(([, contestant]) => contestant === index);
    const wrong = own.find((fields) => fields[5] !== code);
    if (wrong) throw new Error(`Cannot measure ${name}: it ended with ${wrong[5]}, not ${code}`);
    const wallTurns = own.map((fields) => fields[2] / 1_000);
    const cpuTurns = own.map((fields) => fields[3] / 1_000);
    return {
      name,
      minMs: Math.min(...wallTurns),
      medianMs: median(wallTurns),
      cpuMs: median(cpuTurns),
      peakMiB: median(own.map((fields) => fields[4] / 1_024)),
      wallTurns,
      cpuTurns,
    };
  });
}

/** Commands that are one, run from several files: each turn is their median. */
export function together(results: readonly PairResult[]): PairResult {
  const turns = (of: (result: PairResult) => readonly number[]): number[] =>
    of(results[0]).map((_, turn) => median(results.map((result) => of(result)[turn])));
  return {
    name: results[0].name,
    minMs: Math.min(...results.map(({ minMs }) => minMs)),
    medianMs: median(results.map(({ medianMs }) => medianMs)),
    cpuMs: median(results.map(({ cpuMs }) => cpuMs)),
    peakMiB: median(results.map(({ peakMiB }) => peakMiB)),
    wallTurns: turns(({ wallTurns }) => wallTurns),
    cpuTurns: turns(({ cpuTurns }) => cpuTurns),
  };
}

/** A wall time that is so much further from the processor time was spent waiting for other work on the machine. */
const OTHER_LOAD = 0.2;

/**
 * How many times longer one took than the other: the median of the ratios of each turn, of wall time; of processor
 * time where the two disagree, because then other work on the machine has had its share of the wall time.
 */
export function ratioOf(one: PairResult, other: PairResult): number {
  const wall = median(one.wallTurns.map((turn, index) => turn / other.wallTurns[index]));
  const cpu = median(one.cpuTurns.map((turn, index) => turn / other.cpuTurns[index]));
  return Math.abs(wall / cpu - 1) > OTHER_LOAD ? cpu : wall;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
