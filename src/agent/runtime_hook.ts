import { PermissionError } from "../call.ts";
import type { PreHook } from "../hooks/compose.ts";
import type { Runtime } from "../runtime/port.ts";
import type { HookHandler } from "./hook_handlers.ts";

const BIND: unique symbol = Symbol("bind to a runtime");

/** A control that needs the runtime, which a specification does not have; `createAgent` gives it. */
export type RuntimeHook = PreHook & {
  readonly control: string;
  readonly [BIND]: (runtime: Runtime) => PreHook;
};

/**
 * Makes a control that becomes whole when it gets the runtime. Called before that it refuses, as a control does that
 * cannot look.
 */
export function runtimeHook(control: string, bind: (runtime: Runtime) => PreHook): RuntimeHook {
  const unbound: PreHook = () => {
    throw new PermissionError(`The control ${control} has no runtime yet; use createAgent`);
  };
  return Object.assign(unbound, { control, [BIND]: bind });
}

/** Gives hooks the runtime where they wait for it; one hook in several places stays one. */
export function hookBinder(runtime: Runtime): (hook: HookHandler) => HookHandler {
  const bound = new Map<HookHandler, HookHandler>();
  return (hook) => {
    const bind = (hook as Partial<RuntimeHook>)[BIND];
    if (bind === undefined) return hook;
    let made = bound.get(hook);
    if (made === undefined) {
      made = bind(runtime);
      bound.set(hook, made);
    }
    return made;
  };
}
