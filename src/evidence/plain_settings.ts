import type { Runtime } from "../runtime/port.ts";
import { readSmallFile } from "./small_file.ts";
import { userVariables } from "./user_variables.ts";

/** What the text of the settings files allows to say without asking git. */
export type Plainness =
  /** Nothing in them can run a program that is not switched off anyway. */
  | "plain"
  /** The same, and Git LFS is set up: it is switched off, so its files cannot be compared. */
  | "plain-with-lfs"
  /** They may name a filter, bring in other files, move the working tree, or mark the clone as partial. */
  | "ask-git";

/** Words that mean git has to be asked what the settings say. */
const NOT_PLAIN = /include|worktree|partialclone|promisor|extensions/;

/**
 * Reads the settings of a repository and of the user for words, not for meaning.
 *
 * A word in a comment only costs one more round of git commands; a section of a settings file cannot be
 * spelled in any other way, so none is missed.
 *
 * @param gitDirectory The git folder all working trees of the repository share.
 */
export async function readPlainness(
  runtime: Runtime,
  gitDirectory: string,
): Promise<Plainness> {
  const [repository, ...user] = await Promise.all(
    [`${gitDirectory}/config`, ...userSettings(runtime)]
      .map((path) => readSmallFile(runtime.fs, path)),
  );
  if (repository.found !== "text") return "ask-git";
  let answer: Plainness = "plain";
  for (const file of [repository, ...user]) {
    if (file.found === "other") return "ask-git";
    if (file.found === "nothing") continue;
    const text = file.text.toLowerCase();
    if (NOT_PLAIN.test(text)) return "ask-git";
    if (!text.includes("filter")) continue;
    const rest = text.replaceAll('[filter "lfs"]', "").replaceAll("git-lfs filter-process", "");
    if (rest.includes("filter")) return "ask-git";
    answer = "plain-with-lfs";
  }
  return answer;
}

/** The user's own settings files, as git looks for them. */
function userSettings(runtime: Runtime): string[] {
  const { HOME: home, XDG_CONFIG_HOME: xdg, GIT_CONFIG_GLOBAL: chosen } = userVariables(runtime);
  if (chosen !== undefined) return chosen === "" || chosen === "/dev/null" ? [] : [chosen];
  const configHome = xdg || (home && `${home}/.config`);
  return [
    ...(home ? [`${home}/.gitconfig`] : []),
    ...(configHome ? [`${configHome}/git/config`] : []),
  ];
}
