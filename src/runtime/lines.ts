/** Splits a byte stream into lines; the last line may lack its line end. A carriage return before a line end is dropped. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) yield line.endsWith("\r") ? line.slice(0, -1) : line;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
