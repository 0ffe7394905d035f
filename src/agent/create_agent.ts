import type { ToolLike } from "../action/action_manager.ts";
import { governProcessors } from "../hooks/govern.ts";
import type { Runtime } from "../runtime/port.ts";
import { Branch } from "../session/branch.ts";
import type { Session } from "../session/session.ts";
import { CODING_TOOLS, codingTool, type CodingToolName } from "../tools/coding_tools.ts";
import { expandMcpServers, type McpServers, readMcpConfig } from "../tools/mcp_config.ts";
import type { AgentSpec } from "./agent_spec.ts";
import { copyHandlers, hooksOf } from "./hook_handlers.ts";
import { applyPermissions } from "./permissions.ts";
import { hookBinder } from "./runtime_hook.ts";

/** How an agent is made. */
export interface CreateAgentOptions {
  /** The session to take the agent's branch in. */
  readonly session?: Session;
  /** Kept on the branch for whoever writes the loop. */
  readonly chatModel?: unknown;
  /** Whether settings files are read: the user's, and the project's when it is trusted. Default `false`. */
  readonly loadSettings?: boolean;
  /** The project's folder. Default: the specification's `cwd`. */
  readonly projectDir?: string;
  /** Whether the project's settings file is read. Default `false`: whoever wrote the project wrote it. */
  readonly trustProjectSettings?: boolean;
  /** The modules whose hooks settings files may name: absolute paths. Default: none. */
  readonly trustedHookModules?: ReadonlySet<string>;
}

/**
 * Makes an agent: a branch whose every tool, whenever and however it is registered, runs inside the specification's
 * controls and hooks (D2). MCP tools are no exception (D2-9).
 *
 * Close the branch when it has MCP servers.
 *
 * @throws {Error} when settings, permissions or an MCP server cannot be used; then nothing is left running.
 */
export async function createAgent(
  runtime: Runtime,
  spec: AgentSpec,
  options: CreateAgentOptions = {},
): Promise<Branch> {
  const { settings } = spec;
  const cwd = folderOf(runtime, settings.cwd);
  // A copy: later changes to the specification do not reach in.
  const handlers = copyHandlers(spec.hookHandlers, hookBinder(runtime));
  const notices: string[] = [];
  if (options.loadSettings === true) {
    const { applySettings } = await import("./settings.ts");
    notices.push(
      ...await applySettings(runtime, handlers, {
        projectDir: options.projectDir ?? cwd,
        trustProjectSettings: options.trustProjectSettings ?? false,
        trustedHookModules: options.trustedHookModules ?? new Set(),
      }),
    );
  }
  const ignored = applyPermissions(handlers, spec.permissions);
  if (ignored !== null) notices.push(ignored);
  const branch = new Branch({
    name: settings.name,
    system: settings.systemPrompt,
    chatModel: options.chatModel,
    governance: {
      wrap: (toolName, own) => governProcessors(toolName, hooksOf(handlers, toolName), own),
    },
  });
  for (const notice of notices) branch.addNotice(notice);
  try {
    branch.registerTools(toolsOf(runtime, spec, cwd, branch));
    await registerMcpTools(runtime, spec, cwd, branch);
  } catch (error) {
    await branch.close();
    throw error;
  }
  options.session?.include(branch);
  return branch;
}

/** The tools' folder. A relative one begins in the process's own, as it does for the path guard. */
function folderOf(runtime: Runtime, given: string | undefined): string {
  const here = runtime.env.cwd();
  if (given === undefined) return here;
  return /^(?:\/|[A-Za-z]:[\\/])/.test(given) ? given : `${here}/${given}`;
}

function toolsOf(runtime: Runtime, spec: AgentSpec, cwd: string, branch: Branch): ToolLike[] {
  const make = (name: CodingToolName): ToolLike =>
    codingTool(runtime, name, { cwd, shell: spec.settings.shell, context: () => branch });
  return spec.tools.flatMap((tool) => {
    if (typeof tool !== "string") return [tool];
    if (tool !== "coding") return [make(tool)];
    return CODING_TOOLS
      .filter((name) => name !== "context" || spec.settings.contextManagement !== false)
      .map(make);
  });
}

async function registerMcpTools(
  runtime: Runtime,
  spec: AgentSpec,
  cwd: string,
  branch: Branch,
): Promise<void> {
  const { mcpConfigPath, mcpServers } = spec.settings;
  const servers: Record<string, McpServers[string]> = { ...expandMcpServers(runtime, spec.mcp) };
  if (mcpConfigPath !== undefined) {
    Object.assign(servers, await readMcpConfig(runtime, cwd, mcpConfigPath, mcpServers));
  }
  if (Object.keys(servers).length === 0) return;
  const { connectMcpServers } = await import("../tools/mcp.ts");
  const connections = await connectMcpServers(servers, { cwd });
  branch.onClose(() => connections.close());
  branch.registerTools(connections.tools);
}
