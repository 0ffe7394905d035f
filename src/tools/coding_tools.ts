import type { Tool } from "../action/tool.ts";
import type { Runtime } from "../runtime/port.ts";
import { bashTool } from "./bash.ts";
import { type ContextSource, contextTool } from "./context.ts";
import { editorTool } from "./editor.ts";
import { readerTool } from "./reader.ts";
import { searchTool } from "./search.ts";

/** The names of the coding tools. */
export const CODING_TOOLS = ["bash", "reader", "editor", "search", "context"] as const;

/** The name of a coding tool. */
export type CodingToolName = typeof CODING_TOOLS[number];

/** What the coding tools need to know. */
export interface CodingToolOptions {
  /** The absolute folder they work in. */
  readonly cwd: string;
  /** How `bash` runs commands; see `bashTool`. */
  readonly shell?: "refuse" | "parse";
  /** The environment of commands. */
  readonly env?: Readonly<Record<string, string>>;
  /** The conversation that `context` works on. */
  readonly context: () => ContextSource;
}

/** Makes one of the coding tools. None of them asks whether it may: that is for the controls around it. */
export function codingTool(
  runtime: Runtime,
  name: CodingToolName,
  options: CodingToolOptions,
): Tool {
  switch (name) {
    case "bash":
      return bashTool(runtime, options);
    case "reader":
      return readerTool(runtime, options);
    case "editor":
      return editorTool(runtime, options);
    case "search":
      return searchTool(runtime, options);
    case "context":
      return contextTool(options.context);
    default:
      return name satisfies never;
  }
}
