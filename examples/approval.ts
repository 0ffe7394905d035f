// A policy that asks. Commands that are neither allowed nor denied are shown on the terminal: "y" runs the command, "n"
// does not, and anything else is the command to run instead. What is typed is judged by the policy like any other.
//
//   deno run -A examples/approval.ts     or     bun examples/approval.ts

import { AgentSpec, createAgent, PermissionPolicy, runtime } from "@gatehouse/gatehouse";

const answers = runtime.stdio.readLines()[Symbol.asyncIterator]();

const policy = new PermissionPolicy({
  mode: "rules",
  allow: { bash: ["git status*"] },
  deny: { bash: ["git push --force*"] },
  escalate: { bash: ["*"] },
  onEscalate: async (_decision, args) => {
    await runtime.stdio.writeOutput(`Run ${JSON.stringify(args.command)}? [y/n/other command] `);
    const { value } = await answers.next();
    const answer = (value ?? "n").trim();
    if (answer === "y") return true;
    // Nobody there, or no: neither is a yes.
    return answer === "" || answer === "n" ? false : { ...args, command: answer };
  },
});

await using agent = await createAgent(new AgentSpec({ tools: ["bash"], permissions: policy }));
for (const command of ["echo first", "echo second", "echo third"]) {
  const response = await agent.act({ function: "bash", arguments: { command } });
  const said = (response.output as { stdout?: string } | null)?.stdout?.trim();
  console.log(`${command}: ${response.outcome}${said === undefined ? "" : `, it said ${said}`}`);
}
