// R: the least that any hook does. It reads a JSON payload from its standard input and prints a verdict.

declare const Bun: { readonly stdin: { json(): Promise<{ tool_input: { command: string } }> } };

const payload = await Bun.stdin.json();
const permissionDecision = payload.tool_input.command === "" ? "deny" : "allow";
console.log(
  JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision } }),
);

export {};
