import picomatch from "picomatch";
import { z } from "zod";
import { defineTool } from "../action/define_tool.ts";
import type { Tool } from "../action/tool.ts";
import type { Git } from "../evidence/git_command.ts";
import { openGit } from "../evidence/open_git.ts";
import { protectedFile } from "../guards/protected_files.ts";
import type { Runtime } from "../runtime/port.ts";
import type { FileToolOptions } from "./reader.ts";
import { searchableExpression } from "./searchable_expression.ts";
import { isBinary } from "./text_file.ts";
import { isBelow, type ToolPath, toolPath } from "./tool_path.ts";
import { walkFiles } from "./walk_files.ts";

/** Results of one call when it does not say how many. */
export const DEFAULT_RESULTS = 200;

/** Results of one call at most. */
export const MAX_RESULTS = 1_000;

/** Characters shown of a matching line. */
const MAX_LINE_CHARACTERS = 500;

/** Bytes of the largest file that is searched without git. */
const MAX_SEARCHED_BYTES = 1024 * 1024;

/** What git says when it was built without the library for `-P`. */
const NO_PERL_EXPRESSIONS = /Perl-compatible regexes|USE_LIBPCRE/;

/** The arguments of `search`. */
export const searchRequest = z.object({
  action: z.enum(["content", "names"]).default("content").describe(
    "content: lines that match a regular expression; names: files whose path matches a glob",
  ),
  pattern: z.string().min(1).describe("The regular expression, or for names the glob (**/*.ts)"),
  path: z.string().default(".").describe("The folder or file to search in"),
  glob: z.string().optional().describe("For content: only in files whose path matches this glob"),
  ignore_case: z.boolean().default(false),
  literal: z.boolean().default(false).describe("Take the pattern as plain text"),
  include_ignored: z.boolean().default(false).describe("Search what ignore files leave out, too"),
  max_results: z.number().int().min(1).max(MAX_RESULTS).default(DEFAULT_RESULTS),
});

type SearchRequest = z.output<typeof searchRequest>;

