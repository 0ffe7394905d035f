/**
 * How gatehouse is wired into Codex CLI.
 *
 * A user's hook runs only when its hash stands in `config.toml`; else it is skipped without a word.
 *
 * @module
 */

import { parse as parseToml } from "smol-toml";
import { hookOf, isOurCommand, judgingCommand, recordingCommand } from "./hook_command.ts";
import { CLIENT_TIMEOUT_SECONDS, InstallationError, textOf } from "./installation.ts";
import type { HookProgram, Installation, InstalledHook, Place, Texts } from "./installation.ts";
import { type HookEntry, hooksOf, jsonValue, withHooks, withoutHooks } from "./json_hooks.ts";
import {
  hasInlineTable,
  hasTomlTable,
  tomlString,
  tomlValue,
  withoutTomlTable,
  withTomlValue,
} from "./toml_text.ts";

/** The event at the end of a turn. */
const END_OF_TURN = "Stop";

/** What is recorded besides the calls that are judged. */
const RECORDED: readonly string[] = [
  "PostToolUse",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "SubagentStart",
  "SubagentStop",
];

/** Seconds that Codex gives a hook at the end of a session at most; a longer time would change the hash. */
const SESSION_END_SECONDS = 3;

/** The machine's requirements, which neither a user nor a project can undo. */
const REQUIREMENTS = "/etc/codex/requirements.toml";

/** Codex CLI. */
export const codexInstallation: Installation = Object.freeze({
  client: "codex",
  title: "Codex CLI",
  program: "codex",
  settingsFolder,
  paths(place: Place): readonly string[] {
    if (place.scope === "system") {
      if (place.platform === "windows") {
        throw new InstallationError("Cannot install for the whole machine on Windows: use --user");
      }
      return [REQUIREMENTS];
    }
    return [hooksFile(place), configFile(place)];
  },
  install,
  uninstall,
  hook(texts: Texts, place: Place): InstalledHook | null {
    if (place.scope === "system") {
      const block = ownBlock(textOf(texts, REQUIREMENTS) ?? "");
      const [, line] =
        /\[\[hooks\.PreToolUse\.hooks\]\][^[]*?command = ("(?:[^"\\]|\\.)*")/.exec(block) ?? [];
      return line === undefined ? null : hookOf(JSON.parse(line), "codex");
    }
    const hooks = hooksOf(textOf(texts, hooksFile(place)) ?? "", "PreToolUse");
    return hookOf((hooks.find(isOurs) as { command?: unknown } | undefined)?.command, "codex");
  },
  payloadFor: (command: string, cwd: string) => ({
    hook_event_name: "PreToolUse",
    session_id: "gatehouse-doctor",
    cwd,
    tool_name: "Bash",
    tool_input: { command },
  }),
  obstacles,
  switches(place: Place): readonly string[] {
    return [configFile(place), `${place.project}/.codex/config.toml`, REQUIREMENTS];
  },
  notes(place: Place): readonly string[] {
    return [
      ...(place.scope === "project"
        ? ["Codex runs a project's hooks only in a project that it was told to trust."]
        : []),
      "Codex types into running programs (write_stdin) without asking any hook, so gatehouse does not let it " +
      "start a bare shell or interpreter.",
    ];
  },
});

function settingsFolder(place: Place): string {
  return place.variables.CODEX_HOME || `${place.home}/.codex`;
}

function hooksFile(place: Place): string {
  return place.scope === "project"
    ? `${place.project}/.codex/hooks.json`
    : `${settingsFolder(place)}/hooks.json`;
}

/** Trust is kept with the user, for a project's hooks too. */
function configFile(place: Place): string {
  return `${settingsFolder(place)}/config.toml`;
}

async function install(texts: Texts, place: Place, program: HookProgram): Promise<Texts> {
  if (place.scope === "system") {
    return new Map([[REQUIREMENTS, withRequirements(textOf(texts, REQUIREMENTS) ?? "", program)]]);
  }
  const path = hooksFile(place);
  const hooks = withHooks(textOf(texts, path), path, entries(program), isOurs);
  let config = textOf(texts, configFile(place)) ?? "";
  if (
    hasInlineTable(config, "", "hooks") || hasInlineTable(config, "hooks", "state")
  ) {
    throw new InstallationError(
      `Cannot edit ${configFile(place)}: it has hooks in the short form "hooks = { … }". ` +
        "Write them as [hooks] tables, then run the command again.",
    );
  }
  for (const { key, hash } of await trustedHooks(hooks, path, place)) {
    config = withTomlValue(
      config,
      `hooks.state.${tomlString(key)}`,
      "trusted_hash",
      tomlString(hash),
    );
  }
  return new Map([[path, hooks], [configFile(place), config]]);
}

function uninstall(texts: Texts, place: Place): Texts {
  if (place.scope === "system") {
    const text = textOf(texts, REQUIREMENTS);
    return new Map([[REQUIREMENTS, text === null ? null : withoutRequirements(text)]]);
  }
  const path = hooksFile(place);
  const hooks = textOf(texts, path);
  const noted = textOf(texts, configFile(place));
  let config = noted;
  for (const { key } of hooks === null || config === null ? [] : ourHooks(hooks, path)) {
    config = withoutTomlTable(config!, `hooks.state.${tomlString(key)}`);
  }
  return new Map([
    [path, hooks === null ? null : withoutHooks(hooks, path, isOurs)],
    [configFile(place), config === "" && noted !== "" ? null : config],
  ]);
}

