/**
 * What the built-in guards are set to, out of all configuration files.
 *
 * @module
 */

import type { Place } from "../call.ts";
import { placeIn } from "../config/compiled_file.ts";
import type { Configuration } from "../config/load_configuration.ts";

/** The guards' settings that count; `null` for a guard that is off. */
export interface EffectiveGuards {
  readonly destructive: EffectiveDestructive | null;
  readonly paths: EffectivePaths | null;
}

/** The settings of the guard against destructive commands that count. */
export interface EffectiveDestructive {
  readonly mode: "patterns" | "parsed";
  readonly overwrite: "escalate" | "allow";
  readonly discardInLinkedWorktree: boolean;
  readonly place: Place | null;
}

/** The path guard's settings that count. */
export interface EffectivePaths {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  readonly symlinks: "follow" | "refuse";
  /** `null` when no file says: then commands may read anywhere, and file tools in the allowed folders (D2-7). */
  readonly outsideReads: "allow" | "escalate" | "deny" | null;
  readonly place: Place | null;
}

/**
 * The guards' settings: on by default, in the workspace; a later trusted file changes what an earlier one says; denied
 * paths of all files add up. An untrusted file can only add denied paths.
 */
export function effectiveGuards(configuration: Configuration): EffectiveGuards {
  // Without any configuration: commands are parsed, and the workspace is where tools may work.
  const standard: EffectiveDestructive = {
    mode: "parsed",
    overwrite: "escalate",
    discardInLinkedWorktree: false,
    place: null,
  };
  let destructive: EffectiveGuards["destructive"] = standard;
  let pathsOn = true;
  let allowed: readonly string[] = [configuration.workspace];
  let symlinks: EffectivePaths["symlinks"] = "follow";
  let outsideReads: EffectivePaths["outsideReads"] = null;
  let place: Place | null = null;
  const denied: string[] = [];
  for (const { trusted, file } of configuration.layers) {
    const { destructive: commands, paths } = file.guards;
    if (trusted && commands !== null) {
      const before: EffectiveDestructive = destructive ?? standard;
      destructive = commands.enabled
        ? {
          mode: commands.mode,
          overwrite: commands.overwrite ?? before.overwrite,
          discardInLinkedWorktree: commands.discardInLinkedWorktree ??
            before.discardInLinkedWorktree,
          place: placeIn(file, commands.line),
        }
        : null;
    }
    if (paths === null) continue;
    denied.push(...paths.denied);
    if (!trusted) continue;
    pathsOn = paths.enabled;
    allowed = paths.allowed ?? allowed;
    symlinks = paths.symlinks ?? symlinks;
    outsideReads = paths.outsideReads ?? outsideReads;
    place = placeIn(file, paths.line);
  }
  return {
    destructive,
    paths: pathsOn ? { allowed, denied, symlinks, outsideReads, place } : null,
  };
}
