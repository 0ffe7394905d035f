/**
 * A model server on loopback that asks for the tool calls of a script, one a turn, and then says that it is done.
 *
 * It speaks the four protocols that the clients know. It keeps no state between requests: which call is next is
 * read from how many of its calls the conversation already holds an answer to, so that repeated and side requests
 * do no harm.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A tool call in the client's own words. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input: unknown;
  /** Codex: the input is plain text, not JSON. */
  readonly freeform?: boolean;
  /** Codex: the MCP server that the tool is of. */
  readonly namespace?: string;
}

/** A running server. */
export interface ScriptedModel {
  readonly url: string;
  /** What the model was told of each call, by its place in the script. */
  readonly told: ReadonlyMap<number, string>;
  /** How often it said that it was done. */
  saidDone(): number;
  /** The last request of the conversation itself, as text. */
  lastRequest(): string;
  close(): void;
}

/** The ids of our calls. */
const idOf = (index: number): string => `call_scripted_${index}`;

type Json = Record<string, unknown>;

/** What differs between protocols. */
interface Protocol {
  readonly path: RegExp;
  /** The answers to tool calls in a request: id (or `null` where the protocol drops it) and text. */
  results(body: Json): readonly (readonly [id: string | null, text: string])[];
  /** Whether a request is the conversation itself, not a side request for a title or a summary. */
  offersTools(body: Json): boolean;
  reply(call: (ScriptedCall & { id: string }) | null, body: Json): {
    readonly whole: Json;
    readonly events: readonly Json[];
    readonly named: boolean;
    readonly end?: string;
  };
  isStream(body: Json, url: string): boolean;
}

const list = (value: unknown): Json[] => Array.isArray(value) ? value as Json[] : [];

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return JSON.stringify(value ?? "");
  return value.map((part) => part?.text ?? JSON.stringify(part)).join("\n");
}

const DONE = "All scripted calls were made.";

const anthropic: Protocol = {
  path: /\/v1\/messages(\?|$)/,
  results: (body) =>
    list(body.messages).flatMap((message) => list(message.content))
      .filter((part) => part.type === "tool_result")
      .map((part) => [String(part.tool_use_id), textOf(part.content)]),
  offersTools: (body) => list(body.tools).length > 0,
  isStream: (body) => body.stream === true,
  reply(call, body) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const block = call === null
      ? { type: "text", text: DONE }
      : { type: "tool_use", id: call.id, name: call.tool, input: call.input };
    const stop = call === null ? "end_turn" : "tool_use";
    const message = {
      id: "msg_scripted",
      type: "message",
      role: "assistant",
      model: body.model,
      stop_sequence: null,
      usage,
    };
    const empty = call === null ? { type: "text", text: "" } : { ...block, input: {} };
    const delta = call === null
      ? { type: "text_delta", text: DONE }
      : { type: "input_json_delta", partial_json: JSON.stringify(call.input) };
    return {
      whole: { ...message, content: [block], stop_reason: stop },
      named: true,
      events: [
        { type: "message_start", message: { ...message, content: [], stop_reason: null } },
        { type: "content_block_start", index: 0, content_block: empty },
        { type: "content_block_delta", index: 0, delta },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: stop, stop_sequence: null }, usage },
        { type: "message_stop" },
      ],
    };
  },
};

const responses: Protocol = {
  path: /\/responses(\?|$)/,
  results: (body) =>
    list(body.input).filter((item) => String(item.type).endsWith("_output"))
      .map((item) => [String(item.call_id), textOf(item.output)]),
  offersTools: (body) => list(body.tools).length > 0,
  isStream: (body) => body.stream === true,
  reply(call, body) {
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const common = call === null ? {} : {
      id: `item_${call.id}`,
      call_id: call.id,
      name: call.tool,
      status: "completed",
      ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
    };
    const item = call === null
      ? {
        type: "message",
        id: "msg_scripted",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: DONE, annotations: [] }],
      }
      : call.freeform
      ? { ...common, type: "custom_tool_call", input: call.input }
      : { ...common, type: "function_call", arguments: JSON.stringify(call.input) };
    const response = {
      id: "resp_scripted",
      object: "response",
      status: "completed",
      model: body.model,
      output: [item],
      usage,
    };
    return {
      whole: response,
      named: true,
      events: [
        {
          type: "response.created",
          response: { ...response, status: "in_progress", output: [], usage: null },
        },
        {
          type: "response.output_item.added",
          output_index: 0,
          item: { ...item, status: "in_progress" },
        },
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response },
      ],
    };
  },
};

