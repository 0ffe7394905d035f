import type { ToolLike } from "../action/action_manager.ts";
import { DESTRUCTIVE_CONTROL, guardDestructive } from "../guards/destructive.ts";
import { observeFiles } from "../guards/observations.ts";
import { guardPaths } from "../guards/paths.ts";
import type { PostHook, PreHook } from "../hooks/compose.ts";
import type { ErrorHook } from "../hooks/govern.ts";
import type { CodingToolName } from "../tools/coding_tools.ts";
import type { McpServers } from "../tools/mcp_config.ts";
import { addHook, type HookHandlers } from "./hook_handlers.ts";
import type { Permissions } from "./permissions.ts";
import { runtimeHook } from "./runtime_hook.ts";
import { specFromYaml, specToYaml } from "./spec_yaml.ts";

/** What can be written down of an agent: everything but its hooks, its permissions and its own tools. */
export interface AgentSettings {
  /** The agent's name. */
  readonly name?: string;
  /** The model's name, for whoever writes the loop. */
  readonly model?: string;
  /** How hard the model is to think, for whoever writes the loop. */
  readonly effort?: string;
  /** The first message of the conversation. */
  readonly systemPrompt?: string;
  /** The folder the coding tools work in; the process's own when left out. */
  readonly cwd?: string;
  /** How the tool `bash` runs commands; see `bashTool`. Default `refuse`. */
  readonly shell?: "refuse" | "parse";
  /** A file with MCP servers in the usual `mcpServers` form. */
  readonly mcpConfigPath?: string;
  /** The servers of that file to use; all of them when left out. */
  readonly mcpServers?: readonly string[];
  /** Whether the coding tools come with `context`. Default `true`. */
  readonly contextManagement?: boolean;
}

/** What an {@linkcode AgentSpec} is made of. */
export interface AgentSpecOptions extends AgentSettings {
  /** The agent's tools: its own, coding tools by name, or `coding` for all of those. */
  readonly tools?: readonly (ToolLike | CodingToolName | "coding")[];
  /** MCP servers given in place, beside those of `mcpConfigPath`. */
  readonly mcp?: McpServers;
  /** The policy: one, a record, or a preset's name. Nothing means no policy (D2-1). */
  readonly permissions?: Permissions | null;
}

/** The guard for whole command lines: it reads the commands, where the other one looks at the text (D2-6). */
function commandGuard(cwd: string | undefined): PreHook {
  return runtimeHook(DESTRUCTIVE_CONTROL, (runtime) =>
    guardDestructive({
      mode: "parsed",
      cwd: cwd ?? runtime.env.cwd(),
      home: runtime.env.get("HOME"),
      observe: observeFiles(runtime.fs),
    }));
}

/** What {@linkcode AgentSpec.coding} is given. */
export interface CodingSpecOptions extends Omit<AgentSpecOptions, "tools"> {
  /** Tools beside the coding tools. */
  readonly tools?: readonly ToolLike[];
  /** Whether the built-in guards stand before `bash`, `reader` and `editor` (D2-2). Default `true`. */
  readonly secure?: boolean;
}

/**
 * What an agent is to be: its tools, and the hooks before, after and around them (D2). `createAgent` makes it.
 *
 * Hooks are kept by kind and tool, `*` meaning every tool: `security_pre` for controls, `pre` for transforms, `post`,
 * `error`.
 *
 * @example
 * ```ts
 * import { AgentSpec, createAgent } from "@gatehouse/gatehouse";
 *
 * const spec = AgentSpec.coding({ cwd: "/repo/app", permissions: "safe" })
 *   .pre("bash", (_tool, _action, args) => ({ ...args, command: String(args.command).trim() }))
 *   .post("*", (tool) => console.error(`${tool} ran`));
 * const branch = await createAgent(spec);
 * ```
 */
export class AgentSpec {
  /** What can be written down of the agent. */
  readonly settings: AgentSettings;
  /** The agent's tools. */
  readonly tools: readonly (ToolLike | CodingToolName | "coding")[];
  /** MCP servers given in place. */
  readonly mcp: McpServers;
  /** The policy, or what stands for one. */
  readonly permissions: Permissions | null;
  /** The hooks by bucket, such as `security_pre:bash`. */
  readonly hookHandlers: HookHandlers = {};

  /** Makes a specification without hooks. */
  constructor(options: AgentSpecOptions = {}) {
    const { tools, mcp, permissions, ...settings } = options;
    this.settings = Object.freeze({ ...settings });
    this.tools = Object.freeze([...tools ?? []]);
    this.mcp = mcp ?? {};
    this.permissions = permissions ?? null;
  }

  /**
   * A coding agent: the coding tools, with the guard against destructive commands before `bash` and one path guard before
   * `reader` and `editor`, whose only root is `cwd` (D2-2).
   */
  static coding(options: CodingSpecOptions = {}): AgentSpec {
    const { secure = true, tools = [], effort = "high", ...rest } = options;
    const spec = new AgentSpec({ ...rest, effort, tools: ["coding", ...tools] });
    if (secure) {
      const paths = runtimeHook("guard:paths", (runtime) => {
        const here = runtime.env.cwd();
        return guardPaths({ allowed: [options.cwd ?? here], cwd: here, fs: runtime.fs });
      });
      spec.securityPre(
        "bash",
        options.shell === "parse" ? commandGuard(options.cwd) : guardDestructive(),
      );
      spec.securityPre("reader", paths);
      spec.securityPre("editor", paths);
    }
    return spec;
  }

  /** Adds a transform before a tool, or before every tool with `*`. What it gives is judged again. */
  pre(toolName: string, handler: PreHook): this {
    addHook(this.hookHandlers, "pre", toolName, handler);
    return this;
  }

  /** Adds a hook after a tool that returned. What it gives replaces the result. */
  post(toolName: string, handler: PostHook): this {
    addHook(this.hookHandlers, "post", toolName, handler);
    return this;
  }

  /** Adds a hook that is told of calls that failed or were refused. It changes nothing. */
  onError(toolName: string, handler: ErrorHook): this {
    addHook(this.hookHandlers, "error", toolName, handler);
    return this;
  }

  /** Adds a control before a tool: it refuses by throwing, and is asked before and after the transforms. */
  securityPre(toolName: string, handler: PreHook): this {
    addHook(this.hookHandlers, "security_pre", toolName, handler);
    return this;
  }

  /**
   * Writes down the settings and the names of the coding tools, and says in the file what is not in it: hooks, guards,
   * permissions, and tools that are code (D2-10).
   */
  toYaml(): string {
    return specToYaml(this.settings, this.tools.filter((tool) => typeof tool === "string"));
  }

  /**
   * Reads what {@linkcode AgentSpec.toYaml} wrote. Hooks, guards and permissions are not in it and must be given again
   * (D2-10).
   *
   * @throws {Error} when the file says what a specification cannot say, permissions and hooks among it.
   */
  static fromYaml(
    text: string,
    given: Pick<AgentSpecOptions, "permissions" | "mcp"> & { tools?: readonly ToolLike[] } = {},
  ): AgentSpec {
    const { tools, ...settings } = specFromYaml(text);
    return new AgentSpec({ ...settings, ...given, tools: [...tools, ...given.tools ?? []] });
  }
}
