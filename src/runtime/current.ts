import type { Runtime } from "./port.ts";

/** The port of the runtime this program runs on. Only front doors and tests import it. */
export const runtime: Runtime = "Deno" in globalThis
  ? (await import("./deno.ts")).runtime
  : (await import("./bun.ts")).runtime;
