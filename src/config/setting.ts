import type { CompiledFile } from "./compiled_file.ts";
import type { Configuration } from "./load_configuration.ts";

/** What the last trusted file that says anything says of a setting; `null` when none does. */
export function lastSaid<T>(
  configuration: Configuration,
  read: (file: CompiledFile) => T | null,
): T | null {
  let said: T | null = null;
  for (const { trusted, file } of configuration.layers) {
    if (trusted) said = read(file) ?? said;
  }
  return said;
}
