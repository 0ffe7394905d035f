/** Other names of the coding tools (D1). */
const TOOL_ALIASES: Readonly<Record<string, string>> = {
  bash_tool: "bash",
  reader_tool: "reader",
  editor_tool: "editor",
  search_tool: "search",
  context_tool: "context",
};

/** The one name of a tool: lower-cased, aliases resolved (D1-4). */
export function canonicalToolName(toolName: string): string {
  const lower = toolName.toLowerCase();
  return Object.hasOwn(TOOL_ALIASES, lower) ? TOOL_ALIASES[lower] : lower;
}
