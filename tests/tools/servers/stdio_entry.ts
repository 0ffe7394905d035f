import { runtime } from "../../../src/runtime/current.ts";
import type { McpStdioServer } from "../../../src/tools/mcp_config.ts";

/** The entry that starts the test server with the runtime that runs the tests. */
export function stdioServer(): McpStdioServer {
  const script = new URL("stdio_server.ts", import.meta.url).pathname;
  const args = runtime.name === "deno" ? ["run", "-A", "--no-check", script] : [script];
  return { command: runtime.env.executable, args, env: {} };
}
