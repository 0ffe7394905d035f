import { type Driver, jsonFile, MADE_UP_KEY, PROMPT, type RunPlace, type Wish } from "../driver.ts";
import type { ScriptedCall } from "../scripted_model.ts";

/** Claude Code, headless, in the mode that asks nothing. */
export const claudeCodeDriver: Driver = {
  client: "claude-code",
  modelName: "claude-sonnet-4-5",
  call(wish: Wish): ScriptedCall {
    switch (wish.kind) {
      case "shell":
        return { tool: "Bash", input: { command: wish.command, description: "scripted" } };
      case "write":
        return { tool: "Write", input: { file_path: wish.path, content: wish.content } };
      case "mcp":
        return { tool: "mcp__marker__echo", input: { text: wish.text } };
      default:
        return wish satisfies never;
    }
  },
  settings(place: RunPlace) {
    const [command, ...args] = place.echoServer;
    return new Map([
      [`${place.home}/.claude/settings.json`, jsonFile({ model: "sonnet" })],
      [`${place.home}/mcp.json`, jsonFile({ mcpServers: { marker: { command, args } } })],
    ]);
  },
  start(place: RunPlace) {
    return {
      argv: [
        `${place.packageFolder}/bin/claude.exe`,
        "-p",
        PROMPT,
        "--model",
        this.modelName,
        "--mcp-config",
        `${place.home}/mcp.json`,
        "--strict-mcp-config",
        "--output-format", // tells what hooks say as well
        "stream-json",
        "--verbose",
        "--permission-mode",
        "bypassPermissions",
      ],
      env: {
        ANTHROPIC_BASE_URL: place.modelUrl,
        ANTHROPIC_API_KEY: MADE_UP_KEY,
        IS_SANDBOX: "1", // root may use that permission mode only in a sandbox
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        ENABLE_TOOL_SEARCH: "false",
      },
    };
  },
};
