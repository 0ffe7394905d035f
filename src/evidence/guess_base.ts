import type { FileSystemPort } from "../runtime/port.ts";
import type { RepositoryLayout } from "./repository_layout.ts";
import { readSmallFile } from "./small_file.ts";

/**
 * Guesses the base by a look at the reference files, so that counting can begin at once.
 *
 * A full reference name, or `null` for "ask git". It names the first of the candidates (D6-3) that can
 * exist here; whether it does, git says when it counts.
 */
export async function guessBase(
  fs: FileSystemPort,
  layout: RepositoryLayout,
): Promise<string | null> {
  const root = layout.commonDirectory;
  const [remoteHead, remote, packed, main, master] = await Promise.all([
    readSmallFile(fs, `${root}/refs/remotes/origin/HEAD`),
    fs.exists(`${root}/refs/remotes/origin`),
    fs.exists(`${root}/packed-refs`),
    fs.exists(`${root}/refs/heads/main`),
    fs.exists(`${root}/refs/heads/master`),
  ]);
  if (remoteHead.found === "text") {
    return /^ref: (refs\/remotes\/origin\/[\w./-]+)\n?$/.exec(remoteHead.text)?.[1] ?? null;
  }
  // A remote branch, or one that is packed away, comes before a local one.
  if (remoteHead.found === "other" || remote || packed) return null;
  return main ? "refs/heads/main" : master ? "refs/heads/master" : null;
}