const chat: Protocol = {
  path: /\/chat\/completions(\?|$)/,
  results: (body) =>
    list(body.messages).filter((message) => message.role === "tool")
      .map((message) => [String(message.tool_call_id), textOf(message.content)]),
  offersTools: (body) => list(body.tools).length > 0,
  isStream: (body) => body.stream === true,
  reply(call, body) {
    const tool = call === null ? null : {
      id: call.id,
      type: "function",
      function: { name: call.tool, arguments: JSON.stringify(call.input) },
    };
    const common = { id: "chatcmpl_scripted", created: 1, model: body.model };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const message = tool === null
      ? { role: "assistant", content: DONE }
      : { role: "assistant", content: null, tool_calls: [tool] };
    const delta = tool === null
      ? message
      : { role: "assistant", content: null, tool_calls: [{ index: 0, ...tool }] };
    const reason = tool === null ? "stop" : "tool_calls";
    const chunk = (choices: readonly Json[], more: Json = {}): Json => ({
      ...common,
      object: "chat.completion.chunk",
      choices,
      ...more,
    });
    return {
      whole: {
        ...common,
        object: "chat.completion",
        usage,
        choices: [{ index: 0, message, finish_reason: reason }],
      },
      named: false,
      events: [
        chunk([{ index: 0, delta, finish_reason: null }]),
        chunk([{ index: 0, delta: {}, finish_reason: reason }]),
        chunk([], { usage }),
      ],
      end: "[DONE]",
    };
  },
};

const google: Protocol = {
  path: /:(?:stream)?[gG]enerateContent/,
  results: (body) =>
    list(body.contents).flatMap((content) => list(content.parts))
      .flatMap((part) => part.functionResponse === undefined ? [] : [part.functionResponse as Json])
      .map((result) => [null, JSON.stringify(result.response)]),
  offersTools: (body) =>
    list(body.tools).some((tool) => list(tool.functionDeclarations).length > 0),
  isStream: (_body, url) => url.includes("streamGenerateContent"),
  reply(call) {
    const part = call === null
      ? { text: DONE }
      : { functionCall: { id: call.id, name: call.tool, args: call.input } };
    const whole = {
      candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [part] } }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    };
    return { whole, named: false, events: [whole] };
  },
};

const PROTOCOLS: readonly Protocol[] = [anthropic, responses, chat, google];

/** Starts a server with a script. */
export async function startScriptedModel(
  script: readonly ScriptedCall[],
  modelName: string,
): Promise<ScriptedModel> {
  const told = new Map<number, string>();
  let saidDone = 0;
  let lastRequest = "";
  const server = createServer(async (request, response) => {
    const body = await readJson(request);
    const url = request.url ?? "";
    const protocol = PROTOCOLS.find(({ path }) => path.test(url));
    if (request.method !== "POST" || protocol === undefined) {
      return sendJson(response, sideAnswer(url, modelName));
    }
    const results = protocol.results(body);
    const answered = new Set<number>();
    results.forEach(([id, text], order) => {
      const index = id === null ? order : script.findIndex((_, at) => idOf(at) === id);
      if (index < 0) return;
      answered.add(index);
      if (!told.has(index)) told.set(index, text);
    });
    const next = script.findIndex((_, index) => !answered.has(index));
    const isConversation = protocol.offersTools(body);
    const call = isConversation && next >= 0 ? { ...script[next], id: idOf(next) } : null;
    if (isConversation) {
      lastRequest = JSON.stringify(body);
      if (call === null) saidDone++;
    }
    const reply = protocol.reply(call, body);
    if (!protocol.isStream(body, url)) return sendJson(response, reply.whole);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of reply.events) {
      const name = reply.named ? `event: ${event.type}\n` : "";
      response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end(reply.end === undefined ? undefined : `data: ${reply.end}\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    told,
    saidDone: () => saidDone,
    lastRequest: () => lastRequest,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Token counts, model lists and whatever else a client asks for besides. */
function sideAnswer(url: string, modelName: string): Json {
  if (/count_?tokens/i.test(url)) return { input_tokens: 1, totalTokens: 1 };
  return {
    object: "list",
    data: [{ id: modelName, object: "model", type: "model", display_name: modelName }],
    models: [],
  };
}

async function readJson(request: IncomingMessage): Promise<Json> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as Json;
  } catch {
    return {};
  }
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
