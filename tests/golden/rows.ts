import { readFileSync } from "node:fs";

/** Reads the rows of a recorded file beside this one. */
export function goldenRows<Row>(name: string): Row[] {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
}
