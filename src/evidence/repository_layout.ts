import type { FileSystemPort } from "../runtime/port.ts";
import { kindAt, readSmallFile } from "./small_file.ts";

/** Where a repository keeps itself, seen without asking git. */
export interface RepositoryLayout {
  /** The folder that holds `.git`. */
  readonly topLevel: string;
  /** This working tree's own git folder. */
  readonly gitDirectory: string;
  /** The git folder all working trees of the repository share. */
  readonly commonDirectory: string;
}

/** How many folders upwards to look; deeper ones are left to git. */
const MAX_DEPTH = 16;

/**
 * Finds the repository of a folder where that is beyond doubt, and returns `null` where only git can tell
 * (links on the way, submodules, bare repositories, damaged ones).
 *
 * The probe uses it to know, before the first git command, whether the repository's settings could make
 * that command run a program, and which base to count against first. Every answer about the work comes from git.
 *
 * @param cwd An absolute folder.
 */
export async function findRepositoryLayout(
  fs: FileSystemPort,
  cwd: string,
): Promise<RepositoryLayout | null> {
  let folder = cwd;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const here = `${folder}/.git`;
    const [marker, layout] = await Promise.all([
      kindAt(fs, here),
      confirmed(fs, folder, here, here),
    ]);
    if (marker === "directory") return layout;
    if (marker === "file") return await pointedAt(fs, folder);
    if (marker !== null || folder === "") return null;
    // A folder that is itself a repository, or a link, whose parent is another than its text says.
    const [head, self] = await Promise.all([kindAt(fs, `${folder}/HEAD`), kindAt(fs, folder)]);
    if (head !== null || self !== "directory") return null;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")));
  }
  return null;
}

/** Follows a `.git` file: a linked working tree. */
async function pointedAt(fs: FileSystemPort, topLevel: string): Promise<RepositoryLayout | null> {
  const pointer = await readSmallFile(fs, `${topLevel}/.git`);
  if (pointer.found !== "text") return null;
  const gitDirectory = /^gitdir: (\/[^\n]+)\n?$/.exec(pointer.text)?.[1];
  if (gitDirectory === undefined) return null;
  const common = await readSmallFile(fs, `${gitDirectory}/commondir`);
  if (common.found !== "text") return null;
  const path = common.text.trimEnd();
  return await confirmed(
    fs,
    topLevel,
    gitDirectory,
    path.startsWith("/") ? path : `${gitDirectory}/${path}`,
  );
}

/** Makes sure that git will take it for a repository too, and not look further up. */
async function confirmed(
  fs: FileSystemPort,
  topLevel: string,
  gitDirectory: string,
  commonDirectory: string,
): Promise<RepositoryLayout | null> {
  const [head, objects, refs] = await Promise.all([
    readSmallFile(fs, `${gitDirectory}/HEAD`),
    kindAt(fs, `${commonDirectory}/objects`),
    kindAt(fs, `${commonDirectory}/refs`),
  ]);
  const sound = head.found === "text" && /^(ref: refs\/|[0-9a-f]{40,64}\n)/.test(head.text) &&
    objects === "directory" && refs === "directory";
  return sound ? { topLevel, gitDirectory, commonDirectory } : null;
}
