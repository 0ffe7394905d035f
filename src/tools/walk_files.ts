import type { Runtime } from "../runtime/port.ts";

/** Files looked at by one walk; a larger tree belongs in a repository, where git lists it. */
const MAX_FILES = 50_000;

/** How deep folders are entered. */
const MAX_DEPTH = 60;

/** The ignore files that are honoured, the later ones over the earlier. */
const IGNORE_FILES: readonly string[] = [".gitignore", ".ignore"];

/** What of a matcher of ignore rules is used. */
interface IgnoreRules {
  add(rules: string): unknown;
  test(path: string): { ignored: boolean; unignored: boolean };
}

/** The rules of one folder, for paths below it. */
interface FolderRules {
  /** The folder's path from the root, with a slash at its end; empty for the root. */
  readonly prefix: string;
  readonly rules: IgnoreRules;
}

/** What a walk found. */
export interface WalkedFiles {
  /** Paths from the root, with forward slashes, in order. */
  readonly paths: readonly string[];
  /** Whether the walk ended before the tree did. */
  readonly truncated: boolean;
}

/**
 * Lists the files below a folder where there is no git to ask, without what ignore files leave out. Links are not
 * followed, `.git` is not entered, and a folder that cannot be read is passed over.
 */
export async function walkFiles(
  runtime: Runtime,
  root: string,
  options: { readonly includeIgnored: boolean; readonly signal?: AbortSignal },
): Promise<WalkedFiles> {
  const { default: ignore } = await import("ignore");
  const newRules = ignore as unknown as () => IgnoreRules;
  const paths: string[] = [];
  let truncated = false;
  const enter = async (
    prefix: string,
    above: readonly FolderRules[],
    depth: number,
  ): Promise<void> => {
    options.signal?.throwIfAborted();
    const names = await runtime.fs.list(`${root}/${prefix}`).catch((): string[] => []);
    const rules = options.includeIgnored
      ? above
      : [...above, ...await rulesOf(runtime, root, prefix, names, newRules)];
    for (const name of names.sort()) {
      if (name === ".git") continue;
      if (paths.length >= MAX_FILES) {
        truncated = true;
        return;
      }
      const path = `${prefix}${name}`;
      const found = await runtime.fs.information(`${root}/${path}`).catch(() => null);
      if (found?.kind === "directory") {
        if (isIgnored(`${path}/`, rules)) continue;
        if (depth >= MAX_DEPTH) truncated = true;
        else await enter(`${path}/`, rules, depth + 1);
      } else if (found?.kind === "file" && !isIgnored(path, rules)) paths.push(path);
    }
  };
  await enter("", [], 0);
  return { paths, truncated };
}

async function rulesOf(
  runtime: Runtime,
  root: string,
  prefix: string,
  names: readonly string[],
  newRules: () => IgnoreRules,
): Promise<FolderRules[]> {
  const found: FolderRules[] = [];
  for (const name of IGNORE_FILES) {
    if (!names.includes(name)) continue;
    const bytes = await runtime.fs.readFile(`${root}/${prefix}${name}`).catch(() => null);
    if (bytes === null) continue;
    const rules = newRules();
    rules.add(new TextDecoder().decode(bytes));
    found.push({ prefix, rules });
  }
  return found;
}

/** The last rule that speaks decides: deeper files over those above. */
function isIgnored(path: string, rules: readonly FolderRules[]): boolean {
  let ignored = false;
  for (const { prefix, rules: own } of rules) {
    const said = own.test(path.slice(prefix.length));
    if (said.ignored) ignored = true;
    else if (said.unignored) ignored = false;
  }
  return ignored;
}
