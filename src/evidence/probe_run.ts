import type { Runtime } from "../runtime/port.ts";
import { absoluteFolder } from "./absolute_folder.ts";
import { resolveBase, resolveRevision } from "./base_reference.ts";
import type { Baseline } from "./baseline.ts";
import { loadBaseline } from "./baseline_store.ts";
import { checkCompletionEvidence } from "./check_completion_evidence.ts";
import type { CompletionEvidence } from "./completion_evidence.ts";
import { describeRun } from "./describe_run.ts";
import type { Git } from "./git_command.ts";
import { inspectWorkingTree } from "./inspect_working_tree.ts";
import { readMergeState } from "./merge_state.ts";
import { openGit } from "./open_git.ts";
import { type Operation, operationInProgress } from "./operation_in_progress.ts";
import { identifyRepository, type RepositoryIdentity } from "./repository_identity.ts";
import { approachRepository } from "./approach_repository.ts";
import { STATUS_FAILED } from "./why_no_working_tree.ts";
import { listCommittedFiles, listRunCommits, type RunCommitList } from "./run_commits.ts";
import type { EvidenceAnswer, MergeState, RunEvidence, StartingPoint } from "./run_evidence.ts";
import { fingerprintEntries } from "./tree_fingerprint.ts";
import type { WorkingTree } from "./working_tree.ts";

/** What a look at a run may be told. */
export interface ProbeRunOptions {
  readonly runtime: Runtime;
  /** The user's folder for what must be remembered, where baselines are; without it there are none. */
  readonly stateFolder?: string;
  /**
   * Where the run began: `baseline`, or a revision. When left out: the baseline if there is one, else the base.
   */
  readonly since?: string;
  /** The base; tried before the usual ones (D6-3). */
  readonly base?: string;
}

/**
 * Says what a run added to a working tree: commits, changed and untracked files, and what became of them.
 *
 * Asks git as carefully as {@linkcode checkCompletionEvidence} does, and never throws for what it finds.
 *
 * @param cwd The folder to ask about.
 */
export async function probeRun(cwd: string, options: ProbeRunOptions): Promise<RunEvidence> {
  const { runtime } = options;
  const completion = await checkCompletionEvidence(cwd, { runtime, baseRef: options.base });
  const opened = await openGit(runtime, absoluteFolder(runtime, cwd));
  if (typeof opened === "string") return noOpinion(completion, opened);
  const approach = await approachRepository(opened, { thorough: true });
  if (approach.status === "refused") return noOpinion(completion, approach.reason);
  const { git, filters } = approach;
  const [identity, inspection] = await Promise.all([
    identifyRepository(git),
    inspectWorkingTree(git, { untracked: "all", filters }),
  ]);
  if (inspection.status === "failed") return noOpinion(completion, inspection.reason);
  if (identity === null) return noOpinion(completion, STATUS_FAILED);
  const start = await findStart(git, identity, completion, options);
  if (typeof start === "string") return noOpinion(completion, start);
  const { tree, doubt } = inspection;
  const seen: Seen = { git, identity, completion, tree, doubt, start, base: options.base ?? null };
  return await assemble(seen);
}

/** Everything that was looked up before the answer is put together. */
interface Seen {
  readonly git: Git;
  readonly identity: RepositoryIdentity;
  readonly completion: CompletionEvidence;
  readonly tree: WorkingTree;
  readonly doubt: string;
  readonly start: Start;
  readonly base: string | null;
}

interface Start {
  readonly point: StartingPoint | null;
  readonly baseline: Baseline | null;
}

/** Finds where the run began; a text says why that cannot be told. */
async function findStart(
  git: Git,
  identity: RepositoryIdentity,
  completion: CompletionEvidence,
  options: ProbeRunOptions,
): Promise<Start | string> {
  const { since } = options;
  if (since === undefined || since === "baseline") {
    const baseline = options.stateFolder === undefined
      ? null
      : await loadBaseline(git.runtime, options.stateFolder, identity.gitDirectory);
    if (baseline !== null) {
      const { head: commit, takenAt } = baseline;
      return { baseline, point: { kind: "baseline", name: "baseline", commit, takenAt } };
    }
    if (since === "baseline") {
      return "no baseline was taken here; `gatehouse evidence start` takes one";
    }
  } else {
    const commit = await resolveRevision(git, since);
    if (commit === null) return `${JSON.stringify(since)} is no commit of this repository`;
    return { baseline: null, point: { kind: "revision", name: since, commit, takenAt: null } };
  }
  if (!completion.checked) return completion.reason;
  if (completion.baseRef === null) return { baseline: null, point: null };
  const base = await resolveBase(git, options.base ?? null);
  if (base === null || base === "failed") return "git rev-list probe failed";
  return {
    baseline: null,
    point: { kind: "base", name: base.name, commit: base.commit, takenAt: null },
  };
}

