import type { EnvironmentPort } from "../runtime/port.ts";

/** Where signals are kept. */
export interface StoreLocation {
  /** The absolute path of an SQLite file, or the URL of a PostgreSQL database. */
  readonly store: string;
  /** The user's state folder: records that wait, and what was counted, stand there. */
  readonly stateFolder: string;
}

/** The variable that names the store, stronger than the configuration. */
export const STORE_VARIABLE = "GATEHOUSE_STORE";

/** The file's name in the state folder when nobody names a store. */
const DEFAULT_FILE = "signals.db";

/**
 * Says where signals are kept: where `GATEHOUSE_STORE` says, else where the configuration says, else in the
 * user's state folder. A relative path starts in the state folder, `~/` in the home folder.
 *
 * @param env The process and its surroundings.
 * @param stateFolder The user's state folder.
 * @param configured `store` of the configuration, when it has one.
 */
export function storeLocation(
  env: EnvironmentPort,
  stateFolder: string,
  configured?: string,
): StoreLocation {
  const named = env.get(STORE_VARIABLE) || configured || DEFAULT_FILE;
  if (isPostgres(named)) return { store: named, stateFolder };
  const home = env.get("HOME");
  const path = named.startsWith("~/") && home !== undefined ? `${home}${named.slice(1)}` : named;
  const isAbsolute = path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
  return { store: isAbsolute ? path : `${stateFolder}/${path}`, stateFolder };
}

/** Whether a store is a PostgreSQL database. */
export function isPostgres(store: string): boolean {
  return store.startsWith("postgres://") || store.startsWith("postgresql://");
}

/** A server's URL without user and password, for messages. */
export function serverName(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `postgres://${host}${pathname}`;
  } catch {
    return "postgres://…";
  }
}
