import { runtime } from "../src/runtime/current.ts";
import type { Runtime } from "../src/runtime/port.ts";

/** The runtime the tests run on, with other environment variables and another current folder. */
export function runtimeWith(
  variables: Readonly<Record<string, string>>,
  cwd?: string,
): Runtime {
  return {
    ...runtime,
    env: {
      ...runtime.env,
      executable: runtime.env.executable,
      get: (name) => Object.hasOwn(variables, name) ? variables[name] : undefined,
      all: () => ({ PATH: runtime.env.get("PATH") ?? "", ...variables }),
      cwd: () => cwd ?? runtime.env.cwd(),
    },
  };
}

/** The runtime with a home folder of its own, so that nothing of the person who runs the tests counts. */
export function runtimeAtHome(home: string, cwd?: string): Runtime {
  return runtimeWith({ HOME: home }, cwd);
}
