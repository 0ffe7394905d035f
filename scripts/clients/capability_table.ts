/**
 * The table of what each client can be told, written from the code into docs/clients.md.
 *
 *     bun scripts/clients/capability_table.ts
 */

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Capabilities } from "../../src/clients/client.ts";
import { INSTALLATIONS } from "../../src/clients/install/registry.ts";
import { CLIENT_NAMES, CLIENTS } from "../../src/clients/registry.ts";
import { CLIENT_PACKAGES } from "./versions.ts";

/** The document. */
export const DOCUMENT = fileURLToPath(new URL("../../docs/clients.md", import.meta.url));

const BEGIN = "<!-- written by scripts/clients/capability_table.ts: begin -->\n\n";
const END = "\n\n<!-- written by scripts/clients/capability_table.ts: end -->";

/** What each row says of a client. */
const ROWS: readonly (readonly [name: string, cell: (capabilities: Capabilities) => string])[] = [
  ["`escalate` asks a person", ({ ask }) =>
    ({
      yes: "yes; headless, the client denies",
      "on-screen": "with `--on-screen`; else denied",
      no: "**no**: denied, saying so",
    })[ask]],
  [
    "`onAllow: approve` skips the client's question",
    ({ approve }) => approve ? "yes" : "no effect",
  ],
  ["rewritten arguments run", ({ rewrite }) =>
    ({
      yes: "yes",
      "unless-asked": "yes; with a question: denied, with the text offered",
    })[rewrite]],
  ["a crashed hook stops the call", ({ failClosed }) =>
    ({
      yes: "yes",
      "by-setting": "by a setting that `init` makes",
      no: "no: `init`'s command line does",
    })[failClosed]],
  ["a subagent's calls are marked", ({ subagentMark }) => subagentMark ? "yes" : "no"],
  ["a call has an id", ({ callId }) => callId ? "yes" : "no"],
  [
    "`onStop: block` makes it go on once",
    ({ goOn }) => goOn ? "yes" : "no: recorded only",
  ],
  ["`onStop: warn` shows a message", ({ tell }) =>
    ({
      yes: "yes",
      "not-headless": "headless: recorded only",
      no: "no: recorded only",
    })[tell]],
];

/** The table, in Markdown. */
export function capabilityTable(): string {
  const heads = CLIENT_NAMES.map((name) => {
    const version = CLIENT_PACKAGES.find(({ client }) => client === name)?.version;
    return `${INSTALLATIONS[name].title} ${version}`;
  });
  const rows = ROWS.map(([name, cell]) => [
    name,
    ...CLIENT_NAMES.map((client) => cell(CLIENTS[client].capabilities)),
  ]);
  const lines = [["", ...heads], ...rows];
  const widths = lines[0].map((_, column) =>
    Math.max(...lines.map((cells) => cells[column].length))
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  const rule = line(widths.map((width) => "-".repeat(width)));
  return [line(lines[0]), rule, ...rows.map(line)].join("\n");
}

/** The document with the table of now in it. */
export function withTable(document: string): string {
  const start = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (start < 0 || end < start) throw new Error(`Cannot find the table's place in ${DOCUMENT}`);
  return document.slice(0, start + BEGIN.length) + capabilityTable() + document.slice(end);
}

if (import.meta.main) writeFileSync(DOCUMENT, withTable(readFileSync(DOCUMENT, "utf8")));
