/**
 * What `act` proposes to a session's gate before a tool is invoked (D4). Frozen.
 */
export interface ToolInvocation {
  /** The tool's name. */
  readonly function: string;
  /** The arguments when they are a plain record; `{}` for anything else (D4-8). */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The branch that proposes it; `null` outside a branch. */
  readonly branchId: string | null;
}

/**
 * Builds a frozen {@linkcode ToolInvocation}.
 *
 * @param name The tool's name.
 * @param args The arguments as they came in; anything but a plain record is shown to the gate as `{}` (D4-8).
 * @param branchId The branch that proposes the call.
 */
export function toolInvocation(
  name: string,
  args: unknown,
  branchId: string | null = null,
): ToolInvocation {
  return Object.freeze({
    function: name,
    arguments: isPlainRecord(args) ? args : {},
    branchId,
  });
}

function isPlainRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
