// An agent whose model is a script: it wants to look around, then to push by force. The policy stops the second.
//
//   deno run -A examples/agent_loop.ts     or     bun examples/agent_loop.ts

import { AgentSpec, createAgent } from "@gatehouse/gatehouse";
import { scriptedModel } from "./scripted_model.ts";

const model = scriptedModel([
  { function: "reader", arguments: { action: "list", path: "." } },
  { function: "bash", arguments: { command: "git push --force origin main" } },
  "I may not push by force, so I leave it to you.",
]);

const spec = AgentSpec.coding({
  systemPrompt: "You are a careful coding agent.",
  permissions: {
    mode: "rules",
    allow: { reader: ["*"], search: ["*"], bash: ["git status*", "git push*"] },
    deny: { bash: ["git push --force*"] },
  },
});
await using agent = await createAgent(spec);
agent.addMessage("user", "Publish my work.");

while (true) {
  const turn = await model(agent.conversation, agent.acts.schemaList);
  if (typeof turn === "string") {
    agent.addMessage("assistant", turn);
    console.log(`model: ${turn}`);
    break;
  }
  const response = await agent.act(turn);
  const why = response.outcome === "denied"
    ? ` by ${response.verdict?.control}: ${response.verdict?.reason}`
    : "";
  console.log(`${response.function}: ${response.outcome}${why}`);
}
