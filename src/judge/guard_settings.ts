/**
 * What the built-in guards are set to, out of all configuration files.
 *
 * @module
 */

import type { Place } from "../call.ts";
import { placeIn } from "../config/compiled_file.ts";
import type { Configuration } from "../config/load_configuration.ts";

/** The guards' settings that count. */
export interface EffectiveGuards {
  readonly destructive: { readonly mode: "patterns"; readonly place: Place | null } | null;
  readonly paths: EffectivePaths | null;
}

/** The path guard's settings that count. */
export interface EffectivePaths {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  readonly symlinks: "follow" | "refuse";
  readonly place: Place | null;
}

/**
 * The guards' settings: on by default, in the workspace; a later trusted file changes what an earlier one says; denied
 * paths of all files add up. An untrusted file can only add denied paths.
 */
export function effectiveGuards(configuration: Configuration): EffectiveGuards {
  let destructive: EffectiveGuards["destructive"] = { mode: "patterns", place: null };
  let pathsOn = true;
  let allowed: readonly string[] = [configuration.workspace];
  let symlinks: "follow" | "refuse" = "follow";
  let place: Place | null = null;
  const denied: string[] = [];
  for (const { trusted, file } of configuration.layers) {
    const { destructive: commands, paths } = file.guards;
    if (trusted && commands !== null) {
      destructive = commands.enabled
        ? { mode: commands.mode, place: placeIn(file, commands.line) }
        : null;
    }
    if (paths === null) continue;
    denied.push(...paths.denied);
    if (!trusted) continue;
    pathsOn = paths.enabled;
    allowed = paths.allowed ?? allowed;
    symlinks = paths.symlinks ?? symlinks;
    place = placeIn(file, paths.line);
  }
  return { destructive, paths: pathsOn ? { allowed, denied, symlinks, place } : null };
}
