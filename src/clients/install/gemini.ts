/**
 * How gatehouse is wired into Gemini CLI.
 *
 * @module
 */

import { hookOf, isOurCommand, judgingCommand, recordingCommand } from "./hook_command.ts";
import { CLIENT_TIMEOUT_SECONDS, InstallationError, textOf } from "./installation.ts";
import type { HookProgram, Installation, InstalledHook, Place, Texts } from "./installation.ts";
import { type HookEntry, hooksOf, jsonValue, withHooks, withoutHooks } from "./json_hooks.ts";

/** The event at the end of a turn. */
const END_OF_TURN = "AfterAgent";

/** What is recorded besides the calls that are judged. */
const RECORDED: readonly string[] = ["AfterTool", "SessionStart", "SessionEnd", "AfterAgent"];

/** Where the machine's administrator settles things. */
const MANAGED = {
  linux: "/etc/gemini-cli/settings.json",
  darwin: "/Library/Application Support/GeminiCli/settings.json",
  windows: "C:\\ProgramData\\gemini-cli\\settings.json",
} as const;

/** It counts in milliseconds. */
const TIMEOUT_MS = CLIENT_TIMEOUT_SECONDS * 1000;

/** Gemini CLI. */
export const geminiInstallation: Installation = Object.freeze({
  client: "gemini",
  title: "Gemini CLI",
  program: "gemini",
  settingsFolder,
  paths: (place: Place) => [settingsFile(place)],
  // deno-lint-ignore require-await -- the interface is asynchronous, for clients that need a hash
  async install(texts: Texts, place: Place, program: HookProgram): Promise<Texts> {
    const path = settingsFile(place);
    // Only said here does it hold against `hooksConfig.enabled: false` in a project.
    const skeleton = place.scope === "system" ? { hooksConfig: { enabled: true } } : {};
    const text = withHooks(textOf(texts, path), path, entries(program), isOurs, skeleton);
    return new Map([[path, text]]);
  },
  uninstall(texts: Texts, place: Place): Texts {
    const path = settingsFile(place);
    const text = textOf(texts, path);
    const skeleton = place.scope === "system" ? { hooksConfig: { enabled: true } } : {};
    return new Map([[path, text === null ? null : withoutHooks(text, path, isOurs, skeleton)]]);
  },
  hook(texts: Texts, place: Place): InstalledHook | null {
    const hooks = hooksOf(textOf(texts, settingsFile(place)) ?? "", "BeforeTool");
    return hookOf((hooks.find(isOurs) as { command?: unknown } | undefined)?.command, "gemini");
  },
  payloadFor: (command: string, cwd: string) => ({
    hook_event_name: "BeforeTool",
    session_id: "gatehouse-doctor",
    cwd,
    tool_name: "run_shell_command",
    tool_input: { command },
  }),
  obstacles(texts: Texts, place: Place): readonly string[] {
    return [...texts].flatMap(([path, text]) => {
      const value = text === null ? undefined : jsonValue(text);
      const hooks = (value as { hooksConfig?: { enabled?: unknown; disabled?: unknown } } | null)
        ?.hooksConfig;
      if (hooks?.enabled === false) {
        return place.scope === "system" && path !== settingsFile(place)
          ? []
          : [`${path} switches all hooks off ("hooksConfig.enabled": false)`];
      }
      if (Array.isArray(hooks?.disabled) && hooks.disabled.includes(HOOK_NAME)) {
        return [`${path} switches the hook off ("hooksConfig.disabled")`];
      }
      return [];
    });
  },
  switches(place: Place): readonly string[] {
    return [
      `${settingsFolder(place)}/settings.json`,
      `${place.project}/.gemini/settings.json`,
      MANAGED[place.platform],
    ];
  },
  notes(place: Place): readonly string[] {
    return place.scope === "project"
      ? ["Gemini CLI runs a project's hooks only in a folder that it was told to trust."]
      : [];
  },
});

/** The name that Gemini CLI lists the hook by. */
const HOOK_NAME = "gatehouse";

function settingsFolder(place: Place): string {
  return `${place.variables.GEMINI_CLI_HOME || place.home}/.gemini`;
}

function settingsFile(place: Place): string {
  switch (place.scope) {
    case "user":
      return `${settingsFolder(place)}/settings.json`;
    case "project":
      return `${place.project}/.gemini/settings.json`;
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
    event: "BeforeTool",
    value: {
      matcher: "*",
      hooks: [{
        name: HOOK_NAME,
        type: "command",
        command: judgingCommand("gemini", program),
        timeout: TIMEOUT_MS,
      }],
    },
  };
  const recorded = RECORDED.map((event): HookEntry => ({
    event,
    value: {
      hooks: [{
        name: HOOK_NAME,
        type: "command",
        command: recordingCommand("gemini", program, event === END_OF_TURN),
        timeout: TIMEOUT_MS,
      }],
    },
  }));
  return [judged, ...recorded];
}

function isOurs(hook: unknown): boolean {
  return isOurCommand((hook as { command?: unknown } | null)?.command, "gemini");
}
