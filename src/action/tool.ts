import { Element, type ElementInit } from "../signals/element.ts";
import { isRecord } from "./copy_arguments.ts";
import type {
  Callable,
  CallContext,
  ErrorProcessor,
  Governance,
  Postprocessor,
  Preprocessor,
  ProcessorOptions,
  Processors,
} from "./processors.ts";
import {
  isToolSchema,
  type JsonSchema,
  minimalFields,
  readToolSchema,
  type RequestSchema,
  requiredFields,
  type ToolSchema,
  toolSchemaOf,
} from "./tool_schema.ts";

/** One tool of an MCP server: the tool's name here, and where it is. */
export type McpToolConfig = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Calls a tool of an MCP server. `source` is the one entry of the tool's {@linkcode McpToolConfig}. */
export type McpCaller = (
  source: Readonly<Record<string, unknown>>,
  args: Record<string, unknown>,
  context: CallContext,
) => Promise<unknown>;

/** What a {@linkcode Tool} is made of. */
export interface ToolOptions extends ElementInit {
  /** The tool's name. Left out: the name in the schema, the MCP entry's, or the function's. */
  readonly name?: string;
  /** What the tool does, for the model. */
  readonly description?: string;
  /** The function. Either this or `mcpConfig`. */
  readonly funcCallable?: Callable;
  /** One entry: the tool's name and where it is. Either this or `funcCallable`. */
  readonly mcpConfig?: McpToolConfig;
  /** The connection that calls the MCP server. */
  readonly mcpCaller?: McpCaller;
  /** What a model is told, written by hand; generated when it is left out (D3-2). */
  readonly toolSchema?: ToolSchema | JsonSchema;
  /** Checks the arguments and describes them. */
  readonly requestOptions?: RequestSchema;
  /** Runs before the callable. */
  readonly preprocessor?: Preprocessor;
  /** Extra options for the preprocessor. */
  readonly preprocessorKwargs?: ProcessorOptions;
  /** Runs after the callable. */
  readonly postprocessor?: Postprocessor;
  /** Extra options for the postprocessor. */
  readonly postprocessorKwargs?: ProcessorOptions;
  /** Is told of calls that failed. */
  readonly onError?: ErrorProcessor;
  /** Whether a call must name exactly the required fields, not more. Default `false`. */
  readonly strictFuncCall?: boolean;
}

/** The values of these server settings are secrets as often as not; they are never serialised. */
const SECRET_SETTINGS: ReadonlySet<string> = new Set(["env", "headers"]);

/**
 * A function that a model may call, with what runs before and after it (D3).
 *
 * A tool has exactly one source: a function, or one tool of an MCP server (D3-1).
 *
 * @example
 * ```ts
 * import { Tool } from "@gatehouse/gatehouse";
 *
 * const add = new Tool({
 *   name: "add",
 *   description: "Adds two numbers",
 *   funcCallable: ({ a, b }) => Number(a) + Number(b),
 *   toolSchema: {
 *     type: "object",
 *     properties: { a: { type: "number" }, b: { type: "number" } },
 *     required: ["a", "b"],
 *   },
 * });
 * ```
 */
export class Tool extends Element {
  /** The tool's name. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** The function, or what calls the MCP server. */
  readonly funcCallable: Callable;
  /** Where the tool is on an MCP server; `null` for a function. */
  readonly mcpConfig: McpToolConfig | null;
  /** What a model is told. */
  readonly toolSchema: ToolSchema;
  /** Checks the arguments; `null` when nothing does. */
  readonly requestOptions: RequestSchema | null;
  /** Whether a call must name exactly the required fields. */
  readonly strictFuncCall: boolean;
  /** The names that the schema requires. */
  readonly requiredFields: ReadonlySet<string>;
  /** The names no call can do without. */
  readonly minimalFields: ReadonlySet<string>;
  readonly #options: ToolOptions;
  readonly #own: Processors;
  #effective: Processors;
  #owner: object | null = null;
  #authorize: Governance["authorize"];

