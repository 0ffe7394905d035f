import type { Runtime } from "../runtime/port.ts";
import { type Git, hardenedGit, type KnownRepository } from "./git_command.ts";
import { locateGit } from "./locate_git.ts";
import { readPlainness } from "./plain_settings.ts";
import { findRepositoryLayout } from "./repository_layout.ts";
import { NO_WORKING_TREE } from "./why_no_working_tree.ts";

/**
 * Opens git for a folder; a text instead says why it cannot be.
 *
 * @param folder An absolute folder.
 */
export async function openGit(runtime: Runtime, folder: string): Promise<Git | string> {
  const known = await knownRepository(runtime, folder);
  const program = locateGit(runtime, known?.layout.topLevel ?? folder);
  if (program === null) return "git could not be started: it is not on PATH";
  // With the dot a file is nothing, and nothing can be asked in it.
  if (known === null && !runtime.fs.exists(`${folder}/.`)) return NO_WORKING_TREE;
  return hardenedGit(runtime, program, folder, known);
}

async function knownRepository(runtime: Runtime, folder: string): Promise<KnownRepository | null> {
  // Mostly the folder is the top of its repository; its settings are read meanwhile.
  const here = `${folder}/.git`;
  const [layout, plainnessHere] = await Promise.all([
    findRepositoryLayout(runtime.fs, folder),
    readPlainness(runtime, here),
  ]);
  if (layout === null) return null;
  const { commonDirectory } = layout;
  const plainness = commonDirectory === here
    ? plainnessHere
    : await readPlainness(runtime, commonDirectory);
  return { layout, plainness };
}
