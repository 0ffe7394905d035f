import { jsonText } from "./json_text.ts";
import { REDACTED } from "./redact.ts";
import { PROTECTED_FILE } from "./secret_shapes.ts";

/** Names of arguments that say which file is meant; they are kept, or nobody could tell what was touched. */
const PATH_FIELD =
  /^(?:.*_)?(?:file|path|files|paths|filename|file_path|filepath|notebook_path|cwd)$/i;

/** Names of arguments that hold a command line. */
const COMMAND_FIELD = /^(?:command|cmd|script)$/i;

/** How much of the arguments is searched for the name of a protected file, in characters. */
const SEARCHED = 65_536;

/** Whether arguments name a file whose contents are secret (`.env`, a private key, …). */
export function namesProtectedFile(args: unknown): boolean {
  if (typeof args !== "object" || args === null) return false;
  return Object.entries(args).some(([name, value]) =>
    (PATH_FIELD.test(name) || COMMAND_FIELD.test(name)) &&
    PROTECTED_FILE.test(
      typeof value === "string" ? value.slice(0, SEARCHED) : jsonText(value, SEARCHED).head,
    )
  );
}

/**
 * Masks what a call writes into a protected file: every argument but the paths and the command, and in the
 * command every `NAME=value`, quoted text and heredoc.
 */
export function maskContents(args: unknown): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return REDACTED;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (PATH_FIELD.test(name)) return [name, value];
      if (typeof value === "string" && COMMAND_FIELD.test(name)) return [name, maskCommand(value)];
      return [name, typeof value === "string" || isObject(value) ? REDACTED : value];
    }),
  );
}

function maskCommand(command: string): string {
  return command.slice(0, SEARCHED)
    .replace(/(<<-?\s{0,4}["']?\w{1,64}["']?)[\s\S]*/, `$1 ${REDACTED}`)
    .replace(/\b([A-Za-z_]\w{0,127}=)[^\s"';&|<>]{1,4096}/g, `$1${REDACTED}`)
    .replace(
      /"[^"]{1,65536}"|'[^']{1,65536}'/g,
      (quoted) => PROTECTED_FILE.test(quoted.slice(1, -1)) ? quoted : REDACTED,
    );
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
