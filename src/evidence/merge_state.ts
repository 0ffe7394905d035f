import type { Git } from "./git_command.ts";
import type { MergeState } from "./run_evidence.ts";

/**
 * Tells whether the base already has the content of HEAD.
 *
 * Commits that were squashed on their way share no history with the base; a trial merge of HEAD into the base
 * that changes nothing shows that their content is there. The trial writes no reference, and its objects go
 * to a folder that is removed.
 *
 * @param git Approached thoroughly: a merge would run the repository's own merge programs.
 * @param base The base's commit.
 */
export async function readMergeState(git: Git, base: string): Promise<MergeState> {
  const fork = await git.run(["merge-base", base, "HEAD"]);
  if (fork.status !== "ok") return "unknown";
  const trees = await git.run([
    "rev-parse",
    "HEAD",
    "HEAD^{tree}",
    `${fork.output.trim()}^{tree}`,
    `${base}^{tree}`,
  ]);
  const store = await git.run(["rev-parse", "--git-path", "objects"]);
  if (trees.status !== "ok" || store.status !== "ok") return "unknown";
  const [head, treeOfHead, treeOfFork, treeOfBase] = trees.output.split("\n");
  if (fork.output.trim() === head) return "merged";
  // Commits that change nothing are in every base already; that says nothing about them.
  if (treeOfHead === treeOfFork) return "not-merged";
  const { fs } = git.runtime;
  const objects = store.output.replace(/\n$/, "");
  const scratch = await fs.makeTemporaryDirectory("gatehouse-merge-").catch(() => null);
  if (scratch === null) return "unknown";
  try {
    const merged = await git.configured(TRIAL_SETTINGS).run(
      ["merge-tree", "--write-tree", "--no-messages", base, "HEAD"],
      {
        variables: {
          GIT_OBJECT_DIRECTORY: scratch,
          GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(
            objects.startsWith("/") ? objects : `${git.cwd}/${objects}`,
          ),
        },
      },
    );
    // Exit code 1 is a conflict: the base may have the content in another shape.
    if (merged.status !== "ok") return "unknown";
    return merged.output.trim() === treeOfBase ? "squash-merged" : "not-merged";
  } finally {
    await fs.remove(scratch).catch(() => {});
  }
}

/** A trial merge is git's own text merge, without the repository's ideas of one. */
const TRIAL_SETTINGS: readonly string[] = ["merge.default=text", "merge.renormalize=false"];

/** A path as an entry of git's colon-separated list. */
function quoted(path: string): string {
  return `"${path.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
