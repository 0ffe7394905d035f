/**
 * The guards' part of a configuration.
 *
 * @module
 */

import type { z } from "zod";
import type { Checker } from "./checker.ts";
import type { DestructiveSettings, PathSettings } from "./compiled_file.ts";
import { guardSchemas } from "./schema.ts";

/** What the file says of the guard against destructive commands. */
export function compileDestructive(checker: Checker, written: unknown): DestructiveSettings | null {
  const settings = compileGuard(checker, "destructive", written);
  if (settings === null) return null;
  const { enabled, value, line } = settings;
  return {
    enabled,
    mode: value.mode ?? "parsed",
    overwrite: value.overwrite ?? null,
    discardInLinkedWorktree: value.discardInLinkedWorktree ?? null,
    line,
  };
}

/** What the file says of the guard on paths. */
export function compilePaths(checker: Checker, written: unknown): PathSettings | null {
  const settings = compileGuard(checker, "paths", written);
  if (settings === null) return null;
  const { enabled, value, line } = settings;
  return {
    enabled,
    allowed: value.allowed ?? null,
    denied: value.denied ?? [],
    symlinks: value.symlinks ?? null,
    outsideReads: value.outsideReads ?? null,
    line,
  };
}

/** A guard's settings: `false` and `true` switch it off and on, a mapping switches it on with settings. */
function compileGuard<Name extends keyof typeof guardSchemas>(
  checker: Checker,
  name: Name,
  written: unknown,
): { enabled: boolean; value: z.infer<(typeof guardSchemas)[Name]>; line: number } | null {
  if (written === undefined) return null;
  const path = ["guards", name];
  const line = checker.line(path, "key");
  type Value = z.infer<(typeof guardSchemas)[Name]>;
  if (typeof written === "boolean") return { enabled: written, value: {} as Value, line };
  const schema = guardSchemas[name] as unknown as z.ZodType<Value>;
  const value = checker.check(schema, written, path);
  return value === null ? null : { enabled: true, value, line };
}
