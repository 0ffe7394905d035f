/**
 * The rules on one path: inside the workspace, not protected, not denied (D2-7, D2-8). Shared by every tool.
 *
 * @module
 */

import {
  type AbsolutePath,
  containsPath,
  foldName,
  formatPath,
  normalizePath,
  type PathStyle,
  readPath,
} from "./absolute_path.ts";
import { isPattern, matchesName, matchesParts } from "./name_pattern.ts";
import { type ProtectedFile, protectedFile } from "./protected_files.ts";
import { type PathFileSystem, type RealPath, realPath, rememberFiles } from "./real_path.ts";

/** What is to be done with a path. */
export type PathAccess = "read" | "write";

/** Where paths may lead and how they are read. */
export interface PathRulesOptions {
  /**
   * The roots paths must stay in; the first one is where relative paths begin. Relative roots are taken from `cwd`.
   * Left out or empty: paths may lead anywhere.
   */
  readonly allowed?: readonly string[];
  /**
   * What is refused inside the roots. An absolute path refuses itself and what is below it; a relative one with `*`,
   * `?` or `[…]` is compared with each part of the path, or, when it has a slash, with the path from a root down; other
   * relative text refuses every path that holds it and every file whose name holds it.
   */
  readonly denied?: readonly string[];
  /** `follow` judges where a link really leads; `refuse` refuses every path whose last part is a link, as recorded. */
  readonly symlinks?: "follow" | "refuse";
  /** The absolute folder that relative roots, and paths without a root, begin in. */
  readonly cwd?: string;
  /** The absolute folder the tool really runs in, where it knows one: relative paths begin there, not under the first root. */
  readonly runsIn?: string;
  /** The absolute home folder that `~` stands for; without it a path with `~` is refused. */
  readonly home?: string;
  /** The file system, from the runtime port. */
  readonly fs: PathFileSystem;
  /** Whose rules the paths follow. Default `posix`. */
  readonly style?: PathStyle;
  /** Paths that may be read and not written, written like `denied`. */
  readonly writeProtected?: readonly string[];
  /** Whether names that differ in case only are one file. Default: on Windows. */
  readonly ignoreCase?: boolean;
  /** Whether the whole table of protected files counts, and not only the document's six names. Default `false`. */
  readonly secrets?: boolean;
  /** What to do about reading outside the roots. Default `deny`, as the document has it. */
  readonly outsideReads?: "allow" | "escalate" | "deny";
  /** Absolute folders that may be used besides the roots, such as those for temporary files. */
  readonly besides?: readonly string[];
}

/** Why a path is refused. */
export type PathRefusalKind =
  | "not-understood"
  | "symlink"
  | "loop"
  | "protected"
  | "secret"
  | "broad-root"
  | "outside"
  | "denied-rule";

/** A refusal of one path. */
export interface PathRefusal {
  readonly kind: PathRefusalKind;
  readonly behavior: "deny" | "escalate";
  /** The path as it was given. */
  readonly given: string;
  /** Ends the sentence "Cannot use PATH: …". */
  readonly why: string;
  /** The denied entry that matched, as it was written. */
  readonly rule: string | null;
  readonly advice: string;
}

/** Where a path leads, when its way could be followed. */
export interface LocatedPath {
  readonly given: string;
  /** The path as written, made absolute; `..` still in it. */
  readonly written: AbsolutePath;
  readonly real: AbsolutePath;
  readonly target: "file" | "directory" | "other" | null;
}

/** Files that hold secrets by their name, whatever their case (D2's guard). */
export const PROTECTED_NAMES: readonly string[] = [
  ".env",
  ".netrc",
  "id_rsa",
  "id_ed25519",
  "id_ecdsa",
  ".htpasswd",
];

/** The rules, ready to be asked about paths. */
export interface PathRules {
  /**
   * Judges one path as a tool's argument gives it; `null` when nothing speaks against it.
   *
   * @param access Default `write`, the stricter one.
   */
  judge(given: string, access?: PathAccess): Promise<PathRefusal | null>;
  /** Follows one path, from `base` when it is relative. */
  locate(given: string, base?: AbsolutePath): Promise<LocatedPath | PathRefusal>;
  /** Judges a path that was followed. */
  judgeLocated(located: LocatedPath, access: PathAccess): Promise<PathRefusal | null>;
}

/**
 * Makes the rules on paths out of what a configuration says.
 *
 * What they saw of the file system they remember: make them anew for each call.
 */
