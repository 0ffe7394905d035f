import type { FileSystemPort } from "../runtime/port.ts";
import { readSmallFile } from "./small_file.ts";

/**
 * Guesses the base by a look at the reference files, so that counting can begin at once.
 *
 * A full reference name, or `null` for "ask git". It names the first of the candidates (D6-3) that can
 * exist here; whether it does, git says when it counts.
 *
 * @param gitDirectory The git folder all working trees of the repository share.
 */
export async function guessBase(
  fs: FileSystemPort,
  gitDirectory: string,
): Promise<string | null> {
  const [remoteHead, remote, packed, main, master] = await Promise.all([
    readSmallFile(fs, `${gitDirectory}/refs/remotes/origin/HEAD`),
    fs.exists(`${gitDirectory}/refs/remotes/origin`),
    fs.exists(`${gitDirectory}/packed-refs`),
    fs.exists(`${gitDirectory}/refs/heads/main`),
    fs.exists(`${gitDirectory}/refs/heads/master`),
  ]);
  if (remoteHead.found === "text") {
    return /^ref: (refs\/remotes\/origin\/[\w./-]+)\n?$/.exec(remoteHead.text)?.[1] ?? null;
  }
  // A remote branch, or one that is packed away, comes before a local one.
  if (remoteHead.found === "other" || remote || packed) return null;
  return main ? "refs/heads/main" : master ? "refs/heads/master" : null;
}
