/**
 * Which files a patch in the `apply_patch` format touches, and how.
 *
 * @module
 */

import { PayloadError } from "./client.ts";
import type { MappedCall } from "./tool_mapping.ts";

/** What a header line does to its file. */
const HEADERS: readonly (readonly [prefix: string, action: string])[] = [
  ["*** Add File:", "write"],
  ["*** Update File:", "edit"],
  ["*** Delete File:", "delete"],
  ["*** Move to:", "write"],
];

/** Header lines that name no file. */
const PLAIN_HEADERS: readonly string[] = [
  "*** Begin Patch",
  "*** End Patch",
  "*** End of File",
  "*** Environment ID:",
];

/** A patch inside a shell command, and the folder that the command goes to first; `null`: none. */
export interface CarriedPatch {
  readonly patch: string;
  readonly folder: string | null;
}

/**
 * The patch that a shell command carries, in a here-document or as an argument; `null` when it carries none. A command
 * that only names the marker, to look for it, carries none.
 *
 * @throws {PayloadError} when it cannot be told in which folder the patch is applied.
 */
export function patchIn(command: string): CarriedPatch | null {
  const start = /\*\*\* Begin Patch[ \t]*\r?\n/.exec(command)?.index;
  if (start === undefined) return null;
  const end = command.indexOf("*** End Patch", start);
  const patch = command.slice(start, end < 0 ? undefined : end);
  const before = command.slice(0, start);
  if (!/\b(?:cd|pushd|popd)\b/.test(before)) return { patch, folder: null };
  const [, quoted, plain] = /^\s*cd\s+(?:'([^']+)'|([\w./-]+))\s*&&\s*apply_patch\b/.exec(before) ??
    [];
  const folder = quoted ?? plain;
  if (folder === undefined || /\b(?:cd|pushd|popd)\b/.test(before.replace(/^\s*cd\b/, ""))) {
    throw new PayloadError(
      "Cannot tell in which folder the patch is applied: name its files by their full paths, without cd",
    );
  }
  return { patch, folder };
}

/**
 * One `editor` call for each file that a patch touches, in the order of the patch, with the lines that it adds.
 *
 * A header counts wherever the line could be taken for one: rather one file too many than one too few.
 *
 * @throws {PayloadError} when the patch names no file, or has a header that we do not know.
 */
export function patchFiles(patch: string): readonly MappedCall[] {
  const sections: { action: string; path: string; added: string[] }[] = [];
  for (const line of patch.split(/\r?\n/)) {
    const header = HEADERS.find(([prefix]) => line.trim().startsWith(prefix));
    if (header !== undefined) {
      const [prefix, action] = header;
      const path = line.trim().slice(prefix.length).trim();
      if (path === "") throw new PayloadError(`Cannot read the patch: ${prefix} names no file`);
      sections.push({ action, path, added: [] });
    } else if (
      line.startsWith("*** ") && !PLAIN_HEADERS.some((header) => line.startsWith(header))
    ) {
      const quote = JSON.stringify(line.slice(0, LONGEST_QUOTE));
      throw new PayloadError(`Cannot read the patch: unknown header ${quote}`);
    } else if (line.startsWith("+")) {
      sections.at(-1)?.added.push(line.slice(1));
    }
  }
  if (sections.length === 0) throw new PayloadError("Cannot read the patch: it names no file");
  return sections.map(({ action, path, added }) => ({
    tool: "editor",
    action,
    args: { file_path: path, content: added.join("\n") },
  }));
}

/** Enough of a line to recognise it, in UTF-16 units. */
const LONGEST_QUOTE = 80;
