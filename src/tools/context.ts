import { z } from "zod";
import { defineTool } from "../action/define_tool.ts";
import type { Tool } from "../action/tool.ts";

/** Characters shown of a message in a list. */
const PREVIEW_CHARACTERS = 80;

/** A message, as far as this tool looks at it. */
export interface ContextMessage {
  /** Its id. */
  readonly id: string;
  /** Who said it. */
  readonly role: string;
  /** What can be written down of it. */
  toJSON?(): unknown;
}

/** The conversation this tool works on; a `Branch` is one. */
export interface ContextSource {
  /** The messages a model is shown. */
  readonly conversation: readonly ContextMessage[];
  /** Leaves messages out of the conversation. @returns How many. */
  evict(ids: Iterable<string>): number;
}

/** The arguments of `context`. */
export const contextRequest = z.object({
  action: z.enum(["status", "list", "read", "evict"]).describe(
    "status: how much there is; list: every message in short; read: one whole message; " +
      "evict: leave messages out of the conversation",
  ),
  id: z.string().optional().describe("The message to read"),
  ids: z.array(z.string()).optional().describe("The messages to leave out"),
});

/** The tool by which a model looks after its own conversation. What it leaves out stays in the history. */
export function contextTool(source: () => ContextSource): Tool {
  return defineTool({
    name: "context",
    description: "Shows how long the conversation is, and leaves messages out of it.",
    request: contextRequest,
    run: (given) => {
      const { action, id, ids } = contextRequest.parse(given);
      const { conversation } = source();
      switch (action) {
        case "status":
          return {
            messages: conversation.length,
            characters: conversation.reduce((sum, message) => sum + textOf(message).length, 0),
          };
        case "list":
          return conversation.map((message) => {
            const text = textOf(message);
            return {
              id: message.id,
              role: message.role,
              characters: text.length,
              beginning: text.slice(0, PREVIEW_CHARACTERS),
            };
          });
        case "read": {
          const found = conversation.find((message) => message.id === id);
          if (found === undefined) throw new Error(`Cannot read the message ${id}: there is none`);
          return { id: found.id, role: found.role, text: textOf(found) };
        }
        case "evict": {
          if (ids === undefined || ids.length === 0) {
            throw new Error("Cannot leave messages out: ids is missing");
          }
          return { evicted: source().evict(ids) };
        }
        default:
          return action satisfies never;
      }
    },
  });
}

/** A message as text: what was said, or what was asked and answered. */
function textOf(message: ContextMessage): string {
  const { content, function: name, arguments: args, output } = message as unknown as Record<
    string,
    unknown
  >;
  if (typeof content === "string") return content;
  const body = content ?? { function: name, arguments: args, output };
  try {
    return JSON.stringify(body) ?? "";
  } catch {
    return String(body);
  }
}
