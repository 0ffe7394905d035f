/**
 * Codex CLI: its hook payloads, and the answers that it really honours (seen with 0.171.0).
 *
 * @module
 */

import { type Arguments, type GateResult, gateResult, type Verdict } from "../call.ts";
import { denial, jsonAnswer, NO_OPINION } from "./answer.ts";
import { bareInterpreter, namesInterpreter } from "./bare_interpreter.ts";
import type { Answer, Client, ClientEnvironment, ClientEvent, Moment } from "./client.ts";
import { readEvent } from "./event_reader.ts";
import type { EventShape, LocatedCall } from "./event_reader.ts";
import { approvalNeeded, explanation, rewriteOffered } from "./explanation.ts";
import { patchFiles, patchIn } from "./patch_files.ts";
import { payloadObject, requiredText } from "./payload.ts";
import { toNativeWords, toolMapping, toOurWords } from "./tool_mapping.ts";
import type { ToolMapping } from "./tool_mapping.ts";

/** Its own tools in our words. It has no read tool: reads go through the shell. */
const TOOLS: ReadonlyMap<string, ToolMapping> = new Map([
  ["Bash", toolMapping("bash", "", ["command"])],
  ["view_image", toolMapping("reader", "read", ["path"])],
]);

/** Writes and edits: the patch is the argument `command`. */
const PATCH_TOOL = "apply_patch";

/** The events we know. All others are `other`. */
const MOMENTS: ReadonlyMap<string, Moment> = new Map([
  ["PreToolUse", "before-tool"],
  ["PostToolUse", "after-tool"],
  ["PermissionRequest", "permission-request"],
  ["SessionStart", "session-start"],
  ["SessionEnd", "session-end"],
  ["Stop", "stop"],
  ["SubagentStart", "subagent-start"],
  ["SubagentStop", "subagent-stop"],
  ["UserPromptSubmit", "prompt"],
]);

const SHAPE: EventShape = {
  client: "codex",
  fields: {
    tool: "tool_name",
    args: "tool_input",
    session: "session_id",
    callId: "tool_use_id",
    agent: "agent_id",
    response: "tool_response",
    failure: "error",
  },
  calls,
};

/** Codex CLI. */
export const codex: Client = Object.freeze({
  name: "codex",
  read,
  capabilities: Object.freeze({
    ask: "no", // it reports an ask as unsupported and runs the tool
    approve: false,
    rewrite: "yes",
    failClosed: "no",
    subagentMark: true,
    callId: true,
    goOn: true,
    tell: "not-headless",
  }),
  forbids,
  write,
  refuse,
  goOn: (reason: string): Answer => jsonAnswer({ decision: "block", reason }),
  tell: (message: string): Answer => jsonAnswer({ systemMessage: message }),
});

function read(payload: unknown, environment: ClientEnvironment): ClientEvent {
  const fields = payloadObject(payload);
  const name = requiredText(fields, "hook_event_name");
  return readEvent(SHAPE, fields, { name, moment: MOMENTS.get(name) ?? "other" }, environment);
}

function calls(tool: string, args: Arguments): readonly LocatedCall[] {
  if (tool === PATCH_TOOL) return patchFiles(requiredText(args, "command"));
  const call = toOurWords(TOOLS.get(tool), tool, args);
  if (call.tool !== "bash") return [call];
  // Codex itself takes `apply_patch <<EOF` in a shell command for a patch.
  const carried = patchIn(String(args.command));
  if (carried === null) return [call];
  const { patch, folder } = carried;
  return [call, ...patchFiles(patch).map((file) => folder === null ? file : { ...file, folder })];
}

/** What Codex types into a running program (`write_stdin`) is seen by no hook, so none that would run it may be started. */
async function forbids(event: ClientEvent): Promise<GateResult | null> {
  for (const { tool, action, args } of event.calls) {
    if (tool !== "bash" || !namesInterpreter(String(args.command))) continue;
    const { readLine } = await import("../shell/read_line.ts");
    const program = bareInterpreter(await readLine(String(args.command)));
    if (program === null) continue;
    return gateResult({
      control: "client:codex",
      behavior: "deny",
      reason:
        `Codex may not start a bare ${program}: what it types into it afterwards is seen by no hook`,
      reasonCode: "guard",
      tool,
      action,
      advice: "Give it its script as a file, a here-document or an argument.",
    });
  }
  return null;
}

/** Strict: with one field too many, or without its event's name, the answer is dropped and the tool runs. */
function write(verdict: Verdict, event: ClientEvent): Answer {
  switch (verdict.behavior) {
    case "deny":
      return refuse(explanation(verdict));
    case "escalate":
      return refuse(approvalNeeded(verdict, "Codex"));
    case "allow": {
      if (!verdict.rewritten) return NO_OPINION;
      const updatedInput = rewrittenInput(verdict, event);
      if (updatedInput === null) return refuse(rewriteOffered(verdict, "Codex"));
      return jsonAnswer({
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "allow", // without it the rewritten arguments are not used; it approves nothing
          updatedInput,
        },
      });
    }
    default:
      return verdict.behavior satisfies never;
  }
}

/** The arguments that were judged, in Codex's words; `null` for patches, which were judged file by file. */
function rewrittenInput(verdict: Verdict, event: ClientEvent): Arguments | null {
  if (event.native === null || event.calls.length !== 1) return null;
  if (event.native.tool === PATCH_TOOL) return null;
  const input = toNativeWords(TOOLS.get(event.native.tool), verdict.args);
  return input === null || Object.keys(input).length === 0 ? null : input;
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
