/**
 * What is tried when a client's agent says that it is done: with a real repository, and with work in it or without.
 *
 * @module
 */

import type { Capabilities, ClientName } from "../../src/clients/client.ts";
import { CLIENT_NAMES, CLIENTS } from "../../src/clients/registry.ts";
import type { Wish } from "./driver.ts";

/** What was seen of a run. */
export interface SeenStop {
  /** How often the model said that it was done: once more for every time it was made to go on. */
  readonly saidDone: number;
  /** What the client sent last. */
  readonly lastRequest: string;
  /** What the client printed. */
  readonly output: string;
  /** The evidence that was recorded at each stop, in order. */
  readonly evidence: readonly RecordedEvidence[];
}

/** What is recorded of a stop. */
export interface RecordedEvidence {
  readonly checked: boolean;
  readonly dirty: boolean | null;
}

/** One way to end, and what must come of it. */
export interface StopScenario {
  readonly name: string;
  /** The clients that it is for. */
  readonly clients: readonly ClientName[];
  /** `completion.onStop` of the configuration. */
  readonly onStop: "record" | "warn" | "block";
  wishes(work: string): readonly Wish[];
  /** What is wrong with what was seen; `null` when nothing is. */
  wrong(seen: SeenStop): string | null;
}

/** What an agent without work is told. */
const NOTHING_TO_SHOW = /No work to show/;

const those = (can: (capabilities: Capabilities) => boolean): readonly ClientName[] =>
  CLIENT_NAMES.filter((name) => can(CLIENTS[name].capabilities));

const work = (folder: string): readonly Wish[] => [
  { kind: "write", path: `${folder}/feature.txt`, content: "the work\n" },
];

/** All of them, in the order of the table's rows. */
export const STOP_SCENARIOS: readonly StopScenario[] = [
  {
    name: "stop, recorded",
    clients: CLIENT_NAMES,
    onStop: "record",
    wishes: () => [],
    wrong: (seen) => wrongEnd(seen, { stops: 1, hasWork: false, isTold: false }),
  },
  {
    name: "stop, warned",
    clients: those(({ tell }) => tell === "yes"), // all are run headless
    onStop: "warn",
    wishes: () => [],
    wrong: (seen) =>
      wrongEnd(seen, { stops: 1, hasWork: false, isTold: false }) ??
        (NOTHING_TO_SHOW.test(seen.output) ? null : "the person was not told"),
  },
  {
    name: "stop, blocked once",
    clients: those(({ goOn }) => goOn),
    onStop: "block",
    wishes: () => [],
    wrong: (seen) => wrongEnd(seen, { stops: 2, hasWork: false, isTold: true }),
  },
  {
    name: "stop, with work",
    clients: those(({ goOn }) => goOn),
    onStop: "block",
    wishes: work,
    wrong: (seen) => wrongEnd(seen, { stops: 1, hasWork: true, isTold: false }),
  },
];

function wrongEnd(
  { saidDone, lastRequest, evidence }: SeenStop,
  expected: { readonly stops: number; readonly hasWork: boolean; readonly isTold: boolean },
): string | null {
  if (saidDone !== expected.stops) {
    return `the agent stopped ${saidDone} times, not ${expected.stops}`;
  }
  if (NOTHING_TO_SHOW.test(lastRequest) !== expected.isTold) {
    return expected.isTold ? "the agent was not told why it goes on" : "the agent was told";
  }
  if (evidence.length !== expected.stops) {
    return `evidence was recorded ${evidence.length} times, not ${expected.stops}`;
  }
  const wrong = evidence.find(({ checked, dirty }) => !checked || dirty !== expected.hasWork);
  return wrong === undefined ? null : `the evidence is ${JSON.stringify(wrong)}`;
}
