import type { Git, GitAnswer } from "./git_command.ts";
import { approachRepository } from "./approach_repository.ts";
import { STATUS_FAILED, whyNoWorkingTree } from "./why_no_working_tree.ts";
import { parseWorkingTree, type TreeEntry, type WorkingTree } from "./working_tree.ts";

/** A working tree, or why git could not describe it. */
export type Inspection =
  | {
    readonly status: "seen";
    readonly tree: WorkingTree;
    /** Why a tree without entries may still have some: what could not be compared; else empty. */
    readonly doubt: string;
  }
  | { readonly status: "failed"; readonly reason: string };

/** How a working tree is to be looked at. */
export interface InspectionOptions {
  /** `normal` names an untracked folder, `all` every file in it. */
  readonly untracked: "normal" | "all";
  /** Filters that are switched off; a file behind one cannot be compared. */
  readonly filters: ReadonlySet<string>;
}

/** Submodules within submodules that are looked into; deeper ones leave a doubt. */
const MAX_DEPTH = 8;

/** Submodules of one tree that are looked into; more leave a doubt. */
const MAX_SUBMODULES = 100;

/**
 * Asks `git status` what differs from HEAD.
 *
 * Git would run a second git inside every submodule, with that submodule's settings; here that second git
 * cannot start. Where there are submodules each is asked on its own, as carefully as the first.
 */
export function inspectWorkingTree(git: Git, options: InspectionOptions): Promise<Inspection> {
  return inspect(git, options, 0);
}

async function inspect(
  git: Git,
  options: InspectionOptions,
  depth: number,
): Promise<Inspection> {
  const first = await git.run(statusCommand(options.untracked, "none"));
  if (first.status === "failed" && /submodule/.test(first.message)) {
    return await inspectWithSubmodules(git, options, depth);
  }
  return await compared(git, options, first, []);
}

function statusCommand(untracked: "normal" | "all", ignoredSubmodules: "none" | "dirty"): string[] {
  return [
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    `--untracked-files=${untracked}`, // a setting must not hide work
    `--ignore-submodules=${ignoredSubmodules}`,
    "--no-renames", // comparing contents costs, and needs objects a partial clone may lack
  ];
}

async function inspectWithSubmodules(
  git: Git,
  options: InspectionOptions,
  depth: number,
): Promise<Inspection> {
  const top = await git.run(["rev-parse", "--show-toplevel"]);
  if (top.status !== "ok") return { status: "failed", reason: whyNoWorkingTree(top) };
  const root = top.output.replace(/\n$/, "");
  const [status, listed] = await Promise.all([
    git.run(statusCommand(options.untracked, "dirty")),
    git.at(root).run(["ls-files", "--stage", "-z"], { outputLimit: 256 * 1024 * 1024 }),
  ]);
  if (listed.status !== "ok" || listed.truncated) {
    return { status: "failed", reason: `${STATUS_FAILED}: its submodules cannot be listed` };
  }
  const inside: TreeEntry[] = [];
  let doubt = "";
  const paths = submodulePaths(listed.output);
  if (paths.length > MAX_SUBMODULES || depth >= MAX_DEPTH) {
    doubt = "there are more submodules than are looked into";
  }
  for (const path of depth >= MAX_DEPTH ? [] : paths.slice(0, MAX_SUBMODULES)) {
    const folder = `${root}/${path}`;
    if (!git.runtime.fs.exists(`${folder}/.git`)) continue;
    const found = await inspectSubmodule(git.at(folder), folder, depth);
    if (found === "dirty") {
      inside.push({ path, code: ".M", state: "submodule with changes", submodule: true });
    } else if (found !== "clean") {
      doubt = `the submodule ${path} cannot be looked into (${found.reason})`;
    }
  }
  const seen = await compared(git, options, status, inside);
  return seen.status === "seen" && seen.doubt === "" ? { ...seen, doubt } : seen;
}

async function inspectSubmodule(
  git: Git,
  folder: string,
  depth: number,
): Promise<"clean" | "dirty" | { readonly reason: string }> {
  const top = await git.run(["rev-parse", "--show-toplevel"]);
  if (top.status !== "ok" || top.output.replace(/\n$/, "") !== folder) {
    return { reason: "it is not a repository of its own" };
  }
  const approach = await approachRepository(git);
  if (approach.status === "refused") return approach;
  const { filters } = approach;
  const found = await inspect(approach.git, { untracked: "normal", filters }, depth + 1);
  if (found.status === "failed") return found;
  if (found.tree.entries.length > 0) return "dirty";
  return found.doubt === "" ? "clean" : { reason: found.doubt };
}

/** The paths of mode 160000 in `git ls-files --stage -z`. */
function submodulePaths(output: string): string[] {
  return output.split("\0")
    .filter((record) => record.startsWith("160000 "))
    .map((record) => record.slice(record.indexOf("\t") + 1));
}

/** Turns git's answer into an inspection; a difference that only a filter could explain away is a doubt. */
async function compared(
  git: Git,
  options: InspectionOptions,
  answer: GitAnswer,
  inside: readonly TreeEntry[],
): Promise<Inspection> {
  if (answer.status !== "ok") return { status: "failed", reason: whyNoWorkingTree(answer) };
  const tree = parseWorkingTree(answer.output, answer.truncated);
  const known = new Set(tree.entries.map((entry) => entry.path));
  const entries = [...tree.entries, ...inside.filter((entry) => !known.has(entry.path))];
  const whole: WorkingTree = { ...tree, entries };
  const contentOnly = entries.filter(onlyContentDiffers);
  if (options.filters.size === 0 || contentOnly.length === 0) {
    return { status: "seen", tree: whole, doubt: "" };
  }
  const filtered = await filteredPaths(git, options.filters, contentOnly);
  if (filtered === null) {
    return { status: "failed", reason: `${STATUS_FAILED}: the files' attributes cannot be read` };
  }
  if (filtered.size === 0) return { status: "seen", tree: whole, doubt: "" };
  return {
    status: "seen",
    tree: { ...whole, entries: entries.filter((entry) => !filtered.has(entry.path)) },
    doubt:
      `${filtered.size} ${
        filtered.size === 1 ? "file" : "files"
      } behind a content filter may have ` +
      "changed, and the filter is not run",
  };
}

/** Whether an entry is a tracked file whose content in the working tree looks different, and nothing else. */
function onlyContentDiffers(entry: TreeEntry): boolean {
  if (entry.code !== ".M" || entry.submodule) return false;
  const [, , modeInHead, modeInIndex, modeInTree] = entry.state.split(" ");
  return modeInHead === modeInIndex && modeInIndex === modeInTree;
}

/** Which of the entries have one of the filters by their attributes; `null` when git cannot tell. */
async function filteredPaths(
  git: Git,
  filters: ReadonlySet<string>,
  entries: readonly TreeEntry[],
): Promise<ReadonlySet<string> | null> {
  const top = await git.run(["rev-parse", "--show-toplevel"]);
  if (top.status !== "ok") return null;
  const answer = await git.at(top.output.replace(/\n$/, "")).run(
    ["check-attr", "-z", "--stdin", "filter"],
    { stdin: entries.map((entry) => `${entry.path}\0`).join("") },
  );
  if (answer.status !== "ok" || answer.truncated) return null;
  const fields = answer.output.split("\0");
  const filtered = new Set<string>();
  for (let index = 0; index + 2 < fields.length; index += 3) {
    if (filters.has(fields[index + 2])) filtered.add(fields[index]);
  }
  return filtered;
}
