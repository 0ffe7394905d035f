/** What git's index says of one file. */
export interface IndexEntry {
  /** Bytes, when it was added (the low 32 bits). */
  readonly size: number;
  /** Milliseconds since the epoch, when it was last written before it was added. */
  readonly modifiedMs: number;
}

/** An index larger than this is not read: it would cost more than the answer is worth. */
export const INDEX_LIMIT = 32 * 1024 * 1024;

/** Bytes before an entry's name: ten numbers, a SHA-1, the flags. */
const ENTRY_HEAD = 62;

/** The flag that says that two more bytes of flags follow. */
const EXTENDED = 0x4000;

/**
 * Looks one file up in the bytes of a git index, versions 2 and 3.
 *
 * @param name The file's path from the top of the work tree.
 * @returns The entry, `null` when git does not know the file, `"unknown"` when the index is of another form.
 */
export function gitIndexEntry(bytes: Uint8Array, name: string): IndexEntry | null | "unknown" {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0) !== 0x44495243) return "unknown";
  const version = view.getUint32(4);
  if (version !== 2 && version !== 3) return "unknown";
  const wanted = new TextEncoder().encode(name);
  let at = 12;
  for (let left = view.getUint32(8); left > 0; left--) {
    if (at + ENTRY_HEAD > bytes.length) return "unknown";
    const start = at + ENTRY_HEAD + ((view.getUint16(at + 60) & EXTENDED) === 0 ? 0 : 2);
    const end = bytes.indexOf(0, start);
    if (end < 0) return "unknown";
    if (
      end - start === wanted.length && wanted.every((byte, index) => bytes[start + index] === byte)
    ) {
      const modifiedMs = view.getUint32(at + 8) * 1000 + Math.floor(view.getUint32(at + 12) / 1e6);
      return { size: view.getUint32(at + 36), modifiedMs };
    }
    // Entries end in one to eight NULs, so that each is a multiple of eight bytes long.
    at += (end - at + 8) & ~7;
  }
  return null;
}
