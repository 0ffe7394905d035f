/**
 * How gatehouse is wired into OpenCode: a plugin, since it has no command hooks.
 *
 * @module
 */

import { InstallationError, textOf } from "./installation.ts";
import type { HookProgram, Installation, InstalledHook, Place, Texts } from "./installation.ts";
import { opencodePlugin, PLUGIN_MARK, pluginCommand } from "./opencode_plugin.ts";

/** OpenCode. */
export const opencodeInstallation: Installation = Object.freeze({
  client: "opencode",
  title: "OpenCode",
  program: "opencode",
  settingsFolder,
  paths: (place: Place) => [pluginFile(place)],
  // deno-lint-ignore require-await -- the interface is asynchronous, for clients that need a hash
  async install(texts: Texts, place: Place, program: HookProgram): Promise<Texts> {
    const path = pluginFile(place);
    const present = textOf(texts, path);
    if (present !== null && !present.startsWith(PLUGIN_MARK)) {
      throw new InstallationError(
        `Cannot write ${path}: another file of that name is there. Move it away, then run the command again.`,
      );
    }
    return new Map([[path, opencodePlugin(program.binary, program.limitSeconds)]]);
  },
  uninstall(texts: Texts, place: Place): Texts {
    const path = pluginFile(place);
    const present = textOf(texts, path);
    return new Map([[path, present?.startsWith(PLUGIN_MARK) ? null : present]]);
  },
  hook(texts: Texts, place: Place): InstalledHook | null {
    const argv = pluginCommand(textOf(texts, pluginFile(place)) ?? "");
    return argv === null ? null : { program: argv[0], argv };
  },
  payloadFor: (command: string, cwd: string) => ({
    hook_event_name: "tool.execute.before",
    session_id: "gatehouse-doctor",
    cwd,
    tool_name: "bash",
    tool_input: { command },
  }),
  obstacles: (_texts: Texts, place: Place) =>
    place.variables.OPENCODE_PURE ? ["OPENCODE_PURE is set: OpenCode starts without plugins"] : [],
  switches: () => [],
  notes: () => ["OpenCode started with --pure runs without plugins, and so without the gate."],
});

function settingsFolder(place: Place): string {
  const named = place.variables.XDG_CONFIG_HOME;
  return `${named?.startsWith("/") ? named : `${place.home}/.config`}/opencode`;
}

function pluginFile(place: Place): string {
  switch (place.scope) {
    case "user":
      return `${settingsFolder(place)}/plugin/gatehouse.js`;
    case "project":
      return `${place.project}/.opencode/plugin/gatehouse.js`;
    case "system":
      throw new InstallationError(
        "Cannot install OpenCode's plugin for the whole machine: it has no place for that. Use --user.",
      );
    default:
      return place.scope satisfies never;
  }
}
