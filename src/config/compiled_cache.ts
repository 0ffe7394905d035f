/**
 * Keeps compiled configurations in the user's cache, so that the hook need not read YAML at every call.
 *
 * @module
 */

import type { Runtime } from "../runtime/port.ts";
import { inFolder } from "./ancestor_folders.ts";
import { COMPILED_FORMAT, type CompiledFile } from "./compiled_file.ts";
import { VERSION } from "./version.ts";

interface CacheEntry {
  readonly format: number;
  readonly version: string;
  /** All of the file's text: what it was compiled from counts, not the entry's name. */
  readonly source: string;
  readonly file: CompiledFile;
}

/**
 * A configuration file's compiled form out of the cache, or `null` when it has none for this very content.
 *
 * An entry that does not fit exactly is as good as none.
 */
export function keptFile(
  runtime: Runtime,
  cacheFolder: string,
  path: string,
  bytes: Uint8Array,
): CompiledFile | null {
  try {
    const entryPath = entryIn(runtime, cacheFolder, path, bytes);
    const entry = JSON.parse(textOf(runtime.fs.readFileNow(entryPath))) as CacheEntry;
    const fits = entry.format === COMPILED_FORMAT && entry.version === VERSION &&
      entry.file.path === path && entry.source === textOf(bytes);
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
      const entry: CacheEntry = {
        format: COMPILED_FORMAT,
        version: VERSION,
        source: textOf(bytes),
        file,
      };
      await runtime.fs.makeDirectory(cacheFolder, { mode: 0o700 });
      await runtime.fs.writeFile(
        entryIn(runtime, cacheFolder, path, bytes),
        JSON.stringify(entry),
        { mode: 0o600 },
      );
    } catch {
      // A cache that cannot be written costs time, never a verdict.
    }
  }
  return file;
}

/** Named by the content and the place: many projects have the same file. */
function entryIn(
  runtime: Runtime,
  cacheFolder: string,
  path: string,
  bytes: Uint8Array,
): string {
  return inFolder(cacheFolder, `${runtime.quickHash(bytes)}-${runtime.quickHash(path)}.json`);
}

/** Throws for bytes that are no text: two that differ must never give the same. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
