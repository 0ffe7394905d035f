import type { FileSystemPort } from "../runtime/port.ts";

/** What git is in the middle of. */
export type Operation = "merge" | "rebase" | "cherry-pick" | "revert" | "bisect";

/** The file or folder by which git itself knows that it is in the middle of something. */
const MARKERS: readonly (readonly [string, Operation])[] = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
];

/** Tells which operation was begun in a working tree and not ended; `null` when none was. */
export function operationInProgress(fs: FileSystemPort, gitDirectory: string): Operation | null {
  for (const [marker, operation] of MARKERS) {
    if (fs.exists(`${gitDirectory}/${marker}`)) return operation;
  }
  return null;
}
