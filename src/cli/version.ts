import { parseArgs } from "node:util";
import { VERSION } from "../config/version.ts";
import type { CommandContext } from "./command.ts";

/** `gatehouse version`. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: "boolean" } } });
  const { name, env } = context.runtime;
  await context.print(
    values.json
      ? JSON.stringify({ version: VERSION, runtime: name, platform: env.platform })
      : `gatehouse ${VERSION} (${name}, ${env.platform})`,
  );
  return 0;
}
