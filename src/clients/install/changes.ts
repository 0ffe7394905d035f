/**
 * From the installations to changes of files, and from changes to the files, with a way back.
 *
 * What was there before is kept byte for byte in the user's state folder, so that an uninstall restores exactly that
 * as long as nobody else has changed the file; when somebody has, only our own part is taken out.
 *
 * @module
 */

import { FileSystemError, type FileSystemPort, type Runtime } from "../../runtime/port.ts";
import type { HookProgram, Installation, Place, Texts } from "./installation.ts";
import { InstallationError } from "./installation.ts";
import {
  backupPath,
  type InstalledFile,
  type InstalledFiles,
  readInstalledFiles,
  writeInstalledFiles,
} from "./installed_files.ts";

/** One file that changes. */
export interface FileChange {
  /** The path by which the client knows it. */
  readonly path: string;
  /** Where a link leads; the same as `path` when it is no link. */
  readonly realPath: string;
  readonly before: string | null;
  readonly after: string | null;
  /** What it was without the hook; what an uninstall comes back to. */
  readonly base: string | null;
  readonly mode: number;
}

/** Permission bits of a new file. */
const NEW_FILE_MODE = 0o644;

/** Permission bits of what only its owner may read. */
const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_FOLDER_MODE = 0o700;

/** As many links as are followed to a file. */
const LINK_LIMIT = 40;

/** What installing would change; empty when all is in place already. */
export async function planInstall(
  runtime: Runtime,
  stateFolder: string,
  installation: Installation,
  place: Place,
  program: HookProgram,
): Promise<readonly FileChange[]> {
  const files = await readFiles(runtime.fs, installation.paths(place));
  const before = textsOf(files);
  const base = await baseTexts(runtime, stateFolder, installation, place, before);
  const after = await installation.install(before, place, program);
  return changesOf(files, after, base);
}

/** What uninstalling would change. */
export async function planUninstall(
  runtime: Runtime,
  stateFolder: string,
  installation: Installation,
  place: Place,
): Promise<readonly FileChange[]> {
  const files = await readFiles(runtime.fs, installation.paths(place));
  const base = await baseTexts(runtime, stateFolder, installation, place, textsOf(files));
  return changesOf(files, base, base);
}

/** A new file, such as the starter configuration; `null` when something is there already. */
export async function planNewFile(
  runtime: Runtime,
  path: string,
  text: string,
): Promise<FileChange | null> {
  const file = await readFile(runtime.fs, path);
  if (file.text !== null) return null;
  const { realPath, mode } = file;
  return { path, realPath, before: null, after: text, base: null, mode };
}

/** Removes a file that we made, when it is still as we made it. */
export async function planRemoval(
  runtime: Runtime,
  stateFolder: string,
  path: string,
): Promise<FileChange | null> {
  const { text, realPath, mode } = await readFile(runtime.fs, path);
  const noted = (await readInstalledFiles(runtime.fs, stateFolder))[path];
  if (text === null || noted === undefined || noted.backup !== null) return null;
  if (noted.sha256 !== await hashOf(runtime, text)) return null;
  return { path, realPath, before: text, after: null, base: null, mode };
}

/** Makes the changes of an install, file by file, each one whole or not at all, and notes how to take them back. */
export async function applyInstall(
  runtime: Runtime,
  stateFolder: string,
  changes: readonly FileChange[],
): Promise<void> {
  const { fs } = runtime;
  for (const change of changes) {
    if (change.after === null) continue;
    const noted: InstalledFiles = await readInstalledFiles(fs, stateFolder);
    const earlier = noted[change.path];
    const backup = change.base === null
      ? null
      : backupPath(stateFolder, await hashOf(runtime, change.base));
    if (backup !== null && change.base !== null) {
      await fs.makeDirectory(folderOf(backup), { mode: PRIVATE_FOLDER_MODE });
      await fs.writeFile(backup, change.base, { mode: PRIVATE_FILE_MODE });
    }
    const folders = missingFolders(fs, folderOf(change.realPath));
    const entry: InstalledFile = {
      sha256: await hashOf(runtime, change.after),
      backup,
      mode: change.mode,
      folders: [...new Set([...(earlier?.folders ?? []), ...folders])],
    };
    // Noted first: a note too many does no harm, one too few would lose the way back.
    await writeInstalledFiles(fs, stateFolder, { ...noted, [change.path]: entry });
    try {
      await fs.makeDirectory(folderOf(change.realPath));
      await fs.writeFile(change.realPath, change.after, { mode: change.mode });
    } catch (error) {
      await writeInstalledFiles(fs, stateFolder, noted);
      throw error;
    }
  }
}

