/**
 * Claude Code: its hook payloads, and the answers that it really honours (seen with 2.1.332).
 *
 * On the hook's fast path: nothing but small pure modules may be imported here.
 *
 * @module
 */

import type { Arguments, Verdict } from "../call.ts";
import { denial, jsonAnswer, NO_OPINION } from "./answer.ts";
import type { Answer, AnswerOptions, Client, ClientEnvironment, ClientEvent } from "./client.ts";
import type { Moment } from "./client.ts";
import { readEvent } from "./event_reader.ts";
import type { EventShape } from "./event_reader.ts";
import { explanation, rewriteOffered } from "./explanation.ts";
import { payloadObject, requiredText } from "./payload.ts";
import { toNativeWords, toolMapping, toOurWords } from "./tool_mapping.ts";
import type { ToolMapping } from "./tool_mapping.ts";

/** Which moment an event is. Those we do not know are `other`. */
function momentOf(event: string): Moment {
  switch (event) {
    case "PreToolUse":
      return "before-tool";
    case "PostToolUse":
      return "after-tool";
    case "PostToolUseFailure":
      return "tool-failed";
    case "PermissionRequest":
      return "permission-request";
    case "SessionStart":
      return "session-start";
    case "SessionEnd":
      return "session-end";
    case "Stop":
      return "stop";
    case "SubagentStart":
      return "subagent-start";
    case "SubagentStop":
      return "subagent-stop";
    case "UserPromptSubmit":
      return "prompt";
    default:
      return "other";
  }
}

const SHAPE: EventShape = {
  client: "claude-code",
  fields: {
    tool: "tool_name",
    args: "tool_input",
    session: "session_id",
    callId: "tool_use_id",
    agent: "agent_id",
    response: "tool_response",
    failure: "error",
  },
  calls: (tool, args) => [toOurWords(mappingOf(tool, args), tool, args)],
};

/** Claude Code. */
export const claudeCode: Client = {
  name: "claude-code",
  read,
  capabilities: {
    ask: "yes", // headless it turns an ask into a denial by itself
    approve: true,
    rewrite: "yes",
    failClosed: "by-setting", // "onFailure": "block"
    subagentMark: true,
    callId: true,
    goOn: true,
    tell: "yes",
  },
  write,
  refuse,
  goOn: (reason: string): Answer => jsonAnswer({ decision: "block", reason }),
  tell: (message: string): Answer => jsonAnswer({ systemMessage: message }),
};

function read(payload: unknown, environment: ClientEnvironment): ClientEvent {
  const fields = payloadObject(payload);
  const name = requiredText(fields, "hook_event_name");
  return readEvent(SHAPE, fields, { name, moment: momentOf(name) }, environment);
}

/**
 * Its own tools in our words. MCP tools are called as we call them; all others keep their names. Made when they are asked
 * for: a table of all would be filled at every call of the hook.
 */
function mappingOf(tool: string, args: Arguments): ToolMapping | undefined {
  switch (tool) {
    case "Bash":
      return toolMapping("bash", "", ["command"]);
    case "PowerShell":
      return toolMapping("bash", "powershell", ["command"]);
    case "Monitor":
      // Watches what a shell command prints; without a command it only opens a socket, and keeps its name.
      return Object.hasOwn(args, "command")
        ? toolMapping("bash", "monitor", ["command"])
        : undefined;
    case "Read":
      return toolMapping("reader", "read", ["file_path"], { renames: [["file_path", "path"]] });
    case "Write":
      return toolMapping("editor", "write", ["file_path"]);
    case "Edit":
    case "MultiEdit":
      return toolMapping("editor", "edit", ["file_path"]);
    case "NotebookEdit":
      return toolMapping("editor", "edit", ["notebook_path"], {
        renames: [["notebook_path", "file_path"]],
      });
    case "Grep":
      return toolMapping("search", "grep", ["pattern"], { texts: ["path", "glob"] });
    case "Glob":
      return toolMapping("search", "glob", ["pattern"], { texts: ["path"] });
    case "LS":
      return toolMapping("search", "list", ["path"]);
    default:
      return undefined;
  }
}

function write(verdict: Verdict, event: ClientEvent, options: AnswerOptions): Answer {
  if (verdict.behavior === "deny") return refuse(explanation(verdict));
  const rewritten = verdict.rewritten ? rewrittenInput(verdict, event) : {};
  if (rewritten === null) return refuse(rewriteOffered(verdict, "Claude Code"));
  switch (verdict.behavior) {
    case "escalate":
      return decision({
        permissionDecision: "ask",
        permissionDecisionReason: explanation(verdict),
        ...rewritten,
      });
    case "allow":
      if (options.onAllow === "approve" && verdict.control === "policy") {
        return decision({
          permissionDecision: "allow",
          permissionDecisionReason: explanation(verdict),
          ...rewritten,
        });
      }
      return verdict.rewritten ? decision(rewritten) : NO_OPINION;
    default:
      return verdict.behavior satisfies never;
  }
}

/** The arguments that were judged, in Claude Code's words; `null` when it could not be made to run exactly these. */
function rewrittenInput(
  verdict: Verdict,
  event: ClientEvent,
): { readonly updatedInput: Arguments } | null {
  if (event.native === null) return null;
  const mapping = mappingOf(event.native.tool, event.native.args);
  const updatedInput = toNativeWords(mapping, verdict.args);
  // An empty updatedInput is taken for none, and the original would run.
  if (updatedInput === null || Object.keys(updatedInput).length === 0) return null;
  return { updatedInput };
}

function refuse(reason: string): Answer {
  return denial(reason, (text) => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: text,
    },
  }));
}

function decision(output: Readonly<Record<string, unknown>>): Answer {
  return jsonAnswer({ hookSpecificOutput: { hookEventName: "PreToolUse", ...output } });
}
