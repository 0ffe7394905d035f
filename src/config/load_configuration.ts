/**
 * Finds the configuration that counts for a folder, and says what of it counts how.
 *
 * @module
 */

import { FileSystemError, type Runtime } from "../runtime/port.ts";
import { ancestorFolders, inFolder } from "./ancestor_folders.ts";
import { compileAndKeep, keptFile } from "./compiled_cache.ts";
import type { CompiledFile } from "./compiled_file.ts";
import { isAbsent, isTrusted, readTrustedFiles, type TrustedFiles } from "./trust.ts";
import { type UserFolders, userFolders } from "./user_folders.ts";

/** The name of a configuration file, in a project and in the user's folder. */
export const CONFIGURATION_FILE = "gatehouse.yaml";

/** One configuration file that counts. */
export interface Layer {
  /** `explicit`: named with `--config`; `user`: the user's own; `project`: found from the folder upwards. */
  readonly origin: "explicit" | "user" | "project";
  /** Whether all of it counts. A project's file that nobody has trusted may only tighten. */
  readonly trusted: boolean;
  readonly file: CompiledFile;
}

/** The configuration for a folder. */
export interface Configuration {
  /** The user's file first, then the project's from the repository's root down to the folder. */
  readonly layers: readonly Layer[];
  /** The root of the repository the folder is in; the folder itself when it is in none. */
  readonly workspace: string;
  /** `null` when a named configuration stands alone and the user's folders could not be named. */
  readonly folders: UserFolders | null;
  /** What every output must say besides the verdict. */
  readonly notices: readonly string[];
}

/** How to look. */
export interface LoadOptions {
  /** The absolute folder the call runs in. */
  readonly cwd: string;
  /** A configuration file named by hand: it is trusted and stands alone. */
  readonly config?: string;
  /** The user's own configuration, when it was loaded before. */
  readonly user?: Promise<UserConfiguration>;
}

/** The user's part of every configuration. */
export interface UserConfiguration {
  readonly folders: UserFolders;
  /** `null` when the user has none. */
  readonly file: CompiledFile | null;
}

/**
 * Loads the user's own configuration. Where a call will run need not be known yet.
 *
 * @throws what {@linkcode loadConfiguration} throws.
 */
export async function loadUserConfiguration(runtime: Runtime): Promise<UserConfiguration> {
  const folders = userFolders(runtime.env);
  const cache = cacheIn(folders);
  const path = inFolder(folders.config, CONFIGURATION_FILE);
  const kept = keptFile(runtime, cache, path);
  if (kept !== null) return { folders, file: kept };
  const bytes = readIfThere(runtime, path);
  return {
    folders,
    file: bytes === null ? null : await compileAndKeep(runtime, cache, path, bytes),
  };
}

function cacheIn(folders: UserFolders): string {
  return inFolder(folders.cache, "configurations");
}

/**
 * Loads the configuration for a folder.
 *
 * @throws {import("./configuration_error.ts").ConfigurationError} when a file has problems;
 * @throws {FileSystemError} when a file is there and cannot be read;
 * @throws {import("./user_folders.ts").UserFoldersError} when it is not known where to look.
 * Each of them refuses every call: a configuration that cannot be read never means "no rules".
 */
export async function loadConfiguration(
  runtime: Runtime,
  options: LoadOptions,
): Promise<Configuration> {
  const above = ancestorFolders(options.cwd);
  if (options.config !== undefined) return await explicit(runtime, options.config, above);
  const { folders, file: user } = await (options.user ?? loadUserConfiguration(runtime));
  const cache = cacheIn(folders);
  const root = repositoryRoot(runtime, above);
  const layers: Layer[] = [];
  if (user !== null) layers.push({ origin: "user", trusted: true, file: user });
  let trusted: TrustedFiles | null = null;
  for (let index = above.length - 1; index >= 0; index--) {
    const path = inFolder(above[index], CONFIGURATION_FILE);
    // Looking first is cheaper than failing to read, and nearly every folder has no such file.
    if (path === user?.path || !runtime.fs.exists(path)) continue;
    const kept = keptFile(runtime, cache, path);
    const bytes = kept === null ? readIfThere(runtime, path) : null;
    if (kept === null && bytes === null) continue;
    trusted ??= await readTrustedFiles(runtime.fs, folders.state);
    const sha256 = kept?.sha256 ?? await runtime.sha256(bytes!);
    const trustedHere = isTrusted(trusted, path, sha256);
    // Above the repository's root only what a person has trusted counts; so a repository made inside
    // another one does not hide the outer one's rules.
    if (index > root && !trustedHere) continue;
    const file = kept ?? await compileAndKeep(runtime, cache, path, bytes!);
    layers.push({ origin: "project", trusted: trustedHere, file });
  }
  const notices = needsNotice(layers) ? await noticesOf(layers) : [];
  return { layers, workspace: above[root], folders, notices };
}

async function explicit(
  runtime: Runtime,
  path: string,
  above: readonly string[],
): Promise<Configuration> {
  const absolute = /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path)
    ? path
    : inFolder(runtime.env.cwd(), path);
  let folders: UserFolders | null = null;
  try {
    folders = userFolders(runtime.env);
  } catch {
    // A file named by hand needs none of them.
  }
  const cache = folders === null ? null : cacheIn(folders);
  const kept = cache === null ? null : keptFile(runtime, cache, absolute);
  const file = kept ??
    await compileAndKeep(runtime, cache, absolute, runtime.fs.readFileNow(absolute));
  const workspace = above[repositoryRoot(runtime, above)];
  const layers: Layer[] = [{ origin: "explicit", trusted: true, file }];
  const notices = needsNotice(layers) ? await noticesOf(layers) : [];
  return { layers, workspace, folders, notices };
}

function readIfThere(runtime: Runtime, path: string): Uint8Array | null {
  try {
    return runtime.fs.readFileNow(path);
  } catch (error) {
    if (error instanceof FileSystemError && isAbsent(error)) return null;
    throw error;
  }
}

/** Which of these folders is the repository's root. Outside any repository the first alone is the project. */
function repositoryRoot(runtime: Runtime, folders: readonly string[]): number {
  for (let index = 0; index < folders.length; index++) {
    if (runtime.fs.exists(inFolder(folders[index], ".git"))) return index;
  }
  return 0;
}

/** Whether something must be said of the layers; most configurations need nothing said. */
function needsNotice(layers: readonly Layer[]): boolean {
  for (const { file, trusted } of layers) if (file.empty || !trusted) return true;
  return false;
}

const noticesOf = async (layers: readonly Layer[]): Promise<readonly string[]> =>
  (await import("./layer_notices.ts")).layerNotices(layers);
