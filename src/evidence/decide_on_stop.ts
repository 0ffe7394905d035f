import { type CompletionEvidence, hasCompletionEvidence } from "./completion_evidence.ts";
import type { EvidenceAnswer, RunEvidence } from "./run_evidence.ts";

/** What to do when an agent says that it is done: `completion.onStop`. */
export type OnStop = "record" | "warn" | "block";

/** What the client is to be told. Frozen. */
export type StopDecision =
  /** Let it stop. */
  | { readonly action: "stop"; readonly message: null }
  /** Let it stop, and tell the person. */
  | { readonly action: "warn"; readonly message: string }
  /** Make it go on, and tell the agent why. */
  | { readonly action: "continue"; readonly message: string };

/**
 * Decides what a client is told when its agent stops with nothing to show.
 *
 * Only a certain "none" is worth a word: evidence lets it stop, and so does "no opinion".
 *
 * @param evidence What the probe saw.
 * @param setting The user's choice.
 * @param alreadyStopping The client's own flag that a hook has made it go on before; then it may stop, so that it is asked once.
 */
export function decideOnStop(
  evidence: CompletionEvidence | RunEvidence,
  setting: OnStop,
  alreadyStopping: boolean,
): StopDecision {
  if (answerOf(evidence) !== "none") return LET_IT_STOP;
  switch (setting) {
    case "record":
      return LET_IT_STOP;
    case "warn":
      return Object.freeze({ action: "warn", message: `gatehouse: ${finding(evidence)}` });
    case "block":
      if (alreadyStopping) return LET_IT_STOP;
      return Object.freeze({
        action: "continue",
        message: `${finding(evidence)} If the task asked for a change, make it now and check it. ` +
          "If it did not, or you cannot go on, say so plainly and stop.",
      });
    default:
      return setting satisfies never;
  }
}

const LET_IT_STOP: StopDecision = Object.freeze({ action: "stop", message: null });

function answerOf(evidence: CompletionEvidence | RunEvidence): EvidenceAnswer {
  if ("answer" in evidence) return evidence.answer;
  if (hasCompletionEvidence(evidence)) return "evidence";
  // Without a base nobody counted commits, and a tree that could not be compared is not a clean one.
  const certain = evidence.checked && evidence.commitsAhead !== null && evidence.dirty !== null;
  return certain ? "none" : "no-opinion";
}

function finding(evidence: CompletionEvidence | RunEvidence): string {
  if ("sentence" in evidence) return evidence.sentence;
  return `No work to show: nothing uncommitted, and no commit that ${evidence.baseRef} has not.`;
}
