/** The bytes kept of a stream, and whether there were more. */
export interface BoundedOutput {
  readonly bytes: Uint8Array;
  readonly truncated: boolean;
}

/** Reads a stream to its end and keeps at most `limit` bytes; the rest is dropped, so that the writer is never blocked. */
export async function readBounded(
  stream: ReadableStream<Uint8Array>,
  limit: number,
): Promise<BoundedOutput> {
  const chunks: Uint8Array[] = [];
  let kept = 0;
  let truncated = false;
  const reader = stream.getReader();
  while (true) {
    const { done, value } = await reader.read();
    if (done) break;
    if (kept + value.length > limit) truncated = true;
    if (kept < limit) {
      const part = value.subarray(0, limit - kept);
      chunks.push(part);
      kept += part.length;
    }
  }
  return { bytes: joinBytes(chunks), truncated };
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
