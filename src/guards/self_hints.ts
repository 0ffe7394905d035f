/**
 * Whether a call could touch what guards it at all: asked of every call, so that the guard itself is loaded for few.
 *
 * @module
 */

import type { GuardedCall } from "./guard_hook.ts";

/** Whether a foreign tool only looks, by the words in its name. */
function hasLookingName(tool: string): boolean {
  return /(?:^|[_\-.])(?:read|get|list|search|find|view|stat|describe|grep|glob)(?:[_\-.]|$)/i
    .test(tool) &&
    !/write|edit|create|delete|remove|move|rename|append|update|patch|replace|insert|save|put|set(?:[_\-.]|$)/i
      .test(tool);
}

/**
 * Whether the guard on what guards has to look at a call.
 *
 * @param roots Gives the absolute files and folders of gatehouse itself.
 */
export function mayTouchGuards(call: GuardedCall, roots: () => readonly string[]): boolean {
  const { tool } = call;
  if (tool === "bash") {
    const { command } = call.args;
    return typeof command === "string" && mayNamePlaces(command, roots);
  }
  if (tool === "reader" || tool === "search" || tool === "context") return false;
  if (tool === "editor") return true;
  if (hasLookingName(tool)) return false;
  for (const name in call.args) {
    const value = call.args[name];
    if (typeof value === "object" && value !== null) return true;
    if (typeof value === "string" && mayNamePlace(value)) return true;
  }
  return false;
}

/** Whether an argument may be a path that leads to a protected place, through links too: most texts are none. */
function mayNamePlace(value: string): boolean {
  return value.length <= LONGEST_PATH && !value.includes("\n");
}

/** What the longest path of a system may have, in characters. */
const LONGEST_PATH = 4_096;

/**
 * Words without which a command line cannot touch what guards: it need not be read then, and most need not.
 *
 * Names can be written in pieces, so quotes and backslashes are taken out first; a pattern such as `.cl*` is a mesh in
 * this net, and the guard on paths stands behind it.
 */
export function hints(): RegExp {
  return /gatehouse|\.claude|claude-code|claudecode|\.codex|etc\/codex|\.gemini|gemini-?cli|opencode|copilot|\.cursor|\.github|disableallhooks|hooksconfig|features?\.(?:codex_)?hooks|--disable|--bare|--pure|allowmanagedhooksonly|\bclaude\b|\bcodex\b|\bgemini\b|settings\.(?:local\.)?json|hooks\.json|config\.toml|requirements\.toml|[*?\]][^\s/]{0,24}\.(?:ya?ml|json|toml|js)\b/i;
}

/** A search for files that can end in a change of them: what it finds need not be named. */
export function changesWhatItFinds(plain: string): boolean {
  return /\bg?find\s/i.test(plain) && /-delete|-exec|-ok|xargs|parallel/.test(plain);
}

/** A pattern or a variable that can stand for any of the names below a folder with a dot. */
export function openName(): RegExp {
  return /(?:^|[\s/=])\.[\w-]*[*?[$]/;
}

/**
 * Plain texts, lower-case, of which every command has one that the expressions could match in, or from which quotes must
 * be taken first. They are looked for before, since compiling the expressions costs a hook more than the rest of this.
 */
export const NEEDLES: readonly string[] = [
  "*",
  "?",
  "[",
  "]",
  "$",
  '"',
  "'",
  "\\",
  "gatehouse",
  "claude",
  "codex",
  "gemini",
  "opencode",
  "copilot",
  ".cursor",
  ".github",
  "hooks",
  "--disable",
  "--bare",
  "--pure",
  "settings",
  ".toml",
  "find",
];

function mayNamePlaces(command: string, roots: () => readonly string[]): boolean {
  return holdsOneOf(command.toLowerCase(), NEEDLES)
    ? mayNamePlacesIn(command.replace(/["'\\]/g, ""), roots)
    : namesRoot(command, roots);
}

function mayNamePlacesIn(plain: string, roots: () => readonly string[]): boolean {
  return hints().test(plain) || openName().test(plain) || namesRoot(plain, roots) ||
    changesWhatItFinds(plain);
}

function namesRoot(text: string, roots: () => readonly string[]): boolean {
  if (!text.includes("/") && !text.includes("\\")) return false;
  for (const root of roots()) {
    // Whoever goes to the folder need name the file only.
    const end = Math.max(root.lastIndexOf("/"), root.lastIndexOf("\\"));
    if (text.includes(end > 1 ? root.slice(0, end) : root)) return true;
  }
  return false;
}

function holdsOneOf(text: string, parts: readonly string[]): boolean {
  for (const part of parts) if (text.includes(part)) return true;
  return false;
}
