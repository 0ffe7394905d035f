import type { Git } from "./git_command.ts";

/** A base that exists. */
export interface BaseReference {
  /** How it is called in an answer: the caller's words, or `origin/main`, `main`, … */
  readonly name: string;
  /** Its commit. */
  readonly commit: string;
}

/** The full name of the remote's default branch, a symbolic reference. */
export const REMOTE_DEFAULT = "refs/remotes/origin/HEAD";

/** The bases that are tried when the caller names none that exists, in order (D6-3). Full names: a tag `main` is not the branch. */
const CANDIDATES: readonly string[] = [
  REMOTE_DEFAULT,
  "refs/remotes/origin/main",
  "refs/remotes/origin/master",
  "refs/heads/main",
  "refs/heads/master",
];

/** Where a name of the caller's is looked for, in order: branches before tags, then any revision. */
const PLACES: readonly string[] = ["refs/heads/", "refs/remotes/", "refs/tags/", ""];

/**
 * Resolves the base: what the caller named, the remote's default branch, then the usual names (D6-3).
 *
 * Returns `null` when none of them exists, and `"failed"` when git could not tell.
 */
export async function resolveBase(
  git: Git,
  wanted: string | null,
): Promise<BaseReference | null | "failed"> {
  if (wanted !== null && wanted !== "") {
    const commit = await resolveRevision(git, wanted);
    if (commit !== null) return { name: wanted, commit };
  }
  const answer = await git.run([
    "for-each-ref",
    "--format=%(refname)%00%(symref)%00%(objectname)",
    ...CANDIDATES,
  ]);
  if (answer.status !== "ok") return "failed";
  const found = new Map(
    answer.output.split("\n").map((line) => {
      const [name, target, commit] = line.split("\0");
      return [name, { target, commit }];
    }),
  );
  for (const candidate of CANDIDATES) {
    const reference = found.get(candidate);
    if (reference === undefined) continue;
    const { target, commit } = reference;
    return { name: shortName(candidate === REMOTE_DEFAULT ? target : candidate), commit };
  }
  return null;
}

/**
 * Resolves what a person may write for a commit, and returns the commit, or `null`.
 *
 * A name is a branch before it is a tag; a text that begins like an option is no name at all.
 */
export async function resolveRevision(git: Git, wanted: string): Promise<string | null> {
  // deno-lint-ignore no-control-regex -- control characters are in no name, and NUL in no argument
  if (wanted === "" || wanted.startsWith("-") || /[\0-\x1f\x7f]/.test(wanted)) return null;
  const places = /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(wanted) ? [""] : PLACES;
  for (const place of places) {
    const answer = await git.run([
      "rev-parse",
      "--verify",
      "--quiet",
      "--end-of-options",
      `${place}${wanted}^{commit}`,
    ]);
    if (answer.status === "ok") return answer.output.trim();
    if (answer.status !== "failed") return null;
  }
  return null;
}

/** A reference as people call it. */
export function shortName(reference: string): string {
  return reference.replace(/^refs\/(heads|remotes|tags)\//, "");
}
