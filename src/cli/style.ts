import type { Runtime } from "../runtime/port.ts";

/** Marks up text for a terminal, or leaves it as it is. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  blue(text: string): string;
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34 } as const;

/** The style of a stream: coloured only on a terminal, and not when `NO_COLOR` is set to anything. */
export function styleOf(runtime: Runtime, stream: "output" | "error"): Style {
  const coloured = !runtime.env.get("NO_COLOR") && runtime.env.get("TERM") !== "dumb" &&
    runtime.stdio.isTerminal(stream);
  const mark = (code: number) => (text: string) => coloured ? `\x1b[${code}m${text}\x1b[0m` : text;
  return {
    bold: mark(CODES.bold),
    dim: mark(CODES.dim),
    red: mark(CODES.red),
    green: mark(CODES.green),
    yellow: mark(CODES.yellow),
    blue: mark(CODES.blue),
  };
}
