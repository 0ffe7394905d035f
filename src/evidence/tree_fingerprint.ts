import type { Runtime } from "../runtime/port.ts";
import type { TreeEntry } from "./working_tree.ts";

/** Bytes of a file that are still read to tell two states apart; a larger file is told by size and time. */
const MAX_HASHED_BYTES = 4 * 1024 * 1024;

/** Files whose content is read; of more than that the rest is told by size and time. */
const MAX_HASHED_FILES = 1_000;

/**
 * Says for each entry what state it is in, so that the same entry can be compared later.
 *
 * Equal texts mean the same state in git's eyes and the same content on disk.
 *
 * @param root The absolute top of the working tree.
 */
export async function fingerprintEntries(
  runtime: Runtime,
  root: string,
  entries: readonly TreeEntry[],
): Promise<ReadonlyMap<string, string>> {
  const fingerprints = new Map<string, string>();
  let hashed = 0;
  for (const entry of entries) {
    const { text, read } = await contentState(
      runtime,
      `${root}/${entry.path}`,
      hashed < MAX_HASHED_FILES,
    );
    if (read) hashed++;
    fingerprints.set(entry.path, `${entry.state} ${text}`);
  }
  return fingerprints;
}

async function contentState(
  runtime: Runtime,
  path: string,
  mayRead: boolean,
): Promise<{ readonly text: string; readonly read: boolean }> {
  try {
    const found = await runtime.fs.information(path);
    if (found === null) return { text: "gone", read: false };
    if (found.kind === "link") {
      return { text: `link ${await runtime.fs.readLink(path)}`, read: false };
    }
    if (found.kind !== "file") return { text: found.kind, read: false };
    if (mayRead && found.size <= MAX_HASHED_BYTES) {
      const digest = await runtime.sha256(await runtime.fs.readFile(path));
      return { text: digest, read: true };
    }
    return { text: `${found.size} ${Math.trunc(found.modifiedMs)}`, read: false };
  } catch {
    return { text: "unreadable", read: false };
  }
}
