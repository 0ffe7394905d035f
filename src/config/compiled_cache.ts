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
  readonly file: CompiledFile;
}

/**
 * A configuration file's compiled form: from the cache when it has this very content, else compiled now and kept.
 *
 * @throws {import("./configuration_error.ts").ConfigurationError} when the file has problems.
 */
export async function compiledFile(
  runtime: Runtime,
  cacheFolder: string | null,
  path: string,
  bytes: Uint8Array,
): Promise<CompiledFile> {
  const sha256 = await runtime.sha256(bytes);
  const entryPath = cacheFolder === null ? null : inFolder(cacheFolder, `${sha256}.json`);
  if (entryPath !== null) {
    const kept = await readEntry(runtime, entryPath, path, sha256);
    if (kept !== null) return kept;
  }
  const { compileFile } = await import("./compile_file.ts");
  const { packPolicy } = await import("../policy/compile_policy.ts");
  const compiled = compileFile(bytes, path, sha256);
  const rules = compiled.policy;
  // The form that is read again at every call, so that the first call has the same.
  const file: CompiledFile = rules === null
    ? compiled
    : { ...compiled, policy: { ...rules, policy: packPolicy(rules.policy) } };
  if (cacheFolder !== null && entryPath !== null) {
    const entry: CacheEntry = { format: COMPILED_FORMAT, version: VERSION, file };
    try {
      await runtime.fs.makeDirectory(cacheFolder, { mode: 0o700 });
      await runtime.fs.writeFile(entryPath, JSON.stringify(entry), { mode: 0o600 });
    } catch {
      // A cache that cannot be written costs time, never a verdict.
    }
  }
  return file;
}

/** An entry that does not fit exactly is as good as none. */
async function readEntry(
  runtime: Runtime,
  entryPath: string,
  path: string,
  sha256: string,
): Promise<CompiledFile | null> {
  try {
    const bytes = await runtime.fs.readFile(entryPath);
    const entry = JSON.parse(new TextDecoder().decode(bytes)) as CacheEntry;
    const fits = entry.format === COMPILED_FORMAT && entry.version === VERSION &&
      entry.file.sha256 === sha256 && entry.file.path === path;
    return fits ? entry.file : null;
  } catch {
    return null;
  }
}
