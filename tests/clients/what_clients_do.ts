/**
 * What each real client does with a hook's answer, written down from watching them, and from nothing that gatehouse says
 * of itself: the other side of the contract.
 */

import type { ClientName } from "../../src/clients/client.ts";

/** What a client does with the call. */
export type ClientAct =
  | { readonly act: "runs"; readonly args: Record<string, unknown> }
  | { readonly act: "denies"; readonly told: string }
  | { readonly act: "asks"; readonly told: string; readonly args: Record<string, unknown> };

/** A hook's answer. */
export interface HookAnswer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Json = Record<string, unknown>;

/** What a client does, with the arguments it came with. */
export function whatClientDoes(
  client: ClientName,
  pascal: boolean,
  answer: HookAnswer,
  args: Json,
): ClientAct {
  switch (client) {
    case "claude-code":
      return claudeCode(answer, args);
    case "codex":
      return codex(answer, args);
    case "gemini":
      return gemini(answer, args);
    case "opencode":
      return opencode(answer, args);
    case "copilot":
      return copilot(answer, args, pascal);
    default:
      return client satisfies never;
  }
}

function claudeCode({ code, stdout, stderr }: HookAnswer, args: Json): ClientAct {
  const output = record(json(stdout)?.hookSpecificOutput);
  if (output?.hookEventName === "PreToolUse" && output.permissionDecision === "deny") {
    return { act: "denies", told: String(output.permissionDecisionReason) };
  }
  if (code === 2) return { act: "denies", told: stderr };
  if (code !== 0 || output?.hookEventName !== "PreToolUse") return { act: "runs", args };
  const input = record(output.updatedInput) ?? args;
  return output.permissionDecision === "ask"
    ? { act: "asks", told: String(output.permissionDecisionReason), args: input }
    : { act: "runs", args: input };
}

function codex({ code, stdout, stderr }: HookAnswer, args: Json): ClientAct {
  if (code === 2 && stderr.trim() !== "") return { act: "denies", told: stderr };
  const answer = json(stdout);
  const output = record(answer?.hookSpecificOutput);
  const isStrict = hasOnly(answer, ["hookSpecificOutput", "systemMessage"]) &&
    hasOnly(output, [
      "hookEventName",
      "permissionDecision",
      "permissionDecisionReason",
      "updatedInput",
      "additionalContext",
    ]);
  if (code !== 0 || !isStrict || output?.hookEventName !== "PreToolUse") {
    return { act: "runs", args };
  }
  if (output.permissionDecision === "deny" && output.permissionDecisionReason) {
    return { act: "denies", told: String(output.permissionDecisionReason) };
  }
  const input = output.permissionDecision === "allow" ? record(output.updatedInput) : undefined;
  return { act: "runs", args: input ?? args };
}

function gemini({ code, stdout, stderr }: HookAnswer, args: Json): ClientAct {
  const text = stdout.trim() === "" ? stderr : stdout;
  const answer = json(text);
  if (answer === undefined) {
    return code !== null && code >= 2 && text.trim() !== ""
      ? { act: "denies", told: text }
      : { act: "runs", args };
  }
  if (answer.decision === "deny" || answer.decision === "block") {
    return { act: "denies", told: String(answer.reason ?? "No reason provided") };
  }
  // What is given is laid over what was asked for.
  const input = { ...args, ...record(record(answer.hookSpecificOutput)?.tool_input) };
  return answer.decision === "ask"
    ? { act: "asks", told: String(answer.systemMessage), args: input }
    : { act: "runs", args: input };
}

function opencode({ code, stdout, stderr }: HookAnswer, args: Json): ClientAct {
  if (code !== 0) return { act: "denies", told: stderr };
  if (stdout.trim() === "") return { act: "runs", args };
  const answer = json(stdout);
  const input = record(answer?.updatedInput);
  return answer?.decision === "allow" && input !== undefined
    ? { act: "runs", args: input }
    : { act: "denies", told: String(answer?.reason) };
}

function copilot({ code, stdout }: HookAnswer, args: Json, pascal: boolean): ClientAct {
  const answer = json(stdout);
  const output = pascal ? record(answer?.hookSpecificOutput) : answer;
  if (code !== 0) {
    const told = output?.permissionDecisionReason ?? `hook exited with code ${code}`;
    return { act: "denies", told: String(told) };
  }
  const input = record(pascal ? output?.updatedInput : output?.modifiedArgs) ?? args;
  const told = String(output?.permissionDecisionReason);
  if (output?.permissionDecision === "deny") return { act: "denies", told };
  // Seen on the screen: after a person's yes the original arguments run.
  if (output?.permissionDecision === "ask") return { act: "asks", told, args };
  return { act: "runs", args: input };
}

function json(text: string): Json | undefined {
  try {
    return record(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function record(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Json
    : undefined;
}

function hasOnly(value: Json | undefined, names: readonly string[]): boolean {
  return value !== undefined && Object.keys(value).every((name) => names.includes(name));
}
