/**
 * Turns a client's own tool names and argument names into ours, and rewritten arguments back.
 *
 * Only names change, never values, so that what was judged is what runs.
 *
 * @module
 */

import type { Arguments } from "../call.ts";
import { PayloadError } from "./client.ts";
import { kindOf } from "./payload.ts";

/** How one tool of a client is called by us. */
export interface ToolMapping {
  /** The tool in our words. */
  readonly tool: string;
  /** What it does, where our tool has several actions. */
  readonly action: string;
  /** Arguments that are called otherwise by us: the client's name, ours. */
  readonly renames: readonly (readonly [native: string, ours: string])[];
  /** Arguments, in the client's names, without which a rule would judge nothing; each must be a text. */
  readonly required: readonly string[];
  /** Arguments, in the client's names, that may be missing, but are texts when they are there. */
  readonly texts: readonly string[];
}

/** A call in our words. */
export interface MappedCall {
  readonly tool: string;
  readonly action: string;
  readonly args: Arguments;
}

/** Builds a {@linkcode ToolMapping}; what is left out changes nothing. */
export function toolMapping(
  tool: string,
  action: string,
  required: readonly string[],
  options: Partial<Pick<ToolMapping, "renames" | "texts">> = {},
): ToolMapping {
  return { tool, action, required, renames: options.renames ?? [], texts: options.texts ?? [] };
}

/**
 * Says a client's call in our words. A tool without a mapping keeps its own name and arguments.
 *
 * @throws {PayloadError} when a judged argument is missing, is no text, or is given under both names.
 */
export function toOurWords(
  mapping: ToolMapping | undefined,
  tool: string,
  args: Arguments,
): MappedCall {
  if (mapping === undefined) return { tool, action: "", args };
  for (const name of mapping.required) requireText(tool, args, name);
  for (const name of mapping.texts) {
    if (Object.hasOwn(args, name) && args[name] !== null) requireText(tool, args, name);
  }
  const renamed = rename(args, mapping.renames);
  if (renamed === null) {
    const pair = mapping.renames.find(([native, ours]) =>
      Object.hasOwn(args, native) && Object.hasOwn(args, ours)
    );
    throw new PayloadError(
      `Cannot read the call of ${tool}: it has both ${pair?.[0]} and ${pair?.[1]}`,
    );
  }
  return { tool: mapping.tool, action: mapping.action, args: renamed };
}

/**
 * Says arguments in our words in the client's again; `null` when they cannot be: a name stands for two
 * arguments, or a judged one is no text any more.
 */
export function toNativeWords(mapping: ToolMapping | undefined, args: Arguments): Arguments | null {
  if (mapping === undefined) return args;
  const back: [string, string][] = [];
  for (const [native, ours] of mapping.renames) back.push([ours, native]);
  const native = rename(args, back);
  if (native === null) return null;
  return mapping.required.every((name) => typeof native[name] === "string") ? native : null;
}

/** Renames keys, keeping values and order; `null` when two keys would become one. */
function rename(
  args: Arguments,
  renames: readonly (readonly [from: string, to: string])[],
): Arguments | null {
  if (renames.length === 0) return args;
  const renamed: Arguments = {};
  for (const name of Object.keys(args)) {
    let to = name;
    for (const [from, other] of renames) if (name === from) to = other;
    if (Object.hasOwn(renamed, to)) return null;
    // Defined, so that an argument called __proto__ stays an argument.
    if (to === "__proto__") Object.defineProperty(renamed, to, propertyOf(args[name]));
    else renamed[to] = args[name];
  }
  return renamed;
}

function propertyOf(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true };
}

function requireText(tool: string, args: Arguments, name: string): void {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (typeof value === "string") return;
  throw new PayloadError(
    `Cannot read the call of ${tool}: ${name} is ${kindOf(value)}, not a text as it must be`,
  );
}
