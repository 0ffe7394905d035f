import type { PostHook, PreHook } from "../hooks/compose.ts";
import type { ErrorHook, ToolHooks } from "../hooks/govern.ts";
import { canonicalToolName } from "../policy/tool_names.ts";

/** The kinds of hooks, as they stand before the colon of a bucket's name (D2). */
export type HookKind = "security_pre" | "pre" | "post" | "error";

/** Any hook. */
export type HookHandler = PreHook | PostHook | ErrorHook;

/** Hooks by bucket: `security_pre:bash`, `pre:*`, … */
export type HookHandlers = Record<string, HookHandler[]>;

/** The name of a bucket. A tool's other names lead to the same one; `*` is for every tool. */
export function bucketName(kind: HookKind, toolName: string): string {
  return `${kind}:${canonicalToolName(toolName)}`;
}

/** Adds a hook at the end of its bucket. */
export function addHook(
  handlers: HookHandlers,
  kind: HookKind,
  toolName: string,
  handler: HookHandler,
): void {
  if (typeof handler !== "function") {
    throw new TypeError(`Cannot add a ${kind} hook for ${toolName}: it is not a function`);
  }
  (handlers[bucketName(kind, toolName)] ??= []).push(handler);
}

const BUCKET = /^(security_pre|pre|post|error):(.+)$/s;

/**
 * A copy of the hooks, each in the bucket of its tool's one name.
 *
 * @param bind What becomes of each hook.
 * @throws {Error} when there is a bucket of no known kind: its hooks would never be asked.
 */
export function copyHandlers(
  handlers: Readonly<HookHandlers>,
  bind: (hook: HookHandler) => HookHandler,
): HookHandlers {
  const copy: HookHandlers = {};
  for (const [bucket, hooks] of Object.entries(handlers)) {
    const [, kind, toolName] = BUCKET.exec(bucket) ?? [];
    if (kind === undefined) {
      throw new Error(
        `Cannot use the hooks of ${bucket}: buckets are called security_pre:TOOL, pre:TOOL, post:TOOL or error:TOOL`,
      );
    }
    for (const hook of hooks) addHook(copy, kind as HookKind, toolName, bind(hook));
  }
  return copy;
}

/** A tool's hooks: of each kind those for `*` first, then its own. */
export function hooksOf(handlers: Readonly<HookHandlers>, toolName: string): ToolHooks {
  const of = (kind: HookKind): HookHandler[] => [
    ...handlers[`${kind}:*`] ?? [],
    ...handlers[bucketName(kind, toolName)] ?? [],
  ];
  return {
    securityPre: of("security_pre") as PreHook[],
    pre: of("pre") as PreHook[],
    post: of("post") as PostHook[],
    error: of("error") as ErrorHook[],
  };
}
