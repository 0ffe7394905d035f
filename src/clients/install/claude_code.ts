/**
 * How gatehouse is wired into Claude Code.
 *
 * @module
 */

import { hookOf, isOurCommand, judgingCommand, recordingCommand } from "./hook_command.ts";
import { CLIENT_TIMEOUT_SECONDS, InstallationError, textOf } from "./installation.ts";
import type { HookProgram, Installation, InstalledHook, Place, Texts } from "./installation.ts";
import { type HookEntry, hooksOf, jsonValue, withHooks, withoutHooks } from "./json_hooks.ts";

/** The event at the end of a turn. */
const END_OF_TURN = "Stop";

/** What is recorded besides the calls that are judged. */
const RECORDED: readonly string[] = [
  "PostToolUse",
  "PostToolUseFailure",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "SubagentStart",
  "SubagentStop",
];

/** Where the machine's administrator settles things, which no user and no project can undo. */
const MANAGED = {
  linux: "/etc/claude-code/managed-settings.json",
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
  windows: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
} as const;

/** Claude Code. */
export const claudeCodeInstallation: Installation = Object.freeze({
  client: "claude-code",
  title: "Claude Code",
  program: "claude",
  settingsFolder,
  paths: (place: Place) => [settingsFile(place)],
  // deno-lint-ignore require-await -- the interface is asynchronous, for clients that need a hash
  async install(texts: Texts, place: Place, program: HookProgram): Promise<Texts> {
    const path = settingsFile(place);
    return new Map([[path, withHooks(textOf(texts, path), path, entries(program), isOurs)]]);
  },
  uninstall(texts: Texts, place: Place): Texts {
    const path = settingsFile(place);
    const text = textOf(texts, path);
    return new Map([[path, text === null ? null : withoutHooks(text, path, isOurs)]]);
  },
  hook(texts: Texts, place: Place): InstalledHook | null {
    const hooks = hooksOf(textOf(texts, settingsFile(place)) ?? "", "PreToolUse");
    return hookOf(
      (hooks.find(isOurs) as { command?: unknown } | undefined)?.command,
      "claude-code",
    );
  },
  payloadFor: (command: string, cwd: string) => ({
    hook_event_name: "PreToolUse",
    session_id: "gatehouse-doctor",
    cwd,
    tool_name: "Bash",
    tool_input: { command },
  }),
  obstacles(texts: Texts, place: Place): readonly string[] {
    return [...texts].flatMap(([path, text]) => {
      const value = text === null ? undefined : jsonValue(text);
      if (typeof value !== "object" || value === null) return [];
      const settings = value as Record<string, unknown>;
      if (settings.disableAllHooks === true && place.scope !== "system") {
        return [`${path} switches all hooks off ("disableAllHooks": true)`];
      }
      if (settings.allowManagedHooksOnly === true && place.scope !== "system") {
        return [`${path} lets only the machine's hooks run; install with --system`];
      }
      return [];
    });
  },
  switches(place: Place): readonly string[] {
    return [
      `${settingsFolder(place)}/settings.json`,
      `${place.project}/.claude/settings.json`,
      `${place.project}/.claude/settings.local.json`,
      MANAGED[place.platform],
    ];
  },
  notes: () => [],
});

function settingsFolder(place: Place): string {
  return place.variables.CLAUDE_CONFIG_DIR || `${place.home}/.claude`;
}

function settingsFile(place: Place): string {
  switch (place.scope) {
    case "user":
      return `${settingsFolder(place)}/settings.json`;
    case "project":
      return `${place.project}/.claude/settings.json`;
    case "system":
      if (place.platform === "windows") {
        throw new InstallationError(
          "Cannot install for the whole machine on Windows: use --user, or edit " + MANAGED.windows,
        );
      }
      return MANAGED[place.platform];
    default:
      return place.scope satisfies never;
  }
}

function entries(program: HookProgram): readonly HookEntry[] {
  const judged: HookEntry = {
    event: "PreToolUse",
    value: {
      matcher: "*",
      hooks: [{
        type: "command",
        command: judgingCommand("claude-code", program),
        timeout: CLIENT_TIMEOUT_SECONDS,
        onFailure: "block",
      }],
    },
  };
  const recorded = RECORDED.map((event): HookEntry => ({
    event,
    value: {
      hooks: [{
        type: "command",
        command: recordingCommand("claude-code", program, event === END_OF_TURN),
        timeout: CLIENT_TIMEOUT_SECONDS,
      }],
    },
  }));
  return [judged, ...recorded];
}

function isOurs(hook: unknown): boolean {
  return isOurCommand((hook as { command?: unknown } | null)?.command, "claude-code");
}
