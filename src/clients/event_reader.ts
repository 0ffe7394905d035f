/**
 * Reads the payloads of clients that tell of one event at a time, which all do; they differ in the names only.
 *
 * @module
 */

import type { Arguments, ToolCall } from "../call.ts";
import type { ClientEnvironment, ClientEvent, ClientName, Moment } from "./client.ts";
import { PayloadError } from "./client.ts";
import { argumentsOf, folderOf, optionalText, own } from "./payload.ts";
import type { Payload } from "./payload.ts";
import type { MappedCall } from "./tool_mapping.ts";

/** What differs between clients. */
export interface EventShape {
  readonly client: ClientName;
  /** The names of the fields. */
  readonly fields: {
    readonly tool: string;
    readonly args: string;
    readonly session: string;
    readonly callId: string | null;
    readonly agent: string | null;
    readonly response: string;
    readonly failure: string;
  };
  /** The calls to judge, in our words. Throws {@linkcode PayloadError} when they cannot be understood. */
  calls(tool: string, args: Arguments, payload: Payload): readonly LocatedCall[];
}

/** A call, and the folder it runs in when that is not the payload's. */
export type LocatedCall = MappedCall & { readonly folder?: string };

/**
 * Reads one event.
 *
 * A `before-tool` event is read strictly: what cannot be understood throws {@linkcode PayloadError}, so that
 * it is refused. All others are only recorded: what cannot be read there is left out.
 */
export function readEvent(
  shape: EventShape,
  payload: Payload,
  event: { readonly name: string; readonly moment: Moment },
  environment: ClientEnvironment,
): ClientEvent {
  switch (event.moment) {
    case "before-tool":
      return toolEvent(shape, payload, event, environment);
    case "after-tool":
    case "tool-failed":
    case "permission-request":
      try {
        return toolEvent(shape, payload, event, environment);
      } catch (error) {
        if (!(error instanceof PayloadError)) throw error;
        return plainEvent(shape, payload, event, environment);
      }
    default:
      return plainEvent(shape, payload, event, environment);
  }
}

function toolEvent(
  shape: EventShape,
  payload: Payload,
  event: { readonly name: string; readonly moment: Moment },
  environment: ClientEnvironment,
): ClientEvent {
  const { fields, client } = shape;
  const tool = own(payload, fields.tool);
  if (typeof tool !== "string" || tool === "") {
    throw new PayloadError(`Cannot read the payload: ${fields.tool} is not a text as it must be`);
  }
  const args = argumentsOf(payload, fields.args);
  const cwd = folderOf(payload, environment);
  const session = optionalText(payload, fields.session);
  const callId = fields.callId === null ? null : optionalText(payload, fields.callId);
  const agent = fields.agent === null ? null : optionalText(payload, fields.agent);
  const calls: ToolCall[] = [];
  for (const mapped of shape.calls(tool, args, payload)) {
    const call: { -readonly [field in keyof ToolCall]: ToolCall[field] } = {
      tool: mapped.tool,
      action: mapped.action,
      args: mapped.args,
      cwd: mapped.folder === undefined ? cwd : inFolder(cwd, mapped.folder),
      client,
    };
    if (session !== null) call.session = session;
    if (callId !== null) call.callId = callId;
    if (agent !== null) call.agent = agent;
    calls.push(call);
  }
  return {
    ...plainEvent(shape, payload, event, environment),
    calls,
    native: { tool, args },
    cwd,
  };
}

function plainEvent(
  shape: EventShape,
  payload: Payload,
  event: { readonly name: string; readonly moment: Moment },
  environment: ClientEnvironment,
): ClientEvent {
  const { fields } = shape;
  const response = own(payload, event.moment === "tool-failed" ? fields.failure : fields.response);
  return {
    moment: event.moment,
    name: event.name,
    calls: [],
    native: null,
    cwd: optionalText(payload, "cwd") ?? environment.cwd(),
    session: optionalText(payload, fields.session),
    alreadyStopping: own(payload, "stop_hook_active") === true,
    ...(response === undefined ? {} : { response }),
  };
}

/** A folder as it is seen from another one. */
function inFolder(cwd: string, folder: string): string {
  return /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(folder)
    ? folder
    : `${cwd.replace(/\/+$/, "")}/${folder}`;
}
