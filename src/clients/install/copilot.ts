/**
 * How gatehouse is wired into GitHub Copilot CLI.
 *
 * @module
 */

import { hookOf, isOurCommand, judgingCommand, recordingCommand } from "./hook_command.ts";
import { CLIENT_TIMEOUT_SECONDS, InstallationError, textOf } from "./installation.ts";
import type { HookProgram, Installation, InstalledHook, Place, Texts } from "./installation.ts";
import { type HookEntry, hooksOf, jsonValue, withHooks, withoutHooks } from "./json_hooks.ts";

/** The event at the end of a turn. */
const END_OF_TURN = "agentStop";

/** What is recorded besides the calls that are judged. */
const RECORDED: readonly string[] = [
  "postToolUse",
  "postToolUseFailure",
  "sessionStart",
  "sessionEnd",
  "agentStop",
  "subagentStart",
  "subagentStop",
];

/** It passes standard error on to nobody. */
const DENIAL = { permissionDecision: "deny", permissionDecisionReason: "REASON" };

/** A hooks file says its version. */
const SKELETON = { version: 1 };

/** GitHub Copilot CLI. */
export const copilotInstallation: Installation = Object.freeze({
  client: "copilot",
  title: "GitHub Copilot CLI",
  program: "copilot",
  settingsFolder,
  paths: (place: Place) => [hooksFile(place)],
  // deno-lint-ignore require-await -- the interface is asynchronous, for clients that need a hash
  async install(texts: Texts, place: Place, program: HookProgram): Promise<Texts> {
    const path = hooksFile(place);
    const text = withHooks(textOf(texts, path), path, entries(program), isOurs, SKELETON);
    return new Map([[path, text]]);
  },
  uninstall(texts: Texts, place: Place): Texts {
    const path = hooksFile(place);
    const text = textOf(texts, path);
    return new Map([[path, text === null ? null : withoutHooks(text, path, isOurs, SKELETON)]]);
  },
  hook(texts: Texts, place: Place): InstalledHook | null {
    const hooks = hooksOf(textOf(texts, hooksFile(place)) ?? "", "preToolUse");
    return hookOf((hooks.find(isOurs) as { bash?: unknown } | undefined)?.bash, "copilot");
  },
  payloadFor: (command: string, cwd: string) => ({
    sessionId: "gatehouse-doctor",
    cwd,
    toolName: "bash",
    toolArgs: { command },
  }),
  obstacles(texts: Texts, place: Place): readonly string[] {
    if (place.scope === "system") return [];
    return [...texts].flatMap(([path, text]) => {
      const value = text === null ? undefined : jsonValue(text);
      return (value as { disableAllHooks?: unknown } | null)?.disableAllHooks === true
        ? [`${path} switches all hooks off ("disableAllHooks": true)`]
        : [];
    });
  },
  switches(place: Place): readonly string[] {
    return [
      `${settingsFolder(place)}/settings.json`,
      `${settingsFolder(place)}/config.json`,
      `${place.project}/.github/copilot/settings.json`,
      `${place.project}/.claude/settings.json`,
      hooksFile({ ...place, scope: "user" }),
      hooksFile({ ...place, scope: "project" }),
    ];
  },
  notes(place: Place): readonly string[] {
    return place.scope === "project"
      ? ["Copilot CLI runs a project's hooks only in a folder that it was told to trust."]
      : [];
  },
});

function settingsFolder(place: Place): string {
  return place.variables.COPILOT_HOME || `${place.home}/.copilot`;
}

function hooksFile(place: Place): string {
  switch (place.scope) {
    case "user":
      return `${settingsFolder(place)}/hooks/gatehouse.json`;
    case "project":
      return `${place.project}/.github/hooks/gatehouse.json`;
    case "system":
      if (place.platform === "linux") return "/etc/github-copilot/policy.d/gatehouse.json";
      throw new InstallationError(
        "Cannot install Copilot's hook for the whole machine here: its folder is known for Linux only",
      );
    default:
      return place.scope satisfies never;
  }
}

function entries(program: HookProgram): readonly HookEntry[] {
  const entry = (event: string, command: string): HookEntry => ({
    event,
    value: { type: "command", bash: command, timeoutSec: CLIENT_TIMEOUT_SECONDS },
  });
  return [
    entry("preToolUse", judgingCommand("copilot", program, DENIAL)),
    ...RECORDED.map((event) =>
      entry(event, recordingCommand("copilot", program, event === END_OF_TURN))
    ),
  ];
}

function isOurs(hook: unknown): boolean {
  return isOurCommand((hook as { bash?: unknown } | null)?.bash, "copilot");
}
