import type { Runtime } from "../runtime/port.ts";
import { type Git, hardenedGit } from "./git_command.ts";
import { locateGit } from "./locate_git.ts";
import { findRepositoryLayout } from "./repository_layout.ts";
import { NO_WORKING_TREE } from "./repository_settings.ts";

/**
 * Opens git for a folder; a text instead says why it cannot be.
 *
 * @param folder An absolute folder.
 */
export async function openGit(runtime: Runtime, folder: string): Promise<Git | string> {
  const layout = await findRepositoryLayout(runtime.fs, folder);
  const program = await locateGit(runtime, layout?.topLevel ?? folder);
  if (program === null) return "git could not be started: it is not on PATH";
  if (layout === null && !await runtime.fs.exists(folder)) return NO_WORKING_TREE;
  return hardenedGit(runtime, program, folder);
}
