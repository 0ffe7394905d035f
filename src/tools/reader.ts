import { z } from "zod";
import { defineTool } from "../action/define_tool.ts";
import type { Tool } from "../action/tool.ts";
import type { Runtime } from "../runtime/port.ts";
import { readTextFile } from "./text_file.ts";
import { toolPath } from "./tool_path.ts";

/** Lines given when a call does not say how many: what a model reads at one go. */
export const DEFAULT_LINES = 2_000;

/** Characters given by one call; more is cut, and the answer says where to go on. */
export const MAX_READ_CHARACTERS = 100_000;

/** Characters of one line; the rest of a longer line is cut. */
export const MAX_LINE_CHARACTERS = 2_000;

/** Names given of one folder. */
const MAX_ENTRIES = 1_000;

/** The arguments of `reader`. */
export const readerRequest = z.object({
  action: z.enum(["read", "list"]).default("read").describe(
    "read: the lines of a text file; list: the names in a folder",
  ),
  path: z.string().describe("The file or folder; relative paths begin in the workspace"),
  offset: z.number().int().min(1).default(1).describe("The first line to read, counted from 1"),
  limit: z.number().int().min(1).max(DEFAULT_LINES).default(DEFAULT_LINES).describe(
    "How many lines to read",
  ),
});

/** What a read gives. */
export interface ReadResult {
  readonly path: string;
  readonly content: string;
  /** The first and the last line given, counted from 1; both 0 for an empty file. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly totalLines: number;
  /** The line to go on with; `null` at the end of the file. */
  readonly nextOffset: number | null;
}

/** What a list gives: names, folders with a slash at the end. */
export interface ListResult {
  readonly path: string;
  readonly entries: readonly string[];
  readonly truncated: boolean;
}

/** Where a file tool works. */
export interface FileToolOptions {
  /** The absolute folder that relative paths begin in. */
  readonly cwd: string;
}

/** The tool that reads text files by lines, and lists folders. */
export function readerTool(runtime: Runtime, options: FileToolOptions): Tool {
  return defineTool({
    name: "reader",
    description: "Reads a range of lines of a text file, or lists a folder.",
    request: readerRequest,
    run: (given) => {
      const request = readerRequest.parse(given);
      return request.action === "list"
        ? listFolder(runtime, options.cwd, request.path)
        : readLines(runtime, options.cwd, request);
    },
  });
}

async function readLines(
  runtime: Runtime,
  cwd: string,
  { path, offset, limit }: z.output<typeof readerRequest>,
): Promise<ReadResult> {
  const { text } = await readTextFile(runtime, await toolPath(runtime, cwd, path));
  const lines = text.split("\n");
  // A line end at the end of the file ends a line; it does not begin one.
  if (lines.at(-1) === "") lines.pop();
  if (offset > Math.max(lines.length, 1)) {
    throw new Error(`Cannot read ${path} from line ${offset}: it has ${lines.length} lines`);
  }
  const kept: string[] = [];
  let characters = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const shown = line.length > MAX_LINE_CHARACTERS
      ? `${line.slice(0, MAX_LINE_CHARACTERS)} [line cut, ${line.length} characters]`
      : line;
    if (characters + shown.length > MAX_READ_CHARACTERS && kept.length > 0) break;
    kept.push(shown);
    characters += shown.length + 1;
  }
  const lastLine = offset - 1 + kept.length;
  return {
    path,
    content: kept.join("\n"),
    firstLine: kept.length === 0 ? 0 : offset,
    lastLine: kept.length === 0 ? 0 : lastLine,
    totalLines: lines.length,
    nextOffset: lastLine < lines.length ? lastLine + 1 : null,
  };
}

async function listFolder(runtime: Runtime, cwd: string, given: string): Promise<ListResult> {
  const path = await toolPath(runtime, cwd, given);
  if (path.target === null) throw new Error(`Cannot list ${given}: there is no such folder`);
  if (path.target !== "directory") throw new Error(`Cannot list ${given}: it is no folder`);
  const names = (await runtime.fs.list(path.real)).sort();
  const entries = await Promise.all(
    names.slice(0, MAX_ENTRIES).map(async (name) => {
      const found = await runtime.fs.information(`${path.real}/${name}`);
      return found?.kind === "directory" ? `${name}/` : found?.kind === "link" ? `${name}@` : name;
    }),
  );
  return { path: given, entries, truncated: names.length > MAX_ENTRIES };
}
