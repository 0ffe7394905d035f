/**
 * The built-in guards as controls of the judge.
 *
 * @module
 */

import type { GateResult, ToolCall } from "../call.ts";
import type { Configuration } from "../config/load_configuration.ts";
import { isQuietCommand, isQuietLine } from "../guards/quiet_line.ts";
import { canonicalToolName } from "../policy/tool_names.ts";
import type { Runtime } from "../runtime/port.ts";
import type { ShellReading } from "../shell/facts.ts";
import { simpleWords } from "../shell/simple_command_line.ts";
import { atOnce } from "./at_once.ts";
import { commandCall } from "./command_call.ts";
import type { Control } from "./control.ts";
import {
  type EffectiveDestructive,
  effectiveGuards,
  type EffectivePaths,
} from "./guard_settings.ts";
import type { LineReader } from "./line_reading.ts";

/** Makes the guards that are on. What a guard needs is loaded only when a call is its business. */
export function guardControls(
  runtime: Runtime,
  configuration: Configuration,
  lines: LineReader,
): Control[] {
  const { destructive, paths } = effectiveGuards(configuration);
  const controls: Control[] = [];
  const isSilentAtOnce = silence();
  if (destructive !== null) {
    controls.push({
      name: "guard:destructive",
      judge: (call) => {
        const command = commandCall(call);
        return command === null ||
            (destructive.mode === "parsed" && isSilentAtOnce(command))
          ? null
          : judgeDestructive(runtime, configuration, destructive, paths, lines, command);
      },
    });
  }
  if (paths !== null) {
    controls.push({
      name: "guard:paths",
      judge: (call) => {
        const command = commandCall(call);
        const own = { ...call, tool: canonicalToolName(call.tool) };
        const judgeOwn = () => judgePaths(runtime, configuration, paths, lines, own);
        if (command === null) return judgeOwn();
        const result = isSilentAtOnce(command)
          ? null
          : judgePaths(runtime, configuration, paths, lines, command);
        return own.tool === "bash"
          ? result
          : atOnce(result, (found) => found === null ? judgeOwn() : found);
      },
    });
  }
  return controls;
}

async function judgeDestructive(
  runtime: Runtime,
  configuration: Configuration,
  settings: EffectiveDestructive,
  paths: EffectivePaths | null,
  lines: LineReader,
  call: ToolCall,
): Promise<GateResult | null> {
  const { command } = call.args;
  if (settings.mode === "patterns" || typeof command !== "string" || command === "") {
    const { judgeDestructiveText } = await import("../guards/destructive_patterns.ts");
    return placed(judgeDestructiveText(call), settings.place);
  }
  const reading = await lines(command);
  if (isSilent(call, reading)) return null;
  const [{ judgeCommandText }, { observeFiles }] = await Promise.all([
    import("../guards/command_text.ts"),
    import("../guards/observations.ts"),
  ]);
  const result = await judgeCommandText(call, {
    cwd: call.cwd,
    home: homeOf(configuration),
    workspace: absoluteFolders(paths?.allowed ?? [configuration.workspace], configuration),
    temporary: temporaryFolders(runtime),
    observe: observeFiles(runtime.fs),
    overwrite: settings.overwrite,
    discardInLinkedWorktree: settings.discardInLinkedWorktree,
  }, reading);
  return placed(result, settings.place);
}

async function judgePaths(
  runtime: Runtime,
  configuration: Configuration,
  paths: EffectivePaths,
  lines: LineReader,
  call: ToolCall,
): Promise<GateResult | null> {
  const options = {
    allowed: paths.allowed,
    denied: paths.denied,
    symlinks: paths.symlinks,
    cwd: configuration.workspace,
    runsIn: call.cwd,
    home: homeOf(configuration),
    fs: runtime.fs,
    style: runtime.env.platform === "windows" ? "windows" as const : "posix" as const,
    ignoreCase: runtime.env.platform !== "linux",
    ...(paths.outsideReads === null ? {} : { outsideReads: paths.outsideReads }),
  };
  if (call.tool !== "bash") {
    const { judgeToolPaths } = await import("../guards/tool_paths.ts");
    return placed(await judgeToolPaths(call, options), paths.place);
  }
  const { command } = call.args;
  if (typeof command !== "string" || command === "") return null;
  const reading = await lines(command);
  if (isSilent(call, reading)) return null;
  const { judgeCommandTextPaths } = await import("../guards/command_text.ts");
  const result = await judgeCommandTextPaths(call, {
    ...options,
    allowed: absoluteFolders(paths.allowed, configuration),
    cwd: call.cwd,
    temporary: temporaryFolders(runtime),
  }, reading);
  return placed(result, paths.place);
}

/** As {@linkcode isSilent}, for lines of one plain command, which need not be read; `false` for all others. */
function silence(): (call: ToolCall) => boolean {
  let asked: unknown = null;
  let askedIn = "";
  let isQuiet = false;
  return ({ args: { command, shell }, cwd }) => {
    if (typeof command !== "string" || shell !== undefined) return false;
    // Both guards ask, of the same call.
    if (command === asked && cwd === askedIn) return isQuiet;
    const words = simpleWords(command);
    asked = command;
    askedIn = cwd;
    return isQuiet = words !== null && isQuietCommand(words, cwd);
  };
}

/** Whether the guards on command lines have nothing to say, which is told without loading them. */
function isSilent(call: ToolCall, reading: ShellReading): boolean {
  // A line for another shell than ours may mean something else.
  return call.args.shell === undefined && isQuietLine(reading, call.cwd);
}

function homeOf(configuration: Configuration): string | undefined {
  return configuration.folders?.home || undefined;
}

/** Folders as the configuration writes them, made absolute: relative ones begin in the workspace. */
function absoluteFolders(folders: readonly string[], configuration: Configuration): string[] {
  const home = homeOf(configuration);
  return folders.map((folder) => {
    if (/^(?:[\\/]|[A-Za-z]:[\\/])/.test(folder)) return folder;
    if (home !== undefined && (folder === "~" || folder.startsWith("~/"))) {
      return home + folder.slice(1);
    }
    return folder === "." ? configuration.workspace : `${configuration.workspace}/${folder}`;
  });
}

function temporaryFolders(runtime: Runtime): string[] {
  const folder = runtime.env.get("TMPDIR");
  return folder?.startsWith("/") ? [folder] : [];
}

function placed(result: GateResult | null, place: GateResult["place"]): GateResult | null {
  return result === null || place === null ? result : Object.freeze({ ...result, place });
}
