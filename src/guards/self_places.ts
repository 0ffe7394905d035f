/**
 * What an agent may not change, since it guards the agent: gatehouse's own files, and the settings by which clients
 * call it. A table, and pure functions of paths.
 *
 * @module
 */

import {
  type AbsolutePath,
  foldName,
  normalizePath,
  type PathStyle,
  readPath,
} from "./absolute_path.ts";
import type { ShellReading } from "../shell/facts.ts";
import { isWordOf, type WordList } from "../shell/word_list.ts";
import { matchesName } from "./name_pattern.ts";
import { type PathFileSystem, realPath } from "./real_path.ts";

/** A file or folder that an agent may look at, and not change. */
export interface ProtectedPlace {
  /** The last parts of its path, wherever that is, in small letters. Every file below it is protected too. */
  readonly tail: readonly string[];
  /** Why, as the end of "it …". */
  readonly why: string;
}

/** What protects itself everywhere: in a home, in a project, on the machine. */
export const PROTECTED_PLACES: readonly ProtectedPlace[] = [
  place("gatehouse.yaml", "is gatehouse's configuration"),
  place("gatehouse.yml", "is gatehouse's configuration"),
  place(".gatehouse", "belongs to gatehouse"),
  place(".config/gatehouse", "holds gatehouse's configuration"),
  place(".local/state/gatehouse", "holds what gatehouse remembers: trust, records, backups"),
  place(".cache/gatehouse", "holds gatehouse's compiled configurations"),
  place(".claude/settings.json", "decides whether Claude Code calls its hooks"),
  place(".claude/settings.local.json", "decides whether Claude Code calls its hooks"),
  place(".claude/hooks", "holds programs that Claude Code runs as hooks"),
  place("etc/claude-code", "decides whether Claude Code calls its hooks"),
  place("claudecode/managed-settings.json", "decides whether Claude Code calls its hooks"),
  place(".codex/hooks.json", "holds Codex's hooks"),
  place(".codex/config.toml", "decides whether Codex calls its hooks"),
  place("etc/codex", "decides whether Codex calls its hooks"),
  place(".gemini/settings.json", "decides whether Gemini CLI calls its hooks"),
  place(".gemini/policies", "holds Gemini CLI's own rules"),
  place("etc/gemini-cli", "decides whether Gemini CLI calls its hooks"),
  place("geminicli/settings.json", "decides whether Gemini CLI calls its hooks"),
  place(".opencode/plugin", "holds OpenCode's plugins"),
  place(".opencode/plugins", "holds OpenCode's plugins"),
  place(".config/opencode/plugin", "holds OpenCode's plugins"),
  place(".config/opencode/plugins", "holds OpenCode's plugins"),
  place(".copilot/hooks", "holds Copilot's hooks"),
  place(".copilot/settings.json", "decides whether Copilot calls its hooks"),
  place(".copilot/config.json", "decides whether Copilot calls its hooks"),
  place(".github/hooks", "holds Copilot's hooks"),
  place(".github/copilot/settings.json", "decides whether Copilot calls its hooks"),
  place(".cursor/hooks.json", "holds Cursor's hooks"),
  place(".cursor/hooks", "holds programs that Cursor runs as hooks"),
  place("etc/github-copilot", "decides whether Copilot calls its hooks"),
];

/** Where the guard looks. */
export interface SelfProtectionOptions {
  /** The absolute folder the call runs in. */
  readonly cwd: string;
  /** The absolute home folder. */
  readonly home?: string;
  /**
   * Absolute files and folders that are protected besides the table: gatehouse's program, its folders where a variable
   * has moved them.
   */
  readonly roots: readonly string[];
  readonly fs: PathFileSystem;
  readonly style?: PathStyle;
  /** Reads a command line, where it is read already for others. */
  readonly read?: (line: string) => Promise<ShellReading>;
}

/**
 * What protects a path; `null` when nothing does. Pure: the path is taken as it is, links and all.
 *
 * @param reach `inside`: the path itself or what it is below. `around`: also a folder that holds something protected, for
 * what takes whole folders away.
 */
export function protectedPlace(
  path: AbsolutePath,
  roots: readonly AbsolutePath[],
  reach: "inside" | "around" = "inside",
): ProtectedPlace | null {
  const parts: string[] = [];
  for (const part of path.parts) parts.push(foldName(part));
  for (const entry of PROTECTED_PLACES) {
    if (holdsTail(parts, entry.tail)) return entry;
    if (reach === "around" && endsInBeginning(parts, entry.tail)) return entry;
  }
  for (const root of roots) {
    const names = root.parts.map(foldName);
    const isBelow = names.length <= parts.length && names.every((name, at) => name === parts[at]);
    const isAround = reach === "around" && parts.length < names.length &&
      parts.every((part, at) => part === names[at]);
    if (root.root === path.root && (isBelow || isAround)) {
      return { tail: root.parts, why: "belongs to gatehouse" };
    }
  }
  return null;
}

/**
 * What a pattern of paths may name: the protected paths that it would match, with the names of the table in place of its
 * signs.
 */
