import { type Arguments, gateResult, PermissionError, type Verdict } from "../call.ts";
import type { ElementInit } from "../signals/element.ts";
import { isAuthorized } from "./authorized.ts";
import { copyArguments, isRecord } from "./copy_arguments.ts";
import { Event, type EventStatus, type InvokeOptions } from "./event.ts";
import type { ProcessorContext } from "./processors.ts";
import type { Tool } from "./tool.ts";
import type { RequestSchema } from "./tool_schema.ts";

/** What a {@linkcode FunctionCalling} is made of. */
export interface FunctionCallingOptions extends ElementInit {
  /** The tool to call. */
  readonly funcTool: Tool;
  /** A plain record, or an object whose own fields are the arguments; fields that are `undefined` are not set (D3-3). */
  readonly arguments?: object;
}

/** What came of a call: its status, with a refusal told apart from a failure. */
export type CallOutcome = EventStatus | "denied";

/**
 * One call of one tool (D3): the only place where a tool's callable is run, whichever way the call came.
 *
 * In this order, each once: the gate of the tool's manager (when it has one for every route and `act` has not asked it
 * already), the preprocessor, the callable, the postprocessor (D3-4). Any promise is awaited (D3-5).
 */
export class FunctionCalling extends Event {
  /** The tool that is called. */
  readonly funcTool: Tool;
  readonly #proposed: Arguments;
  #arguments: Arguments;
  #judgementMs: number | null = null;
  #verdict: Verdict | null = null;
  readonly #processorErrors: unknown[] = [];

  /** Makes a call that is yet to run. @throws {Error} when the arguments do not fit the tool (D3-2, D3-3, D3-8). */
  constructor(options: FunctionCallingOptions) {
    super(options);
    this.funcTool = options.funcTool;
    this.#proposed = fittingArguments(options.funcTool, options.arguments ?? {});
    this.#arguments = this.#proposed;
  }

  /** The tool's name. */
  get function(): string {
    return this.funcTool.name;
  }

