// A model without a network: it says its lines one after the other.

import type { ActionRequestLike, BranchMessage, ToolSchema } from "@gatehouse/gatehouse";

/** What a model wants next: to call a tool, or to say something and be done. */
export type Turn = Exclude<ActionRequestLike, { id: string }> | string;

/** A model: it is shown the conversation and the tools, and takes its turn. */
export type Model = (
  conversation: readonly BranchMessage[],
  tools: readonly ToolSchema[],
) => Promise<Turn>;

/** Makes a model that follows a script. */
export function scriptedModel(script: readonly Turn[]): Model {
  const lines = [...script];
  return () => Promise.resolve(lines.shift() ?? "I have nothing more to say.");
}
