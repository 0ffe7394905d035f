import { ActionRequest, type ActionRequestLike } from "./action_request.ts";
import type { InvokeOptions } from "./event.ts";
import { FunctionCalling } from "./function_calling.ts";
import type { Callable, Governance } from "./processors.ts";
import { Tool } from "./tool.ts";
import type { ToolSchema } from "./tool_schema.ts";

/** What can be registered: a tool, or a named function that says nothing of its arguments. */
export type ToolLike = Tool | Callable;

/** How tools are registered. */
export interface RegisterOptions {
  /** Whether a tool may take the place of another with its name. Default `false`. */
  readonly update?: boolean;
}

/**
 * Keeps tools by name and calls them (D3).
 *
 * Used alone it asks nobody: neither a session nor a gate (D3-9). What it is given as governance becomes part of every
 * tool that is registered with it, at whatever time.
 */
export class ActionManager {
  readonly #registry = new Map<string, Tool>();
  readonly #governance: Governance;

  /** Makes a manager. @param governance Becomes part of every tool that is registered. */
  constructor(tools: Iterable<ToolLike> = [], governance: Governance = {}) {
    this.#governance = governance;
    for (const tool of tools) this.registerTool(tool);
  }

  /** The tools by name. A copy: tools are added by {@linkcode ActionManager.registerTool} alone. */
  get registry(): ReadonlyMap<string, Tool> {
    return new Map(this.#registry);
  }

  /**
   * Registers a tool.
   *
   * @returns The tool as it stands in the registry, with the manager's governance around it.
   * @throws {Error} when the name is taken and `update` is not set.
   */
  registerTool(given: ToolLike, options: RegisterOptions = {}): Tool {
    const tool = given instanceof Tool ? given : new Tool({ funcCallable: given });
    if (this.#registry.has(tool.name) && options.update !== true) {
      throw new Error(
        `Cannot register the tool ${tool.name}: the name is taken; pass { update: true } to replace it`,
      );
    }
    const bound = tool.bind(this, this.#governance);
    this.#registry.set(bound.name, bound);
    return bound;
  }

  /** Registers several tools; none when one of them cannot be. */
  registerTools(given: Iterable<ToolLike>, options: RegisterOptions = {}): Tool[] {
    const tools = [...given].map((tool) =>
      tool instanceof Tool ? tool : new Tool({ funcCallable: tool })
    );
    const names = new Set<string>();
    for (const { name } of tools) {
      if ((this.#registry.has(name) && options.update !== true) || names.has(name)) {
        throw new Error(
          `Cannot register the tool ${name}: the name is taken` +
            (names.has(name) ? " twice" : "; pass { update: true } to replace it"),
        );
      }
      names.add(name);
    }
    return tools.map((tool) => this.registerTool(tool, options));
  }

  /** Puts a tool in the place of the one with its name. @throws {Error} when there is none. */
  updateTool(tool: ToolLike): Tool {
    const { name } = tool;
    if (!this.#registry.has(name)) {
      throw new Error(`Cannot update the tool ${name}: ${this.#noSuchTool(name)}`);
    }
    return this.registerTool(tool, { update: true });
  }

  /** Removes a tool. @returns Whether it was there. */
  removeTool(name: string): boolean {
    return this.#registry.delete(name);
  }

  /** Whether a tool of this name, or this very tool, is registered. */
  has(tool: string | Tool): boolean {
    return typeof tool === "string"
      ? this.#registry.has(tool)
      : this.#registry.get(tool.name) === tool;
  }

  /** What a model is told of the tools, in the order they were registered. */
  get schemaList(): ToolSchema[] {
    return [...this.#registry.values()].map((tool) => tool.toolSchema);
  }

  /** What a model is told of some tools. @throws {Error} when one is not registered. */
  schemasOf(names: Iterable<string>): ToolSchema[] {
    return [...names].map((name) => {
      const tool = this.#registry.get(name);
      if (tool === undefined) {
        throw new Error(`Cannot describe the tool ${name}: ${this.#noSuchTool(name)}`);
      }
      return tool.toolSchema;
    });
  }

  /**
   * Makes the call that a request asks for, without running it.
   *
   * @throws {Error} when no such tool is registered, before there is a {@linkcode FunctionCalling} (D3-8); when the
   * arguments do not fit.
   */
  matchTool(request: ActionRequestLike): FunctionCalling {
    const { function: name, arguments: args } = ActionRequest.from(request);
    const tool = this.#registry.get(name);
    if (tool === undefined) throw new Error(`Cannot call ${name}: ${this.#noSuchTool(name)}`);
    return new FunctionCalling({ funcTool: tool, arguments: args as object });
  }

  /**
   * Makes and runs the call that a request asks for. The session's plane is not consulted (D3-9), unless the session's
   * gate was installed for every route.
   *
   * @returns The call, whatever came of it: look at its `outcome`.
   * @throws {Error} as {@linkcode ActionManager.matchTool} does; what cancelled the call, when it was cancelled.
   */
  async invoke(request: ActionRequestLike, options: InvokeOptions = {}): Promise<FunctionCalling> {
    return await this.matchTool(request).invoke(options);
  }

  #noSuchTool(name: string): string {
    const names = [...this.#registry.keys()];
    return names.length === 0
      ? "no tool is registered"
      : `no tool of the name ${name} is registered; there are ${names.join(", ")}`;
  }
}