export function pathRules(options: PathRulesOptions): PathRules {
  const { home, cwd, symlinks = "follow", style = "posix" } = options;
  const fs = rememberFiles(options.fs);
  const ignoreCase = options.ignoreCase ?? style === "windows";
  const allowed = options.allowed ?? [];
  const denied = options.denied ?? [];

  /** A path's text as an absolute path, or why it cannot be one. */
  function absolute(given: string, base: AbsolutePath | string | undefined): AbsolutePath | string {
    const reading = readPath(given, style);
    switch (reading.kind) {
      case "absolute":
        return reading.path;
      case "relative":
        return below(base, reading.parts, "the folder it begins in is not known");
      case "home":
        return below(home, reading.parts, "the home folder is not known");
      case "not-understood":
        return reading.why;
      default:
        return reading satisfies never;
    }
  }

  /** Where relative paths begin (D2-7): under the first root, or in the folder of the call. */
  function beginning(): AbsolutePath | undefined {
    const path = absolute(options.runsIn ?? allowed[0] ?? ".", cwd);
    return typeof path === "string" ? undefined : path;
  }

  function below(
    base: AbsolutePath | string | undefined,
    parts: readonly string[],
    otherwise: string,
  ): AbsolutePath | string {
    if (typeof base === "object") return { root: base.root, parts: [...base.parts, ...parts] };
    const reading = base === undefined ? null : readPath(base, style);
    if (reading?.kind !== "absolute") return otherwise;
    return { root: reading.path.root, parts: [...reading.path.parts, ...parts] };
  }

  async function locate(
    given: string,
    base?: AbsolutePath,
  ): Promise<LocatedPath | PathRefusal> {
    const written = absolute(given, base ?? beginning());
    if (typeof written === "string") return notUnderstood(given, written);
    if (symlinks === "refuse") {
      const last = await options.fs.information(formatPath(written)).catch(() => null);
      if (last?.kind === "link") {
        return {
          kind: "symlink",
          behavior: "deny",
          given,
          why: "it is a symbolic link, and links are refused here",
          rule: null,
          advice: "Name the file that the link leads to.",
        };
      }
    }
    const real = await realPath(written, fs, style);
    switch (real.kind) {
      case "real":
        return { given, written, real: real.path, target: real.target };
      case "loop":
        return {
          kind: "loop",
          behavior: "deny",
          given,
          why: `its links lead in a circle at ${real.at}`,
          rule: null,
          advice: "Name a file that is there.",
        };
      case "not-understood":
        return notUnderstood(given, `${real.at}: ${real.why}`);
      default:
        return real satisfies never;
    }
  }

  async function judgeLocated(
    located: LocatedPath,
    access: PathAccess,
  ): Promise<PathRefusal | null> {
    return protectedName(located) ?? secret(located, access) ?? await outside(located, access) ??
      await deniedRule(located, denied) ??
      (access === "write" ? await deniedRule(located, options.writeProtected ?? []) : null);
  }

  function secret(located: LocatedPath, access: PathAccess): PathRefusal | null {
    if (options.secrets !== true) return null;
    const reading = home === undefined ? null : readPath(home, style);
    const homeParts = reading?.kind === "absolute" ? reading.path.parts : null;
    // What a link is called counts as much as what it leads to.
    const written = normalizePath(located.written);
    const file = protectedFile(located.real, access, homeParts) ??
      (formatPath(written) === formatPath(located.real)
        ? null
        : protectedFile(written, access, homeParts));
    return file === null ? null : secretRefusal(located.given, file);
  }

  const roots = new Map<string, RealPath>();

  /** Where a root really is; the same for every path that is judged. */
  async function realRoot(text: string, path: AbsolutePath): Promise<RealPath> {
    const known = roots.get(text);
    if (known !== undefined) return known;
    const found = await realPath(path, fs, style);
    roots.set(text, found);
    return found;
  }

  async function outside(
    located: LocatedPath,
    access: PathAccess,
  ): Promise<PathRefusal | null> {
    const { outsideReads = "deny" } = options;
    if (allowed.length === 0 || (access === "read" && outsideReads === "allow")) return null;
    const { given, real } = located;
    for (const text of allowed) {
      const root = absolute(text, cwd);
      if (typeof root === "string") return notUnderstood(given, `the root ${text}: ${root}`);
      const found = await realRoot(text, root);
      if (found.kind !== "real") return notUnderstood(given, `the root ${text} cannot be followed`);
      if (containsPath(found.path, real, ignoreCase)) {
        return await opensTooMuch(root, found.path) ? broadRoot(given, text, found.path) : null;
      }
    }
    for (const folder of options.besides ?? []) {
      const path = absolute(folder, undefined);
      if (typeof path === "string") continue;
      const found = await realRoot(folder, path);
      if (found.kind !== "real" || !containsPath(found.path, real, ignoreCase)) continue;
      // A home that lies in a folder for temporary files is a home all the same.
      const ownHome = await realHome();
      const isHome = ownHome !== null && containsPath(found.path, ownHome, ignoreCase) &&
        containsPath(ownHome, real, ignoreCase);
      if (!isHome) return null;
    }
    const leads = formatPath(real);
    return {
      kind: "outside",
      behavior: access === "read" && outsideReads === "escalate" ? "escalate" : "deny",
      given,
      why: `it leads ${leads === given ? "" : `to ${leads}, `}outside of ${allowed.join(" and ")}`,
      rule: null,
      advice: `Use a path inside ${allowed[0]}.`,
    };
  }

  /** A root that leads through a link to the home folder or above it opens everything without anyone having said so. */
  async function opensTooMuch(written: AbsolutePath, real: AbsolutePath): Promise<boolean> {
    if (containsPath(normalizePath(written), real, ignoreCase)) return false;
    if (real.parts.length === 0) return true;
    const ownHome = await realHome();
    return ownHome !== null && containsPath(real, ownHome, ignoreCase);
  }

  /** Where the home folder really is; `null` when that is not known. */
  async function realHome(): Promise<AbsolutePath | null> {
    const reading = home === undefined ? null : readPath(home, style);
    if (reading?.kind !== "absolute") return null;
    const found = await realRoot("the home folder", reading.path);
    return found.kind === "real" ? found.path : null;
  }

  async function deniedRule(
    located: LocatedPath,
    entries: readonly string[],
  ): Promise<PathRefusal | null> {
    for (const entry of entries) {
      if (entry !== "" && await matchesDenied(entry, located)) {
        return {
          kind: "denied-rule",
          behavior: "deny",
          given: located.given,
          why: `the denied path "${entry}" covers it`,
          rule: entry,
          advice: "Use another file, or ask the user to change guards.paths.denied.",
        };
      }
    }
    return null;
  }

  async function matchesDenied(entry: string, located: LocatedPath): Promise<boolean> {
    const { given, written, real } = located;
    const reading = readPath(entry, style);
    if (reading.kind === "absolute" || reading.kind === "home") {
      const path = absolute(entry, undefined);
      // A denied path that cannot be understood refuses everything: it was meant to refuse something.
      if (typeof path === "string") return true;
      if (isPattern(entry)) return matchesParts(path.parts, real.parts, ignoreCase);
      const found = await realPath(path, fs, style);
      return found.kind !== "real" || containsPath(found.path, real, ignoreCase) ||
        containsPath(path, normalizePath(written), ignoreCase);
    }
    const name = real.parts.at(-1) ?? "";
    if (!isPattern(entry)) {
      const holds = (text: string): boolean =>
        ignoreCase ? foldName(text).includes(foldName(entry)) : text.includes(entry);
      if (holds(given) || holds(name)) return true;
    } else if (
      [...real.parts, ...written.parts].some((part) => matchesName(entry, part, ignoreCase))
    ) {
      return true;
    }
    if (!entry.includes("/")) return false;
    const parts = entry.split("/").filter((part) => part !== "" && part !== ".");
    const bases = allowed.length > 0 ? allowed : cwd === undefined ? [] : [cwd];
    for (const base of bases) {
      const root = absolute(base, cwd);
      const found = typeof root === "string" ? null : await realPath(root, fs, style);
      if (found?.kind !== "real" || !containsPath(found.path, real, ignoreCase)) continue;
      const below = real.parts.slice(found.path.parts.length);
      if (matchesParts(parts, below, ignoreCase)) return true;
      if (located.target === "directory" && isFixedFront(parts, below)) return true;
    }
    return false;
  }

  /** Whether a folder is the one in which a pattern's signs begin: all that it is about is in there. */
  function isFixedFront(pattern: readonly string[], folder: readonly string[]): boolean {
    const front = pattern.findIndex(isPattern);
    return front > 0 && folder.length === front &&
      matchesParts(pattern.slice(0, front), folder, ignoreCase);
  }

  return {
    async judge(given, access = "write") {
      const located = await locate(given);
      return "kind" in located ? located : await judgeLocated(located, access);
    },
    locate,
    judgeLocated,
  };
}

