import type { Reading } from "./reading.ts";

/** Makes unknown what a text may assign, before it is read: it may be read in another order than it runs. */
export function forgetNames(reading: Reading, text: string): void {
  const { state } = reading;
  reading.spend(text.length >> 2);
  const names = state.variableNames();
  if (names.length === 0) return;
  reading.spend(names.length);
  const all = CHANGERS.test(text);
  const assigned = new Set<string>();
  for (
    const [, name] of text.matchAll(all ? /([A-Za-z_]\w*)/g : /([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/g)
  ) {
    assigned.add(name);
  }
  for (const name of names) {
    if (assigned.has(name)) state.setVariable(name, { kind: "unknown", source: "variable" });
  }
}

/** Words that change variables whose names stand behind them. */
const CHANGERS =
  /\b(?:read|mapfile|readarray|printf|getopts|unset|let|eval|source)\b|\(\(|\$\{\w+:?=/;