  /** Makes a tool. @throws {TypeError} when there is not exactly one source, or a part has the wrong shape (D3-1). */
  constructor(options: ToolOptions) {
    super(options);
    const { name, callable } = sourceOf(options);
    if (name === "" || name === "*") {
      throw new TypeError(
        'Cannot make a tool: it needs a name (give name, or a named function) other than "*"',
      );
    }
    const schema = options.toolSchema;
    const described = schema !== undefined && isToolSchema(schema) ? schema.function : null;
    this.#options = options;
    this.name = name;
    this.description = options.description ?? described?.description ?? "";
    this.funcCallable = callable;
    this.mcpConfig = options.mcpConfig ?? null;
    this.requestOptions = options.requestOptions ?? null;
    this.strictFuncCall = options.strictFuncCall ?? false;
    this.toolSchema = schema === undefined
      ? toolSchemaOf(name, this.description, this.requestOptions)
      : readToolSchema(schema, name, this.description);
    this.requiredFields = requiredFields(this.toolSchema);
    this.minimalFields = minimalFields(this.toolSchema);
    this.#own = Object.freeze({
      preprocessor: options.preprocessor ?? null,
      preprocessorKwargs: options.preprocessorKwargs ?? {},
      postprocessor: options.postprocessor ?? null,
      postprocessorKwargs: options.postprocessorKwargs ?? {},
      onError: options.onError ?? null,
    });
    this.#effective = this.#own;
  }

  /** What runs around the callable: the tool's own processors, or what its manager made of them. */
  get processors(): Processors {
    return this.#effective;
  }

  /** The gate of the manager it is registered with, when that one has a gate for every route. */
  get authorize(): Governance["authorize"] {
    return this.#authorize;
  }

  /**
   * Puts a manager's governance around the tool itself, whoever calls it. `ActionManager` calls this when a tool is
   * registered.
   *
   * @returns The tool; a copy of it when it stands under another manager's governance already, which stays as it is.
   */
  bind(owner: object, governance: Governance): Tool {
    if (this.#owner !== null && this.#owner !== owner) {
      return new Tool({ ...this.#options, id: undefined }).bind(owner, governance);
    }
    if (this.#owner === owner) return this;
    this.#owner = owner;
    this.#authorize = governance.authorize;
    if (governance.wrap !== undefined) {
      this.#effective = Object.freeze(governance.wrap(this.name, this.#own));
    }
    return this;
  }

  /** What can be written down of it: no functions, no processors, none of their options (D3-10). */
  toDict(): Record<string, unknown> {
    return {
      id: this.id,
      createdAt: this.createdAt,
      metadata: { ...this.metadata },
      name: this.name,
      description: this.description,
      mcpConfig: this.mcpConfig === null ? null : withoutSecrets(this.mcpConfig),
      toolSchema: structuredClone(this.toolSchema),
      strictFuncCall: this.strictFuncCall,
    };
  }

  /** The same as {@linkcode Tool.toDict}, so that `JSON.stringify` writes no more than that. */
  toJSON(): Record<string, unknown> {
    return this.toDict();
  }
}

/** Finds the one source of a tool, and its name (D3-1). */
function sourceOf(options: ToolOptions): { name: string; callable: Callable } {
  const { funcCallable, mcpConfig, mcpCaller, toolSchema } = options;
  const described = toolSchema !== undefined && isToolSchema(toolSchema)
    ? toolSchema.function.name
    : undefined;
  const label = options.name ?? described ?? "";
  if (funcCallable !== undefined && mcpConfig !== undefined) {
    throw new TypeError(
      `Cannot make the tool ${label}: it has a function and an MCP configuration; give one of them`,
    );
  }
  if (funcCallable !== undefined) {
    if (typeof funcCallable !== "function") {
      throw new TypeError(`Cannot make the tool ${label}: funcCallable is not a function`);
    }
    return { name: label || funcCallable.name, callable: funcCallable };
  }
  if (mcpConfig === undefined) {
    throw new TypeError(
      `Cannot make the tool ${label}: it has no source; give funcCallable or mcpConfig`,
    );
  }
  if (!isRecord(mcpConfig)) {
    throw new TypeError(`Cannot make the tool ${label}: mcpConfig must be a record`);
  }
  const entries = Object.entries(mcpConfig);
  if (entries.length !== 1) {
    throw new TypeError(
      `Cannot make the tool ${label}: mcpConfig must have one entry, it has ${entries.length}`,
    );
  }
  const [entryName, source] = entries[0];
  if (!isRecord(source)) {
    throw new TypeError(`Cannot make the tool ${label}: mcpConfig.${entryName} must be a record`);
  }
  const name = label || entryName;
  return {
    name,
    callable: (args, context) => {
      if (mcpCaller === undefined) {
        throw new Error(`Cannot call ${name}: no connection to its MCP server (give mcpCaller)`);
      }
      return mcpCaller(source, args, context);
    },
  };
}

function withoutSecrets(config: McpToolConfig): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([name, source]) => [
      name,
      Object.fromEntries(
        Object.entries(source).map(([setting, value]) => [
          setting,
          SECRET_SETTINGS.has(setting) && isRecord(value)
            ? Object.fromEntries(Object.keys(value).map((key) => [key, "***"]))
            : value,
        ]),
      ),
    ]),
  );
}
