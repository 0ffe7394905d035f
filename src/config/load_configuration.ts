/**
 * Finds the configuration that counts for a folder, and says what of it counts how.
 *
 * @module
 */

import { FileSystemError, type Runtime } from "../runtime/port.ts";
import { ancestorFolders, inFolder } from "./ancestor_folders.ts";
import { compiledFile } from "./compiled_cache.ts";
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
  const folders = userFolders(runtime.env);
  const [user, project, repositories] = await Promise.all([
    readIfThere(runtime, inFolder(folders.config, CONFIGURATION_FILE)),
    Promise.all(above.map((folder) => readProjectFile(runtime, folder))),
    repositoriesIn(runtime, above),
  ]);
  // Outside any repository only the folder itself is the project.
  const root = Math.max(repositories.indexOf(true), 0);
  const trusted: TrustedFiles = project.some((found) => found !== null)
    ? await readTrustedFiles(runtime.fs, folders.state)
    : {};
  const compile = (found: FoundFile): Promise<CompiledFile> =>
    compiledFile(runtime, inFolder(folders.cache, "configurations"), found.path, found.bytes);
  const layers: Layer[] = [];
  if (user !== null) layers.push({ origin: "user", trusted: true, file: await compile(user) });
  for (let index = project.length - 1; index >= 0; index--) {
    const found = project[index];
    if (found === null || found.path === user?.path) continue;
    const trustedHere = isTrusted(trusted, found.path, await runtime.sha256(found.bytes));
    // Above the repository's root only what a person has trusted counts; so a repository made inside
    // another one does not hide the outer one's rules.
    if (index > root && !trustedHere) continue;
    layers.push({ origin: "project", trusted: trustedHere, file: await compile(found) });
  }
  return { layers, workspace: above[root], folders, notices: noticesOf(layers) };
}

interface FoundFile {
  readonly path: string;
  readonly bytes: Uint8Array;
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
  const bytes = await runtime.fs.readFile(absolute);
  const cache = folders === null ? null : inFolder(folders.cache, "configurations");
  const file = await compiledFile(runtime, cache, absolute, bytes);
  const repositories = await repositoriesIn(runtime, above);
  const layers: Layer[] = [{ origin: "explicit", trusted: true, file }];
  return {
    layers,
    workspace: above[Math.max(repositories.indexOf(true), 0)],
    folders,
    notices: noticesOf(layers),
  };
}

/** Looking first is cheaper than failing to read, and nearly every folder has no such file. */
async function readProjectFile(runtime: Runtime, folder: string): Promise<FoundFile | null> {
  const path = inFolder(folder, CONFIGURATION_FILE);
  return await runtime.fs.exists(path) ? await readIfThere(runtime, path) : null;
}

async function readIfThere(runtime: Runtime, path: string): Promise<FoundFile | null> {
  try {
    return { path, bytes: await runtime.fs.readFile(path) };
  } catch (error) {
    if (error instanceof FileSystemError && isAbsent(error)) return null;
    throw error;
  }
}

async function repositoriesIn(runtime: Runtime, folders: readonly string[]): Promise<boolean[]> {
  return await Promise.all(folders.map((folder) => runtime.fs.exists(inFolder(folder, ".git"))));
}

function noticesOf(layers: readonly Layer[]): string[] {
  const notices: string[] = [];
  for (const { file, trusted } of layers) {
    if (file.empty) {
      notices.push(`${file.path} is empty: the built-in guards are on, and nothing else.`);
    }
    if (trusted) continue;
    const ignored = ignoredParts(file);
    if (ignored.length > 0) {
      notices.push(
        `${file.path} is not trusted, so its ${ignored.join(", ")} do not count. ` +
          `Read it, then run \`gatehouse trust\` there.`,
      );
    }
  }
  return notices;
}

/** What of a file does not count while nobody has trusted it. */
function ignoredParts(file: CompiledFile): string[] {
  const ignored: string[] = [];
  if (file.policy?.policy.mode === "allow_all") ignored.push("allow_all mode");
  if (Object.keys(file.policy?.policy.tiers.allow ?? {}).length > 0) ignored.push("allow rules");
  if (file.hooks.length > 0) ignored.push("hooks");
  const { destructive, paths } = file.guards;
  if (destructive !== null || paths?.enabled === false || paths?.allowed || paths?.symlinks) {
    ignored.push("guard settings");
  }
  if (file.onAllow !== null) ignored.push("onAllow");
  if (file.deadline !== null) ignored.push("deadline");
  return ignored;
}
