/**
 * From a configuration and a tool call to one verdict.
 *
 * @module
 */

import {
  type Arguments,
  type GateResult,
  gateResult,
  PermissionError,
  type ToolCall,
  type Verdict,
} from "../call.ts";
import { isRecord } from "../action/copy_arguments.ts";
import { type HookSettings, placeIn } from "../config/compiled_file.ts";
import type { Configuration } from "../config/load_configuration.ts";
import { composePreHooks, type PreHook } from "../hooks/compose.ts";
import { reduceVerdict } from "../hooks/reduce_verdict.ts";
import { sameArguments } from "../hooks/same_arguments.ts";
import { canonicalToolName } from "../policy/tool_names.ts";
import type { Runtime } from "../runtime/port.ts";
import { atOnce } from "./at_once.ts";
import type { Control } from "./control.ts";
import { guardControls } from "./guard_controls.ts";
import { judgeInput } from "./input_control.ts";
import { lineReader } from "./line_reading.ts";
import { POLICY_CONTROL, policyControl } from "./policy_control.ts";
import { selfControl } from "./self_control.ts";

/** Judges calls by one configuration. */
export type Judge = (call: ToolCall) => Promise<Verdict>;

/**
 * Makes a judge of a configuration.
 *
 * A call goes through the compositor: all controls, then the user's hooks, then all controls again on what the hooks
 * made of it (D2-3, D2-4). The strictest answer of both passes is the verdict, so neither the call as it was asked for
 * nor the call as it would run escapes a control. The verdict's arguments are exactly those judged last.
 *
 * The judge never rejects: a control or a hook that fails is a denial.
 */
export function createJudge(runtime: Runtime, configuration: Configuration): Judge {
  const controls = controlsOf(runtime, configuration);
  return async (call) => {
    const tool = canonicalToolName(call.tool);
    const results: GateResult[] = [];
    const security: PreHook[] = [];
    for (const control of controls) security.push(collecting(control, call, results));
    const user: PreHook[] = [];
    if (hasUserHooks(configuration, tool)) {
      for (const hook of await userHooks(runtime, configuration, call, tool)) {
        user.push(asking(hook, call, results));
      }
    }
    const chain = composePreHooks(tool, security, user);
    let args = call.args;
    try {
      if (chain !== null) args = await chain({ ...call.args, ...actionArgument(call) });
    } catch (error) {
      const result = resultOf(error, call);
      if (!results.includes(result)) results.push(result);
      args = call.args;
    }
    return verdictOf(results, call, withoutAction(args, call), configuration.notices);
  };
}

function controlsOf(runtime: Runtime, configuration: Configuration): Control[] {
  const lines = lineReader();
  const controls: Control[] = [{ name: "input", judge: judgeInput }];
  const policy = policyControl(configuration, lines, runtime.env.platform !== "linux");
  if (policy !== null) controls.push({ name: POLICY_CONTROL, judge: policy });
  controls.push(selfControl(runtime, configuration, lines));
  return [...controls, ...guardControls(runtime, configuration, lines)];
}

/** A control as a security hook that keeps what it says. Only a denial ends the chain: a question must not hide one. */
function collecting(control: Control, call: ToolCall, results: GateResult[]): PreHook {
  const keep = (result: GateResult | null): void => {
    if (result === null) return;
    results.push(result);
    if (result.behavior === "deny") throw new PermissionError(result.reason, { result });
  };
  const hook: PreHook & { control?: string } = (_tool, action, args) => {
    const judged = { ...call, action: action || call.action, args: withoutAction(args, call) };
    return atOnce(control.judge(judged), keep);
  };
  hook.control = control.name;
  return hook;
}

function hasUserHooks({ layers }: Configuration, tool: string): boolean {
  for (const { trusted, file } of layers) {
    if (trusted) { for (const settings of file.hooks) if (isAbout(settings, tool)) return true; }
  }
  return false;
}

function isAbout({ tools }: HookSettings, tool: string): boolean {
  return tools.includes("*") || tools.includes(tool);
}

async function userHooks(
  runtime: Runtime,
  configuration: Configuration,
  call: ToolCall,
  tool: string,
): Promise<PreHook[]> {
  const { commandHook } = await import("../hooks/command_hook.ts");
  const hooks: PreHook[] = [];
  for (const { trusted, file } of configuration.layers) {
    if (!trusted) continue;
    for (const settings of file.hooks) {
      if (!isAbout(settings, tool)) continue;
      hooks.push(commandHook(runtime, call, {
        name: settings.name,
        command: settings.command,
        timeoutMs: settings.timeout * 1_000,
        place: placeIn(file, settings.line),
      }));
    }
  }
  return hooks;
}

/**
 * A user's hook whose question is kept while the chain goes on: the rewrites of the hooks beside it still count, and a
 * denial of a later control is still heard.
 */
function asking(hook: PreHook, call: ToolCall, results: GateResult[]): PreHook {
  return async (tool, action, args) => {
    try {
      const answer = await hook(tool, action || call.action, withoutAction(args, call));
      return isRecord(answer) ? { ...actionArgument(call), ...answer } : answer;
    } catch (error) {
      if (!(error instanceof PermissionError) || error.result?.behavior !== "escalate") throw error;
      results.push(error.result);
      return undefined;
    }
  };
}

/** What the compositor threw, as a result. */
function resultOf(error: unknown, call: ToolCall): GateResult {
  if (error instanceof PermissionError && error.result !== null) return error.result;
  const detail = error instanceof Error ? error.message : String(error);
  return gateResult({
    control: "gatehouse",
    behavior: "deny",
    reason: `The call could not be judged, so it is refused: ${detail}`,
    reasonCode: "error",
    tool: call.tool,
    action: call.action,
    errored: true,
  });
}

function verdictOf(
  results: readonly GateResult[],
  call: ToolCall,
  args: Arguments,
  notices: readonly string[],
): Verdict {
  return reduceVerdict(results, {
    args,
    rewritten: !sameArguments(call.args, args),
    notices,
    silence: "no policy speaks of this call, and no guard is against it",
  });
}

/** The compositor takes the action from the arguments; a call has it beside them. */
function actionArgument(call: ToolCall): Arguments {
  return call.action !== "" && call.args.action === undefined ? { action: call.action } : {};
}

/** The arguments without the action that was put there for the compositor. */
function withoutAction(args: Arguments, call: ToolCall): Arguments {
  if (call.args.action !== undefined || args.action !== call.action) return args;
  const { action: _action, ...rest } = args;
  return rest;
}
