/**
 * What a folder gets by the names of the files that are put into it, of what guards.
 *
 * @module
 */

import type { SimpleCommand } from "../shell/facts.ts";
import { UNKNOWN, wordText } from "./command_words.ts";
import { isPattern, matchesName } from "./name_pattern.ts";
import { pathUses } from "./path_uses.ts";
import { realPath } from "./real_path.ts";
import { directoriesOf } from "./removal.ts";
import {
  protectedBelow,
  type ProtectedPlace,
  rootsOf,
  type SelfProtectionOptions,
} from "./self_places.ts";
import { baseOf, mayBeFolder, wordLeadsTo } from "./self_words.ts";
import { wordPath } from "./word_path.ts";

/** Programs that copy, move or link files on this machine. */
export const COPYING_PROGRAMS: readonly string[] = "cp gcp mv gmv install ln rsync ditto".split(
  " ",
);

/** Programs whose target can be a folder, which then gets files by the names of their sources. */
const FOLDER_FILLERS: ReadonlySet<string> = new Set([...COPYING_PROGRAMS, "scp", "sftp"]);

/** What protects a file that a command makes in a folder under a source's name. */
export async function changedByFilling(
  command: SimpleCommand,
  name: string,
  options: SelfProtectionOptions,
): Promise<ProtectedPlace | null> {
  if (!FOLDER_FILLERS.has(name)) return null;
  const uses = pathUses(command);
  const texts = command.words.slice(1).map(wordText);
  // The target becomes what the source is, with files of any names.
  const isWhole =
    texts.some((text) => /^(?:-[A-Za-z]*T[A-Za-z]*|--no-target-directory)$/.test(text)) ||
    (name === "rsync" && texts.some((text) => text.startsWith("--del")));
  const sources = uses
    .filter(({ kind, from }) => from === "operand" && (kind === "read" || kind === "move"))
    .map(({ word }) => typeof word === "string" ? word : wordText(word));
  if (name === "scp" || name === "sftp" || name === "rsync") {
    sources.push(...texts.flatMap(remotePath));
  }
  for (const { kind, word } of uses) {
    if (kind !== "write" && kind !== "create") continue;
    const target = typeof word === "string" ? word : wordText(word);
    if (isWhole) {
      const found = await wordLeadsTo(command, word, "around", options);
      if (found !== null) return found;
      continue;
    }
    if (sources.length < 2 && !await mayBeFolder(command, target, options)) continue;
    for (const source of sources) {
      const last = source.replace(/\/+$/, "").split("/").at(-1) ?? "";
      const isContent = name === "rsync" && source.endsWith("/");
      const found = isContent || isPattern(last) || last.includes(UNKNOWN)
        ? await filledBy(command, target, isContent ? "*" : last.replaceAll(UNKNOWN, "*"), options)
        : await wordLeadsTo(command, `${target}/${last}`, "around", options);
      if (found !== null) return found;
    }
  }
  return null;
}

/** What protects one of the files that a folder may get when their names match a pattern. */
async function filledBy(
  command: SimpleCommand,
  target: string,
  pattern: string,
  options: SelfProtectionOptions,
): Promise<ProtectedPlace | null> {
  const roots = rootsOf(options);
  for (const directory of directoriesOf(command)) {
    const path = wordPath(target, directory, baseOf(options));
    if (path.kind !== "known") continue;
    const real = await realPath(path.written, options.fs, options.style ?? "posix");
    for (const folder of real.kind === "real" ? [path.path, real.path] : [path.path]) {
      const found = protectedBelow(folder, roots).find(({ rest, isNear }) =>
        isNear && matchesName(pattern, rest[0]!, true)
      );
      if (found !== undefined) return found.place;
    }
  }
  return null;
}

/** `host:path`: the path on another machine, whose last name is the file's here too. */
function remotePath(text: string): readonly string[] {
  const path = /^[^/~.-][^/:]*:(.+)$/.exec(text)?.[1];
  return path === undefined ? [] : [path];
}
