import type { PathFileSystem } from "./real_path.ts";
import type { FileSystemPort } from "../runtime/port.ts";

/** What guards ask of the host. Everything else they tell from the line alone. */
export interface Observations {
  /** What stands at an absolute path, links followed; `unknown` when it cannot be told. */
  target(path: string): Promise<"file" | "directory" | "nothing" | "unknown">;
  /** Whether git has the content of a file, so that it could be brought back. */
  saved(path: string): Promise<"saved" | "unsaved" | "unknown">;
  /** Whether a folder is in a linked worktree of git, and its link back says so too. */
  linkedWorktree(folder: string): Promise<boolean>;
}

/** Observations of a host that cannot be looked at. */
export const NO_OBSERVATIONS: Observations = Object.freeze({
  target: () => Promise.resolve("unknown" as const),
  saved: () => Promise.resolve("unknown" as const),
  linkedWorktree: () => Promise.resolve(false),
});

/** How far up a `.git` is looked for. */
const PARENT_LIMIT = 64;

/** Observes through the file system, and only when asked; no program is run. */
export function observeFiles(
  fs: PathFileSystem & Pick<FileSystemPort, "exists" | "readFile" | "list">,
): Observations {
  return {
    async target(path) {
      try {
        const found = await fs.information(path);
        if (found === null) return "nothing";
        if (found.kind === "link") return await fs.exists(path) ? "file" : "nothing";
        return found.kind === "directory" ? "directory" : "file";
      } catch {
        return "unknown";
      }
    },
    saved: () => Promise.resolve("unknown"),
    linkedWorktree: (folder) => isLinkedWorktree(fs, folder),
  };
}

/** A linked worktree's `.git` is a file that names its entry in the repository, and the entry names that file. */
async function isLinkedWorktree(
  fs: PathFileSystem & Pick<FileSystemPort, "readFile">,
  folder: string,
): Promise<boolean> {
  try {
    let at = folder;
    for (let step = 0; step < PARENT_LIMIT; step++) {
      const marker = `${at === "/" ? "" : at}/.git`;
      const found = await fs.information(marker);
      if (found?.kind === "file") {
        const entry = /^gitdir: (\/.*\/worktrees\/[^/\n]+)\s*$/.exec(await text(fs, marker))?.[1];
        if (entry === undefined) return false;
        return (await text(fs, `${entry}/gitdir`)).trim() === marker;
      }
      if (found !== null || at === "/") return false;
      at = at.slice(0, at.lastIndexOf("/")) || "/";
    }
  } catch {
    // What cannot be read is no proof.
  }
  return false;
}

async function text(fs: Pick<FileSystemPort, "readFile">, path: string): Promise<string> {
  return new TextDecoder().decode(await fs.readFile(path));
}
