import type { Arguments } from "../call.ts";
import type { CallContext } from "./processors.ts";
import { Tool, type ToolOptions } from "./tool.ts";
import type { RequestSchema } from "./tool_schema.ts";

/** What {@linkcode defineTool} is given besides a {@linkcode Tool}'s own options. */
export interface DefineToolOptions<Request>
  extends Omit<ToolOptions, "funcCallable" | "mcpConfig" | "mcpCaller" | "requestOptions"> {
  /** The tool's name. */
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /** The schema of the arguments. */
  readonly request: RequestSchema<Request>;
  /** The function; its arguments are what the schema gives. */
  readonly run: (args: Request, context: CallContext) => unknown;
}

/**
 * Makes a tool whose function gets checked, typed arguments.
 *
 * @example
 * ```ts
 * import { defineTool } from "@gatehouse/gatehouse";
 * import { z } from "zod";
 *
 * const add = defineTool({
 *   name: "add",
 *   description: "Adds two numbers",
 *   request: z.object({ a: z.number(), b: z.number() }),
 *   run: ({ a, b }) => a + b,
 * });
 * ```
 */
export function defineTool<Request>(options: DefineToolOptions<Request>): Tool {
  const { request, run, ...rest } = options;
  return new Tool({
    ...rest,
    requestOptions: request,
    funcCallable: (args: Arguments, context) => run(args as Request, context),
  });
}
