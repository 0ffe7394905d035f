import { z } from "zod";
import { defineTool } from "../action/define_tool.ts";
import type { Tool } from "../action/tool.ts";
import type { Runtime } from "../runtime/port.ts";
import type { FileToolOptions } from "./reader.ts";
import { MAX_FILE_BYTES, readTextFile } from "./text_file.ts";
import { type ToolPath, toolPath } from "./tool_path.ts";

/** The arguments of `editor`. */
export const editorRequest = z.object({
  action: z.enum(["write", "create", "edit"]).describe(
    "write: the whole file, replacing what is there; create: a new file; edit: replace an exact text",
  ),
  file_path: z.string().describe("The file; relative paths begin in the workspace"),
  content: z.string().optional().describe("The whole text, for write and create"),
  old_string: z.string().optional().describe("The exact text to replace, for edit"),
  new_string: z.string().optional().describe("What takes its place, for edit"),
  replace_all: z.boolean().default(false).describe(
    "Replace every occurrence; otherwise old_string must occur exactly once",
  ),
});

/** What an edit gives. */
export interface EditResult {
  readonly path: string;
  readonly action: "write" | "create" | "edit";
  /** Whether the file is new. */
  readonly created: boolean;
  /** How many occurrences were replaced; `null` unless it was an edit. */
  readonly replacements: number | null;
  /** Bytes of the file now. */
  readonly bytes: number;
}

/**
 * The tool that writes text files.
 *
 * It never writes through a symbolic link: a link that is put there between the judgement and the write is replaced or
 * refused, and what it points to stays untouched.
 */
export function editorTool(runtime: Runtime, options: FileToolOptions): Tool {
  return defineTool({
    name: "editor",
    description: "Writes, creates, or edits a text file by exact replacement.",
    request: editorRequest,
    run: async (given) => {
      const request = editorRequest.parse(given);
      const path = await toolPath(runtime, options.cwd, request.file_path);
      await refuseLink(runtime, path);
      return request.action === "edit"
        ? await edit(runtime, path, request)
        : await write(runtime, path, request);
    },
  });
}

async function write(
  runtime: Runtime,
  path: ToolPath,
  request: z.output<typeof editorRequest>,
): Promise<EditResult> {
  const { action, content } = request;
  if (content === undefined) throw new Error(`Cannot ${action} ${path.given}: content is missing`);
  if (path.target === "directory") {
    throw new Error(`Cannot ${action} ${path.given}: it is a folder`);
  }
  if (path.target === "other") {
    throw new Error(`Cannot ${action} ${path.given}: it is no plain file`);
  }
  if (action === "create" && path.target !== null) {
    throw new Error(`Cannot create ${path.given}: it is there already; use write or edit`);
  }
  const mode = (await runtime.fs.information(path.real))?.mode;
  await runtime.fs.makeDirectory(folderOf(path.real));
  const bytes = await store(runtime, path, content, mode);
  return { path: path.given, action, created: path.target === null, replacements: null, bytes };
}

async function edit(
  runtime: Runtime,
  path: ToolPath,
  request: z.output<typeof editorRequest>,
): Promise<EditResult> {
  const { old_string: before, new_string: after, replace_all: all } = request;
  if (before === undefined || after === undefined) {
    throw new Error(`Cannot edit ${path.given}: give old_string and new_string`);
  }
  if (before === "") throw new Error(`Cannot edit ${path.given}: old_string is empty; use write`);
  if (before === after) throw new Error(`Cannot edit ${path.given}: the two texts are the same`);
  const { text, mode } = await readTextFile(runtime, path);
  const parts = text.split(before);
  const found = parts.length - 1;
  if (found === 0) throw new Error(`Cannot edit ${path.given}: ${whyNotFound(text, before)}`);
  if (found > 1 && !all) {
    throw new Error(
      `Cannot edit ${path.given}: old_string occurs ${found} times, on the lines ${
        linesOf(parts, before).join(", ")
      }; give more of the text around it, or set replace_all`,
    );
  }
  const bytes = await store(runtime, path, parts.join(after), mode);
  return { path: path.given, action: "edit", created: false, replacements: found, bytes };
}

async function store(
  runtime: Runtime,
  path: ToolPath,
  text: string,
  mode: number | undefined,
): Promise<number> {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MAX_FILE_BYTES) {
    throw new Error(`Cannot write ${path.given}: more than ${MAX_FILE_BYTES} bytes`);
  }
  // The port writes beside the file and renames: a link in the last place is replaced, never followed.
  await runtime.fs.writeFile(path.real, bytes, { mode });
  return bytes.length;
}

/** A link in the last place must be named by its target: the controls judge the name that is written to. */
async function refuseLink(runtime: Runtime, path: ToolPath): Promise<void> {
  const found = await runtime.fs.information(path.written).catch(() => null);
  if (found?.kind !== "link") return;
  throw new Error(
    `Cannot write ${path.given}: it is a symbolic link to ${path.real}; name that file instead`,
  );
}

function whyNotFound(text: string, before: string): string {
  if (text.includes("\r\n") && text.replaceAll("\r\n", "\n").includes(before)) {
    return "old_string is not in the file as given: its lines end in CRLF";
  }
  const squeezed = (value: string): string => value.replace(/\s+/g, " ").trim();
  return squeezed(text).includes(squeezed(before))
    ? "old_string is in the file only with other white space; read the file and copy it exactly"
    : "old_string is not in the file; read the file again";
}

/** The lines, counted from 1, on which the occurrences begin. */
function linesOf(parts: readonly string[], before: string): number[] {
  const lines: number[] = [];
  let line = 1;
  for (const part of parts.slice(0, -1)) {
    line += part.split("\n").length - 1;
    lines.push(line);
    line += before.split("\n").length - 1;
  }
  return lines;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.search(/[\\/][^\\/]*$/), 1));
}