export function protectedMatches(pattern: AbsolutePath): readonly AbsolutePath[] {
  const found: AbsolutePath[] = [];
  for (const { tail } of PROTECTED_PLACES) {
    for (let start = 0; start + tail.length <= pattern.parts.length; start++) {
      const matches = tail.every((name, at) => matchesName(pattern.parts[start + at], name, true));
      if (!matches) continue;
      const parts = pattern.parts.map((part, at) => tail[at - start] ?? part);
      found.push({ root: pattern.root, parts });
    }
  }
  return found;
}

/** Whether a pattern of paths matches, with its last parts, a folder of the table or one that leads to it. */
export function mayBeProtectedFolder(pattern: AbsolutePath): boolean {
  const { parts } = pattern;
  return PROTECTED_PLACES.some(({ tail }) => {
    for (let length = Math.min(tail.length, parts.length); length > 0; length--) {
      if (length === 1 && isWordOf(COMMON_NAMES, tail[0])) continue;
      const end = parts.slice(-length);
      if (tail.slice(0, length).every((name, at) => matchesInShell(end[at], name))) return true;
    }
    return false;
  });
}

/** As the shell matches names: no sign stands for a dot in front. */
function matchesInShell(pattern: string, name: string): boolean {
  return (!name.startsWith(".") || pattern.startsWith(".")) && matchesName(pattern, name, true);
}

/** A protected place that may be below a folder. */
export interface PlaceBelow {
  readonly place: ProtectedPlace;
  /** The way to it from the folder. */
  readonly rest: readonly string[];
  /** Whether the folder is the client's or gatehouse's own, so that it counts even when it is not there. */
  readonly isNear: boolean;
}

/** The protected places that may be below a folder: in it by their whole tails, or by the rest of them. */
export function protectedBelow(
  folder: AbsolutePath,
  roots: readonly AbsolutePath[],
): readonly PlaceBelow[] {
  const parts = normalizePath(folder).parts.map(foldName);
  const found: PlaceBelow[] = [];
  for (const place of PROTECTED_PLACES) {
    found.push({ place, rest: place.tail, isNear: false });
    for (let length = place.tail.length - 1; length > 0; length--) {
      const end = parts.slice(-length);
      if (end.length < length || end.some((part, at) => part !== place.tail[at])) continue;
      const isNear = length > 1 || !isWordOf(COMMON_NAMES, place.tail[0]);
      found.push({ place, rest: place.tail.slice(length), isNear });
    }
  }
  for (const root of roots) {
    const isBelow = root.root === folder.root && parts.length < root.parts.length &&
      parts.every((part, at) => part === foldName(root.parts[at]));
    if (!isBelow) continue;
    const place = { tail: root.parts, why: "belongs to gatehouse" };
    found.push({ place, rest: root.parts.slice(parts.length), isNear: false });
  }
  return found;
}

/** The same on the disk: the path as it is written and where its links really lead. */
export async function protectedOnDisk(
  path: AbsolutePath,
  options: SelfProtectionOptions,
  reach: "inside" | "around" = "inside",
): Promise<ProtectedPlace | null> {
  const roots = rootsOf(options);
  const written = protectedPlace(normalizePath(path), roots, reach);
  if (written !== null) return written;
  const real = await realPath(path, options.fs, options.style ?? "posix");
  return real.kind === "real" ? protectedPlace(real.path, roots, reach) : null;
}

/** The protected roots as paths. */
export function rootsOf(options: SelfProtectionOptions): readonly AbsolutePath[] {
  return options.roots.flatMap((root) => absolutePath(root, options) ?? []);
}

/** A path's text as an absolute path, from the folder of the call; `null` when it cannot be one. */
export function absolutePath(given: string, options: SelfProtectionOptions): AbsolutePath | null {
  const style = options.style ?? "posix";
  const reading = readPath(given, style);
  switch (reading.kind) {
    case "absolute":
      return reading.path;
    case "relative":
    case "home": {
      const base = reading.kind === "home" ? options.home : options.cwd;
      const folder = base === undefined ? null : readPath(base, style);
      if (folder?.kind !== "absolute") return null;
      return { root: folder.path.root, parts: [...folder.path.parts, ...reading.parts] };
    }
    case "not-understood":
      return null;
    default:
      return reading satisfies never;
  }
}

/** Whether the tail stands somewhere in the parts, so that the path is the place or below it. */
function holdsTail(parts: readonly string[], tail: readonly string[]): boolean {
  for (let start = 0; start + tail.length <= parts.length; start++) {
    let at = 0;
    while (at < tail.length && tail[at] === parts[start + at]) at++;
    if (at === tail.length) return true;
  }
  return false;
}

/** Whether the path ends where the tail begins: it is a folder that may hold the place. */
function endsInBeginning(parts: readonly string[], tail: readonly string[]): boolean {
  // A name that is no sign of a client by itself (`etc`, `.config`) is no such folder.
  for (let length = tail.length - 1; length > 0; length--) {
    if (length === 1 && isWordOf(COMMON_NAMES, tail[0])) continue;
    const end = parts.slice(-length);
    if (end.length === length && end.every((part, at) => part === tail[at])) return true;
  }
  return false;
}

/** First names of tails that stand in every file system. Taking these away whole is the destructive guard's business. */
const COMMON_NAMES: WordList = " etc .config .local .cache .github ";

function place(tail: string, why: string): ProtectedPlace {
  return { tail: tail.split("/"), why };
}
