import type { Git } from "./git_command.ts";
import { STATUS_FAILED, whyNoWorkingTree } from "./why_no_working_tree.ts";

/** A repository that may be asked, or why not. */
export type Approach =
  | {
    readonly status: "ready";
    /** Git in the same folder, with this repository's own programs switched off too. */
    readonly git: Git;
    /** The content filters that are switched off: a file behind one cannot be compared. */
    readonly filters: ReadonlySet<string>;
  }
  | { readonly status: "refused"; readonly reason: string };

/** More programs than any real repository sets up; beyond it there is no opinion. */
const MAX_PROGRAMS = 200;

/** Settings that name programs git would run on a file's content. `(name).(variable)` after the section. */
const PROGRAM_SETTINGS: Readonly<Record<string, ReadonlyMap<string, readonly string[]>>> = {
  filter: new Map([
    ["clean", ["clean=", "process=", "smudge=", "required=false"]],
    ["process", ["clean=", "process=", "smudge=", "required=false"]],
    ["smudge", ["clean=", "process=", "smudge=", "required=false"]],
    ["required", ["required=false"]],
  ]),
  merge: new Map([["driver", ["driver=false"]]]), // a merge that needs it counts as a conflict
  diff: new Map([
    ["textconv", ["textconv="]],
    ["command", ["command="]],
  ]),
};

/**
 * Makes ready to ask a repository: finds out which programs its settings name, and switches each off by name.
 *
 * Where the settings are plain (the rule) no git command is needed for that.
 *
 * @param options.thorough Whether every setting must be known, those that only a trial merge reads included.
 */
export async function approachRepository(
  git: Git,
  options: { readonly thorough?: boolean } = {},
): Promise<Approach> {
  const { runtime, known } = git;
  if (known !== null && known.plainness !== "ask-git" && options.thorough !== true) {
    const filters = new Set(known.plainness === "plain-with-lfs" ? ["lfs"] : []);
    return { status: "ready", git, filters };
  }
  const [place, settings] = await Promise.all([
    git.run(["rev-parse", "--is-inside-work-tree", "--is-inside-git-dir", "--is-bare-repository"]),
    git.run(["config", "--list", "--name-only", "-z"]),
  ]);
  if (place.status !== "ok") {
    return { status: "refused", reason: whyNoWorkingTree(place) };
  }
  const [inWorkTree, inGitDirectory, bare] = place.output.trim().split("\n");
  if (inWorkTree !== "true") {
    const elsewhere = inGitDirectory === "false" && bare === "false";
    return {
      status: "refused",
      reason: elsewhere ? `${STATUS_FAILED}: ${POINTS_AWAY}` : STATUS_FAILED,
    };
  }
  if (settings.status !== "ok" || settings.truncated) {
    return {
      status: "refused",
      reason: `${STATUS_FAILED}: the repository's settings are unreadable`,
    };
  }
  const top = await git.run(["rev-parse", "--show-toplevel"]);
  if (top.status !== "ok" || !runtime.fs.exists(`${top.output.replace(/\n$/, "")}/.git`)) {
    return { status: "refused", reason: `${STATUS_FAILED}: ${POINTS_AWAY}` };
  }
  return switchedOff(git, settings.output.split("\0"));
}

const POINTS_AWAY = "the repository's core.worktree points away from this folder";

function switchedOff(
  git: Git,
  names: readonly string[],
): Approach {
  const settings = new Set<string>();
  const filters = new Set<string>();
  for (const name of names) {
    const [, section, driver, variable] = /^(filter|merge|diff)\.(.+)\.([^.]+)$/s.exec(name) ?? [];
    const replacements = section === undefined
      ? undefined
      : PROGRAM_SETTINGS[section].get(variable);
    if (replacements === undefined) continue;
    if (driver.includes("=") || settings.size > MAX_PROGRAMS) {
      return {
        status: "refused",
        reason:
          `${STATUS_FAILED}: the program set up as ${section}.${driver} cannot be switched off`,
      };
    }
    if (section === "filter") filters.add(driver);
    for (const replacement of replacements) settings.add(`${section}.${driver}.${replacement}`);
  }
  return { status: "ready", git: git.configured([...settings]), filters };
}
