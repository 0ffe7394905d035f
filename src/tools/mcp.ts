/**
 * Tools of MCP servers. They are tools like any other: registered with a governed manager they run inside its controls
 * (the gap of D2-9, closed).
 *
 * @module
 */

import type { Client } from "@modelcontextprotocol/sdk/client";
import type { CallContext } from "../action/processors.ts";
import { type McpCaller, Tool } from "../action/tool.ts";
import type { JsonSchema } from "../action/tool_schema.ts";
import { checkMcpServer, type McpServer, type McpServers } from "./mcp_config.ts";

/** Milliseconds one call of a server's tool may take unless the server's entry says otherwise. */
export const MCP_TIMEOUT_MS = 60_000;

/** Pages of tools asked of one server; a server that always has another one must not hold us. */
const MAX_PAGES = 100;

/** Characters kept of what a server says on its standard error, to explain why it did not start. */
const KEPT_ERROR_CHARACTERS = 2_000;

/** How servers are connected to. */
export interface McpConnectOptions {
  /** The folder servers are started in. */
  readonly cwd: string;
  /** How this program calls itself. */
  readonly client?: { readonly name: string; readonly version: string };
}

/** Connected servers and their tools. */
export interface McpConnections {
  /** One tool for each tool of each server, called `mcp__server__tool`; as they were when connected. */
  readonly tools: readonly Tool[];
  /** Ends the connections, and the servers that were started. */
  close(): Promise<void>;
}

type Transport = Parameters<Client["connect"]>[0];

/** A server's tool, as it lists it. */
type ListedTool = Awaited<ReturnType<Client["listTools"]>>["tools"][number];

/**
 * Connects to MCP servers, starting those that are programs, and makes tools of theirs.
 *
 * A program gets a clean environment: a few harmless variables and what its entry names.
 *
 * @throws {Error} when one of them cannot be used; then all the others are closed again.
 */
export async function connectMcpServers(
  servers: McpServers,
  options: McpConnectOptions,
): Promise<McpConnections> {
  const clients: Client[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(clients.splice(0).map((client) => client.close().catch(() => {})));
  };
  try {
    const checked = Object.entries(servers)
      .map(([name, given]) => [name, checkMcpServer(name, given)] as const)
      .filter(([, server]) => !server.disabled);
    // All are waited for, so that one that fails early leaves none behind that is just starting.
    const settled = await Promise.allSettled(checked.map(async ([name, server]) => {
      const client = await connect(name, server, options);
      clients.push(client);
      return (await listedTools(client)).map((tool) => mcpTool(client, name, server, tool));
    }));
    const tools = settled.flatMap((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    });
    return { tools, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Calls MCP tools that are configured one by one; connects when it is first asked to. */
export interface McpConnector {
  /** Give it to a tool as its `mcpCaller`. */
  readonly call: McpCaller;
  /** Ends the connections, and the servers that were started. */
  close(): Promise<void>;
}

/**
 * Makes the connection for tools with an MCP configuration of their own. Its one entry is a server in the usual form, and
 * may say in `tool` what the tool is called there; tools with the same server share a connection.
 *
 * @example
 * ```ts
 * import { mcpConnector, Tool } from "@gatehouse/gatehouse";
 *
 * const connector = mcpConnector({ cwd: "/repo/app" });
 * const echo = new Tool({
 *   mcpConfig: { echo: { command: "my-server", args: [] } },
 *   mcpCaller: connector.call,
 * });
 * ```
 */
export function mcpConnector(options: McpConnectOptions): McpConnector {
  const clients = new Map<string, Promise<Client>>();
  return {
    async call(source, args, context) {
      const server = checkMcpServer(context.tool, source);
      const key = JSON.stringify(server);
      let client = clients.get(key);
      if (client === undefined) {
        client = connect(context.tool, server, options);
        clients.set(key, client);
        // One that failed is tried again by the next call.
        client.catch(() => clients.delete(key));
      }
      const tool = typeof source.tool === "string" ? source.tool : context.tool;
      return await callTool(await client, tool, server, args, context);
    },
    async close() {
      const open = [...clients.values()];
      clients.clear();
      await Promise.all(open.map((client) => client.then((one) => one.close()).catch(() => {})));
    },
  };
}

async function connect(
  name: string,
  server: McpServer,
  options: McpConnectOptions,
): Promise<Client> {
  const { Client } = await import("@modelcontextprotocol/sdk/client");
  const client = new Client(options.client ?? { name: "gatehouse", version: "1" });
  const { transport, said } = await transportOf(server, options);
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    await client.close().catch(() => {});
    const words = said().trim();
    throw new Error(
      `Cannot connect to the MCP server ${name}: ${(error as Error).message}` +
        (words === "" ? "" : `; it said: ${words}`),
      { cause: error },
    );
  }
}

async function transportOf(
  server: McpServer,
  options: McpConnectOptions,
): Promise<{ transport: Transport; said: () => string }> {
  if ("command" in server) {
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const transport = new StdioClientTransport({
      command: server.command,
      args: server.args,
      env: server.env,
      cwd: server.cwd ?? options.cwd,
      stderr: "pipe",
    });
    let said = "";
    transport.stderr?.on("data", (chunk: Uint8Array) => {
      said = (said + new TextDecoder().decode(chunk)).slice(-KEPT_ERROR_CHARACTERS);
    });
    return { transport, said: () => said };
  }
  const url = new URL(server.url);
  const init = { requestInit: { headers: server.headers } };
  if (server.type === "sse") {
    const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
    return { transport: new SSEClientTransport(url, init), said: () => "" };
  }
  const { StreamableHTTPClientTransport } = await import(
    "@modelcontextprotocol/sdk/client/streamableHttp.js"
  );
  return { transport: new StreamableHTTPClientTransport(url, init), said: () => "" };
}

async function listedTools(client: Client): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed = await client.listTools(cursor === undefined ? undefined : { cursor });
    tools.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

function mcpTool(client: Client, serverName: string, server: McpServer, listed: ListedTool): Tool {
  const name = `mcp__${serverName}__${listed.name}`;
  return new Tool({
    name,
    description: listed.description,
    mcpConfig: { [name]: { server: serverName, tool: listed.name, ...server } },
    toolSchema: listed.inputSchema as JsonSchema,
    mcpCaller: (_source, args, context) => callTool(client, listed.name, server, args, context),
  });
}

async function callTool(
  client: Client,
  tool: string,
  server: McpServer,
  args: Record<string, unknown>,
  context: CallContext,
): Promise<unknown> {
  const result = await client.callTool({ name: tool, arguments: args }, undefined, {
    signal: context.signal,
    timeout: server.timeout ?? MCP_TIMEOUT_MS,
  });
  return responseOf(context.tool, result);
}

/** What a tool gave: its structured content, else its text, else its parts. */
function responseOf(name: string, result: Awaited<ReturnType<Client["callTool"]>>): unknown {
  const parts = (result.content ?? []) as readonly { type: string; text?: string }[];
  const text = parts.every(({ type }) => type === "text")
    ? parts.map((part) => part.text ?? "").join("\n")
    : null;
  if (result.isError === true) {
    throw new Error(`${name} failed: ${text ?? JSON.stringify(parts)}`);
  }
  return result.structuredContent ?? text ?? parts;
}
