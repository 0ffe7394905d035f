/**
 * The chain of controls around one tool, with what every control said (D2, D3): the compositor, and a record of it.
 *
 * @module
 */

import { type Arguments, type GateResult, gateResult, PermissionError } from "../call.ts";
import { copyArguments, isRecord } from "../action/copy_arguments.ts";
import type { Processors } from "../action/processors.ts";
import {
  actionOf,
  composePostHooks,
  composePreHooks,
  controlName,
  type PostHook,
  type PreHook,
} from "./compose.ts";
import { reduceVerdict } from "./reduce_verdict.ts";
import { sameArguments } from "./same_arguments.ts";

/** Is told of a call that failed. It changes nothing. */
export type ErrorHook = (
  toolName: string,
  action: string,
  args: Arguments,
  error: unknown,
) => unknown;

/** A control that can say why it let a call pass: which rule allowed it, that a person approved it. */
export type ExplainingHook = PreHook & {
  explain?(toolName: string, action: string, args: Arguments): GateResult;
};

/** The hooks of one tool, by kind, each kind in its order. */
export interface ToolHooks {
  /** Controls. */
  readonly securityPre: readonly PreHook[];
  /** Transforms. */
  readonly pre: readonly PreHook[];
  readonly post: readonly PostHook[];
  readonly error: readonly ErrorHook[];
}

/**
 * Builds what runs around a tool's callable out of hooks and the tool's own processors.
 *
 * The tool's own preprocessor may rewrite arguments, so it stands with the transforms: whatever it gives is judged again.
 * When a control itself rewrote the arguments in the last pass, the controls are asked once more about what it gave; if
 * they then still do not leave it alone, the call is refused.
 */
export function governProcessors(toolName: string, hooks: ToolHooks, own: Processors): Processors {
  const governed = hooks.securityPre.length > 0 || hooks.pre.length > 0;
  const after = composePostHooks(toolName, hooks.post);
  return {
    preprocessor: governed ? governedPreprocessor(toolName, hooks, own) : own.preprocessor,
    preprocessorKwargs: own.preprocessorKwargs,
    postprocessor: after === null ? own.postprocessor : async (response, options, context) => {
      const processed = await own.postprocessor?.(response, options, context);
      return await after(context.arguments, processed === undefined ? response : processed);
    },
    postprocessorKwargs: own.postprocessorKwargs,
    onError: hooks.error.length === 0 ? own.onError : async (error, context) => {
      const args = context.arguments;
      const failures: unknown[] = [];
      const tell = async (body: () => unknown): Promise<void> => {
        try {
          await body();
        } catch (thrown) {
          failures.push(thrown);
        }
      };
      await tell(() => own.onError?.(error, context));
      for (const hook of hooks.error) {
        await tell(() => hook(toolName, actionOf(args), copyArguments(args), error));
      }
      if (failures.length > 0) throw new AggregateError(failures, "error hooks failed");
    },
  };
}

function governedPreprocessor(
  toolName: string,
  hooks: ToolHooks,
  own: Processors,
): NonNullable<Processors["preprocessor"]> {
  return async (given, options, context) => {
    const results: GateResult[] = [];
    const controls = hooks.securityPre.map((hook) => recordedControl(hook, results));
    const transforms = hooks.pre.map((hook) => recordedTransform(hook, results));
    const { preprocessor } = own;
    if (preprocessor !== null) {
      const ownTransform: PreHook = (_tool, _action, args) => preprocessor(args, options, context);
      transforms.unshift(recordedTransform(ownTransform, results, "preprocessor"));
    }
    let args = given;
    try {
      args = await composePreHooks(toolName, controls, transforms)!(given);
      if (rewroteInLastPass(results, controls.length)) {
        const settled = await composePreHooks(toolName, controls)!(args);
        if (rewroteInLastPass(results, controls.length)) {
          throw unsettled(toolName, settled, results);
        }
      }
      return args;
    } finally {
      const rewritten = !sameArguments(args, given);
      context.record(
        reduceVerdict(Object.freeze([...results]), { args: copyArguments(args), rewritten }),
      );
    }
  };
}

