/** What is needed to run one real client without network and without a person. */

import type { ClientName } from "../../src/clients/client.ts";
import type { ScriptedCall } from "./scripted_model.ts";

/** Something a model can want, whatever the client calls it. */
export type Wish =
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "write"; readonly path: string; readonly content: string }
  | { readonly kind: "mcp"; readonly text: string };

/** The folders of one run, and where the model is. */
export interface RunPlace {
  readonly home: string;
  readonly work: string;
  readonly modelUrl: string;
  /** The client's package, installed. */
  readonly packageFolder: string;
  /** Starts the MCP server called `marker`. */
  readonly echoServer: readonly string[];
}

/** How one client is driven. */
export interface Driver {
  readonly client: ClientName;
  readonly modelName: string;
  /** A wish in the client's own words. */
  call(wish: Wish): ScriptedCall;
  /** Settings to write before the hook is installed, by path; the client itself allows everything. */
  settings(place: RunPlace): ReadonlyMap<string, string>;
  /** The command that makes it do the scripted work, and what it needs in its environment. */
  start(place: RunPlace): {
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
}

/** What the client is asked to do; the script decides what happens. */
export const PROMPT = "Do the scripted work.";

/** No server checks it. */
export const MADE_UP_KEY = "made-up-key-for-a-server-on-loopback";

/** JSON with a newline at its end, as people write it. */
export function jsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
