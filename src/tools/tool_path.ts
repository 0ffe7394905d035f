import { type AbsolutePath, containsPath, formatPath, readPath } from "../guards/absolute_path.ts";
import { realPath } from "../guards/real_path.ts";
import type { Runtime } from "../runtime/port.ts";

/** A path that a tool was given, and where it leads. */
export interface ToolPath {
  /** The path as it was given. */
  readonly given: string;
  /** The absolute path as written; `..` is left to the system, which leaves a link's target by it. */
  readonly written: string;
  /** The absolute path with every link followed. */
  readonly real: string;
  readonly realParts: AbsolutePath;
  /** What stands there; `null` when nothing does. */
  readonly target: "file" | "directory" | "other" | null;
}

/**
 * Reads a path as the path guard reads it, so that what was judged is what is opened.
 *
 * @param cwd The absolute folder that relative paths begin in.
 * @throws {Error} when the path has no plain meaning, or its links go round in a circle.
 */
export async function toolPath(runtime: Runtime, cwd: string, given: string): Promise<ToolPath> {
  const style = runtime.env.platform === "windows" ? "windows" : "posix";
  const written = absolutePath(given, cwd, style);
  const found = await realPath(written, runtime.fs, style);
  if (found.kind === "loop") throw new Error(`Cannot use ${given}: its links go round in a circle`);
  if (found.kind === "not-understood") throw new Error(`Cannot use ${given}: ${found.why}`);
  return {
    given,
    written: formatPath(written),
    real: formatPath(found.path),
    realParts: found.path,
    target: found.target,
  };
}

/** Whether a path really leads to a folder or somewhere below it. */
export function isBelow(path: ToolPath, folder: ToolPath): boolean {
  return containsPath(folder.realParts, path.realParts, false);
}

function absolutePath(given: string, cwd: string, style: "posix" | "windows"): AbsolutePath {
  if (given === "") throw new Error("Cannot use an empty path: name a file or a folder");
  const reading = readPath(given, style);
  switch (reading.kind) {
    case "absolute":
      return reading.path;
    case "not-understood":
      throw new Error(`Cannot use ${given}: ${reading.why}`);
    case "home":
      throw new Error(`Cannot use ${given}: "~" is not expanded here; write the whole path`);
    case "relative": {
      const base = readPath(cwd, style);
      if (base.kind !== "absolute") {
        throw new Error(`Cannot use ${given}: the tool's folder ${cwd} is not absolute`);
      }
      return { root: base.path.root, parts: [...base.path.parts, ...reading.parts] };
    }
    default:
      return reading satisfies never;
  }
}
