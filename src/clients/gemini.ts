/**
 * Gemini CLI: its hook payloads, and the answers that it really honours (seen with 0.61.0).
 *
 * @module
 */

import type { Arguments, Verdict } from "../call.ts";
import { denial, jsonAnswer, NO_OPINION } from "./answer.ts";
import type {
  Answer,
  AnswerOptions,
  Client,
  ClientEnvironment,
  ClientEvent,
  Moment,
} from "./client.ts";
import { PayloadError } from "./client.ts";
import { readEvent } from "./event_reader.ts";
import type { EventShape, LocatedCall } from "./event_reader.ts";
import { approvalNeeded, explanation, rewriteOffered } from "./explanation.ts";
import { isObject, optionalText, own, payloadObject, requiredText } from "./payload.ts";
import type { Payload } from "./payload.ts";
import { toNativeWords, toolMapping, toOurWords } from "./tool_mapping.ts";
import type { ToolMapping } from "./tool_mapping.ts";

/** Its own tools in our words; `read_many_files` is one call per pattern, see below. */
const TOOLS: ReadonlyMap<string, ToolMapping> = new Map([
  ["run_shell_command", toolMapping("bash", "", ["command"], { texts: ["dir_path"] })],
  ["read_file", toolMapping("reader", "read", ["file_path"], { renames: [["file_path", "path"]] })],
  ["write_file", toolMapping("editor", "write", ["file_path"])],
  ["replace", toolMapping("editor", "edit", ["file_path"])],
  [
    "list_directory",
    toolMapping("search", "list", ["dir_path"], { renames: [["dir_path", "path"]] }),
  ],
  [
    "glob",
    toolMapping("search", "glob", ["pattern"], {
      texts: ["dir_path"],
      renames: [["dir_path", "path"]],
    }),
  ],
  [
    "grep_search",
    toolMapping("search", "grep", ["pattern"], {
      texts: ["dir_path"],
      renames: [["dir_path", "path"]],
    }),
  ],
]);

/** Reads every file that one of its patterns names. */
const READ_MANY = "read_many_files";

/** The events we know. All others are `other`. */
const MOMENTS: ReadonlyMap<string, Moment> = new Map([
  ["BeforeTool", "before-tool"],
  ["AfterTool", "after-tool"],
  ["SessionStart", "session-start"],
  ["SessionEnd", "session-end"],
  ["BeforeAgent", "prompt"],
  ["AfterAgent", "stop"],
]);

const SHAPE: EventShape = {
  client: "gemini",
  fields: {
    tool: "tool_name",
    args: "tool_input",
    session: "session_id",
    callId: null,
    agent: null,
    response: "tool_response",
    failure: "error",
  },
  calls,
};

/** Gemini CLI. */
export const gemini: Client = Object.freeze({
  name: "gemini",
  read,
  capabilities: Object.freeze({
    ask: "on-screen", // headless it waits for ever
    approve: false,
    rewrite: "yes",
    failClosed: "no",
    subagentMark: false,
    callId: false,
    goOn: true,
    tell: "not-headless",
  }),
  write,
  refuse,
  goOn: (reason: string): Answer => jsonAnswer({ decision: "deny", reason }),
  tell: (message: string): Answer => jsonAnswer({ systemMessage: message }),
});

function read(payload: unknown, environment: ClientEnvironment): ClientEvent {
  const fields = payloadObject(payload);
  const name = requiredText(fields, "hook_event_name");
  return readEvent(SHAPE, fields, { name, moment: MOMENTS.get(name) ?? "other" }, environment);
}

function calls(tool: string, args: Arguments, payload: Payload): readonly LocatedCall[] {
  const mcp = own(payload, "mcp_context");
  if (isObject(mcp)) {
    const server = requiredText(mcp, "server_name");
    const name = requiredText(mcp, "tool_name");
    return [{ tool: `mcp__${server}__${name}`, action: "", args }];
  }
  if (tool === READ_MANY) return manyReads(args);
  const call = toOurWords(TOOLS.get(tool), tool, args);
  const folder = call.tool === "bash" ? optionalText(args, "dir_path") : null;
  return [folder === null ? call : { ...call, folder }];
}

function manyReads(args: Arguments): readonly LocatedCall[] {
  const include = own(args, "include");
  if (!Array.isArray(include) || include.length === 0) {
    throw new PayloadError(`Cannot read the call of ${READ_MANY}: include is not a list of paths`);
  }
  return include.map((path) => ({
    tool: "reader",
    action: "read",
    args: { path: requiredText({ include: path }, "include") },
  }));
}

function write(verdict: Verdict, event: ClientEvent, options: AnswerOptions): Answer {
  if (verdict.behavior === "deny") return refuse(explanation(verdict));
  const input = verdict.rewritten ? rewrittenInput(verdict, event) : {};
  if (input === null) return refuse(rewriteOffered(verdict, "Gemini CLI"));
  const rewritten = verdict.rewritten
    ? { hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: input } }
    : {};
  switch (verdict.behavior) {
    case "escalate": {
      if (options.onScreen !== true) return refuse(approvalNeeded(verdict, "Gemini CLI"));
      const text = explanation(verdict);
      // Its dialog shows systemMessage, not the reason.
      return jsonAnswer({ decision: "ask", reason: text, systemMessage: text, ...rewritten });
    }
    case "allow":
      return verdict.rewritten ? jsonAnswer(rewritten) : NO_OPINION;
    default:
      return verdict.behavior satisfies never;
  }
}

/**
 * The arguments that were judged, in Gemini's words; `null` when it could not be made to run exactly these:
 * it lays them over the original ones, so that none can be taken away.
 */
function rewrittenInput(verdict: Verdict, event: ClientEvent): Arguments | null {
  if (event.native === null || event.calls.length !== 1) return null;
  const { tool, args } = event.native;
  if (tool === READ_MANY) return null;
  const isMcp = event.calls[0].tool.startsWith("mcp__");
  const input = toNativeWords(isMcp ? undefined : TOOLS.get(tool), verdict.args);
  if (input === null) return null;
  return Object.keys(args).every((name) => Object.hasOwn(input, name)) ? input : null;
}

function refuse(reason: string): Answer {
  return denial(reason, (text) => ({ decision: "deny", reason: text }));
}