function protectedName({ given, written, real }: LocatedPath): PathRefusal | null {
  // Both names count: a link named .env and a link that leads to .env.
  const names = [written.parts.at(-1), real.parts.at(-1)];
  const found = names.find((name) => name && PROTECTED_NAMES.includes(name.toLowerCase()));
  if (found === undefined) return null;
  return {
    kind: "protected",
    behavior: "deny",
    given,
    why: `files named ${found} hold secrets`,
    rule: null,
    advice: "Ask the user for what you need of it, or use an example file without secrets.",
  };
}

/** A refusal of a file in the table of protected files. */
export function secretRefusal(given: string, file: ProtectedFile): PathRefusal {
  const isSecret = file.guards === "any";
  return {
    kind: isSecret ? "secret" : "protected",
    behavior: "deny",
    given,
    why: `it ${file.holds}`,
    rule: file.name,
    advice: isSecret
      ? "Ask the user for what you need of it, or use an example file without secrets."
      : "Ask the user to change it.",
  };
}

function broadRoot(given: string, root: string, real: AbsolutePath): PathRefusal {
  return {
    kind: "broad-root",
    behavior: "escalate",
    given,
    why: `the root ${root} is a link to ${formatPath(real)}, which opens far more than it says`,
    rule: null,
    advice: "Name the folder that is really meant as the root.",
  };
}

function notUnderstood(given: string, why: string): PathRefusal {
  return {
    kind: "not-understood",
    behavior: "deny",
    given,
    why,
    rule: null,
    advice: "Give a plain path inside the workspace.",
  };
}
