import { createHash } from "node:crypto";

/** What was found at the end of a Mach-O file. */
export type SignatureState = "signed" | "unsigned";

const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const MACH_HEADER_SIZE = 32;

const SHA256 = 2;
const DIGEST_SIZE = 32;
const PAGE_BITS = 12;
const PAGE_SIZE = 2 ** PAGE_BITS;

/** The super blob's header with one entry. */
const SUPER_BLOB_SIZE = 20;
/** A code directory's header in the version that names the executable segment. */
const DIRECTORY_SIZE = 88;
const DIRECTORY_VERSION = 0x20400;
const AD_HOC = 0x2;
const MAIN_BINARY = 1n;

/**
 * Checks the code signature of a 64-bit Mach-O file page by page, as macOS does before it runs a page.
 *
 * Returns `unsigned` when there is no signature. Throws when a page's digest is not the one in the
 * signature: such a program is killed when it is started.
 */
export function checkSignature(file: Uint8Array): SignatureState {
  const view = viewOf(file);
  const command = loadCommands(view).find(({ kind }) => kind === LC_CODE_SIGNATURE);
  if (command === undefined) return "unsigned";
  const place = view.getUint32(command.at + 8, true);
  const directory = codeDirectory(view, place);
  if (view.getUint8(directory + 37) !== SHA256) {
    throw new Error("Cannot check the code signature: its digests are not SHA-256");
  }
  const digests = directory + view.getUint32(directory + 16, false);
  const count = view.getUint32(directory + 28, false);
  const codeEnd = view.getUint32(directory + 32, false);
  const pageSize = 2 ** view.getUint8(directory + 39);
  for (let page = 0; page < count; page++) {
    const end = Math.min((page + 1) * pageSize, codeEnd);
    const at = digests + page * DIGEST_SIZE;
    if (
      !digestOf(file.subarray(page * pageSize, end)).equals(file.subarray(at, at + DIGEST_SIZE))
    ) {
      throw new Error(`Cannot accept the code signature: page ${page} was changed after signing`);
    }
  }
  if (count !== Math.ceil(codeEnd / pageSize) || codeEnd !== place) {
    throw new Error("Cannot accept the code signature: it does not cover the whole file");
  }
  return "signed";
}

/**
 * Puts an ad hoc signature in the place of the one a 64-bit Mach-O file has: a digest of every page and
 * no name behind it. Bun makes one itself for arm64 and leaves, for x64, the signature of its own makers,
 * which no longer fits the file.
 */
export function signAdHoc(file: Uint8Array, identifier: string): Uint8Array {
  const commands = loadCommands(viewOf(file));
  const command = commands.find(({ kind }) => kind === LC_CODE_SIGNATURE);
  const text = commands.find(({ segment }) => segment === "__TEXT");
  const linkEdit = commands.find(({ segment }) => segment === "__LINKEDIT");
  if (!command || !text || !linkEdit) {
    throw new Error("Cannot sign: not the file that was expected");
  }
  const place = viewOf(file).getUint32(command.at + 8, true);
  const name = Buffer.from(`${identifier}\0`);
  const pages = Math.ceil(place / PAGE_SIZE);
  const directoryLength = DIRECTORY_SIZE + name.length + pages * DIGEST_SIZE;
  const signatureLength = SUPER_BLOB_SIZE + directoryLength;

  const signed = new Uint8Array(place + signatureLength);
  signed.set(file.subarray(0, place));
  const view = viewOf(signed);
  // The load commands are part of the first pages: they have to be right before anything is digested.
  view.setUint32(command.at + 12, signatureLength, true);
  const linkEditSize = signed.length - Number(view.getBigUint64(linkEdit.at + 40, true));
  const memory = Math.ceil(linkEditSize / PAGE_SIZE) * PAGE_SIZE;
  view.setBigUint64(linkEdit.at + 32, BigInt(memory), true);
  view.setBigUint64(linkEdit.at + 48, BigInt(linkEditSize), true);

  const directory = place + SUPER_BLOB_SIZE;
  writeWords(view, place, [SUPER_BLOB, signatureLength, 1, 0, SUPER_BLOB_SIZE]);
  writeWords(view, directory, [
    CODE_DIRECTORY,
    directoryLength,
    DIRECTORY_VERSION,
    AD_HOC,
    DIRECTORY_SIZE + name.length, // where the digests begin
    DIRECTORY_SIZE, // where the identifier stands
    0, // no special slots
    pages,
    place,
  ]);
  signed.set([DIGEST_SIZE, SHA256, 0, PAGE_BITS], directory + 36);
  view.setBigUint64(directory + 72, view.getBigUint64(text.at + 48, true), false);
  view.setBigUint64(directory + 80, MAIN_BINARY, false);
  signed.set(name, directory + DIRECTORY_SIZE);
  const digests = directory + DIRECTORY_SIZE + name.length;
  for (let page = 0; page < pages; page++) {
    const end = Math.min((page + 1) * PAGE_SIZE, place);
    signed.set(digestOf(signed.subarray(page * PAGE_SIZE, end)), digests + page * DIGEST_SIZE);
  }
  return signed;
}

interface LoadCommand {
  readonly kind: number;
  readonly at: number;
  /** The segment's name, when the command describes one. */
  readonly segment: string | null;
}

function loadCommands(view: DataView): LoadCommand[] {
  const commands: LoadCommand[] = [];
  let at = MACH_HEADER_SIZE;
  for (let left = view.getUint32(16, true); left > 0; left--) {
    const kind = view.getUint32(at, true);
    commands.push({ kind, at, segment: kind === LC_SEGMENT_64 ? segmentName(view, at) : null });
    at += view.getUint32(at + 4, true);
  }
  return commands;
}

function segmentName(view: DataView, at: number): string {
  return Buffer.from(view.buffer, view.byteOffset + at + 8, 16).toString("latin1").replace(
    /\0+$/,
    "",
  );
}

function codeDirectory(view: DataView, superBlob: number): number {
  const count = view.getUint32(superBlob + 8, false);
  for (let index = 0; index < count; index++) {
    const at = superBlob + view.getUint32(superBlob + 12 + index * 8 + 4, false);
    if (view.getUint32(at, false) === CODE_DIRECTORY) return at;
  }
  throw new Error("Cannot read the code signature: it has no code directory");
}

function writeWords(view: DataView, at: number, words: readonly number[]): void {
  words.forEach((word, index) => view.setUint32(at + index * 4, word, false));
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
