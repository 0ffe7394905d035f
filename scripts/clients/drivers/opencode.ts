import { type Driver, jsonFile, MADE_UP_KEY, PROMPT, type RunPlace, type Wish } from "../driver.ts";
import type { ScriptedCall } from "../scripted_model.ts";

/** OpenCode, headless, with everything allowed by its own rules. */
export const opencodeDriver: Driver = {
  client: "opencode",
  modelName: "scripted-model",
  call(wish: Wish): ScriptedCall {
    switch (wish.kind) {
      case "shell":
        return { tool: "bash", input: { command: wish.command, description: "scripted" } };
      case "write":
        return { tool: "write", input: { filePath: wish.path, content: wish.content } };
      case "mcp":
        return { tool: "marker_echo", input: { text: wish.text } };
      default:
        return wish satisfies never;
    }
  },
  settings(place: RunPlace) {
    const model = `scripted/${this.modelName}`;
    return new Map([
      // It looks for its plugin library first; without network that takes more than a minute.
      [`${place.home}/.npmrc`, "offline=true\nfetch-retries=0\n"],
      [
        `${place.home}/.config/opencode/opencode.json`,
        jsonFile({
          model,
          small_model: model,
          autoupdate: false,
          share: "disabled",
          permission: { "*": "allow" },
          mcp: { marker: { type: "local", command: place.echoServer, enabled: true } },
          provider: {
            scripted: {
              npm: "@ai-sdk/openai-compatible",
              name: "scripted",
              options: { baseURL: `${place.modelUrl}/v1`, apiKey: MADE_UP_KEY },
              models: {
                [this.modelName]: {
                  name: this.modelName,
                  tool_call: true,
                  limit: { context: 100_000, output: 8_000 },
                },
              },
            },
          },
        }),
      ],
    ]);
  },
  start(place: RunPlace) {
    return {
      argv: [`${place.packageFolder}/bin/opencode.exe`, "run", PROMPT],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      },
    };
  },
};
