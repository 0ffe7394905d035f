/**
 * The guard on paths for every tool that is no shell: which of its arguments are paths, and the rules on them.
 *
 * @module
 */

import { type Arguments, type GateResult, gateResult } from "../call.ts";
import type { GuardedCall } from "./guard_hook.ts";
import {
  type PathAccess,
  type PathRefusal,
  pathRules,
  type PathRulesOptions,
} from "./path_rules.ts";
import { pathResult, PATHS_CONTROL } from "./paths.ts";
import { patternMayBeSecret } from "./protected_files.ts";

/** The arguments that name files or folders, by the last word of their name. */
const PATH_NAMES =
  /(?:^|_)(?:path|paths|file|files|filename|filenames|filepath|directory|directories|dir|dirs|folder|folders|cwd|root|uri|destination|dest)$/;

/** Whether an argument's name, in words joined by low lines, says that it is a path. */
export function isPathName(name: string): boolean {
  return PATH_NAMES.test(name);
}

/** Arguments of that kind whose text is a pattern of paths. */
const PATTERN_NAMES = /(?:^|_)(?:glob|globs|include|exclude)$/;

/** Tools of servers whose names say that they only look. */
const READING_TOOL =
  /(?:^|_)(?:read|get|list|search|find|show|view|stat|info|tree|grep|diff|status|log|describe)/;

/** How deep lists and records in arguments are looked into. */
const DEPTH_LIMIT = 6;

/** One path among the arguments of a call. */
export interface PathArgument {
  readonly name: string;
  readonly text: string;
  readonly access: PathAccess;
  readonly isPattern: boolean;
}

/**
 * Judges the paths of a call to the reader, the editor, the search or a server's tool, by one set of rules.
 *
 * `path` and `file_path` as in D2-7; besides them the paths in a patch, in a search's pattern, and in the arguments of
 * servers (`mcp__…`) whose names say that they are paths.
 *
 * @param options The rules; `secrets` is on.
 * @returns The refusal, or `null` when the guard has no opinion.
 */
export async function judgeToolPaths(
  call: GuardedCall,
  options: PathRulesOptions,
): Promise<GateResult | null> {
  const rules = pathRules({ secrets: true, ...options });
  for (const argument of pathArguments(call)) {
    if (typeof argument === "string") return notText(call, argument);
    const refusal = argument.isPattern
      ? await rules.judge(beforePattern(argument.text) || ".", argument.access) ??
        secretPattern(argument)
      : await rules.judge(argument.text, argument.access);
    if (refusal !== null) return pathResult(refusal, call);
  }
  const option = isServerTool(call.tool) ? optionArgument(call.args, DEPTH_LIMIT) : null;
  return option === null ? null : gateResult({
    control: PATHS_CONTROL,
    behavior: "deny",
    reason:
      `Cannot use the argument ${option}: a program behind the tool may take it for an option`,
    reasonCode: "guard",
    tool: call.tool,
    action: call.action,
    matchedRule: "option in an argument",
    advice: "Leave the hyphens at the beginning out.",
  });
}

export function isServerTool(tool: string): boolean {
  return tool.startsWith("mcp");
}

/**
 * The paths of a call; a plain string is the name of an argument that should be a path and is no text.
 *
 * @param isPath Which arguments of a server's tool are paths, by their names.
 * @param isServer Whether the tool is read as a server's: its arguments are paths by their names, lists and records too.
 */
export function* pathArguments(
  call: GuardedCall,
  isPath: (name: string) => boolean = isPathName,
  isServer: boolean = isServerTool(call.tool),
): Generator<PathArgument | string> {
  const { tool, args } = call;
  const isReading = tool === "reader" || tool === "search" ||
    (isServer && READING_TOOL.test(tool.slice(tool.lastIndexOf("__") + 1)));
  const access: PathAccess = isReading ? "read" : "write";
  for (const name of ["path", "file_path"]) {
    const value = args[name];
    if (value === undefined || value === null || value === "" || isServer) continue;
    if (typeof value !== "string") yield name;
    else yield { name, text: value, access, isPattern: false };
  }
  if (tool === "search") yield* searchPatterns(args);
  for (const name of ["patch", "input", "diff"]) {
    if (!isServer && typeof args[name] === "string") yield* patchPaths(name, args[name]);
  }
  if (isServer) yield* serverPaths(args, access, isPath, DEPTH_LIMIT);
}