/** Whether one of the controls handed on other arguments when they were asked last. */
function rewroteInLastPass(results: readonly GateResult[], controls: number): boolean {
  return controls > 0 && results.slice(-controls).some((result) => result.rewritten);
}

/** What is kept of a control that let a call pass and said nothing. */
const NO_OBJECTION = { reason: "no objection", reasonCode: "none" } as const;

/** A control that leaves a result behind, whatever it does. */
function recordedControl(hook: PreHook, results: GateResult[]): PreHook {
  const control = controlName(hook);
  const explaining: ExplainingHook = hook;
  const passed = (tool: string, action: string, args: Arguments, answer: unknown): unknown => {
    const rewritten = isRecord(answer) && !sameArguments(answer, args);
    const said = explaining.explain?.(tool, action, args) ?? NO_OBJECTION;
    results.push(gateResult({ ...said, control, behavior: "allow", tool, action, rewritten }));
    return answer;
  };
  const recorded: PreHook = (tool, action, args) => {
    // The control may change what it is handed; the comparison needs what it was handed.
    const before = copyArguments(args);
    const failed = (error: unknown): never => {
      const refusal = refusalOf(error, control, "guard", tool, action);
      results.push(refusal.result!);
      throw refusal;
    };
    let answer: unknown;
    try {
      answer = hook(tool, action, args);
    } catch (error) {
      return failed(error);
    }
    return isThenable(answer)
      ? answer.then((late) => passed(tool, action, before, late), failed)
      : passed(tool, action, before, answer);
  };
  return Object.assign(recorded, { control });
}

/** A transform that leaves a result behind when it refuses or fails. Its own error passes through as it is. */
function recordedTransform(hook: PreHook, results: GateResult[], name?: string): PreHook {
  const control = `hook:${name ?? controlName(hook)}`;
  return (tool, action, args) => {
    const failed = (error: unknown): never => {
      const refusal = refusalOf(error, control, "hook", tool, action);
      results.push(refusal.result!);
      throw error instanceof PermissionError ? refusal : error;
    };
    let answer: unknown;
    try {
      answer = hook(tool, action, args);
    } catch (error) {
      return failed(error);
    }
    return isThenable(answer) ? answer.then((late) => late, failed) : answer;
  };
}

/** A refusal that says which control it is of; one that does already stays as it is. */
function refusalOf(
  error: unknown,
  control: string,
  reasonCode: "guard" | "hook",
  tool: string,
  action: string,
): PermissionError {
  if (error instanceof PermissionError && error.result !== null) return error;
  const refused = error instanceof PermissionError;
  const detail = error instanceof Error ? error.message : String(error);
  const reason = refused
    ? detail
    : `The control ${control} failed, so the call is refused: ${detail}`;
  return new PermissionError(reason, {
    cause: error,
    result: gateResult({
      control,
      behavior: "deny",
      reason,
      reasonCode: refused ? reasonCode : "error",
      tool,
      action,
      errored: !refused,
      advice: refused
        ? null
        : "Mend the control; a control that fails refuses every call it is asked about.",
    }),
  });
}

function unsettled(tool: string, args: Arguments, results: GateResult[]): PermissionError {
  const rewriting = results.filter((result) => result.rewritten).at(-1)!;
  const reason =
    `The control ${rewriting.control} rewrites the arguments every time it is asked, ` +
    "so what would run was never judged by all controls";
  const result = gateResult({
    control: rewriting.control,
    behavior: "deny",
    reason,
    reasonCode: "error",
    tool,
    action: actionOf(args),
    errored: true,
    advice: "Make the control leave its own rewrite alone.",
  });
  results.push(result);
  return new PermissionError(reason, { result });
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as { then?: unknown }).then === "function";
}
