/**
 * GitHub Copilot CLI: its hook payloads in both dialects, and the answers that it really honours (seen with 1.0.102).
 *
 * The dialect follows from how the event is spelled in the hooks file: `preToolUse` or `PreToolUse`.
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
import type { EventShape } from "./event_reader.ts";
import { explanation, rewriteOffered } from "./explanation.ts";
import { patchFiles } from "./patch_files.ts";
import { optionalText, own, payloadObject, requiredText } from "./payload.ts";
import type { Payload } from "./payload.ts";
import { toNativeWords, toolMapping, toOurWords } from "./tool_mapping.ts";
import type { MappedCall, ToolMapping } from "./tool_mapping.ts";

const shell = toolMapping("bash", "", ["command"]);
const input = toolMapping("bash", "input", ["input"], { renames: [["input", "command"]] });
const view = toolMapping("reader", "read", ["path"]);
const create = toolMapping("editor", "write", ["path"], {
  renames: [["path", "file_path"], ["file_text", "content"]],
});
const edit = toolMapping("editor", "edit", ["path"], {
  renames: [["path", "file_path"], ["old_str", "old_string"], ["new_str", "new_string"]],
});
const grep = toolMapping("search", "grep", ["pattern"], { texts: ["path", "glob"] });
const glob = toolMapping("search", "glob", ["pattern"], { texts: ["path"] });

/**
 * Its own tools in our words, in both spellings; the arguments have the same names in both. An MCP tool
 * is SERVER-TOOL, which cannot be taken apart, so it keeps that name.
 */
const TOOLS: ReadonlyMap<string, ToolMapping> = new Map([
  ["bash", shell],
  ["Bash", shell],
  ["powershell", toolMapping("bash", "powershell", ["command"])],
  ["write_bash", input], // what is typed into a running shell
  ["write_powershell", input],
  ["view", view],
  ["Read", view],
  ["create", create],
  ["Write", create],
  ["edit", edit],
  ["Edit", edit],
  ["str_replace_editor", edit],
  ["grep", grep],
  ["rg", grep],
  ["Grep", grep],
  ["glob", glob],
  ["Glob", glob],
]);

/** A patch over several files, in whichever argument it comes. */
const PATCH_TOOL = "apply_patch";

/** The events that say their name, in the PascalCase dialect and a few that always do. */
const MOMENTS: ReadonlyMap<string, Moment> = new Map([
  ["PreToolUse", "before-tool"],
  ["PostToolUse", "after-tool"],
  ["PostToolUseFailure", "tool-failed"],
  ["permissionRequest", "permission-request"],
  ["SessionStart", "session-start"],
  ["SessionEnd", "session-end"],
  ["Stop", "stop"],
  ["SubagentStart", "subagent-start"],
  ["SubagentStop", "subagent-stop"],
  ["UserPromptSubmit", "prompt"],
]);

/** The camelCase dialect names no event: which one it is follows from the fields, the first that fits. */
const CAMEL_EVENTS:
  readonly (readonly [name: string, moment: Moment, fields: readonly string[]])[] = [
    ["postToolUse", "after-tool", ["toolName", "toolResult"]],
    ["postToolUseFailure", "tool-failed", ["toolName", "error"]],
    ["preToolUse", "before-tool", ["toolName"]],
    ["subagentStop", "subagent-stop", ["agentName", "stopReason"]],
    ["subagentStart", "subagent-start", ["agentName"]],
    ["agentStop", "subagent-stop", ["stopReason", "agentId"]],
    ["agentStop", "stop", ["stopReason"]],
    ["sessionStart", "session-start", ["source"]],
    ["sessionEnd", "session-end", ["reason"]],
    ["userPromptSubmitted", "prompt", ["prompt"]],
  ];

const CAMEL: EventShape = {
  client: "copilot",
  fields: {
    tool: "toolName",
    args: "toolArgs",
    session: "sessionId",
    callId: null,
    agent: "agentId",
    response: "toolResult",
    failure: "error",
  },
  calls,
};

const PASCAL: EventShape = {
  client: "copilot",
  fields: {
    tool: "tool_name",
    args: "tool_input",
    session: "session_id",
    callId: null,
    agent: "agent_id",
    response: "tool_result",
    failure: "error",
  },
  calls,
};

/** GitHub Copilot CLI. */
export const copilot: Client = Object.freeze({
  name: "copilot",
  read,
  capabilities: Object.freeze({
    ask: "yes", // headless it turns an ask into a denial by itself
    approve: true,
    rewrite: "unless-asked",
    failClosed: "yes", // but a hook that takes too long is passed over
    subagentMark: true,
    callId: false,
    goOn: true,
    tell: "no",
  }),
  write,
  refuse,
  goOn: (reason: string): Answer => jsonAnswer({ decision: "block", reason }),
  tell: () => null,
});

