import { type GateResult, gateResult, type ToolCall } from "../call.ts";

/** The arguments that name what is run or touched; in them every character counts. */
const NAMING_ARGUMENTS = ["command", "path", "file_path", "pattern"] as const;

/**
 * Refuses a call whose naming arguments cannot be what would really be run: no program and no file name can hold a NUL
 * character, and half of a surrogate pair has no bytes of its own.
 */
export function judgeInput({ tool, action, args }: ToolCall): GateResult | null {
  for (const name of NAMING_ARGUMENTS) {
    const value = args[name];
    if (typeof value !== "string") continue;
    const what = value.includes("\u0000")
      ? "a NUL character"
      : value.isWellFormed()
      ? null
      : "half of a surrogate pair";
    if (what === null) continue;
    return gateResult({
      control: "input",
      behavior: "deny",
      reason: `argument ${name} holds ${what}, so what would run is not what it says`,
      reasonCode: "input",
      tool,
      action,
      advice: "Write it in plain characters.",
    });
  }
  return null;
}
