/**
 * The binary's front door. The hook goes straight to its code; every other command is loaded when it is asked for.
 *
 * @module
 */

import { runHook } from "./cli/hook.ts";
import { runtime } from "./runtime/current.ts";

const [name, ...rest] = runtime.env.args;
const code = name === "hook"
  ? await runHook(runtime, rest)
  : await (await import("./cli/run_command.ts")).runCommand(runtime, name, rest);
runtime.env.exit(code);
