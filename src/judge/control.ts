import type { GateResult, ToolCall } from "../call.ts";

/** Something that can refuse a call: its name, and what it says of one. */
export interface Control {
  readonly name: string;
  /** A result, or `null` for no opinion. What it throws is a denial that names it. */
  judge(call: ToolCall): GateResult | null | Promise<GateResult | null>;
}
