/** Runs one real client through one script, in folders of its own. */

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Driver, RunPlace, Wish } from "./driver.ts";
import { startScriptedModel } from "./scripted_model.ts";

/** What is to be run. */
export interface RunRequest {
  readonly driver: Driver;
  readonly packageFolder: string;
  /** What the model wants, given the folder the client works in. */
  wishes(work: string): readonly Wish[];
  /** Puts the hook in place, after the client's own settings were written. */
  install(place: RunPlace): Promise<void>;
  /** Whether the client works in a real repository with a commit; else there is only an empty `.git`. */
  readonly inRepository?: boolean;
  readonly limitMs: number;
}

/** What came of it. The folders are there until `remove` is called. */
export interface RunResult {
  readonly place: RunPlace;
  /** What the model was told of each wish; `undefined` where the client never answered. */
  readonly told: readonly (string | undefined)[];
  /** The text of every MCP call that was really made. */
  readonly echoNotes: string;
  /** How often the model said that it was done. */
  readonly saidDone: number;
  /** The last request of the conversation, as text. */
  readonly lastRequest: string;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly output: string;
  readonly milliseconds: number;
  remove(): void;
}

/** Runs it. */
export async function runClient(request: RunRequest): Promise<RunResult> {
  const { driver } = request;
  const root = mkdtempSync(join(tmpdir(), `gatehouse-${driver.client}-`));
  const home = join(root, "home");
  const work = join(root, "work");
  const notes = join(root, "echo-notes");
  mkdirSync(home);
  mkdirSync(join(work, ".git"), { recursive: true });
  if (request.inRepository) makeRepository(work);
  const wishes = request.wishes(work);
  const model = await startScriptedModel(wishes.map((wish) => driver.call(wish)), driver.modelName);
  try {
    const echoServer = [
      process.execPath,
      fileURLToPath(new URL("echo_server.ts", import.meta.url)),
      notes,
    ];
    const { packageFolder } = request;
    const place: RunPlace = { home, work, modelUrl: model.url, packageFolder, echoServer };
    writeFileSync(notes, "");
    for (const [path, text] of driver.settings(place)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    await request.install(place);
    const { argv, env } = driver.start(place);
    const started = performance.now();
    const ended = await run(argv, work, { ...baseEnvironment(home), ...env }, request.limitMs);
    return {
      place,
      told: wishes.map((_, index) => model.told.get(index)),
      echoNotes: readFileSync(notes, "utf8"),
      saidDone: model.saidDone(),
      lastRequest: model.lastRequest(),
      milliseconds: performance.now() - started,
      ...ended,
      remove: () => rmSync(root, { recursive: true, force: true }),
    };
  } finally {
    model.close();
  }
}

/** A repository with one commit and nothing else. */
function makeRepository(folder: string): void {
  writeFileSync(join(folder, "README.md"), "A project.\n");
  const who = ["-c", "user.name=A Person", "-c", "user.email=person@example.org"];
  for (
    const args of [["init", "-q", "-b", "main"], ["add", "."], [
      ...who,
      "commit",
      "-q",
      "-m",
      "Begin",
    ]]
  ) {
    const { status, stderr } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`Cannot make a repository: ${stderr}`);
  }
}

/** Nothing of the person's own environment reaches the client. */
function baseEnvironment(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TMPDIR: tmpdir(),
    TERM: "dumb",
    LANG: "C.UTF-8",
    NO_COLOR: "1",
  };
}

async function run(
  argv: readonly string[],
  cwd: string,
  env: Record<string, string>,
  limitMs: number,
): Promise<Pick<RunResult, "exitCode" | "timedOut" | "output">> {
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true, // a process group of its own, which can be ended as a whole
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let timedOut = false;
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  };
  child.stdout.on("data", (chunk) => output += chunk);
  child.stderr.on("data", (chunk) => output += chunk);
  const timer = setTimeout(() => {
    timedOut = true;
    endGroup();
  }, limitMs);
  const exitCode = await new Promise<number | null>((resolve) => {
    child.on("error", (error) => {
      output += String(error);
      resolve(null);
    });
    child.on("close", resolve);
  });
  clearTimeout(timer);
  endGroup();
  return { exitCode, timedOut, output };
}
