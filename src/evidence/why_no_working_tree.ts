import type { GitAnswer } from "./git_command.ts";

/** Says why git answered nothing at all, in the words of the document where it has some (D6-2). */
export function whyNoWorkingTree(answer: Exclude<GitAnswer, { status: "ok" }>): string {
  switch (answer.status) {
    case "timed-out":
      return `${STATUS_FAILED}: no answer within five seconds`;
    case "not-started":
      return `git could not be started: ${answer.message}`;
    case "failed":
      if (/dubious ownership|unsafe repository/.test(answer.message)) {
        return `${NO_WORKING_TREE}: git refuses a repository that another user owns (safe.directory)`;
      }
      return /not a git repository/.test(answer.message) ? NO_WORKING_TREE : STATUS_FAILED;
    default:
      return answer satisfies never;
  }
}

/** The reason for a working tree that git could not describe. */
export const STATUS_FAILED = "git status probe failed";

/** The reason for a folder that is in no working tree. */
export const NO_WORKING_TREE = "cwd is not a git working tree";
