import { parseArgs } from "node:util";
import {
  LONGEST_PAUSE_MINUTES,
  type Pause,
  readPause,
  readPauseLog,
  writePause,
} from "../config/pause.ts";
import { userFolders } from "../config/user_folders.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { confirm } from "./confirm.ts";

/** The person said no. */
const REFUSED = 1;

/** `gatehouse pause`. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: "string" },
      end: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
    },
  });
  const { fs, env } = context.runtime;
  const state = userFolders(env).state;
  if (values.list) {
    const log = await readPauseLog(fs, state);
    for (const { at, minutes } of log) {
      await context.print(
        minutes === null ? `${at}  closed` : `${at}  opened for ${minutes} minutes`,
      );
    }
    if (log.length === 0) await context.print("No window was ever opened.");
    return 0;
  }
  if (values.end) {
    await writePause(fs, state, null);
    await context.print("The window is closed: what guards is guarded again.");
    return 0;
  }
  if (values.minutes === undefined) {
    const open = await readPause(fs, state);
    await context.print(open === null ? "No window is open." : describe(open));
    return 0;
  }
  const minutes = Number(values.minutes);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > LONGEST_PAUSE_MINUTES) {
    throw new UsageError(
      `--minutes is a whole number from 1 to ${LONGEST_PAUSE_MINUTES}, not ${values.minutes}`,
    );
  }
  const answer = await confirm(
    context,
    `For ${minutes} minutes, agents may change gatehouse's own files and the clients' hook settings, and so take ` +
      "gatehouse out. All other rules and guards stay. Open the window?",
  );
  if (answer === null) throw new UsageError("a person must answer on a terminal");
  if (!answer) {
    await context.print("Nothing was changed.");
    return REFUSED;
  }
  const pause = await writePause(fs, state, minutes);
  if (pause !== null) {
    await context.print(`${describe(pause)} \`gatehouse pause --end\` closes it at once.`);
  }
  return 0;
}

function describe({ until }: Pause): string {
  return `A window is open until ${
    new Date(until).toLocaleTimeString()
  }: what guards is not guarded.`;
}
