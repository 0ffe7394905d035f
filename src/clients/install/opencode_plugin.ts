/**
 * The plugin that asks gatehouse from inside OpenCode.
 *
 * @module
 */

import { LIMIT_SECONDS } from "./installation.ts";

/** The first line of the plugin, by which it is recognised. */
export const PLUGIN_MARK = "// gatehouse: asks the gate before each tool call.";

/** How long OpenCode is kept waiting by what is only recorded, in seconds. */
const RECORD_SECONDS = 5;

/**
 * The plugin's text.
 *
 * It stands alone: a plugin that cannot be loaded is skipped without a word, so it imports nothing that could be
 * missing. It has its own deadline: a hook that never settles would hang OpenCode for ever.
 */
export function opencodePlugin(binary: string, limitSeconds: number = LIMIT_SECONDS): string {
  return `${PLUGIN_MARK} Written by "gatehouse init", removed by "gatehouse uninstall".
import { spawn } from "node:child_process";

const COMMAND = ${JSON.stringify([binary, "hook", "opencode"])};
const LIMIT_MS = ${limitSeconds * 1000};
const RECORD_MS = ${Math.min(limitSeconds, RECORD_SECONDS) * 1000};
const RECORDED_EVENTS = ["session.created", "session.idle", "session.error"];

function ask(payload, limit) {
  return new Promise((resolve) => {
    const { BUN_OPTIONS, BUN_BE_BUN, ...env } = process.env;
    let child;
    try {
      child = spawn(COMMAND[0], COMMAND.slice(1), { cwd: payload.cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    } catch (error) {
      return resolve({ code: String(error), output: "", error: "" });
    }
    const output = [];
    const error = [];
    const end = (code) => {
      clearTimeout(timer);
      resolve({ code, output: Buffer.concat(output).toString(), error: Buffer.concat(error).toString().trim() });
    };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      end("no answer in " + limit + " ms");
    }, limit);
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => error.push(chunk));
    child.stdin.on("error", () => {});
    child.on("error", (cause) => end(String(cause)));
    child.on("close", (code, signal) => end(code ?? signal));
    child.stdin.end(JSON.stringify(payload));
  });
}

function rewritten(output) {
  let answer;
  try {
    answer = JSON.parse(output);
  } catch {
    throw new Error("gatehouse: the hook's answer is not JSON, so the call is denied");
  }
  const args = answer?.updatedInput;
  if (answer?.decision !== "allow" || typeof args !== "object" || args === null) {
    throw new Error(answer?.reason ?? "gatehouse: the hook's answer is not understood, so the call is denied");
  }
  return args;
}

export const Gatehouse = async ({ directory }) => {
  const children = new Set();
  const payload = (event, input, args) => ({
    hook_event_name: event,
    session_id: input.sessionID,
    tool_use_id: input.callID,
    ...(children.has(input.sessionID) ? { agent_id: input.sessionID } : {}),
    cwd: directory,
    tool_name: input.tool,
    tool_input: args ?? {},
  });
  return {
    "tool.execute.before": async (input, output) => {
      const answer = await ask(payload("tool.execute.before", input, output.args), LIMIT_MS);
      if (answer.code === 2 && answer.error !== "") throw new Error(answer.error);
      if (answer.code !== 0) {
        throw new Error("gatehouse: the hook failed (" + answer.code + "), so the call is denied. " + answer.error);
      }
      if (answer.output.trim() === "") return;
      const args = rewritten(answer.output);
      // The tool runs with this very object, so it is changed in place.
      for (const name of Object.keys(output.args)) if (!Object.hasOwn(args, name)) delete output.args[name];
      Object.assign(output.args, args);
    },
    "tool.execute.after": async (input, output) => {
      const after = { ...payload("tool.execute.after", input, input.args), tool_response: output };
      await ask(after, RECORD_MS).catch(() => {});
    },
    event: async ({ event }) => {
      if (event.type === "session.created" && event.properties?.info?.parentID) {
        children.add(event.properties.info.id);
      }
      if (!RECORDED_EVENTS.includes(event.type)) return;
      await ask({ ...event, hook_event_name: event.type, cwd: directory }, RECORD_MS).catch(() => {});
    },
  };
};
`;
}

/** What a plugin of ours starts for each call; `null` when the text is no plugin of ours. */
export function pluginCommand(text: string): readonly string[] | null {
  const line = /^const COMMAND = (\[.*\]);$/m.exec(text)?.[1];
  if (!text.startsWith(PLUGIN_MARK) || line === undefined) return null;
  return JSON.parse(line) as string[];
}
