import picomatch from "picomatch";
import type { PathRule } from "./object_rule.ts";

/** Where paths and globs begin. */
export interface RulePlaces {
  /** The folder that the tool runs in: where a relative path begins. */
  readonly cwd: string;
  /** The folder that a relative glob begins in. */
  readonly workspace: string;
  readonly home: string | null;
  /** Whether names that differ in case only are one file here. */
  readonly ignoreCase: boolean;
}

/** Tells whether a path rule is about a path: by the path made absolute, `.` and `..` taken away by text. */
export function matchPathRule(rule: PathRule, path: string, places: RulePlaces): boolean {
  if (path === "") return false;
  const glob = rule.glob;
  const absoluteGlob = glob.startsWith("/") || glob.startsWith("~/");
  const subject = absolute(path, places.cwd, places.home);
  const base = absoluteGlob ? "/" : normalize(places.workspace);
  const root = base.endsWith("/") ? base : `${base}/`;
  if (subject !== base && !startsWith(subject, root, places.ignoreCase)) return false;
  const relative = subject.slice(root.length);
  const pattern = (absoluteGlob ? absolute(glob, "/", places.home) : normalizeRelative(glob))
    .replace(
      /^\//,
      "",
    );
  // A file may be named like a glob; a rule that names it exactly means that file.
  if (same(relative, pattern, places.ignoreCase)) return true;
  return Boolean(picomatch(pattern, { dot: true, nocase: places.ignoreCase })(relative));
}

function absolute(path: string, cwd: string, home: string | null): string {
  if (path === "~" || path.startsWith("~/")) {
    return home === null ? normalize(`/${path}`) : normalize(home + path.slice(1));
  }
  return normalize(path.startsWith("/") ? path : `${cwd}/${path}`);
}

function normalize(path: string): string {
  return `/${parts(path).join("/")}`;
}

function normalizeRelative(glob: string): string {
  return glob.replace(/^(?:\.\/)+/, "");
}

function parts(path: string): string[] {
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return kept;
}

function same(left: string, right: string, ignoreCase: boolean): boolean {
  return ignoreCase ? left.toLowerCase() === right.toLowerCase() : left === right;
}

function startsWith(text: string, prefix: string, ignoreCase: boolean): boolean {
  return same(text.slice(0, prefix.length), prefix, ignoreCase);
}
