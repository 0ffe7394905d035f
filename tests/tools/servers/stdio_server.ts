// A small MCP server over standard input and output, started by the tests with the runtime that runs them.
import { Server } from "@modelcontextprotocol/sdk/server";
import { answerTools } from "./tool_answers.ts";

// Loaded so because the package's own exports lead the type checker astray.
const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");

const server = new Server({ name: "rig", version: "1" }, { capabilities: { tools: {} } });
answerTools(server);
await server.connect(new StdioServerTransport());
