import { parseArgs } from "node:util";
import type { StoredSession } from "../store/port.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { NOTHING_RECORDED, signalLocation, withSignals } from "./open_signals.ts";
import { cutText, safeText, safeValue } from "./safe_text.ts";
import { minuteText, momentSeconds } from "./time_text.ts";

/** Sessions that are listed when nobody says how many. */
const LISTED = 30;

/** Widths of the columns. */
const CLIENT_WIDTH = 12;
const FOLDER_WIDTH = 40;

/** `gatehouse sessions`: the clients' sessions, the latest first. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      client: { type: "string" },
      since: { type: "string" },
      limit: { type: "string", default: String(LISTED) },
      store: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const limit = wholeNumber("--limit", values.limit);
  const since = values.since === undefined ? undefined : momentSeconds(values.since, Date.now());
  return await withSignals(context, await signalLocation(context, values.store), async (store) => {
    const sessions = await store?.sessions({ limit, since, client: values.client }) ?? [];
    if (values.json) {
      for (const session of sessions) await context.print(JSON.stringify(session));
    } else if (sessions.length === 0) {
      await context.print(store === null ? NOTHING_RECORDED : "No session matches.");
    } else {
      await context.print(table(sessions, context));
    }
    return 0;
  });
}

/** Reads a whole number of at least 1. */
export function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new UsageError(`${option} needs a whole number of at least 1, not ${text}`);
  }
  return number;
}

function table(sessions: readonly StoredSession[], { style }: CommandContext): string {
  const title = [
    "client".padEnd(CLIENT_WIDTH),
    "folder".padEnd(FOLDER_WIDTH),
    "began".padEnd(16),
    "last".padEnd(16),
    "calls".padStart(6),
    "denied".padStart(6),
    "session",
  ].join("  ");
  const rows = sessions.map((session) => {
    const { id, client, cwd, startedAt, lastAt, calls, denials } = safeValue(session);
    const denied = String(denials).padStart(6);
    return [
      cutText(client ?? "-", CLIENT_WIDTH).padEnd(CLIENT_WIDTH),
      folderText(cwd ?? "-").padEnd(FOLDER_WIDTH),
      minuteText(startedAt),
      minuteText(lastAt),
      String(calls).padStart(6),
      denials > 0 ? style.red(denied) : style.dim(denied),
      style.dim(safeText(id)),
    ].join("  ");
  });
  return [style.bold(title), ...rows].join("\n");
}

/** The end of a path says more than its beginning. */
function folderText(path: string): string {
  const characters = [...path];
  return characters.length <= FOLDER_WIDTH
    ? path
    : `…${characters.slice(1 - FOLDER_WIDTH).join("")}`;
}
