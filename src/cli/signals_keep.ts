import { parseArgs } from "node:util";
import { DEFAULT_RETENTION } from "../store/drain_store.ts";
import { isPostgres } from "../store/location.ts";
import type { SignalFilter, SignalStore, StoredSignal } from "../store/port.ts";
import { setStoreAside } from "../store/set_store_aside.ts";
import { type StoreHealth, storeHealth } from "../store/store_health.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { NOTHING_RECORDED, signalLocation, withSignals } from "./open_signals.ts";
import { safeText, safeValue } from "./safe_text.ts";
import { payloadOf } from "./signal_line.ts";
import { FILTER_OPTIONS, signalFilter, signalJson } from "./signals_list.ts";
import { minuteText, sizeBytes, sizeText, spanSeconds } from "./time_text.ts";

/** Matches of a short id that are told apart. */
const AMBIGUOUS = 5;

/** `gatehouse signals show <id>`: one signal with its whole payload. */
export async function showSignal(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { store: { type: "string" }, json: { type: "boolean", default: false } },
  });
  const [prefix] = positionals;
  if (positionals.length !== 1) throw new UsageError("name one signal by the beginning of its id");
  return await withSignals(context, await signalLocation(context, values.store), async (store) => {
    const signal = await signalById(context, store, { idPrefix: prefix }, prefix);
    if (signal === null) return 1;
    if (values.json) await context.print(signalJson(signal));
    else await context.print(details(signal, context));
    return 0;
  });
}

/** Finds one signal, or says on standard error why there is not one. */
export async function signalById(
  context: CommandContext,
  store: SignalStore | null,
  filter: SignalFilter,
  named: string,
): Promise<StoredSignal | null> {
  const found = await store?.search(filter, { limit: AMBIGUOUS }) ?? [];
  if (found.length === 1) return found[0];
  await context.printError(
    found.length === 0
      ? `There is no such signal: ${
        safeText(named)
      }. \`gatehouse signals list\` shows what there is.`
      : `${safeText(named)} is the beginning of several ids: ${
        found.map(({ id }) => safeText(id)).join(", ")
      }`,
  );
  return null;
}

/** `gatehouse signals export --jsonl`: everything, one JSON object a line, session by session, in order. */
export async function exportSignals(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { ...FILTER_OPTIONS, jsonl: { type: "boolean", default: true } },
  });
  const filter = signalFilter(values, true);
  return await withSignals(context, await signalLocation(context, values.store), async (store) => {
    let after: StoredSignal | undefined;
    while (store !== null) {
      const page = await store.search(filter, { after, newestFirst: false });
      if (page.length === 0) break;
      await context.print(page.map(signalJson).join("\n"));
      after = page.at(-1);
    }
    return 0;
  });
}

/** `gatehouse signals prune`: removes what is too old or too much, and gives the space back. */
export async function pruneSignals(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "older-than": { type: "string" },
      "max-size": { type: "string" },
      store: { type: "string" },
    },
  });
  const [age, size] = [values["older-than"], values["max-size"]];
  const retention = age === undefined && size === undefined ? DEFAULT_RETENTION : {
    ...(age === undefined ? {} : { maxAgeSeconds: spanSeconds(age) }),
    ...(size === undefined ? {} : { maxBytes: sizeBytes(size) }),
  };
  return await withSignals(context, await signalLocation(context, values.store), async (store) => {
    if (store === null) {
      await context.print(NOTHING_RECORDED);
      return 0;
    }
    const { signals, sessions, bytesBefore, bytesAfter } = await store.prune(retention);
    await context.print(
      `Removed ${signals} signals and ${sessions} sessions: ${sizeText(bytesBefore)} before, ` +
        `${sizeText(bytesAfter)} now.`,
    );
    return 0;
  });
}

/** `gatehouse signals stats`: what there is, how much, and what was lost. */
export async function signalStats(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { store: { type: "string" }, json: { type: "boolean", default: false } },
  });
  const location = await signalLocation(context, values.store);
  const health = await storeHealth(context.runtime, location);
  if (values.json) await context.print(JSON.stringify(healthJson(health)));
  else await context.print(healthText(health, context));
  return health.state === "failing" ? 1 : 0;
}

function healthJson({ store, state, failure, waiting, losses, stats }: StoreHealth): unknown {
  return { store, state, failure: failure?.message ?? null, waiting, losses, stats };
}

function healthText(
  { store, failure, waiting, losses, stats, state }: StoreHealth,
  { style }: CommandContext,
): string {
  const { bold, red, yellow } = style;
  const lines = [`${bold("store")}     ${safeText(store)}`];
  if (state === "unused") lines.push(NOTHING_RECORDED);
  if (failure !== null) lines.push(`${red("failing")}   ${safeText(failure.message)}`);
  if (stats !== null) {
    lines.push(
      `${bold("signals")}   ${stats.signals} in ${stats.sessions} sessions, ${
        sizeText(stats.bytes)
      }`,
    );
    if (stats.oldest !== null && stats.newest !== null) {
      lines.push(`${bold("from")}      ${minuteText(stats.oldest)} to ${minuteText(stats.newest)}`);
    }
    for (const { kind, count } of stats.kinds) {
      lines.push(`${String(count).padStart(9)} ${safeText(kind)}`);
    }
  }
  if (waiting > 0) lines.push(`${yellow("waiting")}   ${waiting} records, not lost`);
  if (losses.lost > 0) {
    const when = losses.lastMs === null ? "" : `, last ${minuteText(losses.lastMs / 1_000)}`;
    lines.push(
      `${red("lost")}      at least ${losses.lost}${when}: ${safeText(losses.reason ?? "unknown")}`,
    );
  }
  return lines.join("\n");
}

/** `gatehouse signals reset`: sets a damaged store aside, with what belongs to it, so that a new one is begun. */
export async function resetSignals(
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { store: { type: "string" } } });
  const { store } = await signalLocation(context, values.store);
  if (isPostgres(store)) throw new UsageError("a database on a server is its owner's to set aside");
  const aside = await setStoreAside(context.runtime, store);
  await context.print(
    aside === null
      ? `There is no store at ${safeText(store)}.`
      : `Set aside as ${safeText(aside)}. The next record begins a new store.`,
  );
  return 0;
}

function details(signal: StoredSignal, { style }: CommandContext): string {
  const payload = JSON.stringify(safeValue(payloadOf(signal)), null, 2);
  return [
    `${style.bold(safeText(signal.kind))} ${safeText(signal.id)}`,
    `  session ${safeText(signal.sessionId)}, number ${signal.seq}`,
    `  at ${new Date(signal.ts * 1_000).toISOString()}`,
    ...(signal.opId === "" ? [] : [`  of ${safeText(signal.opId)}`]),
    payload,
  ].join("\n");
}
