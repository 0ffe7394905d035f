/**
 * The guard on what guards: an agent may look at gatehouse's own files and at the settings by which clients call it, and
 * not change them.
 *
 * @module
 */

import type { GateResult } from "../call.ts";
import type { GuardedCall } from "./guard_hook.ts";
import { absolutePath, protectedOnDisk, type SelfProtectionOptions } from "./self_places.ts";
import { selfRefusal } from "./self_refusal.ts";

/** Tools that only look. */
const LOOKING_TOOLS: ReadonlySet<string> = new Set(["reader", "search", "context"]);

/** Words in a foreign tool's name by which it only looks. */
const LOOKING_NAME =
  /(?:^|[_\-.])(?:read|get|list|search|find|view|stat|describe|grep|glob)(?:[_\-.]|$)/i;

/** Arguments that name a file in any tool that is no shell. */
const PATH_ARGUMENTS: readonly string[] = [
  "file_path",
  "path",
  "filePath",
  "filename",
  "file",
  "destination",
  "target",
  "new_path",
  "old_path",
  "source",
];

/**
 * Judges whether a call would change what guards it.
 *
 * @returns The refusal, or `null` when the guard has no opinion.
 */
export async function judgeSelfProtection(
  call: GuardedCall,
  options: SelfProtectionOptions,
): Promise<GateResult | null> {
  if (LOOKING_TOOLS.has(call.tool)) return null;
  if (call.tool === "bash") {
    const { command } = call.args;
    if (typeof command !== "string" || !mayTouchGuards(command, options.roots)) return null;
    const { judgeSelfCommand } = await import("./self_commands.ts");
    return await judgeSelfCommand(call, command, options);
  }
  if (call.tool !== "editor" && LOOKING_NAME.test(call.tool)) return null;
  for (const name of PATH_ARGUMENTS) {
    const given = call.args[name];
    if (typeof given !== "string" || given === "") continue;
    const path = absolutePath(given, options);
    const found = path === null ? null : await protectedOnDisk(path, options);
    if (found !== null) return selfRefusal(call, `Cannot change ${given}: it ${found.why}`);
  }
  return null;
}

/**
 * Words without which a command line cannot touch what guards: it need not be read then, and most need not.
 *
 * Names can be written in pieces, so quotes and backslashes are taken out first; a pattern such as `.cl*` is a mesh in
 * this net, and the guard on paths stands behind it.
 */
const HINTS =
  /gatehouse|\.claude|claude-code|claudecode|\.codex|etc\/codex|\.gemini|gemini-?cli|opencode|copilot|\.cursor|\.github|disableallhooks|hooksconfig|features?\.(?:codex_)?hooks|--disable|--bare|--pure|allowmanagedhooksonly|settings\.(?:local\.)?json|hooks\.json|config\.toml|requirements\.toml|[*?\]]\S*\.(?:ya?ml|json|toml|js)\b/i;

function mayTouchGuards(command: string, roots: readonly string[]): boolean {
  const plain = command.replace(/["'\\]/g, "");
  // A pattern or a variable can stand for any of the names below a folder with a dot.
  return HINTS.test(plain) || /(?:^|[\s/=])\.[\w-]*[*?[$]/.test(plain) ||
    roots.some((root) => plain.includes(root));
}