/** Makes the changes of an uninstall, and forgets the notes. */
export async function applyUninstall(
  runtime: Runtime,
  stateFolder: string,
  changes: readonly FileChange[],
): Promise<void> {
  const { fs } = runtime;
  const folders: string[] = [];
  for (const change of changes) {
    const { [change.path]: entry, ...rest } = await readInstalledFiles(fs, stateFolder);
    if (change.after === null) {
      await fs.remove(change.realPath);
      folders.push(...entry?.folders ?? []);
    } else {
      await fs.writeFile(change.realPath, change.after, { mode: change.mode });
    }
    await writeInstalledFiles(fs, stateFolder, rest);
    const backup = entry?.backup ?? null;
    const isUsed = Object.values(rest).some((other) => other.backup === backup);
    if (backup !== null && !isUsed) await fs.remove(backup);
  }
  await removeEmptyFolders(fs, [...folders, folderOf(backupPath(stateFolder, "")), stateFolder]);
}

/**
 * The texts without the hook: what was kept, when every file is still as we left it; else what is there now, with our
 * own part taken out.
 */
async function baseTexts(
  runtime: Runtime,
  stateFolder: string,
  installation: Installation,
  place: Place,
  texts: Texts,
): Promise<Texts> {
  const noted = await readInstalledFiles(runtime.fs, stateFolder);
  const kept = new Map<string, string | null>();
  for (const [path, text] of texts) {
    const entry = noted[path];
    if (entry === undefined || text === null || await hashOf(runtime, text) !== entry.sha256) {
      // A file that the installation did not have to touch has no note.
      if (entry === undefined) continue;
      return installation.uninstall(texts, place);
    }
    const backup = entry.backup === null ? null : await readFile(runtime.fs, entry.backup);
    if (backup !== null && backup.text === null) return installation.uninstall(texts, place);
    kept.set(path, backup === null ? null : backup.text);
  }
  if (kept.size === 0) return installation.uninstall(texts, place);
  return new Map([...texts].map(([path, text]) => [path, kept.has(path) ? kept.get(path)! : text]));
}

/** The texts of files, links followed. */
export async function readTexts(fs: FileSystemPort, paths: readonly string[]): Promise<Texts> {
  return textsOf(await readFiles(fs, paths));
}

interface ReadFile {
  readonly path: string;
  readonly realPath: string;
  readonly text: string | null;
  readonly mode: number;
}

async function readFiles(fs: FileSystemPort, paths: readonly string[]): Promise<ReadFile[]> {
  const files: ReadFile[] = [];
  for (const path of paths) files.push(await readFile(fs, path));
  return files;
}

async function readFile(fs: FileSystemPort, path: string): Promise<ReadFile> {
  let realPath = path;
  let information = await fs.information(realPath);
  // A link stays a link: what it leads to is edited.
  for (let links = 0; information?.kind === "link"; links++) {
    if (links >= LINK_LIMIT) {
      throw new InstallationError(`Cannot read ${path}: its links go in a circle`);
    }
    const target = await fs.readLink(realPath);
    realPath = target.startsWith("/") ? target : `${folderOf(realPath)}/${target}`;
    information = await fs.information(realPath);
  }
  if (information === null) return { path, realPath, text: null, mode: NEW_FILE_MODE };
  if (information.kind !== "file") {
    throw new InstallationError(`Cannot edit ${path}: it is no file`);
  }
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const text = decoder.decode(await fs.readFile(realPath));
    return { path, realPath, text, mode: information.mode || NEW_FILE_MODE };
  } catch (error) {
    if (error instanceof FileSystemError) throw error;
    throw new InstallationError(`Cannot edit ${path}: it is not UTF-8 text`);
  }
}

function textsOf(files: readonly ReadFile[]): Texts {
  return new Map(files.map(({ path, text }) => [path, text]));
}

function changesOf(files: readonly ReadFile[], after: Texts, base: Texts): readonly FileChange[] {
  return files.flatMap(({ path, realPath, text, mode }) => {
    const next = after.get(path) ?? null;
    return next === text
      ? []
      : [{ path, realPath, before: text, after: next, base: base.get(path) ?? null, mode }];
  });
}

/** The folders that will have to be made for one, the outermost first. */
function missingFolders(fs: FileSystemPort, folder: string): string[] {
  const missing: string[] = [];
  let at = folder;
  while (at !== "" && at !== "/" && !fs.exists(at)) {
    missing.unshift(at);
    at = folderOf(at);
  }
  return missing;
}

async function removeEmptyFolders(fs: FileSystemPort, folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].sort((left, right) => right.length - left.length)) {
    if (!fs.exists(folder) || (await fs.list(folder)).length > 0) continue;
    await fs.remove(folder);
  }
}

async function hashOf(runtime: Runtime, text: string): Promise<string> {
  return await runtime.sha256(new TextEncoder().encode(text));
}

function folderOf(path: string): string {
  const cut = path.lastIndexOf("/");
  return cut <= 0 ? "/" : path.slice(0, cut);
}
