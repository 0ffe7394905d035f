import type { Directory, WordPart } from "./facts.ts";
import { MAX_DIRECTORY_LENGTH } from "./limits.ts";

/** The folder in which the line starts. */
export const START_DIRECTORY: Directory = Object.freeze({ base: "start", path: "." });

/** A folder nobody can know. */
export const UNKNOWN_DIRECTORY: Directory = Object.freeze({ base: "unknown" });

/**
 * The folder that `cd` with a word of these parts leads to, from another one; lexically, as the shell
 * itself does it (`cd a; cd ..` is back, whatever `a` links to).
 */
export function directoryAfter(from: Directory, parts: readonly WordPart[]): Directory {
  const [first, ...rest] = parts;
  if (first === undefined) return from;
  let tail = "";
  for (const part of rest) {
    if (part.kind !== "text") return UNKNOWN_DIRECTORY;
    tail += part.text;
  }
  switch (first.kind) {
    case "text": {
      const path = first.text + tail;
      return path.startsWith("/")
        ? { base: "root", path: normalizePath(path) }
        : joinDirectory(from, path);
    }
    case "home":
      if (tail !== "" && !tail.startsWith("/")) return UNKNOWN_DIRECTORY;
      return joinDirectory({ base: "home", user: first.user, path: "." }, tail);
    case "directory":
      if (tail !== "" && !tail.startsWith("/")) return UNKNOWN_DIRECTORY;
      return joinDirectory(first.directory, tail);
    case "glob":
    case "unknown":
      return UNKNOWN_DIRECTORY;
    default:
      return first satisfies never;
  }
}

/** A folder below another one, or beside it when the path begins with `..`. */
export function joinDirectory(from: Directory, path: string): Directory {
  if (path.length > MAX_DIRECTORY_LENGTH) return UNKNOWN_DIRECTORY;
  if (from.base !== "unknown" && from.path.length > MAX_DIRECTORY_LENGTH) return UNKNOWN_DIRECTORY;
  switch (from.base) {
    case "unknown":
      return UNKNOWN_DIRECTORY;
    case "root":
      return { base: "root", path: pathBelow(from.path, path) };
    case "start":
      return { base: "start", path: pathBelow(from.path, path) };
    case "home":
      return { base: "home", user: from.user, path: pathBelow(from.path, path) };
    default:
      return from satisfies never;
  }
}

/** A path below a normalized one, or beside it. */
function pathBelow(folder: string, path: string): string {
  const rest = path.startsWith("/") ? path.slice(1) : path;
  if (!isNormal(rest)) return normalizePath(`${folder}/./${rest}`);
  return folder === "." ? rest : folder === "/" ? `/${rest}` : `${folder}/${rest}`;
}

/** Whether a path has no part that is empty or begins with a dot: nearly all that are followed have none. */
function isNormal(path: string): boolean {
  let atStart = true;
  for (let index = 0; index < path.length; index++) {
    const code = path.charCodeAt(index);
    if (atStart && (code === SLASH || code === DOT)) return false;
    atStart = code === SLASH;
  }
  return !atStart;
}

const SLASH = 47;
const DOT = 46;

/** Tells whether two folders are the same one, as far as their spelling says. */
export function sameDirectory(left: Directory, right: Directory): boolean {
  if (left === right) return true;
  if (left.base === "unknown" || right.base === "unknown") return left.base === right.base;
  return left.base === right.base && left.path === right.path &&
    (left.base !== "home" || right.base !== "home" || left.user === right.user);
}

/** How a folder is written in a reading: `sub`, `/srv`, `~/x`. */
export function directoryText(directory: Directory): string {
  switch (directory.base) {
    case "unknown":
      return "?";
    case "start":
    case "root":
      return directory.path;
    case "home": {
      const home = `~${directory.user ?? ""}`;
      return directory.path === "." ? home : `${home}/${directory.path}`;
    }
    default:
      return directory satisfies never;
  }
}

/** A path without `.`, empty and undoable `..` parts; `.` for nothing at all. */
export function normalizePath(path: string): string {
  const absolute = path.startsWith("/");
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") kept.push(part);
    else if (kept.length > 0 && kept[kept.length - 1] !== "..") kept.pop();
    else if (!absolute) kept.push("..");
  }
  const joined = kept.join("/");
  return absolute ? `/${joined}` : joined === "" ? "." : joined;
}
