import { loadConfiguration } from "../config/load_configuration.ts";
import { lastSaid } from "../config/setting.ts";
import { userFolders } from "../config/user_folders.ts";
import type { Runtime } from "../runtime/port.ts";
import { drainSpool, waitingFiles } from "../store/drain_spool.ts";
import { isPostgres, type StoreLocation, storeLocation } from "../store/location.ts";
import { openStore } from "../store/open_store.ts";
import type { SignalStore } from "../store/port.ts";
import { absoluteFolder } from "./check.ts";
import type { CommandContext } from "./command.ts";

/**
 * Where this user's signals are kept: where `--store` says, else `GATEHOUSE_STORE`, else a trusted configuration,
 * else the state folder.
 */
export async function signalLocation(
  context: CommandContext,
  named: string | undefined,
): Promise<StoreLocation> {
  if (named === undefined) return await configuredLocation(context.runtime);
  const store = isPostgres(named) ? named : absoluteFolder(context, named);
  return { store, stateFolder: userFolders(context.runtime.env).state };
}

/** The same without `--store`. */
export async function configuredLocation(runtime: Runtime): Promise<StoreLocation> {
  const { state } = userFolders(runtime.env);
  return storeLocation(runtime.env, state, await configuredStore(runtime));
}

async function configuredStore(runtime: Runtime): Promise<string | undefined> {
  try {
    const configuration = await loadConfiguration(runtime, { cwd: runtime.env.cwd() });
    return lastSaid(configuration, (file) => file.store) || undefined;
  } catch {
    // A configuration with mistakes denies calls; what was recorded before can be looked at all the same.
    return undefined;
  }
}

/**
 * Opens the signal store for a command: takes in what waits for it, hands it on, and closes it.
 *
 * @param location Where it is.
 * @param body What to do with it; `null` when nothing was ever recorded, and no file is made then.
 * @returns What `body` returns.
 * @throws {StoreError} When the store cannot be opened.
 */
export async function withSignals<Value>(
  context: CommandContext,
  location: StoreLocation,
  body: (store: SignalStore | null) => Promise<Value>,
): Promise<Value> {
  const { runtime } = context;
  const isThere = isPostgres(location.store) || runtime.fs.exists(location.store) ||
    (await waitingFiles(runtime, location)).length > 0;
  if (!isThere) return await body(null);
  const store = await openStore(runtime, location.store);
  try {
    const { failure, waiting } = await drainSpool(runtime, location, store);
    if (failure !== null) {
      const { yellow } = context.errorStyle;
      await context.printError(
        `${yellow("note:")} ${waiting} records wait for the store: ${failure.message}`,
      );
    }
    return await body(store);
  } finally {
    await store.close().catch(() => {});
  }
}

/** What is printed where nothing was recorded. */
export const NOTHING_RECORDED =
  "Nothing is recorded yet. Signals are written when a coding agent calls `gatehouse hook`.";
