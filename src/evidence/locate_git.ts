import type { Runtime } from "../runtime/port.ts";

/**
 * Finds git on the user's `PATH` and returns its absolute path, or `null`.
 *
 * Entries that are relative, or that lie in the repository asked about, are passed over: a program called
 * `git` in somebody's repository must not answer for git.
 *
 * @param repository The absolute folder of the repository, as far as it is known.
 */
export function locateGit(runtime: Runtime, repository: string): string | null {
  const windows = runtime.env.platform === "windows";
  const name = windows ? "git.exe" : "git";
  for (const entry of (runtime.env.get("PATH") ?? "").split(windows ? ";" : ":")) {
    const absolute = windows ? /^[A-Za-z]:[\\/]/.test(entry) : entry.startsWith("/");
    if (!absolute || entry === repository || entry.startsWith(`${repository}/`)) continue;
    const candidate = `${entry}/${name}`;
    if (runtime.fs.exists(candidate)) return candidate;
  }
  return null;
}
