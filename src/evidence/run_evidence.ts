import type { CompletionEvidence } from "./completion_evidence.ts";
import type { Operation } from "./operation_in_progress.ts";

/** What a run has to show: something, nothing, or git cannot tell. */
export type EvidenceAnswer = "evidence" | "none" | "no-opinion";

/** Where the work began: a remembered baseline, a revision of the caller's, or the base branch. */
export interface StartingPoint {
  /** What it is. */
  readonly kind: "baseline" | "revision" | "base";
  /** In the caller's words, or the base's name; `baseline` for a baseline. */
  readonly name: string;
  /** Its commit; `null` when there was none yet. */
  readonly commit: string | null;
  /** When the baseline was taken; `null` for the others. */
  readonly takenAt: string | null;
}

/** The commits of a run. */
export interface RunCommits {
  /** Made in the run. */
  readonly made: number;
  /** New on this branch, but made by others before and fetched or merged in. */
  readonly broughtIn: number;
  /** Of `made`, those on the first-parent line: merged branches count as one. */
  readonly onFirstParent: number;
  /** Of `made`, those no remote branch has, as of the last fetch. */
  readonly unpushed: number;
}

/** Whether the base has the work already. `unknown` where a trial merge conflicts or git is too old for one. */
export type MergeState = "merged" | "squash-merged" | "not-merged" | "unknown";

/** What one run added to a working tree. Frozen. Observation only: it decides no call. */
export interface RunEvidence {
  /** The answer, for programs. */
  readonly answer: EvidenceAnswer;
  /** One sentence for a person. */
  readonly sentence: string;
  /** Why there is no opinion, or why a part is missing; empty when nothing is. */
  readonly reason: string;
  /** The probe's own answer (D6), against the base alone. */
  readonly completion: CompletionEvidence;
  /** The working tree's folder; `null` where there is none. */
  readonly topLevel: string | null;
  /** HEAD's commit; `null` before the first one. */
  readonly head: string | null;
  /** The branch; `null` when HEAD is detached. */
  readonly branch: string | null;
  /** Where the run is counted from; `null` when that is not known. */
  readonly since: StartingPoint | null;
  /** The run's commits; `null` when they could not be counted. */
  readonly commits: RunCommits | null;
  /** Paths that the run's commits changed, at most a thousand. */
  readonly committedFiles: readonly string[];
  /** Tracked paths with uncommitted changes that the run made. */
  readonly changedFiles: readonly string[];
  /** Untracked paths that the run made. */
  readonly untrackedFiles: readonly string[];
  /** Uncommitted paths that were there when the baseline was taken, and are as they were. */
  readonly earlierFiles: readonly string[];
  /** What git is in the middle of. */
  readonly operation: Operation | null;
  /** Whether the base has the work; `null` when there are no commits to ask about, or no base. */
  readonly merged: MergeState | null;
  /** Whether every commit of the run is on a remote branch, as of the last fetch; `null` without commits or remotes. */
  readonly pushed: boolean | null;
  /** Whether the commits are on no branch or tag at all: they are lost when HEAD moves. */
  readonly onNoBranch: boolean;
}
