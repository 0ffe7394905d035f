// What the test servers have for tools.
import type { Server } from "@modelcontextprotocol/sdk/server";

// Loaded so because the package's own exports lead the type checker astray.
const { CallToolRequestSchema, ListToolsRequestSchema } = await import(
  "@modelcontextprotocol/sdk/types.js"
);

const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

const TOOLS = [
  { name: "echo", description: "Says what it is told", inputSchema: text },
  { name: "fail", description: "Fails", inputSchema: { type: "object", properties: {} } },
  { name: "facts", description: "Gives a record", inputSchema: { type: "object", properties: {} } },
  { name: "wait", description: "Never answers", inputSchema: { type: "object", properties: {} } },
] as const;

/** Makes a server list and answer the tools. */
export function answerTools(server: Server): void {
  // Two pages, so that a client must ask again.
  server.setRequestHandler(
    ListToolsRequestSchema,
    ({ params }) =>
      params?.cursor === undefined
        ? { tools: TOOLS.slice(0, 2).map((tool) => ({ ...tool })), nextCursor: "rest" }
        : { tools: TOOLS.slice(2).map((tool) => ({ ...tool })) },
  );
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { name, arguments: args } = params;
    if (name === "echo") return { content: [{ type: "text", text: `said ${args?.text}` }] };
    if (name === "facts") {
      return { content: [{ type: "text", text: "{}" }], structuredContent: { answer: 42 } };
    }
    if (name === "wait") return await new Promise<never>(() => {});
    return { isError: true, content: [{ type: "text", text: "broken" }] };
  });
}
