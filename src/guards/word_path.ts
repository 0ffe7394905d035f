import type { Directory, ShellWord } from "../shell/facts.ts";
import { type AbsolutePath, formatPath, normalizePath, readPath } from "./absolute_path.ts";

/** Where a word of a command leads. */
export type WordPath =
  /** One path, or what matches a pattern; `pattern` is how many leading parts stand before the first pattern sign. */
  | {
    readonly kind: "known";
    readonly path: AbsolutePath;
    /** As it would be looked up: `..` not yet taken away. */
    readonly written: AbsolutePath;
    /** Index of the first part with a pattern sign; `null` when it is no pattern. */
    readonly pattern: number | null;
    /** Whether it ends in a slash or in `/.`: what is meant is what a link leads to. */
    readonly through: boolean;
  }
  /** Begins in a known folder and goes on with what is not known. */
  | { readonly kind: "partly"; readonly prefix: AbsolutePath }
  | { readonly kind: "unknown" };

/** What words are resolved against. */
export interface PathBase {
  /** The absolute folder in which the line starts. */
  readonly cwd: string;
  /** The absolute home folder; without it paths below the home are below a root named `~`. */
  readonly home?: string;
}

/** A path with a drive of Windows, or a network share: known to another shell than the one that is read here. */
const DRIVE = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/** The root that stands for a home folder which is not known. */
const SYMBOLIC_HOME = "~";

/** Where a folder of the reading is; `null` when it is not known. */
export function directoryPath(directory: Directory, base: PathBase): AbsolutePath | null {
  switch (directory.base) {
    case "start":
      return below(absolute(base.cwd), directory.path);
    case "root":
      return below({ root: "/", parts: [] }, directory.path);
    case "home":
      return below(homePath(directory.user, base), directory.path);
    case "unknown":
      return null;
    default:
      return directory satisfies never;
  }
}

/**
 * Where a word leads, in a folder of the reading.
 *
 * @param word A word of the command, or a text taken out of one.
 */
export function wordPath(
  word: ShellWord | string,
  directory: Directory,
  base: PathBase,
): WordPath {
  if (typeof word === "string") return textPath(word, directory, base);
  if (DRIVE.test(word.value ?? "")) return { kind: "unknown" };
  const parts = word.parts.length === 0 && word.value !== null
    ? [{ kind: "text" as const, text: word.value }]
    : word.parts;
  let start: AbsolutePath | undefined;
  let text = "";
  const patterns: [number, number][] = [];
  for (const [index, part] of parts.entries()) {
    if (part.kind === "text") {
      text += part.text;
    } else if (part.kind === "glob") {
      patterns.push([text.length, text.length + part.text.length]);
      text += part.text;
    } else if (part.kind === "home" && index === 0) {
      start = homePath(part.user, base);
    } else if (part.kind === "directory" && index === 0) {
      start = directoryPath(part.directory, base) ?? undefined;
      if (start === undefined) return { kind: "unknown" };
    } else if (part.kind === "unknown" && isTemporary(part.text) && index === 0) {
      // What mktemp makes is new, and in the folder for temporary files.
      start = { root: "/", parts: ["tmp", "made-by-mktemp"] };
    } else {
      const isBare = part.kind === "unknown" && isName(part.text);
      if (!isBare && start === undefined && text === "") return { kind: "unknown" };
      const prefix = join(start, text.slice(0, text.lastIndexOf("/") + 1), directory, base);
      return prefix === null
        ? { kind: "unknown" }
        : { kind: "partly", prefix: normalizePath(prefix) };
    }
  }
  if (start !== undefined && text !== "" && !text.startsWith("/")) {
    // "$PWD" followed by letters is another folder's name.
    return { kind: "unknown" };
  }
  const written = join(start, text, directory, base);
  if (written === null) return { kind: "unknown" };
  const first = patterns[0];
  const before = first === undefined
    ? null
    : join(start, text.slice(0, first[0]).replace(/[^/]*$/, ""), directory, base);
  return {
    kind: "known",
    path: normalizePath(written),
    written,
    pattern: before === null ? null : normalizePath(before).parts.length,
    through: /\/\.?$/.test(text) || patterns.length > 0,
  };
}

function textPath(text: string, directory: Directory, base: PathBase): WordPath {
  if (text.includes("\0") || DRIVE.test(text)) return { kind: "unknown" };
  const home = /^~(?=\/|$)/.test(text);
  const written = join(
    home ? homePath(null, base) : undefined,
    home ? text.slice(1) : text,
    directory,
    base,
  );
  if (written === null) return { kind: "unknown" };
  return {
    kind: "known",
    path: normalizePath(written),
    written,
    pattern: null,
    through: text.endsWith("/"),
  };
}

/** Whether a part that is not known is the last part of some path: it has no slash, and stays in its folder. */
function isName(text: string): boolean {
  return /^\$\{\w+##\*\/\}$/.test(text) ||
    /^\$\(\s*basename\s(?:[^;|&<>`()$]|\$\w|\$\{\w+\})*\)$/.test(text);
}

function isTemporary(text: string): boolean {
  return /^"?(?:\$\(\s*mktemp\b[^|;&<>`$]*\)|`mktemp\b[^|;&<>`$]*`|\$\{?TMPDIR(?::-\/tmp)?\}?)"?$/
    .test(text);
}

function join(
  start: AbsolutePath | undefined,
  text: string,
  directory: Directory,
  base: PathBase,
): AbsolutePath | null {
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  if (start !== undefined) return { root: start.root, parts: [...start.parts, ...parts] };
  if (text.startsWith("/")) return { root: "/", parts };
  const folder = directoryPath(directory, base);
  return folder === null ? null : { root: folder.root, parts: [...folder.parts, ...parts] };
}

function homePath(user: string | null, base: PathBase): AbsolutePath {
  if (user !== null) return { root: "/", parts: ["home", user] };
  return base.home === undefined ? { root: SYMBOLIC_HOME, parts: [] } : absolute(base.home);
}

function absolute(text: string): AbsolutePath {
  const reading = readPath(text, "posix");
  return reading.kind === "absolute" ? normalizePath(reading.path) : { root: text, parts: [] };
}

function below(folder: AbsolutePath, path: string): AbsolutePath {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return normalizePath({ root: folder.root, parts: [...folder.parts, ...parts] });
}

/** The text of a path for people. */
export function pathText(path: AbsolutePath): string {
  return path.root === SYMBOLIC_HOME ? ["~", ...path.parts].join("/") : formatPath(path);
}
