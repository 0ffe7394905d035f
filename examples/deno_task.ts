// An agent that may run two of a project's `deno task`s and nothing else, whatever its model asks for.
//
//   deno task example [FOLDER]     or     bun examples/deno_task.ts [FOLDER]

import { AgentSpec, createAgent, runtime } from "@gatehouse/gatehouse";

const spec = AgentSpec.coding({
  cwd: runtime.env.args.at(-1) ?? runtime.env.cwd(),
  permissions: { mode: "rules", allow: { bash: ["deno task greet", "deno task check"] } },
});
await using agent = await createAgent(spec);

for (const command of ["deno task greet", "deno task publish", "deno run -A anything.ts"]) {
  const response = await agent.act({ function: "bash", arguments: { command } });
  const said = (response.output as { stdout?: string } | null)?.stdout?.trim();
  console.log(`${command}: ${response.outcome}${said === undefined ? "" : `, it said ${said}`}`);
}
