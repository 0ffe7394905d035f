import type { FileInformation, FileSystemPort } from "../runtime/port.ts";

/** Bytes of a settings or pointer file worth reading; a larger one is left to git. */
const MAX_BYTES = 64 * 1024;

/** What stands at the place of a small file. */
export type SmallFile =
  | { readonly found: "text"; readonly text: string }
  | { readonly found: "nothing" }
  /** A link, a folder, a pipe, something too large, or something unreadable. */
  | { readonly found: "other" };

/** Reads a small plain file. Anything but a plain file is not opened: a named pipe would never answer. */
export async function readSmallFile(fs: FileSystemPort, path: string): Promise<SmallFile> {
  try {
    const information = await fs.information(path);
    if (information === null) return { found: "nothing" };
    if (information.kind !== "file" || information.size > MAX_BYTES) return { found: "other" };
    return { found: "text", text: new TextDecoder().decode(await fs.readFile(path)) };
  } catch {
    return { found: "other" };
  }
}

/** The kind of what stands at a path, links not followed; `null` when nothing does. */
export async function kindAt(
  fs: FileSystemPort,
  path: string,
): Promise<FileInformation["kind"] | null> {
  try {
    return (await fs.information(path))?.kind ?? null;
  } catch {
    return "other";
  }
}