function read(payload: unknown, environment: ClientEnvironment): ClientEvent {
  const fields = payloadObject(payload);
  const named = optionalText(fields, "hook_event_name");
  if (named !== null) {
    const event = { name: named, moment: MOMENTS.get(named) ?? "other" };
    return readEvent(
      Object.hasOwn(fields, "sessionId") ? CAMEL : PASCAL,
      fields,
      event,
      environment,
    );
  }
  const request = optionalText(fields, "hookName");
  if (request !== null) {
    const event = { name: request, moment: MOMENTS.get(request) ?? "other" };
    const shape = { ...CAMEL, fields: { ...CAMEL.fields, args: "toolInput" } };
    return readEvent(shape, fields, event, environment);
  }
  const [name, moment] = camelEvent(fields);
  return readEvent(CAMEL, fields, { name, moment }, environment);
}

function camelEvent(fields: Payload): readonly [name: string, moment: Moment] {
  const found = CAMEL_EVENTS.find(([, , names]) =>
    names.every((field) => own(fields, field) !== undefined)
  );
  if (found !== undefined) return [found[0], found[1]];
  const tool = Object.keys(fields).find((field) => /tool/i.test(field));
  if (tool !== undefined) {
    throw new PayloadError(`Cannot read the payload: it has ${tool}, but no toolName`);
  }
  return ["unknown", "other"];
}

function calls(tool: string, args: Arguments): readonly MappedCall[] {
  if (tool === PATCH_TOOL) {
    const patch = Object.values(args).find((value) =>
      typeof value === "string" && value.includes("*** Begin Patch")
    );
    return patchFiles(requiredText({ patch }, "patch"));
  }
  const call = toOurWords(TOOLS.get(tool), tool, args);
  const paths = call.tool === "search" ? own(args, "paths") : undefined;
  return paths === undefined ? [call] : searches(call, paths);
}

/** A search in several folders is one call for each. */
function searches(call: MappedCall, paths: unknown): readonly MappedCall[] {
  const folders = Array.isArray(paths) ? paths : [paths];
  const rest = Object.entries(call.args).filter(([name]) => name !== "paths");
  return folders.map((path) => ({
    ...call,
    args: Object.fromEntries([...rest, ["path", requiredText({ paths: path }, "paths")]]),
  }));
}

function write(verdict: Verdict, event: ClientEvent, options: AnswerOptions): Answer {
  if (verdict.behavior === "deny") return refuse(explanation(verdict));
  const rewritten = verdict.rewritten ? rewrittenInput(verdict, event) : undefined;
  if (rewritten === null) return refuse(rewriteOffered(verdict, "Copilot CLI"));
  switch (verdict.behavior) {
    case "escalate":
      // When the person says yes to a question, the original arguments run.
      if (rewritten !== undefined) return refuse(rewriteOffered(verdict, "Copilot CLI"));
      return decision("ask", explanation(verdict), undefined);
    case "allow":
      if (options.onAllow === "approve" && verdict.control === "policy") {
        return decision("allow", explanation(verdict), rewritten);
      }
      return rewritten === undefined ? NO_OPINION : decision(undefined, undefined, rewritten);
    default:
      return verdict.behavior satisfies never;
  }
}

/** The arguments that were judged, in Copilot's words; `null` when it could not be made to run exactly these. */
function rewrittenInput(verdict: Verdict, event: ClientEvent): Arguments | null {
  if (event.native === null || event.calls.length !== 1) return null;
  // These were taken apart to be judged, and cannot be put together again.
  if (event.native.tool === PATCH_TOOL || Object.hasOwn(event.native.args, "paths")) return null;
  const args = toNativeWords(TOOLS.get(event.native.tool), verdict.args);
  return args === null || Object.keys(args).length === 0 ? null : args;
}

function refuse(reason: string): Answer {
  return denial(reason, (text) => bothDialects("deny", text));
}

function decision(
  permissionDecision: string | undefined,
  reason: string | undefined,
  args: Arguments | undefined,
): Answer {
  return jsonAnswer(bothDialects(permissionDecision, reason, args));
}

/** Each dialect reads its own form and passes over the other. */
function bothDialects(
  permissionDecision: string | undefined,
  permissionDecisionReason: string | undefined,
  args?: Arguments,
): Readonly<Record<string, unknown>> {
  return {
    permissionDecision,
    permissionDecisionReason,
    modifiedArgs: args,
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision,
      permissionDecisionReason,
      updatedInput: args,
    },
  };
}
