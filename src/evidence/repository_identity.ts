import type { Git } from "./git_command.ts";

/** Which working tree of which repository this is, by real paths. */
export interface RepositoryIdentity {
  readonly topLevel: string;
  /** The git folder of this working tree; linked working trees have one each. */
  readonly gitDirectory: string;
}

/** Asks git where it is; `null` when it is nowhere, or in a path that cannot be told from two lines. */
export async function identifyRepository(git: Git): Promise<RepositoryIdentity | null> {
  const answer = await git.run(["rev-parse", "--show-toplevel", "--absolute-git-dir"]);
  if (answer.status !== "ok") return null;
  const lines = answer.output.split("\n");
  if (lines.length !== 3) return null;
  return { topLevel: lines[0], gitDirectory: lines[1] };
}
