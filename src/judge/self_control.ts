import type { Configuration } from "../config/load_configuration.ts";
import { judgeSelfProtection } from "../guards/self_protection.ts";
import { SELF_CONTROL } from "../guards/self_refusal.ts";
import { canonicalToolName } from "../policy/tool_names.ts";
import type { Runtime } from "../runtime/port.ts";
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
  const roots = [
    runtime.env.executable,
    ...(folders === null ? [] : [folders.config, folders.state, folders.cache]),
  ];
  return {
    name: SELF_CONTROL,
    async judge(call) {
      const result = await judgeSelfProtection({ ...call, tool: canonicalToolName(call.tool) }, {
        cwd: call.cwd,
        ...(folders?.home ? { home: folders.home } : {}),
        roots,
        fs: runtime.fs,
        style: runtime.env.platform === "windows" ? "windows" : "posix",
        read: (line) => lines.read(line),
      });
      if (result === null || folders === null) return result;
      const { readPause } = await import("../config/pause.ts");
      return await readPause(runtime.fs, folders.state) === null ? result : null;
    },
  };
}
