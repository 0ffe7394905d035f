import type { Runtime } from "../runtime/port.ts";
import { plainRecord } from "../signals/plain_record.ts";
import type { ArgumentsMode, PreparedSignal } from "../signals/record.ts";
import type { Signal } from "../signals/signal.ts";
import { isPostgres, type StoreLocation } from "./location.ts";
import type { SessionDetails, SignalRecord } from "./port.ts";
import { spoolRecords } from "./spool.ts";
import { stableId } from "./stable_id.ts";

/** What a hook call saw and decided. */
export interface CallRecord {
  /** The client's session. */
  readonly session: SessionDetails;
  /** Signals whose data came out of JSON, such as those of tool calls. */
  readonly signals: readonly Signal[];
  /**
   * What tells this moment of a call from its others (the event's name as the client spells it). The same
   * moment of the same call, told twice because the hook is registered twice, is stored once.
   */
  readonly moment: string;
  /** What is stored of arguments and answers. Default `redacted`. */
  readonly arguments?: ArgumentsMode;
}

/** When the waiting records are taken into the store by the hook itself. */
export type DrainChoice = "now" | "sometimes" | "never";

/**
 * One call in so many drains, when sessions do not say that they begin and end. A drain costs some ten milliseconds; a
 * server is drained to more often, since others look at it.
 */
const ONE_IN = { file: 200, server: 20 } as const;
/** Files a hook takes in at most, and milliseconds it takes at most: somebody is waiting. */
const HOOK_DRAIN = { maxFiles: 1_000, maxMs: 250 } as const;

/**
 * Records what a hook call saw and decided, after it has answered: one file, written in one go.
 *
 * Never rejects and never prints: observation changes no verdict and no exit code. What cannot be kept is
 * counted, and `doctor` shows the count.
 *
 * @param runtime The runtime.
 * @param location Where signals are kept.
 * @param call What to record.
 * @param drain Whether the waiting records are taken into the store now: `now` when a session begins or ends, `sometimes` (one call in 200, for a server in 20) else.
 */
export async function recordCall(
  runtime: Runtime,
  location: StoreLocation,
  call: CallRecord,
  drain: DrainChoice = "sometimes",
): Promise<void> {
  try {
    await spoolRecords(runtime, location, {
      session: call.session,
      records: await recordsOf(call),
    });
  } catch (error) {
    const { countLoss } = await import("./losses.ts");
    await countLoss(runtime, location.stateFolder, call.signals.length, error);
  }
  const oneIn = isPostgres(location.store) ? ONE_IN.server : ONE_IN.file;
  if (drain === "now" || (drain === "sometimes" && Math.random() * oneIn < 1)) {
    try {
      const { drainStore } = await import("./drain_store.ts");
      await drainStore(runtime, location, HOOK_DRAIN);
    } catch {
      // The records wait for the next who opens the store.
    }
  }
}

/** Prepares the signals; those of a call that the client names get ids that are the same whenever it is told. */
async function recordsOf(
  { session, signals, moment, arguments: mode = "redacted" }: CallRecord,
): Promise<SignalRecord[]> {
  const records: SignalRecord[] = [];
  for (const [index, signal] of signals.entries()) {
    const prepared = plainRecord(signal, mode) ?? await careful(signal, mode);
    const { opId, kind } = prepared;
    const id = opId === ""
      ? prepared.id
      : stableId([session.id, opId, moment, kind, index].join("\0"));
    records.push({ ...prepared, id });
  }
  return records;
}

async function careful(signal: Signal, mode: ArgumentsMode): Promise<PreparedSignal> {
  const { prepareSignal } = await import("../signals/record.ts");
  return prepareSignal(signal, mode);
}
