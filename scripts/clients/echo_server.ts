/** An MCP server over standard input and output with one tool, `echo`, that notes each call in a file: proof that it ran. */

import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [noteFile] = process.argv.slice(2);

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { text?: string } };
}

const TOOL = {
  name: "echo",
  description: "Says the text back.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

function answer(message: Message): unknown {
  switch (message.method) {
    case "initialize":
      return {
        protocolVersion: message.params?.protocolVersion ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "marker", version: "1" },
      };
    case "tools/list":
      return { tools: [TOOL] };
    case "tools/call": {
      const text = message.params?.arguments?.text ?? "";
      appendFileSync(noteFile, `${text}\n`);
      return { content: [{ type: "text", text: `echo: ${text}` }] };
    }
    default:
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue;
  const message = JSON.parse(line) as Message;
  // Notifications are not answered.
  if (message.id === undefined) continue;
  const reply = { jsonrpc: "2.0", id: message.id, result: answer(message) };
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
