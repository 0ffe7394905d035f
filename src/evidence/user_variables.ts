import type { Runtime } from "../runtime/port.ts";

/** Where the user's own settings are found: all that is kept of the environment, so that `GIT_DIR` and kin stay behind. */
const KEPT: readonly string[] = [
  "HOME",
  "XDG_CONFIG_HOME",
  "USERPROFILE", // where HOME is derived from on Windows
  "SystemRoot", // programs do not start without it on Windows
  "DEVELOPER_DIR", // which tool chain git belongs to on macOS
  "GIT_CONFIG_GLOBAL", // the user's choice of settings, which also decide what counts as changed (CRLF)
  "GIT_CONFIG_SYSTEM",
];

/**
 * The variables of the user that git is given.
 *
 * Each names a place. A relative one would be looked for in the repository, which would then speak as the
 * user, so it is left out.
 */
export function userVariables(runtime: Runtime): Readonly<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const name of KEPT) {
    const value = runtime.env.get(name);
    if (value !== undefined && /^$|^\/|^[A-Za-z]:[\\/]/.test(value)) variables[name] = value;
  }
  const withoutSystem = runtime.env.get("GIT_CONFIG_NOSYSTEM");
  if (withoutSystem !== undefined) variables.GIT_CONFIG_NOSYSTEM = withoutSystem;
  return variables;
}
