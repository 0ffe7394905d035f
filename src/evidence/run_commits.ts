import type { Git } from "./git_command.ts";
import type { RunCommits } from "./run_evidence.ts";

/** Where the run's commits begin. */
export interface CommitRange {
  /** Commits whose history is not the run's. */
  readonly exclude: readonly string[];
  /** Milliseconds since the epoch when the run began; `null` when that is not known. */
  readonly beganMs: number | null;
}

/** The commits of a run: counts, and the names of those it made. */
export interface RunCommitList {
  readonly counts: RunCommits;
  readonly made: readonly string[];
}

/** Names at most this many changed paths. */
const MAX_PATHS = 1_000;

/** Looks at the changes of at most this many commits. */
const MAX_COMMITS = 1_000;

/** Lists the commits HEAD has and the starting point had not; `null` when git cannot tell. */
export async function listRunCommits(git: Git, range: CommitRange): Promise<RunCommitList | null> {
  const begin = ["HEAD", ...range.exclude.map((commit) => `^${commit}`)];
  const [all, unpushed, firstParent] = await Promise.all([
    list(git, begin, []),
    list(git, begin, ["--not", "--remotes"]),
    list(git, begin, ["--first-parent"]),
  ]);
  if (all === null || unpushed === null || firstParent === null) return null;
  const made: string[] = [];
  for (const [commit, seconds] of all) {
    // Older than the run and known to a remote: somebody else's, fetched in the meantime.
    const others = range.beganMs !== null && seconds * 1_000 + 999 < range.beganMs &&
      !unpushed.has(commit);
    if (!others) made.push(commit);
  }
  return {
    made,
    counts: Object.freeze({
      made: made.length,
      broughtIn: all.size - made.length,
      onFirstParent: made.filter((commit) => firstParent.has(commit)).length,
      unpushed: made.filter((commit) => unpushed.has(commit)).length,
    }),
  };
}

/** The paths that commits changed; what a merge brought together is not counted. */
export async function listCommittedFiles(
  git: Git,
  commits: readonly string[],
): Promise<readonly string[]> {
  const answer = await git.run(
    ["diff-tree", "--stdin", "--root", "-r", "-z", "--name-only", "--no-renames", "--no-commit-id"],
    { stdin: commits.slice(0, MAX_COMMITS).map((commit) => `${commit}\n`).join("") },
  );
  if (answer.status !== "ok") return [];
  const paths = new Set(answer.output.split("\0").filter((path) => path !== ""));
  return [...paths].sort().slice(0, MAX_PATHS);
}

async function list(
  git: Git,
  revisions: readonly string[],
  options: readonly string[],
): Promise<ReadonlyMap<string, number> | null> {
  const answer = await git.run(
    // Commits of a baseline may have been cleaned away since.
    ["rev-list", "--timestamp", "--ignore-missing", "--stdin", ...options],
    { stdin: revisions.map((revision) => `${revision}\n`).join("") },
  );
  if (answer.status !== "ok" || answer.truncated) return null;
  const commits = new Map<string, number>();
  for (const line of answer.output.split("\n")) {
    const [seconds, commit] = line.split(" ");
    if (commit !== undefined) commits.set(commit, Number(seconds));
  }
  return commits;
}
