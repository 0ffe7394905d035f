/**
 * All clients, by name. The hook loads the one it serves from its own file instead.
 *
 * @module
 */

import { claudeCode } from "./claude_code.ts";
import type { Client, ClientName } from "./client.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

/** Every client, in the order in which they are shown. */
export const CLIENTS: Readonly<Record<ClientName, Client>> = Object.freeze({
  "claude-code": claudeCode,
  codex,
  gemini,
  opencode,
  copilot,
});

/** The names of all clients, in the same order. */
export const CLIENT_NAMES: readonly ClientName[] = Object.freeze(
  Object.keys(CLIENTS) as ClientName[],
);
