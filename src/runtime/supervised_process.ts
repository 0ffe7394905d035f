import { type BoundedReading, readBounded } from "./bounded_output.ts";
import type { SubprocessRequest, SubprocessResult } from "./port.ts";

/** A started program, in the words both runtimes share. */
export interface StartedProcess {
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  /** Writes the whole input and closes it. May reject: a program need not read its input. */
  writeInput(bytes: Uint8Array): Promise<void>;
  /** How it ended. */
  readonly ended: Promise<{ code: number; signal: string | null }>;
  /** Kills its whole process group. Must not throw. */
  killGroup(): void;
}

/** How long the output of a killed group may still take to close, in milliseconds. */
const CLOSING_GRACE_MS = 1_000;

/** Sees a started program to its end: input, bounded output, the time limit that kills the whole group. */
export async function superviseProcess(
  started: StartedProcess,
  request: SubprocessRequest,
): Promise<SubprocessResult> {
  const input = typeof request.stdin === "string"
    ? new TextEncoder().encode(request.stdin)
    : request.stdin ?? new Uint8Array();
  // A program that does not read its input closes the pipe; its exit code still counts.
  started.writeInput(input).catch(() => {});
  const stdout = readBounded(started.stdout, request.outputLimit);
  const stderr = readBounded(started.stderr, request.outputLimit);
  const closed = Promise.all([stdout.ended, stderr.ended]);
  const whole = Promise.all([started.ended, closed]);
  const end = await within(request.timeoutMs, whole, request.signal);
  if (end !== "expired") return { status: "exited", ...end[0], ...outputOf(stdout, stderr) };
  started.killGroup();
  // A grandchild that left the group may hold the pipes open for ever; do not wait for it.
  await within(CLOSING_GRACE_MS, closed);
  return { status: "timed-out", ...outputOf(stdout, stderr) };
}

function outputOf(
  stdout: BoundedReading,
  stderr: BoundedReading,
): { stdout: Uint8Array; stderr: Uint8Array; truncated: boolean } {
  const [out, error] = [stdout.soFar(), stderr.soFar()];
  return {
    stdout: out.bytes,
    stderr: error.bytes,
    truncated: out.truncated || error.truncated,
  };
}

/** Waits for a promise, but not longer than `limitMs`, and not when the signal is aborted. */
async function within<T>(
  limitMs: number,
  promise: Promise<T>,
  signal?: AbortSignal,
): Promise<T | "expired"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let expire = (): void => {};
  const expired = new Promise<"expired">((resolve) => {
    expire = () => resolve("expired");
    timer = setTimeout(expire, limitMs);
  });
  signal?.addEventListener("abort", expire, { once: true });
  if (signal?.aborted === true) expire();
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", expire);
  }
}
