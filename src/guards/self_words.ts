/**
 * What protects the files that the words of a command name.
 *
 * @module
 */

import type { SimpleCommand } from "../shell/facts.ts";
import { type AbsolutePath, formatPath } from "./absolute_path.ts";
import { isPattern } from "./name_pattern.ts";
import { directoriesOf } from "./removal.ts";
import {
  protectedMatches,
  protectedOnDisk,
  type ProtectedPlace,
  type SelfProtectionOptions,
} from "./self_places.ts";
import { type PathBase, wordPath } from "./word_path.ts";

/** What protects the file that a word names, in every folder the command may run in. */
export async function wordLeadsTo(
  command: SimpleCommand,
  word: Parameters<typeof wordPath>[0],
  reach: "inside" | "around",
  options: SelfProtectionOptions,
): Promise<ProtectedPlace | null> {
  const base = baseOf(options);
  for (const directory of directoriesOf(command)) {
    const path = wordPath(word, directory, base);
    if (path.kind === "unknown") continue;
    if (path.kind === "known" && path.pattern === null) {
      const found = await protectedOnDisk(path.written, options, reach);
      if (found !== null) return found;
      continue;
    }
    if (path.kind === "known") {
      for (const candidate of protectedMatches(path.path)) {
        // With a sign left in it, what it matches is not known; else it counts when it is there.
        const isOpen = candidate.parts.some(isPattern);
        if (
          isOpen || (await options.fs.information(formatPath(candidate)).catch(() => null)) !== null
        ) {
          return await protectedOnDisk(candidate, options);
        }
      }
    }
    // What a variable or a sign stands for is not known: any file in that folder.
    const folder: AbsolutePath = path.kind === "partly"
      ? path.prefix
      : { root: path.path.root, parts: path.path.parts.slice(0, path.pattern ?? undefined) };
    const found = await protectedOnDisk(folder, options) ??
      (path.kind === "partly"
        ? await protectedOnDisk(folder, { ...options, roots: [] }, "around")
        : null);
    if (found !== null) return found;
  }
  return null;
}

/** Whether what a target names is there as a folder, or is meant as one. */
export async function mayBeFolder(
  command: SimpleCommand,
  target: string,
  options: SelfProtectionOptions,
): Promise<boolean> {
  if (/(?:^|\/)\.{0,2}$/.test(target)) return true;
  for (const directory of directoriesOf(command)) {
    const path = wordPath(target, directory, baseOf(options));
    if (path.kind !== "known") return true;
    const found = await options.fs.information(formatPath(path.written)).catch(() => null);
    if (found?.kind === "directory" || found?.kind === "link") return true;
  }
  return false;
}

/** What the words of a call are resolved against. */
export function baseOf({ cwd, home }: SelfProtectionOptions): PathBase {
  return home === undefined ? { cwd } : { cwd, home };
}