async function assemble(seen: Seen): Promise<RunEvidence> {
  const { git, identity, completion, tree, start } = seen;
  const [commits, files, operation] = await Promise.all([
    commitsSince(seen),
    filesSince(seen),
    operationInProgress(git.runtime.fs, identity.gitDirectory),
  ]);
  const made = commits?.counts.made ?? 0;
  const [committedFiles, merged, pushed, onNoBranch] = made === 0
    ? [[], null, null, false] as const
    : await Promise.all([
      listCommittedFiles(git, commits!.made),
      mergedIntoBase(seen),
      isPushed(git, commits!.counts.unpushed),
      tree.branch === null ? isOnNoBranch(git) : false,
    ]);
  const { answer, reason } = conclude(seen, commits, files, operation);
  const evidence = {
    answer,
    reason,
    completion,
    topLevel: identity.topLevel,
    head: tree.head,
    branch: tree.branch,
    since: start.point,
    commits: commits?.counts ?? null,
    committedFiles,
    ...files,
    operation,
    merged,
    pushed,
    onNoBranch,
  };
  return Object.freeze({ ...evidence, sentence: describeRun(evidence) });
}

/** The commits since the start; `null` when there is nothing to count from, or no count to trust. */
async function commitsSince({ git, tree, start, completion }: Seen): Promise<RunCommitList | null> {
  if (tree.head === null) {
    const counts = { made: 0, broughtIn: 0, onFirstParent: 0, unpushed: 0 };
    return { counts: Object.freeze(counts), made: [] };
  }
  const { point, baseline } = start;
  if (point === null) return null;
  // A shallow clone's count against its base is made up; the probe has found that out.
  if (point.kind === "base" && completion.commitsAhead === null) return null;
  return await listRunCommits(git, {
    exclude: [...(point.commit === null ? [] : [point.commit]), ...(baseline?.tips ?? [])],
    beganMs: baseline === null ? null : Date.parse(baseline.takenAt),
  });
}

type RunFiles = Pick<RunEvidence, "changedFiles" | "untrackedFiles" | "earlierFiles">;

/** Sorts the uncommitted paths into the run's own and those that were there before. */
async function filesSince({ git, identity, tree, start }: Seen): Promise<RunFiles> {
  const before = start.baseline?.entries ?? {};
  const now = start.baseline === null
    ? null
    : await fingerprintEntries(git.runtime, identity.topLevel, tree.entries);
  const changedFiles: string[] = [];
  const untrackedFiles: string[] = [];
  const earlierFiles: string[] = [];
  for (const { path, code } of tree.entries) {
    const earlier = now !== null && Object.hasOwn(before, path) && before[path] === now.get(path);
    (earlier ? earlierFiles : code === "??" ? untrackedFiles : changedFiles).push(path);
  }
  return { changedFiles, untrackedFiles, earlierFiles };
}

function conclude(
  { tree, doubt, start, completion }: Seen,
  commits: RunCommitList | null,
  files: RunFiles,
  operation: Operation | null,
): { readonly answer: EvidenceAnswer; readonly reason: string } {
  const begun = operation !== null && operation !== (start.baseline?.operation ?? null);
  const gaps = [
    doubt,
    tree.cut ? "there are more changed paths than are read" : "",
    commits === null
      ? start.point === null
        ? "there is no base to count commits against"
        : completion.reason || "the commits cannot be counted"
      : start.point?.kind === "base" && start.point.name === tree.branch
      ? `HEAD is on ${tree.branch} itself, where commits cannot be told from earlier ones; ` +
        "`gatehouse evidence start` before a run helps"
      : "",
  ];
  const reason = gaps.filter((gap) => gap !== "").join("; ");
  const certain = (commits?.counts.made ?? 0) > 0 || begun ||
    files.changedFiles.length + files.untrackedFiles.length > 0;
  if (certain) return { answer: "evidence", reason };
  return { answer: reason === "" ? "none" : "no-opinion", reason };
}

async function mergedIntoBase({ git, tree, base: wanted }: Seen): Promise<MergeState | null> {
  const base = await resolveBase(git, wanted);
  // A branch is not merged into itself.
  if (base === null || base === "failed" || base.name === tree.branch) return null;
  return await readMergeState(git, base.commit);
}

async function isPushed(git: Git, unpushed: number): Promise<boolean | null> {
  const remotes = await git.run(["for-each-ref", "--count=1", "refs/remotes"]);
  return remotes.status !== "ok" || remotes.output === "" ? null : unpushed === 0;
}

async function isOnNoBranch(git: Git): Promise<boolean> {
  const places = ["refs/heads", "refs/remotes", "refs/tags"];
  const found = await git.run(["for-each-ref", "--count=1", "--contains=HEAD", ...places]);
  return found.status === "ok" && found.output === "";
}

function noOpinion(completion: CompletionEvidence, reason: string): RunEvidence {
  const evidence = {
    answer: "no-opinion",
    reason,
    completion,
    topLevel: null,
    head: null,
    branch: null,
    since: null,
    commits: null,
    committedFiles: [],
    changedFiles: [],
    untrackedFiles: [],
    earlierFiles: [],
    operation: null,
    merged: null,
    pushed: null,
    onNoBranch: false,
  } as const;
  return Object.freeze({ ...evidence, sentence: describeRun(evidence) });
}
