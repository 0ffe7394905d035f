import { joinDirectory, normalizePath } from "./directory.ts";
import type { Directory, ShellWord, WordPart } from "./facts.ts";

/** What is known of the machine when words are turned into paths. */
export interface Places {
  /** The absolute folder in which the line starts. */
  readonly start: string;
  /** The absolute home folder of the user; `null` when it is not known. */
  readonly home: string | null;
}

/**
 * The absolute, lexically normalized path that a word names for a command in a folder.
 *
 * @returns `null` when some of the word or the folder is not known. Glob patterns stay as they are:
 * ask `word.globs`.
 */
export function absolutePath(
  word: ShellWord,
  directory: Directory,
  places: Places,
): string | null {
  const text = wordText(word.parts, places);
  if (text === null) return null;
  if (text.startsWith("/")) return normalizePath(text);
  const folder = absoluteDirectory(joinDirectory(directory, "."), places);
  return folder === null ? null : normalizePath(`${folder}/${text}`);
}

/** A folder as an absolute path; `null` when it is not known. */
export function absoluteDirectory(directory: Directory, places: Places): string | null {
  switch (directory.base) {
    case "unknown":
      return null;
    case "root":
      return directory.path;
    case "start":
      return normalizePath(`${places.start}/${directory.path}`);
    case "home":
      return directory.user !== null || places.home === null
        ? null
        : normalizePath(`${places.home}/${directory.path}`);
    default:
      return directory satisfies never;
  }
}

/** The text of parts, with the symbolic ones put in; `null` when one is not known. */
export function wordText(parts: readonly WordPart[], places: Places): string | null {
  let text = "";
  for (const part of parts) {
    const piece = partText(part, places);
    if (piece === null) return null;
    text += piece;
  }
  return text;
}

function partText(part: WordPart, places: Places): string | null {
  switch (part.kind) {
    case "text":
    case "glob":
      return part.text;
    case "home":
      return part.user === null ? places.home : null;
    case "directory":
      return absoluteDirectory(part.directory, places);
    case "unknown":
      return null;
    default:
      return part satisfies never;
  }
}
