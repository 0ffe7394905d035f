/** What the golden files record of each captured payload. `bun tests/clients/golden.ts` writes them anew. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Client, ClientName } from "../../src/clients/client.ts";
import { CLIENTS } from "../../src/clients/registry.ts";
import { SCENARIOS, verdictFor } from "./verdicts.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Where the golden lines are kept, one JSON object for each payload. */
export const GOLDEN_FILE = `${folder}golden/payloads.jsonl`;

/** The names of all captured payloads, sorted. */
export function payloadNames(): readonly string[] {
  return readdirSync(`${folder}payloads`).filter((name) => name.endsWith(".json")).sort();
}

/** A captured payload. */
export function payload(name: string): unknown {
  return JSON.parse(readFileSync(`${folder}payloads/${name}`, "utf8"));
}

/** The client that a payload is of. */
export function clientOf(name: string): Client {
  const found = Object.keys(CLIENTS).find((client) => name.startsWith(`${client}-`));
  if (found === undefined) throw new Error(`no client for ${name}`);
  return CLIENTS[found as ClientName];
}

/** What is recorded: the reading, and for a call to judge the answer to each verdict. */
export function goldenLine(name: string): unknown {
  const client = clientOf(name);
  const event = client.read(payload(name), { cwd: () => "/elsewhere" });
  const answers = event.moment !== "before-tool" ? undefined : Object.fromEntries(
    SCENARIOS.map((scenario) => [
      scenario,
      client.write(verdictFor(scenario, event), event, { onAllow: "defer" }),
    ]),
  );
  const { response, ...reading } = event;
  return { payload: name, reading: { ...reading, hasResponse: response !== undefined }, answers };
}

if (import.meta.main) {
  const lines = payloadNames().map((name) => JSON.stringify(goldenLine(name)));
  writeFileSync(GOLDEN_FILE, `${lines.join("\n")}\n`);
}