  /** A copy of the arguments: as given before the call runs, as judged last afterwards. */
  get arguments(): Arguments {
    return copyArguments(this.#arguments);
  }

  /** A copy of the arguments as the call was made with them. */
  get proposedArguments(): Arguments {
    return copyArguments(this.#proposed);
  }

  /** Milliseconds the preprocessor took, controls and all; `null` before it has run. */
  get judgementMs(): number | null {
    return this.#judgementMs;
  }

  /** What the controls said, all of them; `null` when the tool has none, or none was asked. */
  get verdict(): Verdict | null {
    return this.#verdict;
  }

  /** What came of it: its status, and `denied` when it failed because a control refused. */
  get outcome(): CallOutcome {
    return this.status === "failed" && this.execution.error instanceof PermissionError
      ? "denied"
      : this.status;
  }

  /** What error processors threw; they change nothing. */
  get processorErrors(): readonly unknown[] {
    return [...this.#processorErrors];
  }

  /** The gate, the processors and the callable, in their order. */
  protected override async run({ signal }: InvokeOptions): Promise<unknown> {
    const { funcTool } = this;
    const processors = funcTool.processors;
    const context = this.#context(signal);
    try {
      if (!isAuthorized(this)) await this.#authorize();
      signal?.throwIfAborted();
      if (processors.preprocessor !== null) {
        const started = performance.now();
        try {
          const { preprocessor, preprocessorKwargs } = processors;
          const prepared = await preprocessor(this.arguments, preprocessorKwargs, context);
          if (isRecord(prepared)) this.#arguments = copyArguments(prepared);
        } finally {
          this.#judgementMs = performance.now() - started;
        }
        signal?.throwIfAborted();
      }
      const response = await funcTool.funcCallable(this.arguments, {
        tool: funcTool.name,
        callId: this.id,
        signal,
      });
      if (processors.postprocessor === null) return response;
      signal?.throwIfAborted();
      const processed = await processors.postprocessor(
        response,
        processors.postprocessorKwargs,
        context,
      );
      return processed === undefined ? response : processed;
    } catch (error) {
      if (processors.onError !== null) {
        try {
          await processors.onError(error, context);
        } catch (thrown) {
          this.#processorErrors.push(thrown);
        }
      }
      throw error;
    }
  }

  /** What can be written down of it; no functions in it (D3-10). */
  toDict(): Record<string, unknown> {
    const { status, response, error, durationMs } = this.execution;
    return {
      id: this.id,
      createdAt: this.createdAt,
      metadata: plain(this.metadata),
      function: this.function,
      arguments: plain(this.#arguments),
      outcome: this.outcome,
      execution: {
        status,
        response: plain(response),
        error: error === null ? null : errorText(error),
        durationMs,
      },
      verdict: plain(this.#verdict),
    };
  }

  /** The same as {@linkcode FunctionCalling.toDict}, for `JSON.stringify`. */
  toJSON(): Record<string, unknown> {
    return this.toDict();
  }

  /** How messages name it. */
  protected override describe(): string {
    return `the call of ${this.function}`;
  }

  async #authorize(): Promise<void> {
    const { authorize, name } = this.funcTool;
    if (authorize === undefined) return;
    if (await authorize({ function: name, arguments: this.arguments })) return;
    throw gateRefusal(name, this.#arguments);
  }

  #context(signal: AbortSignal | undefined): ProcessorContext {
    const current = (): Arguments => this.arguments;
    return {
      tool: this.function,
      callId: this.id,
      signal,
      get arguments() {
        return current();
      },
      record: (verdict) => {
        this.#verdict = verdict;
      },
    };
  }
}

/** The refusal of a session's gate, as an error of the call (D4, when the gate is asked on every route). */
export function gateRefusal(tool: string, args: unknown): PermissionError {
  const action = isRecord(args) && typeof args.action === "string" ? args.action : "";
  const reason = "denied by governance gate";
  return new PermissionError(`${tool}: ${reason}`, {
    result: gateResult({
      control: "gate",
      plane: "session",
      behavior: "deny",
      reason,
      reasonCode: "gate",
      tool,
      action,
    }),
  });
}

/** Checks arguments against a tool and gives them as a record nobody else holds. */
function fittingArguments(tool: Tool, given: object): Arguments {
  const args = dumpArguments(tool.name, given);
  const names = new Set(Object.keys(args));
  if (tool.strictFuncCall) {
    const missing = [...tool.requiredFields].filter((name) => !names.has(name));
    const extra = [...names].filter((name) => !tool.requiredFields.has(name));
    if (missing.length > 0 || extra.length > 0) {
      throw new Error(
        `Cannot call ${tool.name}: its arguments must be exactly ${
          listed(tool.requiredFields)
        }; missing ${listed(missing)}, not expected ${listed(extra)}`,
      );
    }
  } else {
    const missing = [...tool.minimalFields].filter((name) => !names.has(name));
    if (missing.length > 0) {
      throw new Error(`Cannot call ${tool.name}: missing ${listed(missing)}`);
    }
  }
  return tool.requestOptions === null
    ? args
    : parsedArguments(tool.name, tool.requestOptions, args);
}

/** Only what is set goes on (D3-3): the own fields of a record or an object that are not `undefined`. */
function dumpArguments(tool: string, given: object): Arguments {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new TypeError(`Cannot call ${tool}: the arguments must be a record`);
  }
  const set = Object.entries(given).filter(([, value]) =>
    value !== undefined && (isRecord(given) || typeof value !== "function")
  );
  return copyArguments(Object.fromEntries(set));
}

function parsedArguments(tool: string, schema: RequestSchema, args: Arguments): Arguments {
  const parsed = schema.safeParse(args);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`
    );
    throw new Error(`Cannot call ${tool}: ${issues.join("; ")}`, { cause: parsed.error });
  }
  if (!isRecord(parsed.data)) {
    throw new TypeError(`Cannot call ${tool}: its request schema does not give a record`);
  }
  return copyArguments(parsed.data);
}

function listed(names: Iterable<string>): string {
  return [...names].join(", ") || "nothing";
}

function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** A copy without functions, through JSON; what has no JSON form becomes its text. */
function plain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  try {
    const text = JSON.stringify(
      value,
      (_key, part) => typeof part === "bigint" ? String(part) : part,
    );
    return text === undefined ? String(value) : JSON.parse(text);
  } catch {
    return String(value);
  }
}
