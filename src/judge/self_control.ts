import type { GateResult, ToolCall } from "../call.ts";
import type { Configuration } from "../config/load_configuration.ts";
import { mayTouchGuards } from "../guards/self_hints.ts";
import { movedClientFiles } from "../guards/self_roots.ts";
import { canonicalToolName } from "../policy/tool_names.ts";
import type { Runtime } from "../runtime/port.ts";
import { commandCall } from "./command_call.ts";
import type { Control } from "./control.ts";
import type { LineReader } from "./line_reading.ts";

/**
 * The control that keeps an agent from changing what guards it. No configuration switches it off; a person at a terminal
 * opens a window for it (`gatehouse pause`), and only a refusal looks whether one is open.
 */
export function selfControl(
  runtime: Runtime,
  configuration: Configuration,
  lines: LineReader,
): Control {
  const { folders } = configuration;
  let known: string[] | null = null;
  // Asking where the program stands is not free, and most commands name no path.
  const roots = (): readonly string[] =>
    known ??= [
      runtime.env.executable,
      ...folders === null ? [] : [folders.config, folders.state, folders.cache],
      ...movedClientFiles(runtime.env.get),
    ];
  const look = async (calls: readonly ToolCall[]): Promise<GateResult | null> => {
    const { judgeSelfProtection } = await import("../guards/self_protection.ts");
    let result: GateResult | null = null;
    for (const call of calls) {
      result ??= await judgeSelfProtection(call, {
        cwd: call.cwd,
        ...(folders?.home ? { home: folders.home } : {}),
        roots: roots(),
        fs: runtime.fs,
        style: runtime.env.platform === "windows" ? "windows" : "posix",
        read: lines,
      });
    }
    if (result === null || folders === null) return result;
    const { readPause } = await import("../config/pause.ts");
    return await readPause(runtime.fs, folders.state) === null ? result : null;
  };
  return {
    name: "guard:self",
    judge(call) {
      const own = { ...call, tool: canonicalToolName(call.tool) };
      const command = own.tool === "bash" ? null : commandCall(call);
      const suspects: ToolCall[] = [];
      if (command !== null && mayTouchGuards(command, roots)) suspects.push(command);
      if (mayTouchGuards(own, roots)) suspects.push(own);
      return suspects.length === 0 ? null : look(suspects);
    },
  };
}
