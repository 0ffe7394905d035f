// Tools of an MCP server, under the same policy as all others. The servers come from a file in the usual form:
//
//   deno run -A examples/mcp.ts mcp.json     or     bun examples/mcp.ts mcp.json
//
//   { "mcpServers": { "rig": { "command": "my-server", "args": [] } } }

import { AgentSpec, createAgent, runtime } from "@gatehouse/gatehouse";

const spec = new AgentSpec({
  mcpConfigPath: runtime.env.args.at(-1) ?? "mcp.json",
  permissions: {
    mode: "rules",
    // A rule on an MCP tool is a wildcard on the text of its arguments.
    allow: { "mcp__rig__echo": ["*"] },
    deny: { "mcp__rig__echo": ["*secret*"] },
  },
});
await using agent = await createAgent(spec);
console.log(`tools: ${[...agent.acts.registry.keys()].join(", ")}`);

for (const text of ["hello", "the secret word"]) {
  const response = await agent.act({ function: "mcp__rig__echo", arguments: { text } });
  console.log(
    `${text}: ${response.outcome}${response.output === null ? "" : `, ${response.output}`}`,
  );
}
