/**
 * The window that a person opens for an agent to change what guards it.
 *
 * @module
 */

import { FileSystemError, type FileSystemPort } from "../runtime/port.ts";
import { inFolder } from "./ancestor_folders.ts";

/** The file of the open window, in the user's state folder. */
const PAUSE_FILE = "pause.json";

/** The list of all windows there were. */
const PAUSE_LOG = "pauses.jsonl";

/** An open window. */
export interface Pause {
  /** When it was opened, in milliseconds since the epoch. */
  readonly since: number;
  /** When it closes by itself. */
  readonly until: number;
}

/** The longest window, in minutes: it is for one change, not for a day. */
export const LONGEST_PAUSE_MINUTES = 60;

/**
 * The open window; `null` when there is none.
 *
 * A file that cannot be read, says nonsense, or says more than a window may last, opens nothing.
 */
export async function readPause(
  fs: FileSystemPort,
  stateFolder: string,
  now: number = Date.now(),
): Promise<Pause | null> {
  try {
    const bytes = await fs.readFile(inFolder(stateFolder, PAUSE_FILE));
    const { since, until } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Pause>;
    if (typeof since !== "number" || typeof until !== "number") return null;
    const isLegal = until - since <= LONGEST_PAUSE_MINUTES * MINUTE_MS;
    return isLegal && since <= now && now < until ? { since, until } : null;
  } catch {
    return null;
  }
}

/** Opens a window, or with `null` closes it, and adds to the list of windows. */
export async function writePause(
  fs: FileSystemPort,
  stateFolder: string,
  minutes: number | null,
  now: number = Date.now(),
): Promise<Pause | null> {
  await fs.makeDirectory(stateFolder, { mode: 0o700 });
  const path = inFolder(stateFolder, PAUSE_FILE);
  const log = inFolder(stateFolder, PAUSE_LOG);
  const at = new Date(now).toISOString();
  if (minutes === null) {
    await fs.appendFile(log, `${JSON.stringify({ at, closed: true })}\n`, { mode: 0o600 });
    await fs.remove(path);
    return null;
  }
  const pause: Pause = { since: now, until: now + minutes * MINUTE_MS };
  // Recorded first: a window that nobody can see must not open.
  await fs.appendFile(log, `${JSON.stringify({ at, minutes })}\n`, { mode: 0o600 });
  await fs.writeFile(path, `${JSON.stringify(pause)}\n`, { mode: 0o600 });
  return pause;
}

/** A window as it was noted. */
export interface NotedPause {
  /** When, as an ISO date. */
  readonly at: string;
  /** For how long it was opened; `null` when it was closed by hand. */
  readonly minutes: number | null;
}

/** The windows there were, the newest last; lines that cannot be read are left out. */
export async function readPauseLog(
  fs: FileSystemPort,
  stateFolder: string,
): Promise<readonly NotedPause[]> {
  let text: string;
  try {
    text = new TextDecoder().decode(await fs.readFile(inFolder(stateFolder, PAUSE_LOG)));
  } catch (error) {
    if (error instanceof FileSystemError && error.code === "not-found") return [];
    throw error;
  }
  return text.split("\n").flatMap((line) => {
    try {
      const { at, minutes } = JSON.parse(line) as { at?: unknown; minutes?: unknown };
      if (typeof at !== "string") return [];
      return [{ at, minutes: typeof minutes === "number" ? minutes : null }];
    } catch {
      return [];
    }
  });
}

const MINUTE_MS = 60_000;