/** A search for file names takes a path as its pattern. */
function* searchPatterns(args: Arguments): Generator<PathArgument> {
  const folder = typeof args.path === "string" ? args.path : "";
  const names = args.op === "glob" || args.action === "glob" || args.action === "find"
    ? ["pattern", "glob", "include"]
    : ["glob", "include"];
  for (const name of names) {
    const value = args[name];
    if (typeof value !== "string" || value === "") continue;
    const text = folder === "" || value.startsWith("/") ? value : `${folder}/${value}`;
    yield { name, text, access: "read", isPattern: true };
  }
}

/** The files that a patch touches, the targets of its moves too. */
function* patchPaths(name: string, patch: string): Generator<PathArgument> {
  for (const line of patch.split("\n")) {
    const found = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/.exec(line) ??
      /^(?:---|\+\+\+) (?:[ab]\/)?([^\t\n]+)/.exec(line) ?? /^rename (?:from|to) (.+)$/.exec(line);
    const text = found?.[1];
    if (text === undefined || text === "/dev/null") continue;
    yield { name, text, access: "write", isPattern: false };
  }
}

function* serverPaths(
  value: unknown,
  access: PathAccess,
  isPath: (name: string) => boolean,
  depth: number,
  name = "",
): Generator<PathArgument> {
  if (typeof value === "string") {
    if (value === "" || value.length > 4096) return;
    const isFileAddress = /^file:/i.test(value);
    // An address of another kind is no path on this machine.
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value) && !isFileAddress) return;
    if (PATTERN_NAMES.test(name)) yield { name, text: value, access: "read", isPattern: true };
    else if (isFileAddress) {
      yield { name, text: pathOfAddress(value), access, isPattern: false };
    } else if (isPath(name)) yield { name, text: value, access, isPattern: false };
    return;
  }
  if (typeof value !== "object" || value === null || depth === 0) return;
  const entries = Array.isArray(value)
    ? value.map((item) => [name, item] as const)
    : Object.entries(value).map(([key, item]) => [words(key), item] as const);
  for (const [key, item] of entries) yield* serverPaths(item, access, isPath, depth - 1, key);
}

/** The path of a `file:` address; the text itself where it is none that can be read. */
function pathOfAddress(address: string): string {
  const rest = /^file:(?:\/\/(?:localhost)?(?=\/))?([^?#]*)/i.exec(address)?.[1] ?? address;
  try {
    return decodeURIComponent(rest).replace(/^\/(?=[A-Za-z]:)/, "");
  } catch {
    return rest;
  }
}

/** A name's words joined by low lines: `filePath` is `file_path`. */
function words(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replaceAll("-", "_").toLowerCase();
}

/** What of a pattern stands before its first sign, down to the last slash, and every `..` of it. */
function beforePattern(pattern: string): string {
  const first = pattern.search(/[*?[{]/);
  const head = first < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf("/", first) + 1);
  const tail = pattern.slice(head.length);
  const climbs = tail.split("/").filter((part) => part === "..").length;
  return climbs === 0 ? head : `${head || "."}/${"../".repeat(climbs)}`;
}

function secretPattern({ text }: PathArgument): PathRefusal | null {
  const name = text.slice(text.lastIndexOf("/") + 1);
  if (!patternMayBeSecret(name)) return null;
  return {
    kind: "secret",
    behavior: "deny",
    given: text,
    why: "it names files of secrets",
    rule: "secret",
    advice: "Name the files that you need.",
  };
}

/** An argument that begins like an option with a value: `--output=x`. */
function optionArgument(value: unknown, depth: number): string | null {
  if (typeof value === "string") return /^--?[a-z][\w-]*=/i.test(value) ? value : null;
  if (typeof value !== "object" || value === null || depth === 0) return null;
  for (const item of Object.values(value)) {
    const found = optionArgument(item, depth - 1);
    if (found !== null) return found;
  }
  return null;
}

function notText(call: GuardedCall, name: string): GateResult {
  return gateResult({
    control: PATHS_CONTROL,
    behavior: "deny",
    reason: `Cannot judge ${name}: it is not text`,
    reasonCode: "input",
    tool: call.tool,
    action: call.action,
    advice: "Give one path as a string.",
  });
}
