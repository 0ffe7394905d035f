import { type CommandContext, UsageError } from "./command.ts";

/** How each part of the command is loaded. */
const PARTS: Readonly<
  Record<
    string,
    () => Promise<(args: readonly string[], context: CommandContext) => Promise<number>>
  >
> = {
  list: async () => (await import("./signals_list.ts")).listSignals,
  tail: async () => (await import("./signals_list.ts")).tailSignals,
  show: async () => (await import("./signals_keep.ts")).showSignal,
  export: async () => (await import("./signals_keep.ts")).exportSignals,
  prune: async () => (await import("./signals_keep.ts")).pruneSignals,
  stats: async () => (await import("./signals_keep.ts")).signalStats,
  reset: async () => (await import("./signals_keep.ts")).resetSignals,
};

/** `gatehouse signals list | tail | show | export | prune | stats | reset`. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || !Object.hasOwn(PARTS, name)) {
    throw new UsageError(
      `say what to do with the signals: ${Object.keys(PARTS).join(", ")}${
        name === undefined ? "" : `; not ${name}`
      }`,
    );
  }
  return await (await PARTS[name]())(rest, context);
}
