// A small MCP server over standard input and output, started by the tests with the runtime that runs them.
import { Server } from "@modelcontextprotocol/sdk/server";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { answerTools } from "./tool_answers.ts";

const server = new Server({ name: "rig", version: "1" }, { capabilities: { tools: {} } });
answerTools(server);
await server.connect(new StdioServerTransport());