/** A line that matched. */
export interface SearchMatch {
  /** The path from the searched folder. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** What a search gives: `matches` for content, `files` for names. */
export interface SearchResult {
  readonly matches?: readonly SearchMatch[];
  readonly files?: readonly string[];
  /** Whether there is more than is given. */
  readonly truncated: boolean;
  /** Files with matches that are not shown, because their names mean secrets. */
  readonly withheld?: readonly string[];
}

/** Where `search` works. */
export interface SearchOptions extends FileToolOptions {
  /** Whether searches may leave `cwd`. Default `false`. */
  readonly anywhere?: boolean;
}

/**
 * The tool that searches contents and names. In a repository git does it; elsewhere an own walk. Both leave out what
 * ignore files leave out, follow no links, and pass over binary files and the lines of files whose names mean secrets.
 */
export function searchTool(runtime: Runtime, options: SearchOptions): Tool {
  return defineTool({
    name: "search",
    description: "Searches file contents by regular expression, or file names by glob.",
    request: searchRequest,
    run: async (given, { signal }): Promise<SearchResult> => {
      const request = searchRequest.parse(given);
      const path = await searchedPath(runtime, options, request.path);
      const place = placeOf(path);
      const git = await repositoryGit(runtime, place.folder);
      return request.action === "names"
        ? await searchNames(runtime, git, place, request, signal)
        : await searchContent(runtime, git, place, request, signal);
    },
  });
}

/** A folder to search in, or one file of it. */
interface Place {
  readonly folder: string;
  readonly file: string | null;
}

async function searchedPath(
  runtime: Runtime,
  options: SearchOptions,
  given: string,
): Promise<ToolPath> {
  const path = await toolPath(runtime, options.cwd, given);
  if (options.anywhere !== true && !isBelow(path, await toolPath(runtime, options.cwd, "."))) {
    throw new Error(`Cannot search ${given}: it is outside ${options.cwd}`);
  }
  if (path.target === null) throw new Error(`Cannot search ${given}: there is no such path`);
  if (path.target === "other") throw new Error(`Cannot search ${given}: it is no file or folder`);
  return path;
}

function placeOf({ real, target }: ToolPath): Place {
  if (target === "directory") return { folder: real, file: null };
  const cut = real.search(/[\\/][^\\/]*$/);
  return { folder: real.slice(0, Math.max(cut, 1)), file: real.slice(cut + 1) };
}

/** Git for a folder in a working tree; `null` where git cannot help. */
async function repositoryGit(runtime: Runtime, folder: string): Promise<Git | null> {
  const git = await openGit(runtime, folder);
  if (typeof git === "string") return null;
  const inside = await git.run(["rev-parse", "--is-inside-work-tree"]);
  return inside.status === "ok" && inside.output.trim() === "true" ? git : null;
}

async function searchNames(
  runtime: Runtime,
  git: Git | null,
  place: Place,
  request: SearchRequest,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  const { paths, truncated } = await listedFiles(runtime, git, place, request, signal);
  const matches = globMatcher(request.pattern, request.ignore_case);
  const files: string[] = [];
  for (const path of paths) {
    if (!matches(path)) continue;
    if (files.length === request.max_results) return { files, truncated: true };
    // Git lists what was removed and not yet committed, too.
    const found = await runtime.fs.information(`${place.folder}/${path}`).catch(() => null);
    if (found !== null) files.push(path);
  }
  return { files, truncated };
}

async function listedFiles(
  runtime: Runtime,
  git: Git | null,
  place: Place,
  request: SearchRequest,
  signal: AbortSignal | undefined,
): Promise<{ paths: readonly string[]; truncated: boolean }> {
  if (place.file !== null) return { paths: [place.file], truncated: false };
  const listed = await git?.run([
    "ls-files",
    "-z",
    "--cached",
    "--others",
    ...(request.include_ignored ? [] : ["--exclude-standard"]),
  ]);
  if (listed?.status === "ok") {
    const names = listed.output.split("\0");
    // The last piece is empty, or a name that was cut.
    names.pop();
    return { paths: [...new Set(names)].sort(), truncated: listed.truncated };
  }
  return await walkFiles(runtime, place.folder, {
    includeIgnored: request.include_ignored,
    signal,
  });
}

async function searchContent(
  runtime: Runtime,
  git: Git | null,
  place: Place,
  request: SearchRequest,
  signal: AbortSignal | undefined,
): Promise<SearchResult> {
  const wanted = request.glob === undefined ? () => true : globMatcher(request.glob, false);
  if (git !== null) {
    const found = await gitMatches(git, place, request);
    if (found !== null) {
      const all = found.matches.filter(({ path }) => wanted(path));
      const withheld = all.map(({ path }) => path).filter(holdsSecrets);
      const matches = all.filter(({ path }) => !holdsSecrets(path));
      return {
        matches: matches.slice(0, request.max_results),
        truncated: found.truncated || matches.length > request.max_results,
        withheld: [...new Set(withheld)],
      };
    }
  }
  const expression = searchableExpression(request.pattern, request);
  const { paths, truncated } = await listedFiles(runtime, git, place, request, signal);
  const matches: SearchMatch[] = [];
  const withheld: string[] = [];
  for (const path of paths) {
    if (!wanted(path)) continue;
    signal?.throwIfAborted();
    const found = await fileMatches(runtime, place.folder, path, expression);
    if (found.length > 0 && holdsSecrets(path)) {
      withheld.push(path);
      continue;
    }
    for (const match of found) {
      if (matches.length === request.max_results) return { matches, truncated: true, withheld };
      matches.push(match);
    }
  }
  return { matches, truncated, withheld };
}

/** Whether a file's name means that it holds secrets; its lines are never shown. */
function holdsSecrets(path: string): boolean {
  return protectedFile({ root: "/", parts: path.split("/") }, "read", null) !== null;
}

/** What `git grep` finds; `null` when this git cannot search so. */
async function gitMatches(
  git: Git,
  place: Place,
  request: SearchRequest,
): Promise<{ matches: SearchMatch[]; truncated: boolean } | null> {
  const settings = ["grep.fullName=false", "grep.column=false", "grep.fallbackToNoIndex=false"];
  const answer = await git.configured(settings).run([
    "grep",
    "--untracked",
    request.include_ignored ? "--no-exclude-standard" : "--exclude-standard",
    "--no-recurse-submodules",
    "--no-color",
    "--no-textconv",
    "--line-number",
    "--null",
    "-I",
    request.literal ? "-F" : "-P",
    ...(request.ignore_case ? ["-i"] : []),
    "-e",
    request.pattern,
    "--",
    place.file === null ? "." : `:(literal)${place.file}`,
  ]);
  switch (answer.status) {
    case "ok":
      return { matches: parseMatches(answer.output), truncated: answer.truncated };
    case "timed-out":
      throw new Error(`Cannot search for ${request.pattern}: it took too long; narrow the path`);
    case "not-started":
      return null;
    case "failed":
      if (answer.code === 1 && answer.message === "") return { matches: [], truncated: false };
      if (NO_PERL_EXPRESSIONS.test(answer.message)) return null;
      throw new Error(`Cannot search for ${request.pattern}: ${answer.message}`);
    default:
      return answer satisfies never;
  }
}

/** Reads the lines `path NUL number NUL text` of `git grep --null --line-number`. */
function parseMatches(output: string): SearchMatch[] {
  const matches: SearchMatch[] = [];
  for (const line of output.split("\n")) {
    const [path, number, ...text] = line.split("\0");
    if (text.length === 0) continue;
    matches.push({ path, line: Number(number), text: clipped(text.join("\0")) });
  }
  return matches;
}

async function fileMatches(
  runtime: Runtime,
  folder: string,
  path: string,
  expression: (line: string) => boolean,
): Promise<SearchMatch[]> {
  const whole = `${folder}/${path}`;
  const information = await runtime.fs.information(whole).catch(() => null);
  if (information?.kind !== "file" || information.size > MAX_SEARCHED_BYTES) return [];
  const bytes = await runtime.fs.readFile(whole).catch(() => null);
  if (bytes === null || isBinary(bytes)) return [];
  const matches: SearchMatch[] = [];
  for (const [index, text] of new TextDecoder().decode(bytes).split("\n").entries()) {
    if (expression(text)) matches.push({ path, line: index + 1, text: clipped(text) });
  }
  return matches;
}

/** A glob without a slash is asked of the file's name, one with a slash of the path from the searched folder. */
function globMatcher(glob: string, ignoreCase: boolean): (path: string) => boolean {
  const options = { dot: true, nocase: ignoreCase };
  const matches: (path: string) => boolean = picomatch(glob, options);
  return glob.includes("/")
    ? (path) => matches(path)
    : (path) => matches(path.slice(path.lastIndexOf("/") + 1));
}

function clipped(text: string): string {
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  return line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line;
}
