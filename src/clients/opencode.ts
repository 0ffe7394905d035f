/**
 * OpenCode: what our plugin in it sends for each call, and what that plugin does with the answer (1.18.33).
 *
 * OpenCode has no command hooks. The plugin (`opencode_plugin.ts`) speaks the form that is read and written here.
 *
 * @module
 */

import type { Arguments, Verdict } from "../call.ts";
import { denial, jsonAnswer, NO_OPINION } from "./answer.ts";
import type { Answer, Client, ClientEnvironment, ClientEvent, Moment } from "./client.ts";
import { readEvent } from "./event_reader.ts";
import type { EventShape, LocatedCall } from "./event_reader.ts";
import { approvalNeeded, explanation, rewriteOffered } from "./explanation.ts";
import { patchFiles } from "./patch_files.ts";
import { isObject, optionalText, own, payloadObject, requiredText } from "./payload.ts";
import type { Payload } from "./payload.ts";
import { toNativeWords, toolMapping, toOurWords } from "./tool_mapping.ts";
import type { ToolMapping } from "./tool_mapping.ts";

/** Its own tools in our words. An MCP tool is SERVER_TOOL, which cannot be taken apart, so it keeps that name. */
const TOOLS: ReadonlyMap<string, ToolMapping> = new Map([
  ["bash", toolMapping("bash", "", ["command"], { texts: ["workdir"] })],
  ["read", toolMapping("reader", "read", ["filePath"], { renames: [["filePath", "path"]] })],
  ["write", toolMapping("editor", "write", ["filePath"], { renames: [["filePath", "file_path"]] })],
  [
    "edit",
    toolMapping("editor", "edit", ["filePath"], {
      renames: [
        ["filePath", "file_path"],
        ["oldString", "old_string"],
        ["newString", "new_string"],
        ["replaceAll", "replace_all"],
      ],
    }),
  ],
  [
    "multiedit",
    toolMapping("editor", "edit", ["filePath"], { renames: [["filePath", "file_path"]] }),
  ],
  ["grep", toolMapping("search", "grep", ["pattern"], { texts: ["path", "include"] })],
  ["glob", toolMapping("search", "glob", ["pattern"], { texts: ["path"] })],
  ["list", toolMapping("search", "list", [], { texts: ["path"] })],
]);

/** Tools whose argument `patchText` is a patch over several files. */
const PATCH_TOOLS: readonly string[] = ["apply_patch", "patch"];

/** The events we know. All others are `other`. */
const MOMENTS: ReadonlyMap<string, Moment> = new Map([
  ["tool.execute.before", "before-tool"],
  ["tool.execute.after", "after-tool"],
  ["permission.asked", "permission-request"],
  ["session.created", "session-start"],
  ["session.idle", "stop"],
]);

const SHAPE: EventShape = {
  client: "opencode",
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

/** OpenCode. */
export const opencode: Client = Object.freeze({
  name: "opencode",
  read,
  capabilities: Object.freeze({
    ask: "no", // a plugin can only let a call pass or throw
    approve: false,
    rewrite: "yes",
    failClosed: "yes", // the plugin throws; a plugin that does not load is another matter
    subagentMark: true,
    callId: true,
    goOn: false,
    tell: "no",
  }),
  write,
  refuse,
  goOn: () => null,
  tell: () => null,
});

function read(payload: unknown, environment: ClientEnvironment): ClientEvent {
  const fields = payloadObject(payload);
  const name = requiredText(fields, "hook_event_name");
  const moment = MOMENTS.get(name) ?? "other";
  const event = readEvent(SHAPE, fields, { name, moment }, environment);
  if (event.session !== null) return event;
  // Its own events carry the session further inside.
  const properties = own(fields, "properties");
  if (!isObject(properties)) return event;
  const information = own(properties, "info");
  const isChild = isObject(information) && optionalText(information, "parentID") !== null;
  return {
    ...event,
    session: optionalText(properties, "sessionID"),
    moment: moment === "session-start" && isChild ? "subagent-start" : moment,
  };
}

function calls(tool: string, args: Arguments, _payload: Payload): readonly LocatedCall[] {
  if (PATCH_TOOLS.includes(tool) && Object.hasOwn(args, "patchText")) {
    return patchFiles(requiredText(args, "patchText"));
  }
  const call = toOurWords(TOOLS.get(tool), tool, args);
  const folder = call.tool === "bash" ? optionalText(args, "workdir") : null;
  return [folder === null ? call : { ...call, folder }];
}

function write(verdict: Verdict, event: ClientEvent): Answer {
  switch (verdict.behavior) {
    case "deny":
      return refuse(explanation(verdict));
    case "escalate":
      return refuse(approvalNeeded(verdict, "OpenCode"));
    case "allow": {
      if (!verdict.rewritten) return NO_OPINION;
      const updatedInput = rewrittenInput(verdict, event);
      if (updatedInput === null) return refuse(rewriteOffered(verdict, "OpenCode"));
      return jsonAnswer({ decision: "allow", updatedInput });
    }
    default:
      return verdict.behavior satisfies never;
  }
}

function rewrittenInput(verdict: Verdict, event: ClientEvent): Arguments | null {
  if (event.native === null || event.calls.length !== 1) return null;
  if (PATCH_TOOLS.includes(event.native.tool)) return null;
  return toNativeWords(TOOLS.get(event.native.tool), verdict.args);
}

function refuse(reason: string): Answer {
  return denial(reason, (text) => ({ decision: "deny", reason: text }));
}
