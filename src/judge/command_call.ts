import type { ToolCall } from "../call.ts";
import { canonicalToolName } from "../policy/tool_names.ts";

/**
 * The command line that a call would have run, as a call to `bash`: bash's own, or that of a server's tool that takes a
 * `command`; `null` when it would have none run. A shell behind an MCP server is a shell.
 */
export function commandCall(call: ToolCall): ToolCall | null {
  const tool = canonicalToolName(call.tool);
  if (tool === "bash") return { ...call, tool };
  const { command } = call.args;
  if (!tool.startsWith("mcp__") || typeof command !== "string" || command === "") return null;
  return { ...call, tool: "bash", args: { command } };
}
