/** The clients that are run, at the versions whose behaviour docs/clients.md describes. */

import type { ClientName } from "../../src/clients/client.ts";

/** One client as npm has it. */
export interface ClientPackage {
  readonly client: ClientName;
  readonly package: string;
  readonly version: string;
  /** The program, below the folder where it is installed. */
  readonly program: string;
  /** A script of the package that only puts its binary in place; npm does not run it by itself any more. */
  readonly setup: string | null;
}

/** All of them. */
export const CLIENT_PACKAGES: readonly ClientPackage[] = [
  {
    client: "claude-code",
    package: "@anthropic-ai/claude-code",
    version: "2.1.332",
    program: "bin/claude.exe",
    setup: "install.cjs",
  },
  {
    client: "codex",
    package: "@openai/codex",
    version: "0.171.0",
    program: "bin/codex.js",
    setup: null,
  },
  {
    client: "gemini",
    package: "@google/gemini-cli",
    version: "0.61.0",
    program: "bundle/gemini.js",
    setup: null,
  },
  {
    client: "opencode",
    package: "opencode-ai",
    version: "1.18.33",
    program: "bin/opencode.exe",
    setup: "postinstall.mjs",
  },
  {
    client: "copilot",
    package: "@github/copilot",
    version: "1.0.102",
    program: "npm-loader.js",
    setup: null,
  },
];
