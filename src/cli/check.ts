import { parseArgs } from "node:util";
import { type Behavior, compareBehaviors, type ToolCall } from "../call.ts";
import { isRecord } from "../action/copy_arguments.ts";
import { inFolder } from "../config/ancestor_folders.ts";
import { loadConfiguration } from "../config/load_configuration.ts";
import { createJudge, type Judge } from "../judge/judge.ts";
import { callArguments } from "./call_arguments.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { verdictJson, verdictText } from "./verdict_text.ts";

/** Exit codes of a verdict. */
export const VERDICT_CODES: Readonly<Record<Behavior, number>> = { allow: 0, deny: 1, escalate: 3 };

/** Wrong usage or configuration. */
const USAGE = 2;

/** `gatehouse check`. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      action: { type: "string", default: "" },
      cwd: { type: "string" },
      config: { type: "string" },
      batch: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const cwd = absoluteFolder(context, values.cwd);
  if (values.batch) {
    if (positionals.length > 0) throw new UsageError("--batch reads the calls from standard input");
    return await checkBatch(context, cwd, values.config);
  }
  const [tool, ...words] = positionals;
  if (tool === undefined) throw new UsageError("name a tool, such as bash");
  const call: ToolCall = { tool, action: values.action, args: callArguments(tool, words), cwd };
  const { runtime } = context;
  const configuration = await loadConfiguration(runtime, { cwd, config: values.config });
  const verdict = await createJudge(runtime, configuration)(call);
  await context.print(
    values.json
      ? JSON.stringify(verdictJson(verdict))
      : await verdictText(runtime, call, verdict, context.style),
  );
  return VERDICT_CODES[verdict.behavior];
}

/** The folder a call is judged in, absolute. */
export function absoluteFolder(context: CommandContext, folder: string | undefined): string {
  const current = context.runtime.env.cwd();
  if (folder === undefined || folder === "") return current;
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(folder) ? folder : inFolder(current, folder);
}

async function checkBatch(
  context: CommandContext,
  cwd: string,
  config: string | undefined,
): Promise<number> {
  const judges = new Map<string, Promise<Judge>>();
  const judgeFor = (folder: string): Promise<Judge> => {
    let judge = judges.get(folder);
    if (judge === undefined) {
      judge = loadConfiguration(context.runtime, { cwd: folder, config })
        .then((configuration) => createJudge(context.runtime, configuration));
      judges.set(folder, judge);
    }
    return judge;
  };
  // A configuration that cannot be used ends the batch before it begins.
  await judgeFor(cwd);
  let strictest: Behavior = "allow";
  let unreadable = false;
  let number = 0;
  for await (const line of context.runtime.stdio.readLines()) {
    number++;
    if (line.trim() === "") continue;
    const call = readCall(line, cwd);
    if (typeof call === "string") {
      unreadable = true;
      await context.print(JSON.stringify(refusalOf(`line ${number}: ${call}`)));
      continue;
    }
    const verdict = await judgeFor(call.cwd).then(
      async (judge) => verdictJson(await judge(call)),
      (error: Error) => refusalOf(`line ${number}: ${error.message}`),
    );
    const behavior = verdict.behavior as Behavior;
    if (compareBehaviors(behavior, strictest) > 0) strictest = behavior;
    await context.print(JSON.stringify(verdict));
  }
  return unreadable ? USAGE : VERDICT_CODES[strictest];
}

/** A line of a batch as a call, or what is wrong with it. */
function readCall(line: string, cwd: string): ToolCall | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "not JSON";
  }
  if (!isRecord(value)) return "not a JSON object";
  const { tool, action = "", args = {}, cwd: own = cwd } = value;
  if (typeof tool !== "string" || tool === "") return "`tool` must be a name";
  if (typeof action !== "string") return "`action` must be text";
  if (!isRecord(args)) return "`args` must be an object";
  if (typeof own !== "string" || !/^(?:[\\/]|[A-Za-z]:[\\/])/.test(own)) {
    return "`cwd` must be an absolute path";
  }
  return { tool, action, args, cwd: own };
}

function refusalOf(reason: string): Record<string, unknown> {
  return {
    behavior: "deny",
    reason,
    reasonCode: "input",
    control: "input",
    matchedRule: null,
    place: null,
    advice: null,
    notices: [],
  };
}
