/**
 * The guard on what guards: an agent may look at gatehouse's own files and at the settings by which clients call it, and
 * not change them.
 *
 * @module
 */

import type { GateResult } from "../call.ts";
import type { GuardedCall } from "./guard_hook.ts";
import { isWordOf, type WordList } from "../shell/word_list.ts";
import { mayTouchGuards } from "./self_hints.ts";
import {
  absolutePath,
  protectedMatches,
  protectedOnDisk,
  type SelfProtectionOptions,
} from "./self_places.ts";
import { selfRefusal } from "./self_refusal.ts";

/** More names of arguments by which a tool may be told what to change: what is no path harms nobody. */
const mayBePath = (name: string): boolean =>
  /(?:^|_)(?:uris|url|target|targets|source|sources|src|from|to|output|outputs|location|locations|name|names|key)$/
    .test(name);

/**
 * Judges whether a call would change what guards it.
 *
 * @returns The refusal, or `null` when the guard has no opinion.
 */
export async function judgeSelfProtection(
  call: GuardedCall,
  options: SelfProtectionOptions,
): Promise<GateResult | null> {
  if (!mayTouchGuards(call, () => options.roots)) return null;
  const { command } = call.args;
  if (call.tool === "bash" && typeof command === "string") {
    const { judgeSelfCommand } = await import("./self_commands.ts");
    return await judgeSelfCommand(call, command, options);
  }
  if (call.tool === "editor" && hasOnlyItsOwnArguments(call)) {
    for (const text of [call.args.file_path, call.args.path]) {
      const refusal = typeof text === "string" ? await judgePath(call, text, options) : null;
      if (refusal !== null) return refusal;
    }
    return null;
  }
  const { isPathName, isServerTool, pathArguments } = await import("./tool_paths.ts");
  const given = [...pathArguments(call, (name) => isPathName(name) || mayBePath(name), true)];
  // Read as one of our tools it may hold a patch.
  if (!isServerTool(call.tool)) given.push(...pathArguments(call));
  for (const argument of given) {
    if (typeof argument === "string") continue;
    const refusal = await judgePath(call, argument.text, options, argument.isPattern);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Whether an edit is of one file, as nearly all are. */
function hasOnlyItsOwnArguments({ args }: GuardedCall): boolean {
  for (const name in args) if (!isWordOf(EDITOR_ARGUMENTS, name)) return false;
  return true;
}

const EDITOR_ARGUMENTS: WordList =
  " file_path path old_string new_string replace_all content insert_line ";

async function judgePath(
  call: GuardedCall,
  text: string,
  options: SelfProtectionOptions,
  isPattern = false,
): Promise<GateResult | null> {
  const path = text === "" ? null : absolutePath(text, options);
  if (path === null) return null;
  for (const candidate of isPattern ? protectedMatches(path) : [path]) {
    const found = await protectedOnDisk(candidate, options);
    if (found !== null) return selfRefusal(call, `Cannot change ${text}: it ${found.why}`);
  }
  return null;
}