function obstacles(texts: Texts, place: Place): readonly string[] {
  const found: string[] = [];
  for (const [path, text] of texts) {
    if (text === null || !path.endsWith(".toml")) continue;
    if (place.scope === "system" && path !== REQUIREMENTS) continue;
    for (const name of ["hooks", "codex_hooks"]) {
      if (isFeatureOff(text, name)) {
        found.push(`${path} switches all hooks off ([features] ${name} = false)`);
      }
    }
  }
  return found;
}

/** Whether a feature is off, in whichever way the file writes it: a table, a short one, dotted names. */
function isFeatureOff(text: string, name: string): boolean {
  try {
    const { features } = parseToml(text);
    return typeof features === "object" && (features as Record<string, unknown>)[name] === false;
  } catch {
    // What is no TOML may be on its way to be: the usual way to write it is still found.
    return tomlValue(text, "features", name) === "false";
  }
}

function entries(program: HookProgram): readonly HookEntry[] {
  const entry = (event: string, command: string): HookEntry => ({
    event,
    value: {
      hooks: [{
        type: "command",
        command,
        timeout: event === "SessionEnd" ? SESSION_END_SECONDS : CLIENT_TIMEOUT_SECONDS,
      }],
    },
  });
  return [
    entry("PreToolUse", judgingCommand("codex", program)),
    ...RECORDED.map((event) =>
      entry(event, recordingCommand("codex", program, event === END_OF_TURN))
    ),
  ];
}

function isOurs(hook: unknown): boolean {
  return isOurCommand((hook as { command?: unknown } | null)?.command, "codex");
}

/** A hook of ours, by the key that Codex gives it. */
interface KeyedHook {
  readonly key: string;
  readonly event: string;
  readonly matcher: unknown;
  readonly hook: Readonly<Record<string, unknown>>;
}

/** The hooks of ours in a hooks file. The key is the file, the event, the group's place and the hook's place in it. */
function ourHooks(text: string, path: string): readonly KeyedHook[] {
  const value = jsonValue(text) as { hooks?: Record<string, unknown> } | undefined;
  return Object.entries(value?.hooks ?? {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group, groupAt) => {
      const hooks: unknown = group?.hooks;
      return (Array.isArray(hooks) ? hooks : []).flatMap((hook, at) =>
        isOurs(hook)
          ? [{
            key: `${path}:${snakeCase(event)}:${groupAt}:${at}`,
            event,
            matcher: group.matcher,
            hook,
          }]
          : []
      );
    })
  );
}

/** The hooks of ours and the hashes by which Codex trusts them: of the hook as compact JSON with sorted keys. */
export async function trustedHooks(
  text: string,
  path: string,
  place: Pick<Place, "sha256">,
): Promise<readonly { readonly key: string; readonly hash: string }[]> {
  return await Promise.all(
    ourHooks(text, path).map(async ({ key, event, matcher, hook }) => {
      const identity = {
        event_name: snakeCase(event),
        hooks: [{ async: false, ...hook }],
        ...(matcher === undefined || event === "Stop" ? {} : { matcher }),
      };
      const json = JSON.stringify(sorted(identity));
      return { key, hash: `sha256:${await place.sha256(new TextEncoder().encode(json))}` };
    }),
  );
}

/** What Codex has noted of a hook, or `null`. */
export function notedHash(config: string, key: string): string | null {
  const value = tomlValue(config, `hooks.state.${tomlString(key)}`, "trusted_hash");
  return value === null ? null : value.replace(/^["']|["']$/g, "");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

function snakeCase(event: string): string {
  return event.replace(/[A-Z]/g, (letter, at) => (at === 0 ? "" : "_") + letter.toLowerCase());
}

const BEGIN = "# gatehouse: begin";
const END = "# gatehouse: end";

/** What must be said there besides the hooks: without the first, a project could switch them off. */
const REQUIRED: readonly (readonly [header: string, key: string, value: string])[] = [
  ["features", "hooks", "true"],
  ["hooks", "managed_dir", '"/etc/codex/hooks"'],
];

/** The machine's requirements with our hooks. */
function withRequirements(text: string, program: HookProgram): string {
  const clean = withoutRequirements(text) ?? "";
  if (hasInlineTable(clean, "", "hooks") || hasInlineTable(clean, "", "features")) {
    throw new InstallationError(
      `Cannot edit ${REQUIREMENTS}: it has "hooks" or "features" in the short form. ` +
        "Write them as tables, then run the command again.",
    );
  }
  let own = clean;
  const block: string[] = [];
  for (const [header, key, value] of REQUIRED) {
    if (tomlValue(own, header, key) !== null) continue;
    if (hasTomlTable(own, header)) own = withTomlValue(own, header, key, value);
    else block.push(`[${header}]\n${key} = ${value}\n`);
  }
  for (const { event, value } of entries(program)) {
    const [hook] = value.hooks as { command: string; timeout: number }[];
    block.push(
      `[[hooks.${event}]]\n[[hooks.${event}.hooks]]\ntype = "command"\n` +
        `command = ${tomlString(hook.command)}\ntimeout = ${hook.timeout}\n`,
    );
  }
  const gap = own === "" ? "" : own.endsWith("\n") ? "\n" : "\n\n";
  return `${own}${gap}${BEGIN}\n${block.join("\n")}${END}\n`;
}

/** The part of the requirements that is ours. */
function ownBlock(text: string): string {
  const start = text.indexOf(BEGIN);
  return start < 0 ? "" : text.slice(start, text.indexOf(END, start));
}

function withoutRequirements(text: string): string | null {
  const start = text.indexOf(BEGIN);
  if (start < 0) return text;
  const end = text.indexOf(END, start);
  const after = end < 0 ? "" : text.slice(end + END.length).replace(/^\r?\n/, "");
  const rest = text.slice(0, start).replace(/(\r?\n)\r?\n$/, "$1") + after;
  return rest === "" ? null : rest;
}
