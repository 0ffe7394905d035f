import { parse, stringify } from "yaml";
import { z } from "zod";
import { CODING_TOOLS, type CodingToolName } from "../tools/coding_tools.ts";

/** What the file says of itself (D2-10). */
const HEADER = `# An agent of gatehouse.
# Hooks, guards and permissions are never written to this file: give them again in the program that reads it,
# or the agent runs without them. Tools that are code are not in it either.
`;

const specFile = z.strictObject({
  name: z.string().optional(),
  model: z.string().optional(),
  effort: z.string().optional(),
  systemPrompt: z.string().optional(),
  cwd: z.string().optional(),
  shell: z.enum(["refuse", "parse"]).optional(),
  mcpConfigPath: z.string().optional(),
  mcpServers: z.array(z.string()).optional(),
  contextManagement: z.boolean().optional(),
  tools: z.array(z.enum([...CODING_TOOLS, "coding"])).default([]),
});

/** What a file says of an agent. */
export type SpecFile = z.output<typeof specFile>;

/** Keys that would be read as protection, and are not read at all. */
const NEVER_READ: readonly string[] = ["permissions", "hooks", "hookHandlers", "secure"];

/** Writes settings and the names of coding tools. */
export function specToYaml(
  settings: Omit<SpecFile, "tools" | "mcpServers"> & { readonly mcpServers?: readonly string[] },
  tools: readonly (CodingToolName | "coding")[],
): string {
  return HEADER + stringify({ ...settings, tools });
}

/** Reads what {@linkcode specToYaml} wrote. @throws {Error} when there is anything else in it. */
export function specFromYaml(text: string): SpecFile {
  const data: unknown = parse(text) ?? {};
  for (const key of NEVER_READ) {
    if (typeof data === "object" && data !== null && Object.hasOwn(data, key)) {
      throw new Error(
        `Cannot read the agent: ${key} is never read from a file; give it in the program`,
      );
    }
  }
  const read = specFile.safeParse(data);
  if (!read.success) throw new Error(`Cannot read the agent: ${z.prettifyError(read.error)}`);
  return read.data;
}
