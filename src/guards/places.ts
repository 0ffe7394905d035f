/**
 * What kind of place a path is, by its text alone: the workspace, a temporary folder, the system.
 *
 * @module
 */

import { type AbsolutePath, containsPath, normalizePath, readPath } from "./absolute_path.ts";
import { matchesName } from "./name_pattern.ts";

/** The places a line can reach. */
export type Place =
  /** A part of the system, a home folder, or a folder that holds the workspace. */
  | "critical"
  /** A folder for temporary files itself. */
  | "temporary-root"
  | "temporary"
  /** The workspace itself. */
  | "workspace-root"
  /** Git's own folder in the workspace. */
  | "git-folder"
  /** Something in the workspace that a build or an installation makes again. */
  | "regenerable"
  | "workspace"
  | "outside";

/** What places are told by. */
export interface PlaceBase {
  /** The absolute folders the agent works in. */
  readonly workspace: readonly string[];
  readonly home?: string;
  /** More folders for temporary files than the usual ones. */
  readonly temporary?: readonly string[];
}

/** Folders for temporary files on every system. */
export const TEMPORARY_FOLDERS: readonly string[] = [
  "/tmp",
  "/var/tmp",
  "/private/tmp",
  "/dev/shm",
];

/** Folders that belong to the system, with all that is in them. */
const SYSTEM_FOLDERS: readonly string[] = [
  "/bin",
  "/boot",
  "/dev",
  "/efi",
  "/etc",
  "/lib",
  "/lib32",
  "/lib64",
  "/private/etc",
  "/proc",
  "/run",
  "/sbin",
  "/snap",
  "/sys",
  "/usr",
  "/var/lib",
  "/var/log",
  "/System",
  "/Library",
  "/Applications",
];

/** Folders that builds, installations and test runs make again. */
export const REGENERABLE_FOLDERS: readonly string[] = [
  "node_modules",
  "dist",
  "build",
  "out",
  "target",
  "obj",
  "coverage",
  "htmlcov",
  "tmp",
  "temp",
  ".tmp",
  ".temp",
  ".cache",
  ".build",
  ".next",
  ".nuxt",
  ".output",
  ".turbo",
  ".parcel-cache",
  ".svelte-kit",
  ".angular",
  ".vite",
  ".nyc_output",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".tox",
  ".nox",
  ".venv",
  "venv",
  ".gradle",
  ".eggs",
  "*.egg-info",
  "__pycache__",
  "__snapshots__.tmp",
  "CMakeFiles",
  "cmake-build-*",
  "test-results",
  "playwright-report",
  "storybook-static",
];

/** Files of the same kind. */
export const REGENERABLE_FILES: readonly string[] = [
  "*.pyc",
  "*.pyo",
  "*.o",
  "*.obj",
  "*.class",
  "*.log",
  "*.tmp",
  "*.temp",
  "*.swp",
  "*.tsbuildinfo",
  "*.lcov",
  ".DS_Store",
  "Thumbs.db",
  "npm-debug.log*",
  ".coverage",
  ".eslintcache",
  "nohup.out",
];

/** Tells what kind of place a path is. */
export function placeOf(path: AbsolutePath, base: PlaceBase): Place {
  const workspace = base.workspace.map(absolute);
  for (const root of workspace) {
    if (!containsPath(root, path, false)) continue;
    const below = path.parts.slice(root.parts.length);
    if (below.length === 0) return "workspace-root";
    if (below.includes(".git")) return "git-folder";
    return isRegenerable(below) ? "regenerable" : "workspace";
  }
  if (workspace.some((root) => containsPath(path, root, false))) return "critical";
  const home = base.home === undefined ? null : absolute(base.home);
  if (home !== null && home.root === path.root) {
    if (containsPath(path, home, false)) return "critical";
    // A home that lies in a folder for temporary files is a home all the same.
    if (containsPath(home, path, false)) return "outside";
  }
  for (const root of temporaryRoots(base)) {
    if (!containsPath(root, path, false)) continue;
    return path.parts.length === root.parts.length ? "temporary-root" : "temporary";
  }
  return isCritical(path, base.home) ? "critical" : "outside";
}

/** Whether a path is a folder for temporary files itself, also one that holds the workspace or a home. */
export function isTemporaryRoot(path: AbsolutePath, base: PlaceBase): boolean {
  return temporaryRoots(base).some((root) =>
    path.parts.length === root.parts.length && containsPath(root, path, false)
  );
}

function temporaryRoots({ temporary = [] }: PlaceBase): readonly AbsolutePath[] {
  return [...temporaryFolders(), ...temporary.map(absolute)];
}

/** Whether a path below the workspace is made again by a build, an installation or a test run. */
export function isRegenerable(parts: readonly string[]): boolean {
  const name = parts.at(-1) ?? "";
  const names = (list: readonly string[], part: string): boolean =>
    list.some((pattern) => matchesName(pattern, part, false));
  return parts.some((part) => names(REGENERABLE_FOLDERS, part)) || names(REGENERABLE_FILES, name);
}

function isCritical({ root, parts }: AbsolutePath, home: string | undefined): boolean {
  if (root === "~") return parts.length === 0;
  if (root !== "/") return parts.length <= 1;
  if (parts.length <= 1) return true;
  if (/^(?:home|users)$/i.test(parts[0]!) && parts.length === 2) return true;
  if (systemFolders().some((folder) => containsPath(folder, { root, parts }, true))) return true;
  // The home folder, and what holds it.
  return home !== undefined && containsPath({ root, parts }, absolute(home), false);
}

function absolute(text: string): AbsolutePath {
  const reading = readPath(text, "posix");
  return reading.kind === "absolute" ? normalizePath(reading.path) : { root: text, parts: [] };
}

/** Folders of the tables above as paths. Made when they are first asked for: most lines reach no such place. */
const temporaryFolders = once(() => TEMPORARY_FOLDERS.map(absolute));
const systemFolders = once(() => SYSTEM_FOLDERS.map(absolute));

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}
