import type { Runtime } from "../runtime/port.ts";
import { countLoss } from "./losses.ts";
import type { StoreLocation } from "./location.ts";
import { type SessionDetails, type SignalRecord, type SignalStore, StoreError } from "./port.ts";
import { parseSpooled, spooledAt, spoolFolder } from "./spool.ts";

/** What a drain did. */
export interface DrainReport {
  /** Files whose records are stored now. */
  readonly drained: number;
  /** Files that still wait. */
  readonly waiting: number;
  /** Files that were given up, and counted as lost. */
  readonly lost: number;
  /** Why it ended early; `null` when it did not. */
  readonly failure: StoreError | null;
}

/** How much a drain does. */
export interface DrainOptions {
  /** Files at most. Default all. */
  readonly maxFiles?: number;
  /** Milliseconds after which no further batch is begun. Default none. */
  readonly maxMs?: number;
}

/** Files a transaction takes at most. */
const BATCH = 200;

/** Files that may wait for a store that cannot be written: some hundred megabytes. The oldest go first. */
export const MAX_WAITING = 50_000;

/** Seconds a file without its end is left alone: its writer may still be at it. */
const UNFINISHED_SECONDS = 60;

/**
 * Takes the waiting records into their store, oldest first: commits them, then removes their files.
 *
 * Several processes may drain at once: a record's id is stored once. Never rejects; what cannot be stored
 * stays, unless more than {@linkcode MAX_WAITING} files wait.
 *
 * @param runtime The runtime.
 * @param location Where the records wait.
 * @param store The open store.
 */
export async function drainSpool(
  runtime: Runtime,
  location: StoreLocation,
  store: SignalStore,
  options: DrainOptions = {},
): Promise<DrainReport> {
  const folder = spoolFolder(location);
  const names = await waitingFiles(runtime, location);
  const chosen = names.slice(0, options.maxFiles ?? names.length);
  const end = options.maxMs === undefined ? Infinity : Date.now() + options.maxMs;
  let drained = 0;
  let lost = 0;
  let failure: StoreError | null = null;
  for (let at = 0; at < chosen.length && failure === null && Date.now() < end; at += BATCH) {
    const outcome = await drainFiles(runtime, folder, chosen.slice(at, at + BATCH), store);
    drained += outcome.drained;
    lost += outcome.lost;
    failure = outcome.failure;
  }
  if (lost > 0) {
    await countLoss(
      runtime,
      location.stateFolder,
      lost,
      "a record could not be read or stored",
    );
  }
  const left = names.length - drained - lost;
  if (failure !== null) lost += await giveUpOldest(runtime, location, names, failure);
  return { drained, waiting: Math.min(left, MAX_WAITING), lost, failure };
}

/** The names of the files that wait, oldest first. Never rejects. */
export async function waitingFiles(runtime: Runtime, location: StoreLocation): Promise<string[]> {
  try {
    return (await runtime.fs.list(spoolFolder(location)))
      .filter((name) => name.endsWith(".json")).sort();
  } catch {
    return [];
  }
}

interface Outcome {
  readonly drained: number;
  readonly lost: number;
  readonly failure: StoreError | null;
}

async function drainFiles(
  runtime: Runtime,
  folder: string,
  names: readonly string[],
  store: SignalStore,
): Promise<Outcome> {
  const batch = await readBatch(runtime, folder, names);
  try {
    for (const { session, records } of batch.sessions) await store.append(session, records);
  } catch (error) {
    const failure = error instanceof StoreError
      ? error
      : new StoreError(String(error), "other", error);
    // Something in the batch is refused, and would be for ever: find out what, file by file.
    if (failure.code === "other") {
      return await drainOneByOne(runtime, folder, names, store, failure);
    }
    return { drained: 0, lost: 0, failure };
  }
  for (const name of [...batch.whole, ...batch.broken]) await remove(runtime, `${folder}/${name}`);
  return { drained: batch.whole.length, lost: batch.broken.length, failure: null };
}

async function drainOneByOne(
  runtime: Runtime,
  folder: string,
  names: readonly string[],
  store: SignalStore,
  failure: StoreError,
): Promise<Outcome> {
  if (names.length > 1) {
    let drained = 0;
    let lost = 0;
    for (const name of names) {
      const outcome = await drainFiles(runtime, folder, [name], store);
      drained += outcome.drained;
      lost += outcome.lost;
      if (outcome.failure !== null) return { drained, lost, failure: outcome.failure };
    }
    return { drained, lost, failure: null };
  }
  // A store that takes nothing at all is what is broken, not this file.
  if (!await takesAnything(store)) return { drained: 0, lost: 0, failure };
  for (const name of names) await remove(runtime, `${folder}/${name}`);
  return { drained: 0, lost: names.length, failure: null };
}

async function takesAnything(store: SignalStore): Promise<boolean> {
  const id = crypto.randomUUID();
  const probe = { id, kind: "Probe", opId: "", ts: Date.now() / 1_000, payload: "{}" };
  try {
    await store.append({ id: `probe-${id}` }, [probe]);
    await store.deleteSession(`probe-${id}`);
    return true;
  } catch {
    return false;
  }
}

interface Batch {
  /** By session, in the order of the files: one transaction each. */
  readonly sessions: readonly { session: SessionDetails; records: SignalRecord[] }[];
  readonly whole: readonly string[];
  readonly broken: readonly string[];
}

async function readBatch(
  runtime: Runtime,
  folder: string,
  names: readonly string[],
): Promise<Batch> {
  const sessions = new Map<string, { session: SessionDetails; records: SignalRecord[] }>();
  const whole: string[] = [];
  const broken: string[] = [];
  for (const name of names) {
    let text: string;
    try {
      text = new TextDecoder().decode(await runtime.fs.readFile(`${folder}/${name}`));
    } catch {
      // Another process has drained it meanwhile.
      continue;
    }
    const spooled = parseSpooled(text);
    if (spooled === null) {
      if (isOld(name)) broken.push(name);
      continue;
    }
    const found = sessions.get(spooled.session.id);
    if (found === undefined) {
      sessions.set(spooled.session.id, {
        session: spooled.session,
        records: [...spooled.records],
      });
    } else {
      found.session = {
        ...spooled.session,
        client: found.session.client ?? spooled.session.client,
        cwd: found.session.cwd ?? spooled.session.cwd,
        startedAt: found.session.startedAt ?? spooled.session.startedAt,
      };
      found.records.push(...spooled.records);
    }
    whole.push(name);
  }
  return { sessions: [...sessions.values()], whole, broken };
}

function isOld(name: string): boolean {
  return Date.now() - spooledAt(name) > UNFINISHED_SECONDS * 1_000;
}

async function giveUpOldest(
  runtime: Runtime,
  location: StoreLocation,
  names: readonly string[],
  reason: StoreError,
): Promise<number> {
  const tooMany = names.slice(0, Math.max(0, names.length - MAX_WAITING));
  if (tooMany.length === 0) return 0;
  for (const name of tooMany) await remove(runtime, `${spoolFolder(location)}/${name}`);
  await countLoss(runtime, location.stateFolder, tooMany.length, reason);
  return tooMany.length;
}

async function remove(runtime: Runtime, path: string): Promise<void> {
  try {
    await runtime.fs.remove(path);
  } catch {
    // It is drained again, and stored once.
  }
}
