import { type BoundedOutput, readBounded } from "./bounded_output.ts";
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
  const output = Promise.all([
    readBounded(started.stdout, request.outputLimit).catch(noOutput),
    readBounded(started.stderr, request.outputLimit).catch(noOutput),
  ]);
  const whole = Promise.all([started.ended, output]);
  whole.catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<"expired">((resolve) => {
    timer = setTimeout(() => resolve("expired"), request.timeoutMs);
  });
  try {
    const first = await Promise.race([whole, expired]);
    if (first !== "expired") {
      const [end, [stdout, stderr]] = first;
      return {
        status: "exited",
        code: end.code,
        signal: end.signal,
        stdout: stdout.bytes,
        stderr: stderr.bytes,
        truncated: stdout.truncated || stderr.truncated,
      };
    }
  } finally {
    clearTimeout(timer);
  }
  started.killGroup();
  // A grandchild that left the group may hold the pipes open for ever; do not wait for it.
  let grace: ReturnType<typeof setTimeout> | undefined;
  const closed = await Promise.race([
    output,
    new Promise<null>((resolve) => {
      grace = setTimeout(() => resolve(null), CLOSING_GRACE_MS);
    }),
  ]);
  clearTimeout(grace);
  const [stdout, stderr] = closed ?? [noOutput(), noOutput()];
  return {
    status: "timed-out",
    stdout: stdout.bytes,
    stderr: stderr.bytes,
    truncated: stdout.truncated || stderr.truncated,
  };
}

function noOutput(): BoundedOutput {
  return { bytes: new Uint8Array(), truncated: false };
}
