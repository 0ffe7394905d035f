/** What the probe saw of a working tree (D6). Frozen. Not a record of decisions, and no proof of anything else. */
export interface CompletionEvidence {
  /** Whether git could answer. When not, the answer is "no opinion", never "no work". */
  readonly checked: boolean;
  /** Whether HEAD has commits its base has not; `null` when there is no base to count against. */
  readonly aheadOfBase: boolean | null;
  /** How many; `null` when there is no base to count against. */
  readonly commitsAhead: number | null;
  /** Whether the working tree or the index differs from HEAD, untracked files included. */
  readonly dirty: boolean | null;
  /** The base that was used, in the caller's words or as `origin/main`, `main`, …; `null` when none resolved. */
  readonly baseRef: string | null;
  /** Why there is no opinion, or why a part of it is missing; empty when nothing is. */
  readonly reason: string;
}

/**
 * Tells whether a run left something to show: uncommitted work, or commits its base has not (D6-5).
 *
 * `false` means "no opinion" when {@linkcode CompletionEvidence.checked} is false, and "none" when it is true.
 */
export function hasCompletionEvidence(evidence: CompletionEvidence): boolean {
  return evidence.checked && (evidence.aheadOfBase === true || evidence.dirty === true);
}
