import { type Driver, jsonFile, MADE_UP_KEY, PROMPT, type RunPlace, type Wish } from "../driver.ts";
import type { ScriptedCall } from "../scripted_model.ts";

/** GitHub Copilot CLI, headless and offline, with everything allowed by its own rules. */
export const copilotDriver: Driver = {
  client: "copilot",
  modelName: "gpt-4.1",
  call(wish: Wish): ScriptedCall {
    switch (wish.kind) {
      case "shell":
        return { tool: "bash", input: { command: wish.command, description: "scripted" } };
      case "write":
        return { tool: "create", input: { path: wish.path, file_text: wish.content } };
      case "mcp":
        return { tool: "marker-echo", input: { text: wish.text } };
      default:
        return wish satisfies never;
    }
  },
  settings(place: RunPlace) {
    const [command, ...args] = place.echoServer;
    const marker = { type: "local", command, args, tools: ["*"] };
    return new Map([[
      `${place.home}/.copilot/mcp-config.json`,
      jsonFile({ mcpServers: { marker } }),
    ]]);
  },
  start(place: RunPlace) {
    return {
      argv: [
        "node",
        `${place.packageFolder}/npm-loader.js`,
        "-p",
        PROMPT,
        "--no-auto-update",
        "--disable-builtin-mcps",
        "--allow-all-tools",
        "--allow-all-paths",
        "--trust-folder",
      ],
      env: {
        COPILOT_OFFLINE: "true",
        COPILOT_AUTO_UPDATE: "false",
        COPILOT_PROVIDER_BASE_URL: `${place.modelUrl}/v1`,
        COPILOT_PROVIDER_TYPE: "openai",
        COPILOT_PROVIDER_API_KEY: MADE_UP_KEY,
        COPILOT_MODEL: this.modelName,
      },
    };
  },
};
