import type { Runtime } from "../runtime/port.ts";
import { absoluteFolder } from "./absolute_folder.ts";
import { type BaseReference, resolveBase, shortName } from "./base_reference.ts";
import type { CompletionEvidence } from "./completion_evidence.ts";
import { type CommitCount, countCommits } from "./count_commits.ts";
import type { Git } from "./git_command.ts";
import { guessBase } from "./guess_base.ts";
import { inspectWorkingTree } from "./inspect_working_tree.ts";
import { openGit } from "./open_git.ts";
import { approachRepository } from "./approach_repository.ts";

/** What the probe may be told. */
export interface CheckCompletionOptions {
  /** The base to count commits against; tried before the usual ones (D6-3). */
  readonly baseRef?: string | null;
  readonly runtime: Runtime;
}

/**
 * Looks whether a run left work behind: uncommitted changes, or commits that the base has not (D6-1 to D6-5).
 *
 * Runs fixed git commands without a shell, five seconds each, and nothing of the repository's own: no
 * hook, filter, monitor, helper or network. In a plain repository two commands, at once, are all it needs.
 * Never throws for what it finds: where git cannot know, `checked` is false and `reason` says why.
 *
 * @param cwd The folder to ask about; `null` when there is none.
 */
export async function checkCompletionEvidence(
  cwd: string | null,
  options: CheckCompletionOptions,
): Promise<CompletionEvidence> {
  const { runtime, baseRef = null } = options;
  if (cwd === null || cwd === "") return noOpinion("no cwd provided");
  const folder = absoluteFolder(runtime, cwd);
  const [git, guessHere] = await Promise.all([
    openGit(runtime, folder),
    baseRef ? null : guessBase(runtime.fs, `${folder}/.git`),
  ]);
  if (typeof git === "string") return noOpinion(git);
  const approach = await approachRepository(git);
  if (approach.status === "refused") return noOpinion(approach.reason);
  const likely = likelyBase(git, baseRef, guessHere);
  const [inspection, ahead] = await Promise.all([
    inspectWorkingTree(approach.git, { untracked: "normal", filters: approach.filters }),
    countAhead(approach.git, baseRef, likely),
  ]);
  if (inspection.status === "failed") return noOpinion(inspection.reason);
  if (ahead.status === "failed") return noOpinion("git rev-list probe failed");
  const dirty = inspection.tree.entries.length > 0;
  const isAhead = ahead.status === "counted" && ahead.commits > 0;
  const doubts = [
    ahead.status === "cut-off"
      ? `the clone is shallow, and its history ends before it meets ${ahead.base}`
      : "",
    dirty ? "" : inspection.doubt,
  ].filter((doubt) => doubt !== "");
  // Something certain outweighs a doubt about the rest; nothing certain does not.
  if (doubts.length > 0 && !dirty && !isAhead) return noOpinion(doubts.join("; "));
  return Object.freeze({
    checked: true,
    aheadOfBase: ahead.status === "counted" ? isAhead : null,
    commitsAhead: ahead.status === "counted" ? ahead.commits : null,
    dirty: dirty ? true : inspection.doubt === "" ? false : null,
    baseRef: ahead.status === "no-base" ? null : ahead.base,
    reason: doubts.join("; "),
  });
}

type Ahead =
  | { readonly status: "no-base" }
  | (CommitCount & { readonly base: string });

/** A reference that is the base if it exists at all. */
interface LikelyBase {
  readonly name: string;
  readonly reference: string;
}

/** Counts against the base, beginning with a likely one so that the count runs beside the status. */
async function countAhead(
  git: Git,
  wanted: string | null,
  likely: LikelyBase | null,
): Promise<Ahead> {
  if (likely !== null) {
    const count = await countCommits(git, likely.reference);
    if (count.status !== "failed") return { ...count, base: likely.name };
  }
  const base: BaseReference | null | "failed" = await resolveBase(git, wanted);
  if (base === "failed") return { status: "failed", base: "" };
  if (base === null) return { status: "no-base" };
  return { ...await countCommits(git, base.commit), base: base.name };
}

/** @param guessHere The guess for a folder that holds its repository; of another it says nothing. */
function likelyBase(git: Git, wanted: string | null, guessHere: string | null): LikelyBase | null {
  if (wanted !== null && wanted !== "") {
    const plain = /^[A-Za-z][\w/-]*$/.test(wanted) && !/^[0-9a-f]{40,}$/.test(wanted);
    return plain ? { name: wanted, reference: `refs/heads/${wanted}` } : null;
  }
  const isHere = git.known?.layout.commonDirectory === `${git.cwd}/.git`;
  return isHere && guessHere !== null ? { name: shortName(guessHere), reference: guessHere } : null;
}

function noOpinion(reason: string): CompletionEvidence {
  return Object.freeze({
    checked: false,
    aheadOfBase: null,
    commitsAhead: null,
    dirty: null,
    baseRef: null,
    reason,
  });
}
