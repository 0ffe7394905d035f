import type { Git } from "./git_command.ts";

/** How many commits HEAD has that a base has not. */
export type CommitCount =
  | { readonly status: "counted"; readonly commits: number }
  /** The clone is shallow, and its history ends before it meets the base. */
  | { readonly status: "cut-off" }
  | { readonly status: "failed" };

/** Bytes of commit names that are read, about a hundred thousand commits; beyond it git only counts. */
const OUTPUT_LIMIT = 8 * 1024 * 1024;

/**
 * Counts the commits of HEAD that `base` has not, in one command where it can.
 *
 * A commit without a parent among them is either the first of all, or the edge of a shallow clone, behind
 * which the base may lie: then a count would be made up, and git itself gives no error.
 *
 * @param base A full reference name or a commit; never a text of the caller's.
 */
export async function countCommits(git: Git, base: string): Promise<CommitCount> {
  const answer = await git.run(["rev-list", "--parents", `${base}..HEAD`, "--"], {
    outputLimit: OUTPUT_LIMIT,
  });
  if (answer.status !== "ok") return { status: "failed" };
  const lines = answer.output.split("\n");
  lines.pop();
  if (!answer.truncated && lines.every((line) => line.includes(" "))) {
    return { status: "counted", commits: lines.length };
  }
  const [shallow, counted] = await Promise.all([
    git.run(["rev-parse", "--is-shallow-repository"]),
    git.run(["rev-list", "--count", `${base}..HEAD`, "--"]),
  ]);
  if (shallow.status !== "ok" || counted.status !== "ok") return { status: "failed" };
  if (shallow.output.trim() === "true") return { status: "cut-off" };
  return { status: "counted", commits: Number(counted.output.trim()) };
}
