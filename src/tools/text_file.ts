import type { Runtime } from "../runtime/port.ts";
import type { ToolPath } from "./tool_path.ts";

/** Bytes of the largest file the tools read: more is no source text, and it would stand in memory twice. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Bytes looked at to tell text from binary data, as git does. */
const BINARY_PROBE_BYTES = 8_000;

/** A text file as it stands on the disk. */
export interface TextFile {
  readonly text: string;
  /** Permission bits. */
  readonly mode: number;
  readonly bytes: number;
}

/**
 * Reads a text file.
 *
 * @throws {Error} when there is none, it is too large, binary, not UTF-8, or no plain file.
 */
export async function readTextFile(runtime: Runtime, path: ToolPath): Promise<TextFile> {
  if (path.target === null) throw new Error(`Cannot read ${path.given}: there is no such file`);
  if (path.target === "directory") throw new Error(`Cannot read ${path.given}: it is a folder`);
  if (path.target !== "file") throw new Error(`Cannot read ${path.given}: it is no plain file`);
  const information = await runtime.fs.information(path.real);
  if (information === null) throw new Error(`Cannot read ${path.given}: it has just gone`);
  if (information.size > MAX_FILE_BYTES) {
    throw new Error(
      `Cannot read ${path.given}: it has ${information.size} bytes, more than ${MAX_FILE_BYTES}; ` +
        "search in it instead",
    );
  }
  const bytes = await runtime.fs.readFile(path.real);
  if (isBinary(bytes)) throw new Error(`Cannot read ${path.given}: it is a binary file`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, mode: information.mode, bytes: bytes.length };
  } catch {
    throw new Error(`Cannot read ${path.given}: it is not UTF-8 text`);
  }
}

/** Whether bytes are no text: a NUL near the beginning. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_PROBE_BYTES).includes(0);
}
