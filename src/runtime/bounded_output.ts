/** The bytes kept of a stream, and whether there were more. */
export interface BoundedOutput {
  readonly bytes: Uint8Array;
  readonly truncated: boolean;
}

/** A stream that is being read. */
export interface BoundedReading {
  /** Resolves when the stream has ended, or failed. */
  readonly ended: Promise<void>;
  /** What was kept up to now. */
  soFar(): BoundedOutput;
}

/** Reads a stream to its end and keeps at most `limit` bytes; the rest is dropped, so that the writer is never blocked. */
export function readBounded(
  stream: ReadableStream<Uint8Array>,
  limit: number,
): BoundedReading {
  const chunks: Uint8Array[] = [];
  let kept = 0;
  let truncated = false;
  const read = async () => {
    for await (const chunk of stream) {
      if (kept + chunk.length > limit) truncated = true;
      if (kept < limit) {
        const part = chunk.subarray(0, limit - kept);
        chunks.push(part);
        kept += part.length;
      }
    }
  };
  return {
    // A stream that fails has ended early; what was read of it still counts.
    ended: read().catch(() => {}),
    soFar: () => ({ bytes: joinBytes(chunks), truncated }),
  };
}

/** Joins chunks into one array. */
export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0];
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, position);
    position += chunk.length;
  }
  return bytes;
}
