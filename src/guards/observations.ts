import type { FileSystemPort } from "../runtime/port.ts";
import { gitIndexEntry, INDEX_LIMIT } from "./git_index.ts";
import type { PathFileSystem } from "./real_path.ts";

/** What guards ask of the host. Everything else they tell from the line alone. */
export interface Observations {
  /** What stands at an absolute path, links followed; `unknown` when it cannot be told. */
  target(path: string): Promise<"file" | "directory" | "nothing" | "unknown">;
  /**
   * Whether git has the content of a file, so that it could be brought back. `modified`: git knows the file and not
   * what is in it now.
   */
  saved(path: string): Promise<"saved" | "modified" | "untracked" | "unknown">;
  /** Whether a folder is in a linked worktree of git, and the link back says so too. */
  linkedWorktree(folder: string): Promise<boolean>;
}

/** Observations of a host that cannot be looked at. */
export const NO_OBSERVATIONS: Observations = Object.freeze({
  target: () => Promise.resolve("unknown" as const),
  saved: () => Promise.resolve("unknown" as const),
  linkedWorktree: () => Promise.resolve(false),
});

/** What of the file system the observations need. */
export type ObservedFileSystem = PathFileSystem & Pick<FileSystemPort, "exists" | "readFile">;

/** How far up a `.git` is looked for. */
const PARENT_LIMIT = 64;

/** Observes through the file system, and only when asked; no program is run. */
export function observeFiles(fs: ObservedFileSystem): Observations {
  return {
    async target(path) {
      try {
        const found = await fs.information(path);
        if (found === null) return "nothing";
        if (found.kind === "link") return fs.exists(path) ? "file" : "nothing";
        return found.kind === "directory" ? "directory" : "file";
      } catch {
        return "unknown";
      }
    },
    async saved(path) {
      try {
        return await savedInIndex(fs, path);
      } catch {
        return "unknown";
      }
    },
    async linkedWorktree(folder) {
      try {
        return await isLinkedWorktree(fs, folder);
      } catch {
        // What cannot be read is no proof.
        return false;
      }
    },
  };
}

/** A file that is as it was when it was added is in git's store, whether it is committed or not. */
async function savedInIndex(
  fs: ObservedFileSystem,
  path: string,
): Promise<"saved" | "modified" | "untracked" | "unknown"> {
  const file = await fs.information(path);
  const tree = await workTree(fs, path);
  if (file?.kind !== "file" || tree === null) return "unknown";
  const place = `${tree.gitFolder}/index`;
  const index = await fs.information(place);
  if (index === null) return "untracked";
  if (index.size > INDEX_LIMIT) return "unknown";
  const entry = gitIndexEntry(await fs.readFile(place), path.slice(tree.top.length + 1));
  if (entry === null) return "untracked";
  if (entry === "unknown") return "unknown";
  const isSame = entry.size === file.size && entry.modifiedMs === Math.floor(file.modifiedMs);
  // Written in the same instant as the index: the times cannot tell any more.
  return isSame && entry.modifiedMs < Math.floor(index.modifiedMs) ? "saved" : "modified";
}

/** The work tree a path is in, and git's folder for it; `null` when it is in none. */
async function workTree(
  fs: ObservedFileSystem,
  path: string,
): Promise<{ top: string; gitFolder: string; marker: string | null } | null> {
  let at = path;
  for (let step = 0; step < PARENT_LIMIT; step++) {
    const top = at === "/" ? "" : at;
    const marker = `${top}/.git`;
    const found = await fs.information(marker).catch(() => null);
    if (found?.kind === "directory") return { top, gitFolder: marker, marker: null };
    if (found?.kind === "file") {
      const named = /^gitdir: (.+?)\s*$/.exec(await text(fs, marker))?.[1];
      if (named === undefined) return null;
      return { top, gitFolder: named.startsWith("/") ? named : `${top}/${named}`, marker };
    }
    if (at === "/") return null;
    at = at.slice(0, at.lastIndexOf("/")) || "/";
  }
  return null;
}

/** A linked worktree's `.git` is a file that names its entry in the repository, and the entry names that file. */
async function isLinkedWorktree(fs: ObservedFileSystem, folder: string): Promise<boolean> {
  const tree = await workTree(fs, folder);
  if (tree === null || tree.marker === null || !/\/worktrees\/[^/]+$/.test(tree.gitFolder)) {
    return false;
  }
  return (await text(fs, `${tree.gitFolder}/gitdir`)).trim() === tree.marker;
}

async function text(fs: ObservedFileSystem, path: string): Promise<string> {
  return new TextDecoder().decode(await fs.readFile(path));
}
