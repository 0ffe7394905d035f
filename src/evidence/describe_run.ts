import type { RunEvidence } from "./run_evidence.ts";

/** What of a run's evidence the sentence is made of. */
type Described = Omit<RunEvidence, "sentence">;

/** Says in one sentence what a run has to show. */
export function describeRun(evidence: Described): string {
  switch (evidence.answer) {
    case "no-opinion":
      return `No opinion: ${evidence.reason}.`;
    case "none":
      return `No work to show ${sinceWords(evidence)}: nothing committed, nothing uncommitted.`;
    case "evidence": {
      const parts = [
        evidence.commits !== null && evidence.commits.made > 0
          ? count(evidence.commits.made, "commit")
          : "",
        evidence.changedFiles.length > 0
          ? `${count(evidence.changedFiles.length, "changed file")} not committed`
          : "",
        evidence.untrackedFiles.length > 0
          ? count(evidence.untrackedFiles.length, "untracked file")
          : "",
        evidence.operation === null ? "" : `an unfinished ${evidence.operation}`,
      ].filter((part) => part !== "");
      return `There is work to show ${sinceWords(evidence)}: ${parts.join(", ")}.`;
    }
    default:
      return evidence.answer satisfies never;
  }
}

/** Names at most this many paths in a fact; the rest is a number. */
const NAMED_PATHS = 5;

/** The few facts behind the sentence, one line each. */
export function listFacts(evidence: RunEvidence): string[] {
  const { commits } = evidence;
  const facts: string[] = [];
  if (evidence.head !== null) {
    facts.push(
      `at ${evidence.head.slice(0, 12)} on ${evidence.branch ?? "no branch (detached HEAD)"}`,
    );
  }
  if (evidence.completion.baseRef !== null && evidence.completion.commitsAhead !== null) {
    facts.push(
      `${
        count(evidence.completion.commitsAhead, "commit")
      } ahead of ${evidence.completion.baseRef}`,
    );
  }
  if (commits !== null && commits.broughtIn > 0) {
    facts.push(`${count(commits.broughtIn, "commit")} of others brought in`);
  }
  if (evidence.committedFiles.length > 0) {
    facts.push(`committed: ${paths(evidence.committedFiles)}`);
  }
  if (evidence.changedFiles.length > 0) {
    facts.push(`not committed: ${paths(evidence.changedFiles)}`);
  }
  if (evidence.untrackedFiles.length > 0) {
    facts.push(`untracked: ${paths(evidence.untrackedFiles)}`);
  }
  if (evidence.earlierFiles.length > 0) {
    facts.push(`there before, and as they were: ${paths(evidence.earlierFiles)}`);
  }
  if (evidence.merged === "merged") facts.push("the base has these commits");
  if (evidence.merged === "squash-merged") {
    facts.push("the base has the content of these commits, squashed or rewritten");
  }
  if (evidence.pushed !== null && commits !== null) {
    facts.push(
      evidence.pushed
        ? "pushed, as of the last fetch"
        : `${count(commits.unpushed, "commit")} on no remote branch, as of the last fetch`,
    );
  }
  if (evidence.onNoBranch) {
    facts.push("these commits are on no branch: they are lost when HEAD moves");
  }
  if (evidence.answer !== "no-opinion" && evidence.reason !== "") facts.push(evidence.reason);
  return facts;
}

function sinceWords({ since }: Described): string {
  if (since === null) return "in this folder";
  switch (since.kind) {
    case "baseline":
      return `since the baseline of ${since.takenAt}`;
    case "revision":
      return `since ${since.name}`;
    case "base":
      return `against ${since.name}`;
    default:
      return since.kind satisfies never;
  }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function paths(all: readonly string[]): string {
  // A path is somebody else's text; a control character in it must not reach a terminal.
  const named = all.slice(0, NAMED_PATHS).map((path) =>
    /^[\x20-\x7e\xa0-\uffff]*$/.test(path) ? path : JSON.stringify(path)
  );
  const more = all.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}
