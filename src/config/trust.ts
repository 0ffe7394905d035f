/**
 * Which project files a person has trusted: by path and by the hash of what was in them.
 *
 * @module
 */

import { FileSystemError, type FileSystemPort } from "../runtime/port.ts";
import { inFolder } from "./ancestor_folders.ts";

/** The file in the user's state folder. */
export const TRUST_FILE = "trust.json";

/** What was trusted, by path. */
export type TrustedFiles = Readonly<Record<string, TrustedFile>>;

/** One trusted file. */
export interface TrustedFile {
  readonly sha256: string;
  /** When, as an ISO date. */
  readonly trustedAt: string;
}

/**
 * Reads what was trusted. Nothing was, when the file is missing.
 *
 * @throws {Error} when the file is there and cannot be read: then nothing may count as trusted without being told.
 */
export async function readTrustedFiles(
  fs: FileSystemPort,
  stateFolder: string,
): Promise<TrustedFiles> {
  const path = inFolder(stateFolder, TRUST_FILE);
  let bytes: Uint8Array;
  try {
    bytes = await fs.readFile(path);
  } catch (error) {
    if (error instanceof FileSystemError && isAbsent(error)) return {};
    throw error;
  }
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const files = (value as { files?: unknown } | null)?.files;
  if (typeof files !== "object" || files === null) {
    throw new Error(`Cannot read ${path}: it holds no list of files. Remove it and trust again.`);
  }
  return files as TrustedFiles;
}

/** Whether a file with these contents was trusted. */
export function isTrusted(trusted: TrustedFiles, path: string, sha256: string): boolean {
  return Object.hasOwn(trusted, path) && trusted[path]?.sha256 === sha256;
}

/** Remembers that a file was trusted, or with `null` that it is not any more. */
export async function writeTrustedFile(
  fs: FileSystemPort,
  stateFolder: string,
  path: string,
  entry: TrustedFile | null,
): Promise<void> {
  const files: Record<string, TrustedFile> = { ...await readTrustedFiles(fs, stateFolder) };
  if (entry === null) delete files[path];
  else files[path] = entry;
  await fs.makeDirectory(stateFolder, { mode: 0o700 });
  const text = JSON.stringify({ version: 1, files }, null, 2) + "\n";
  await fs.writeFile(inFolder(stateFolder, TRUST_FILE), text, { mode: 0o600 });
}

/** Whether an error means that there is nothing there. */
export function isAbsent(error: FileSystemError): boolean {
  return error.code === "not-found" || error.code === "not-a-directory";
}
