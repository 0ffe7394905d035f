import { z } from "zod";
import type { Runtime } from "../runtime/port.ts";

/** What every MCP server's entry may say. */
export interface McpServerSettings {
  /** A server that is switched off is passed over. Default `false`. */
  readonly disabled?: boolean;
  /** Milliseconds one call may take. Default 60,000. */
  readonly timeout?: number;
}

/** An MCP server started as a program, in the usual form. */
export interface McpStdioServer extends McpServerSettings {
  /** May be said; a `command` says it already. */
  readonly type?: "stdio";
  /** The program. */
  readonly command: string;
  /** Its arguments. */
  readonly args?: readonly string[];
  /** Variables added to the few that every server gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder it is started in. */
  readonly cwd?: string;
}

/** An MCP server reached over HTTP, in the usual form. */
export interface McpHttpServer extends McpServerSettings {
  /** `sse` is the older transport. Default `http`. */
  readonly type?: "http" | "streamable-http" | "sse";
  /** Its address. */
  readonly url: string;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

const common = {
  disabled: z.boolean().default(false),
  timeout: z.number().int().positive().optional(),
};

const stdioServer = z.object({
  type: z.literal("stdio").optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().optional(),
  ...common,
});

const httpServer = z.object({
  type: z.enum(["http", "streamable-http", "sse"]).default("http"),
  url: z.url(),
  headers: z.record(z.string(), z.string()).default({}),
  ...common,
});

/** MCP servers by name, as the `mcpServers` of a configuration file has them. */
export type McpServers = Readonly<Record<string, McpStdioServer | McpHttpServer>>;

/** A server with everything filled in. */
export type McpServer = z.output<typeof stdioServer> | z.output<typeof httpServer>;

/**
 * Reads the MCP servers of a configuration file in the usual form, `{ "mcpServers": { … } }`; settings of other programs
 * beside them are passed over.
 *
 * @param only The names to take; all when left out.
 * @throws {Error} when the file, or a server in it, cannot be understood, or a name is not there.
 */
export async function readMcpConfig(
  runtime: Runtime,
  cwd: string,
  given: string,
  only?: readonly string[],
): Promise<McpServers> {
  const path = given.startsWith("/") ? given : `${cwd}/${given}`;
  let data: unknown;
  try {
    data = JSON.parse(new TextDecoder().decode(await runtime.fs.readFile(path)));
  } catch (error) {
    throw new Error(`Cannot read the MCP servers of ${path}: ${(error as Error).message}`);
  }
  const read = z.object({ mcpServers: z.record(z.string(), z.unknown()) }).safeParse(data);
  if (!read.success) {
    throw new Error(`Cannot read the MCP servers of ${path}: ${z.prettifyError(read.error)}`);
  }
  const all = read.data.mcpServers;
  for (const name of only ?? []) {
    if (!Object.hasOwn(all, name)) {
      throw new Error(
        `Cannot use the MCP server ${name}: ${path} has ${Object.keys(all).join(", ") || "none"}`,
      );
    }
  }
  const wanted = only === undefined
    ? all
    : Object.fromEntries(only.map((name) => [name, all[name]]));
  return expandMcpServers(runtime, wanted as McpServers);
}

/** Puts the values of variables in the place of `${NAME}` and `${NAME:-instead}`, as such files have them. */
export function expandMcpServers(runtime: Runtime, servers: McpServers): McpServers {
  const expand = (value: unknown): unknown => {
    if (typeof value === "string") return expandText(runtime, value);
    if (Array.isArray(value)) return value.map(expand);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, expand(part)]));
  };
  return expand(servers) as McpServers;
}

/** Checks one server. @throws {Error} when it is neither a program nor an address, or both. */
export function checkMcpServer(name: string, given: unknown): McpServer {
  const fields = typeof given === "object" && given !== null ? given : {};
  const isProgram = "command" in fields;
  if (isProgram === "url" in fields) {
    throw new Error(`Cannot use the MCP server ${name}: give a command or a url, and not both`);
  }
  const read = (isProgram ? stdioServer : httpServer).safeParse(given);
  if (!read.success) {
    throw new Error(`Cannot use the MCP server ${name}: ${z.prettifyError(read.error)}`);
  }
  return read.data;
}

function expandText(runtime: Runtime, text: string): string {
  return text.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_whole, name, instead) => {
    const value = runtime.env.get(name) ?? instead;
    if (value === undefined) {
      throw new Error(`Cannot expand \${${name}} for an MCP server: the variable is not set`);
    }
    return value;
  });
}
