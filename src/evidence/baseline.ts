import type { Runtime } from "../runtime/port.ts";
import { absoluteFolder } from "./absolute_folder.ts";
import { openGit } from "./open_git.ts";
import { inspectWorkingTree } from "./inspect_working_tree.ts";
import { operationInProgress } from "./operation_in_progress.ts";
import { identifyRepository } from "./repository_identity.ts";
import { approachRepository } from "./approach_repository.ts";
import { STATUS_FAILED } from "./why_no_working_tree.ts";
import { fingerprintEntries } from "./tree_fingerprint.ts";

/** How a working tree was when a run began. */
export interface Baseline {
  /** The layout of this record. */
  readonly version: 1;
  /** When it was taken, ISO 8601 in UTC. */
  readonly takenAt: string;
  readonly topLevel: string;
  readonly gitDirectory: string;
  /** HEAD's commit; `null` before the first one. */
  readonly head: string | null;
  /** The branch; `null` when HEAD was detached. */
  readonly branch: string | null;
  /** The commits every branch and remote branch stood at: what they reach is not this run's work. */
  readonly tips: readonly string[];
  /** What already differed from HEAD: path to state. */
  readonly entries: Readonly<Record<string, string>>;
  /** What git was in the middle of. */
  readonly operation: string | null;
}

/** A baseline, or why none could be taken. */
export type BaselineAnswer =
  | { readonly status: "taken"; readonly baseline: Baseline }
  | { readonly status: "failed"; readonly reason: string };

/** Branches whose tips are remembered; commits of the rest may be counted as the run's. */
const MAX_TIPS = 5_000;

/**
 * Remembers how a working tree is now, so that a later look can say what a run added.
 *
 * @param cwd The folder to ask about.
 */
export async function takeBaseline(
  cwd: string,
  options: { readonly runtime: Runtime },
): Promise<BaselineAnswer> {
  const { runtime } = options;
  const opened = await openGit(runtime, absoluteFolder(runtime, cwd));
  if (typeof opened === "string") return { status: "failed", reason: opened };
  const approach = await approachRepository(opened);
  if (approach.status === "refused") return { status: "failed", reason: approach.reason };
  const { git, filters } = approach;
  const [identity, inspection, references] = await Promise.all([
    identifyRepository(git),
    inspectWorkingTree(git, { untracked: "all", filters }),
    git.run([
      "for-each-ref",
      `--count=${MAX_TIPS}`,
      "--format=%(objectname)",
      "refs/heads",
      "refs/remotes",
    ]),
  ]);
  if (inspection.status === "failed") return { status: "failed", reason: inspection.reason };
  if (identity === null || references.status !== "ok") {
    return { status: "failed", reason: STATUS_FAILED };
  }
  const { tree } = inspection;
  const states = await fingerprintEntries(runtime, identity.topLevel, tree.entries);
  return {
    status: "taken",
    baseline: Object.freeze({
      version: 1,
      takenAt: new Date().toISOString(),
      ...identity,
      head: tree.head,
      branch: tree.branch,
      tips: [...new Set(references.output.split("\n").filter((line) => line !== ""))],
      entries: Object.fromEntries(states),
      operation: operationInProgress(runtime.fs, identity.gitDirectory),
    }),
  };
}
