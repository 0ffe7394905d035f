/** One thing that is wrong in a configuration file. */
export interface ConfigurationProblem {
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
  /** What is wrong, with the offending value. */
  readonly message: string;
  /** What to do about it; `null` when that is plain from the message. */
  readonly fix: string | null;
}

/** A configuration that cannot be used. It never means "no rules": while it stands, every call is refused. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly path: string;
  /** In the order they stand in the file; empty when the file could not be read at all. */
  readonly problems: readonly ConfigurationProblem[];

  constructor(path: string, problems: readonly ConfigurationProblem[], cause?: unknown) {
    const first = problems.length > 0
      ? problems.map((problem) => describeProblem(path, problem)).join("\n")
      : `${path}: ${cause instanceof Error ? cause.message : String(cause)}`;
    super(first, cause === undefined ? undefined : { cause });
    this.path = path;
    this.problems = problems;
  }
}

/** A problem in one line: file, line, column, what, and what to do. */
export function describeProblem(path: string, problem: ConfigurationProblem): string {
  const fix = problem.fix === null ? "" : ` (${problem.fix})`;
  return `${path}:${problem.line}:${problem.column}: ${problem.message}${fix}`;
}
