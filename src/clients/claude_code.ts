/**
 * Claude Code: its hook payloads, and the answers that it really honours (seen with 2.1.332).
 *
 * On the hook's fast path: nothing but small pure modules may be imported here.
 *
 * @module
 */

import type { ToolCall, Verdict } from "../call.ts";
import type {
  Answer,
  AnswerOptions,
  Capabilities,
  Client,
  ClientEnvironment,
  ClientEvent,
  Moment,
} from "./client.ts";
import { PayloadError } from "./client.ts";
import { explanation } from "./explanation.ts";
import {
  argumentsOf,
  folderOf,
  optionalText,
  own,
  payloadObject,
  requiredText,
} from "./payload.ts";
import type { Payload } from "./payload.ts";
import { toNativeWords, toolMapping, toOurWords } from "./tool_mapping.ts";
import type { ToolMapping } from "./tool_mapping.ts";

/** Claude Code's own tools in our words. MCP tools are called as we call them; all others keep their names. */
const TOOLS: ReadonlyMap<string, ToolMapping> = new Map([
  ["Bash", toolMapping("bash", "", ["command"])],
  ["PowerShell", toolMapping("bash", "powershell", ["command"])],
  ["Read", toolMapping("reader", "read", ["file_path"], { renames: [["file_path", "path"]] })],
  ["Write", toolMapping("editor", "write", ["file_path"])],
  ["Edit", toolMapping("editor", "edit", ["file_path"])],
  ["MultiEdit", toolMapping("editor", "edit", ["file_path"])],
  [
    "NotebookEdit",
    toolMapping("editor", "edit", ["notebook_path"], { renames: [["notebook_path", "file_path"]] }),
  ],
  ["Grep", toolMapping("search", "grep", ["pattern"], { texts: ["path", "glob"] })],
  ["Glob", toolMapping("search", "glob", ["pattern"], { texts: ["path"] })],
  ["LS", toolMapping("search", "list", ["path"])],
]);

/** Watches what a shell command prints; without a command it only opens a socket. */
const MONITOR = toolMapping("bash", "monitor", ["command"]);

/** The events we know. All others are `other`. */
const MOMENTS: ReadonlyMap<string, Moment> = new Map([
  ["PreToolUse", "before-tool"],
  ["PostToolUse", "after-tool"],
  ["PostToolUseFailure", "tool-failed"],
  ["PermissionRequest", "permission-request"],
  ["SessionStart", "session-start"],
  ["SessionEnd", "session-end"],
  ["Stop", "stop"],
  ["SubagentStart", "subagent-start"],
  ["SubagentStop", "subagent-stop"],
  ["UserPromptSubmit", "prompt"],
]);

const CAPABILITIES: Capabilities = Object.freeze({
  ask: "yes", // headless it turns an ask into a denial by itself
  approve: true,
  rewrite: true,
  failClosed: "by-setting", // "onFailure": "block"
  subagentMark: true,
  callId: true,
});

/** Claude Code. */
export const claudeCode: Client = Object.freeze({
  name: "claude-code",
  read,
  capabilities: CAPABILITIES,
  write,
  refuse,
  goOn,
});

function read(payload: unknown, environment: ClientEnvironment): ClientEvent {
  const fields = payloadObject(payload);
  const name = requiredText(fields, "hook_event_name");
  const moment = MOMENTS.get(name) ?? "other";
  switch (moment) {
    case "before-tool":
      return toolEvent(fields, name, moment, environment);
    case "after-tool":
    case "tool-failed":
    case "permission-request":
      // Nothing is judged here: what cannot be read is recorded without its call.
      try {
        return toolEvent(fields, name, moment, environment);
      } catch (error) {
        if (!(error instanceof PayloadError)) throw error;
        return plainEvent(fields, name, moment, environment);
      }
    default:
      return plainEvent(fields, name, moment, environment);
  }
}

function toolEvent(
  fields: Payload,
  name: string,
  moment: Moment,
  environment: ClientEnvironment,
): ClientEvent {
  const tool = requiredText(fields, "tool_name");
  const args = argumentsOf(fields, "tool_input");
  const cwd = folderOf(fields, environment.cwd);
  const session = optionalText(fields, "session_id");
  const callId = optionalText(fields, "tool_use_id");
  const agent = optionalText(fields, "agent_id");
  const call: ToolCall = {
    ...toOurWords(mappingOf(tool, args), tool, args),
    cwd,
    client: "claude-code",
    ...(session === null ? {} : { session }),
    ...(callId === null ? {} : { callId }),
    ...(agent === null ? {} : { agent }),
  };
  return {
    ...plainEvent(fields, name, moment, environment),
    calls: [call],
    native: { tool, args },
    cwd,
  };
}

function plainEvent(
  fields: Payload,
  name: string,
  moment: Moment,
  environment: ClientEnvironment,
): ClientEvent {
  const response = own(fields, moment === "tool-failed" ? "error" : "tool_response");
  return {
    moment,
    name,
    calls: [],
    native: null,
    cwd: optionalText(fields, "cwd") ?? environment.cwd,
    session: optionalText(fields, "session_id"),
    alreadyStopping: own(fields, "stop_hook_active") === true,
    ...(response === undefined ? {} : { response }),
  };
}

function mappingOf(tool: string, args: Readonly<Record<string, unknown>>): ToolMapping | undefined {
  if (tool === "Monitor") return Object.hasOwn(args, "command") ? MONITOR : undefined;
  return TOOLS.get(tool);
}

function write(verdict: Verdict, event: ClientEvent, options: AnswerOptions): Answer {
  if (verdict.behavior === "deny") return refuse(explanation(verdict));
  const rewritten = verdict.rewritten ? rewrittenInput(verdict, event) : {};
  if (rewritten === null) return refuse(UNSPEAKABLE);
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
): { updatedInput: Record<string, unknown> } | null {
  if (event.native === null) return null;
  const mapping = mappingOf(event.native.tool, event.native.args);
  const updatedInput = toNativeWords(mapping, verdict.args);
  // An empty updatedInput is taken for none, and the original would run.
  if (updatedInput === null || Object.keys(updatedInput).length === 0) return null;
  return { updatedInput };
}

function refuse(reason: string): Answer {
  const text = reason.trim() || "gatehouse: denied";
  const { stdout } = decision({ permissionDecision: "deny", permissionDecisionReason: text });
  return { stdout, stderr: `${text}\n`, exitCode: DENIED };
}

function goOn(reason: string): Answer {
  return { stdout: `${JSON.stringify({ decision: "block", reason })}\n`, stderr: "", exitCode: 0 };
}

function decision(output: Readonly<Record<string, unknown>>): Answer {
  const answer = { hookSpecificOutput: { hookEventName: "PreToolUse", ...output } };
  return { stdout: `${JSON.stringify(answer)}\n`, stderr: "", exitCode: 0 };
}

/** The one exit code that stops a tool; every other one lets it run. */
const DENIED = 2;

/** Anything on standard output would be an opinion. */
const NO_OPINION: Answer = Object.freeze({ stdout: "", stderr: "", exitCode: 0 });

const UNSPEAKABLE = "gatehouse: the rewritten arguments cannot be said in the client's own words";
