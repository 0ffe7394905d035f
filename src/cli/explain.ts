import { parseArgs } from "node:util";
import type { ToolCall } from "../call.ts";
import { loadConfiguration } from "../config/load_configuration.ts";
import { createJudge } from "../judge/judge.ts";
import { needsLines } from "../judge/policy_control.ts";
import { explainPolicy } from "../policy/explain.ts";
import { LinePolicy } from "../policy/line_policy.ts";
import { PermissionPolicy } from "../policy/permission_policy.ts";
import { canonicalToolName } from "../policy/tool_names.ts";
import type { ShellReading } from "../shell/facts.ts";
import { readCommandLine } from "../shell/read_command_line.ts";
import { callArguments } from "./call_arguments.ts";
import { absoluteFolder, VERDICT_CODES } from "./check.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { lineText } from "./line_text.ts";
import { verdictJson, verdictText } from "./verdict_text.ts";

/** `gatehouse explain`: a verdict, the commands of the line, and what every control and rule said. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      config: { type: "string" },
      json: { type: "boolean", default: false },
      action: { type: "string", default: "" },
      cwd: { type: "string" },
    },
  });
  const [tool, ...words] = positionals;
  if (tool === undefined) throw new UsageError("explain needs a tool, such as bash");
  const { runtime, print, style } = context;
  const cwd = absoluteFolder(context, values.cwd);
  const call: ToolCall = { tool, action: values.action, args: callArguments(tool, words), cwd };
  const configuration = await loadConfiguration(runtime, { cwd, config: values.config });
  const verdict = await createJudge(runtime, configuration)(call);
  const { command } = call.args;
  const reading = canonicalToolName(tool) === "bash" && typeof command === "string"
    ? readCommandLine(command)
    : null;
  const policies = configuration.layers
    .filter(({ file }) => file.policy !== null)
    .map(({ file, trusted }) => ({
      path: file.path,
      trusted,
      ...policySteps(file.policy!, call, reading),
    }));
  if (values.json) {
    await print(JSON.stringify({
      verdict: verdictJson(verdict),
      line: reading,
      results: verdict.results,
      policies,
    }));
    return VERDICT_CODES[verdict.behavior];
  }
  await print(await verdictText(runtime, call, verdict, style));
  if (reading !== null) {
    await print("");
    await print(style.bold("what would run"));
    for (const line of lineText(reading, style)) await print(line);
  }
  await print("");
  await print(style.bold("what the controls said, in order"));
  if (verdict.results.length === 0) await print("  none had an opinion");
  for (const { control, behavior, reason } of verdict.results) {
    await print(`  ${control.padEnd(18)} ${behavior.padEnd(8)} ${reason}`);
  }
  for (const { path, trusted, mode, shell, text, rules, commands } of policies) {
    await print("");
    const state = trusted ? "" : ", not trusted: its allow rules do not count";
    await print(`${style.bold(path)}  mode ${mode}, shell ${shell}${state}`);
    if (text !== null) await print(`  rules are matched against: ${JSON.stringify(text)}`);
    for (const { tier, tool: key, pattern, line, matched, decided } of rules) {
      const said = decided ? style.bold("decided") : matched ? "matches" : style.dim("no match");
      const where = `line ${String(line).padEnd(4)} ${tier.padEnd(8)} ${key}`;
      await print(`  ${where}: ${JSON.stringify(pattern)}  ${said}`);
    }
    for (const { index, behavior, reason, line } of commands) {
      const where = line === null ? "" : `  (line ${line})`;
      await print(`  [${index}] ${behavior.padEnd(8)} ${reason}${where}`);
    }
  }
  return VERDICT_CODES[verdict.behavior];
}

type CompiledRules = NonNullable<
  Awaited<ReturnType<typeof loadConfiguration>>["layers"][number]["file"]["policy"]
>;

/** What a file's rules said: each rule on the call's text, or each command of the line. */
function policySteps(
  { policy, lines }: CompiledRules,
  call: ToolCall,
  reading: ShellReading | null,
) {
  const shell = policy.shell ?? "refuse";
  const base = { mode: policy.mode, shell };
  if (reading !== null && shell === "parse" && needsLines(policy)) {
    const { commands } = new LinePolicy(policy).evaluateLine(call.tool, call.action, reading);
    return {
      ...base,
      text: null,
      rules: [],
      commands: commands.map(({ command, behavior, reason, rule }) => ({
        index: command.index,
        behavior,
        reason,
        line: rule === null ? null : lines[rule.tier][rule.tool][rule.number],
      })),
    };
  }
  const { text, steps } = explainPolicy(
    new PermissionPolicy({ mode: policy.mode, compiled: policy }),
    call.tool,
    call.action,
    call.args,
  );
  return {
    ...base,
    text,
    rules: steps.map((step) => ({ ...step, line: lines[step.tier][step.tool][step.number] })),
    commands: [],
  };
}
