/** The one name of a tool: lower-cased, other names of the coding tools resolved (D1-4). */
export function canonicalToolName(toolName: string): string {
  const lower = toolName.toLowerCase();
  switch (lower) {
    case "bash_tool":
      return "bash";
    case "reader_tool":
      return "reader";
    case "editor_tool":
      return "editor";
    case "search_tool":
      return "search";
    case "context_tool":
      return "context";
    default:
      return lower;
  }
}
