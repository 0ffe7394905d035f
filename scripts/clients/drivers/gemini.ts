import { type Driver, jsonFile, MADE_UP_KEY, PROMPT, type RunPlace, type Wish } from "../driver.ts";
import type { ScriptedCall } from "../scripted_model.ts";

/** Gemini CLI, headless, in the mode that asks nothing; without it the shell and write tools do not exist. */
export const geminiDriver: Driver = {
  client: "gemini",
  modelName: "gemini-2.5-flash",
  call(wish: Wish): ScriptedCall {
    switch (wish.kind) {
      case "shell":
        return {
          tool: "run_shell_command",
          input: { command: wish.command, description: "scripted" },
        };
      case "write":
        return { tool: "write_file", input: { file_path: wish.path, content: wish.content } };
      case "mcp":
        return { tool: "mcp_marker_echo", input: { text: wish.text } };
      default:
        return wish satisfies never;
    }
  },
  settings(place: RunPlace) {
    const [command, ...args] = place.echoServer;
    return new Map([[
      `${place.home}/.gemini/settings.json`,
      jsonFile({
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: "gemini-api-key" } },
        mcpServers: { marker: { command, args, trust: true } },
      }),
    ]]);
  },
  start(place: RunPlace) {
    return {
      argv: [
        "node",
        `${place.packageFolder}/bundle/gemini.js`,
        "-m",
        this.modelName,
        "--yolo",
        "-p",
        PROMPT,
      ],
      env: {
        GEMINI_API_KEY: MADE_UP_KEY,
        GOOGLE_GEMINI_BASE_URL: place.modelUrl,
        GEMINI_CLI_TRUST_WORKSPACE: "true",
        GEMINI_CLI_NO_RELAUNCH: "true",
      },
    };
  },
};
