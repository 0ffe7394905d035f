// A small MCP server over HTTP on the loopback.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server";
import { answerTools } from "./tool_answers.ts";

// Loaded so because the package's own exports lead the type checker astray.
const { StreamableHTTPServerTransport } = await import(
  "@modelcontextprotocol/sdk/server/streamableHttp.js"
);
const { SSEServerTransport } = await import("@modelcontextprotocol/sdk/server/sse.js");

/** A running server. */
export interface HttpServer {
  readonly url: string;
  /** The address of the older transport. */
  readonly sseUrl: string;
  /** The header `x-key` of every request so far. */
  readonly keys: readonly (string | undefined)[];
  close(): Promise<void>;
}

/** Starts a server that keeps no state between requests; over the older transport, as long as a stream is open. */
export async function startHttpServer(): Promise<HttpServer> {
  const keys: (string | undefined)[] = [];
  const streams = new Map<string, InstanceType<typeof SSEServerTransport>>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    keys.push(request.headers["x-key"] as string | undefined);
    const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
    if (pathname === "/messages") {
      const stream = streams.get(searchParams.get("sessionId") ?? "");
      await stream?.handlePostMessage(request, response, undefined);
      return;
    }
    const server = new Server({ name: "rig", version: "1" }, { capabilities: { tools: {} } });
    answerTools(server);
    if (pathname === "/sse") {
      const stream = new SSEServerTransport("/messages", response, undefined);
      streams.set(stream.sessionId, stream);
      await server.connect(stream as Parameters<Server["connect"]>[0]);
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    response.on("close", () => void server.close());
    // The class allows `undefined` where the interface leaves fields out.
    await server.connect(transport as Parameters<Server["connect"]>[0]);
    await transport.handleRequest(request, response, undefined);
  };
  const http = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    sseUrl: `http://127.0.0.1:${port}/sse`,
    keys,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
