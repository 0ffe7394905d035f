import { AgentSpec, createAgent, defineTool } from "@gatehouse/gatehouse";
import { z } from "zod";

const weather = defineTool({
  name: "weather",
  description: "Says what the weather is like in a city",
  request: z.object({ city: z.string() }),
  run: ({ city }) => `sunny in ${city}`,
});

// The coding tools (bash, reader, editor, search) and your own, all under one policy.
const spec = AgentSpec.coding({
  tools: [weather],
  permissions: {
    mode: "rules",
    allow: { weather: ["*"], reader: ["*"], bash: ["git *"] },
    deny: { bash: ["git push*"] },
  },
});
await using agent = await createAgent(spec);

// agent.acts.schemaList is what your model is told of the tools. What it asks for goes to act();
// forModel() is what it is told then.
for (
  const request of [
    { function: "weather", arguments: { city: "Oslo" } },
    { function: "bash", arguments: { command: "git push" } },
  ]
) {
  const response = await agent.act(request);
  console.log(response.outcome, response.forModel());
}
