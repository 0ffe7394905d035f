import type { EnvironmentPort } from "../runtime/port.ts";
import { inFolder } from "./ancestor_folders.ts";

/** The user's folders that belong to gatehouse. They need not exist. */
export interface UserFolders {
  /** `gatehouse.yaml` of the user. */
  readonly config: string;
  /** What must be remembered: trust, the signal store, baselines. */
  readonly state: string;
  /** What may be lost: compiled configurations. */
  readonly cache: string;
  /** The home folder. */
  readonly home: string;
}

/** Why the user's folders cannot be named: without them the user's rules cannot be looked for. */
export class UserFoldersError extends Error {
  override readonly name = "UserFoldersError";
}

/**
 * Names the user's folders: by the XDG variables, below the home folder without them, in the application data on Windows.
 *
 * @throws {UserFoldersError} when there is no home folder: "no rules found" would then mean "not looked".
 */
export function userFolders(env: EnvironmentPort): UserFolders {
  const home = env.get("HOME") || (env.platform === "windows" ? env.get("USERPROFILE") : "") || "";
  const folder = (kind: string, variable: string, below: string, windows: string): string => {
    const named = env.get(variable);
    // The XDG rules: a path that is not absolute is to be ignored.
    if (named?.startsWith("/")) return inFolder(named, "gatehouse");
    if (env.platform === "windows") {
      const data = env.get(windows);
      if (data) return inFolder(inFolder(data, "gatehouse"), kind);
    }
    if (home === "") {
      throw new UserFoldersError(
        `Cannot find the user's ${kind} folder: neither HOME nor ${variable} is set. ` +
          `Set one of them, or name a configuration with --config.`,
      );
    }
    return inFolder(inFolder(home, below), "gatehouse");
  };
  return {
    config: folder("config", "XDG_CONFIG_HOME", ".config", "APPDATA"),
    state: folder("state", "XDG_STATE_HOME", ".local/state", "LOCALAPPDATA"),
    cache: folder("cache", "XDG_CACHE_HOME", ".cache", "LOCALAPPDATA"),
    home,
  };
}
