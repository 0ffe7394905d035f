/** How a run of tests went. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Nothing ran. */
export const NO_COUNTS: Counts = Object.freeze({ passed: 0, failed: 0, skipped: 0 });

/**
 * Counts the tests in a JUnit report, each once.
 *
 * Deno also reports every `describe` as a test of its own: a case whose name is the beginning of others,
 * followed by ` > `, is such a group. It counts only when it failed and none of its tests did.
 */
export function junitCounts(report: string): Counts {
  const cases = [
    ...report.matchAll(/<testcase\s+name="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g),
  ]
    .map(([, name, body = ""]) => ({
      name,
      failed: /<(?:failure|error)\b/.test(body),
      skipped: /<skipped\b/.test(body),
    }));
  const groups = new Set<string>();
  const groupsWithFailures = new Set<string>();
  for (const { name, failed } of cases) {
    for (const group of groupsOf(name)) {
      groups.add(group);
      if (failed) groupsWithFailures.add(group);
    }
  }
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { name, failed, skipped } of cases) {
    if (groups.has(name)) {
      if (failed && !groupsWithFailures.has(name)) counts.failed++;
    } else if (failed) counts.failed++;
    else if (skipped) counts.skipped++;
    else counts.passed++;
  }
  return counts;
}

/** The names of the groups that a test is in, as Deno writes them: `a > b > c` is in `a` and in `a > b`. */
function groupsOf(name: string): string[] {
  const parts = name.split(" &gt; ");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join(" &gt; "));
}

/** Adds up counts. */
export function sumOf(all: readonly Counts[]): Counts {
  return all.reduce((sum, counts) => ({
    passed: sum.passed + counts.passed,
    failed: sum.failed + counts.failed,
    skipped: sum.skipped + counts.skipped,
  }), NO_COUNTS);
}

/** Counts in words: `3 passed, 0 failed`, with `, 1 skipped` when some were. */
export function countsText({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
