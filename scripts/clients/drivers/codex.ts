import { type Driver, MADE_UP_KEY, PROMPT, type RunPlace, type Wish } from "../driver.ts";
import type { ScriptedCall } from "../scripted_model.ts";

/** Codex CLI, headless, without its own sandbox and questions. */
export const codexDriver: Driver = {
  client: "codex",
  modelName: "gpt-5.5",
  call(wish: Wish): ScriptedCall {
    switch (wish.kind) {
      case "shell":
        return { tool: "exec_command", input: { cmd: wish.command } };
      case "write": {
        const lines = wish.content.replace(/\n$/, "").split("\n").map((line) => `+${line}`);
        const patch = ["*** Begin Patch", `*** Add File: ${wish.path}`, ...lines, "*** End Patch"];
        return { tool: "apply_patch", freeform: true, input: `${patch.join("\n")}\n` };
      }
      case "mcp":
        return { tool: "echo", namespace: "mcp__marker", input: { text: wish.text } };
      default:
        return wish satisfies never;
    }
  },
  settings(place: RunPlace) {
    const [command, ...args] = place.echoServer;
    return new Map([[
      `${place.home}/.codex/config.toml`,
      `# settings of a test
model = "${this.modelName}"
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "${place.modelUrl}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"

[analytics]
enabled = false

[projects.${JSON.stringify(place.work)}]
trust_level = "trusted"

[mcp_servers.marker]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
`,
    ]]);
  },
  start(place: RunPlace) {
    return {
      argv: [
        "node",
        `${place.packageFolder}/bin/codex.js`,
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        PROMPT,
      ],
      env: { SCRIPTED_KEY: MADE_UP_KEY },
    };
  },
};
