/**
 * How a coding agent is started so that it calls no hooks, or those of other settings. A table, and one question to it.
 *
 * @module
 */

import type { SimpleCommand } from "../shell/facts.ts";
import { wordText } from "./command_words.ts";

interface UnguardedStart {
  /** The program's name, or its package's as `npx` takes it. */
  readonly program: RegExp;
  /** Matched against all words, each after a space. */
  readonly words: RegExp;
  /** Variables that switch its hooks off, or let it look for its settings elsewhere. */
  readonly variables: readonly string[];
}

const UNGUARDED_STARTS: readonly UnguardedStart[] = [
  {
    program: /^claude(?:-code)?(?:@|$)/,
    words:
      / --(?:bare|safe-mode|settings)(?:[ =]|$)|disableAllHooks|allowManagedHooksOnly| --setting-sources[ =](?!\S*\buser\b)/,
    variables: [
      "CLAUDE_CONFIG_DIR",
      "CLAUDE_CODE_SAFE_MODE",
      "CLAUDE_CODE_SIMPLE",
      "CLAUDE_CODE_RESTRICTED",
      "CLAUDE_CODE_RESTRICT_PERSONAL_CONFIG",
      "CLAUDE_CODE_PERSONAL_HOOKS_OFF",
      "CLAUDE_CODE_HOST_OWNED_CONFIG_DIR",
      "CLAUDE_CODE_MANAGED_SETTINGS_PATH",
    ],
  },
  {
    program: /^codex(?:@|$)/,
    // A profile is a file of its own, which may switch hooks off.
    words:
      / --disable[ =]hooks| --ignore-user-config| (?:-p|--profile)(?:[ =]|$)|features\b.*\bhooks["']?\s*=\s*false| (?:-c|--config)[ =]?["']?hooks\b| features (?:.* )?disable\b/,
    variables: ["CODEX_HOME"],
  },
  {
    program: /^gemini(?:-cli)?(?:@|$)/,
    words: /hooksConfig/,
    variables: ["GEMINI_CLI_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH"],
  },
  {
    program: /^opencode(?:-ai)?(?:@|$)/,
    words: / --pure(?:[ =]|$)/,
    variables: ["OPENCODE_PURE", "OPENCODE_TEST_HOME", "OPENCODE_DISABLE_PROJECT_CONFIG"],
  },
  {
    program: /^copilot(?:@|$)/,
    words: /disableAllHooks| --config-dir(?:[ =]|$)/,
    variables: ["COPILOT_HOME"],
  },
];

/** What moves the settings of every agent. */
const HOMES: readonly string[] = ["HOME", "XDG_CONFIG_HOME"];

/** Whether a command starts an agent that may call none of the hooks that are installed. */
export function isUnguardedStart(command: SimpleCommand): boolean {
  const { program, words, environment, effects } = command;
  if (program.kind !== "named") return false;
  const start = UNGUARDED_STARTS.find((start) => start.program.test(program.name));
  if (start === undefined) return false;
  // Another user's home has other settings.
  if (effects.includes("privilege")) return true;
  const variables = [...start.variables, ...HOMES];
  return environment.some(({ name }) => variables.includes(name)) ||
    start.words.test(words.slice(1).map((word) => ` ${wordText(word)}`).join(""));
}
