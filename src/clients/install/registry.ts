/**
 * How every client is wired up, by its name.
 *
 * @module
 */

import type { ClientName } from "../client.ts";
import { claudeCodeInstallation } from "./claude_code.ts";
import { codexInstallation } from "./codex.ts";
import { copilotInstallation } from "./copilot.ts";
import { geminiInstallation } from "./gemini.ts";
import type { Installation } from "./installation.ts";
import { opencodeInstallation } from "./opencode.ts";

/** Every installation, in the order in which they are shown. */
export const INSTALLATIONS: Readonly<Record<ClientName, Installation>> = Object.freeze({
  "claude-code": claudeCodeInstallation,
  codex: codexInstallation,
  gemini: geminiInstallation,
  opencode: opencodeInstallation,
  copilot: copilotInstallation,
});
