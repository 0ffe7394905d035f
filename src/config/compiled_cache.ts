/**
 * Keeps compiled configurations in the user's cache, so that the hook need not read YAML at every call.
 *
 * @module
 */

import type { Runtime } from "../runtime/port.ts";
import { strictText } from "../runtime/strict_text.ts";
import { inFolder } from "./ancestor_folders.ts";
import { COMPILED_FORMAT, type CompiledFile } from "./compiled_file.ts";
import { VERSION } from "./version.ts";

/** What is kept, as JSON. Behind it and a NUL stands the text that it was compiled from: of another one it says nothing. */
interface CacheEntry {
  readonly format: number;
  readonly version: string;
  readonly file: CompiledFile;
}

/**
 * A configuration file's compiled form out of the cache, or `null` when it has none for the file's very content, or the
 * file cannot be read.
 *
 * An entry that does not fit exactly is as good as none.
 */
export function keptFile(
  { fs }: Runtime,
  cacheFolder: string,
  path: string,
): CompiledFile | null {
  try {
    const kept = fs.readTextNow(entryIn(cacheFolder, path));
    const end = kept.indexOf("\0");
    if (kept.slice(end + 1) !== fs.readTextNow(path)) return null;
    const entry = JSON.parse(kept.slice(0, end)) as CacheEntry;
    const fits = entry.format === COMPILED_FORMAT && entry.version === VERSION &&
      entry.file.path === path;
    return fits ? entry.file : null;
  } catch {
    return null;
  }
}

/**
 * Compiles a configuration file, and keeps what comes of it.
 *
 * @param cacheFolder Where it is kept; `null` for nowhere.
 * @throws {import("./configuration_error.ts").ConfigurationError} when the file has problems.
 */
export async function compileAndKeep(
  runtime: Runtime,
  cacheFolder: string | null,
  path: string,
  bytes: Uint8Array,
): Promise<CompiledFile> {
  const { compileFile } = await import("./compile_file.ts");
  const { packPolicy } = await import("../policy/compile_policy.ts");
  const compiled = compileFile(bytes, path, await runtime.sha256(bytes));
  const rules = compiled.policy;
  // The form that is read again at every call, so that the first call has the same.
  const file: CompiledFile = rules === null
    ? compiled
    : { ...compiled, policy: { ...rules, policy: packPolicy(rules.policy) } };
  if (cacheFolder !== null) {
    try {
      const source = strictText(bytes);
      const entry: CacheEntry = { format: COMPILED_FORMAT, version: VERSION, file };
      await runtime.fs.makeDirectory(cacheFolder, { mode: 0o700 });
      await runtime.fs.writeFile(
        entryIn(cacheFolder, path),
        `${JSON.stringify(entry)}\0${source}`,
        { mode: 0o600 },
      );
    } catch {
      // A cache that cannot be written costs time, never a verdict.
    }
  }
  return file;
}

/** How much of a path is in an entry's name: no file system takes more than 255 bytes. */
const NAME_LENGTH = 60;

/** Named by the file's place. Two files may have one name; what they say is compared. */
function entryIn(cacheFolder: string, path: string): string {
  let name = "";
  const start = path.length > NAME_LENGTH ? path.length - NAME_LENGTH : 0;
  for (let index = start; index < path.length; index++) {
    const character = path[index];
    name += NOT_IN_NAMES.includes(character) ? "%" : character;
  }
  return inFolder(cacheFolder, `${name}.json`);
}

const NOT_IN_NAMES = '/\\:*?"<>|\0';
