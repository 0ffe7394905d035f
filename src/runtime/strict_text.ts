/**
 * The text that bytes are in UTF-8, a byte order mark included: no two different bytes give the same.
 *
 * @throws {TypeError} for bytes that are no such text.
 */
export function strictText(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
