/**
 * Which files were changed by `gatehouse init`, and what they were before.
 *
 * @module
 */

import { inFolder } from "../../config/ancestor_folders.ts";
import { FileSystemError, type FileSystemPort } from "../../runtime/port.ts";

/** The list, in the user's state folder. */
export const INSTALLED_FILE = "installed.json";

/** Changed files, by their path. */
export type InstalledFiles = Readonly<Record<string, InstalledFile>>;

/** One of them. */
export interface InstalledFile {
  /** The hash of what we wrote. */
  readonly sha256: string;
  /** Where what was there before is kept; `null` when there was no file. */
  readonly backup: string | null;
  readonly mode: number;
  /** The folders that were made for it. */
  readonly folders: readonly string[];
}

/** Where a text with a hash is kept. */
export function backupPath(stateFolder: string, sha256: string): string {
  return inFolder(inFolder(stateFolder, "backups"), sha256);
}

/** Reads the list; empty when there is none. Throws when it is there and cannot be read. */
export async function readInstalledFiles(
  fs: FileSystemPort,
  stateFolder: string,
): Promise<InstalledFiles> {
  const path = inFolder(stateFolder, INSTALLED_FILE);
  let bytes: Uint8Array;
  try {
    bytes = await fs.readFile(path);
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "not-found") return {};
    throw error;
  }
  try {
    const { files } = JSON.parse(new TextDecoder().decode(bytes)) as { files: InstalledFiles };
    if (typeof files === "object" && files !== null) return files;
  } catch {
    // Said below.
  }
  throw new Error(
    `Cannot read ${path}: it is damaged. Remove it, then run \`gatehouse init\` again.`,
  );
}

/** Writes the list; an empty one is removed, and so is the folder that it leaves empty. */
export async function writeInstalledFiles(
  fs: FileSystemPort,
  stateFolder: string,
  files: InstalledFiles,
): Promise<void> {
  const path = inFolder(stateFolder, INSTALLED_FILE);
  if (Object.keys(files).length === 0) return await fs.remove(path);
  await fs.makeDirectory(stateFolder, { mode: 0o700 });
  await fs.writeFile(path, `${JSON.stringify({ version: 1, files }, null, 2)}\n`, { mode: 0o600 });
}
