/**
 * Path arithmetic without a file system: reading a path's text into a root and parts, and comparing by parts.
 *
 * @module
 */

/** Whose rules a path's text follows. */
export type PathStyle = "posix" | "windows";

/** A path from a root down. */
export interface AbsolutePath {
  /** `/`, or on Windows the drive in capitals (`C:`). */
  readonly root: string;
  /** The names below the root; `.` and empty ones are gone, `..` may still be there. */
  readonly parts: readonly string[];
}

/** What a path's text says. */
export type PathReading =
  | { readonly kind: "absolute"; readonly path: AbsolutePath }
  | { readonly kind: "relative"; readonly parts: readonly string[] }
  | { readonly kind: "home"; readonly parts: readonly string[] }
  | { readonly kind: "not-understood"; readonly why: string };

/**
 * Reads a path's text. What has more than one meaning, or one that cannot be looked up, is "not understood".
 *
 * `~` and `~/…` are the home folder, as in D2's reference; `~name` is somebody's home and not understood.
 */
export function readPath(text: string, style: PathStyle): PathReading {
  if (text.includes("\0")) return { kind: "not-understood", why: "it holds a NUL character" };
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    return { kind: "not-understood", why: "it is an address, not a path" };
  }
  if (style === "windows") return readWindowsPath(text);
  if (text.startsWith("/")) return { kind: "absolute", path: { root: "/", parts: names(text) } };
  return readRelative(text, names(text));
}

/** The text of a path. */
export function formatPath({ root, parts }: AbsolutePath): string {
  return root === "/" ? `/${parts.join("/")}` : `${root}\\${parts.join("\\")}`;
}

/** A path with `..` taken away by text alone; above the root there is only the root. */
export function normalizePath({ root, parts }: AbsolutePath): AbsolutePath {
  const kept: string[] = [];
  for (const part of parts) {
    if (part === "..") kept.pop();
    else kept.push(part);
  }
  return { root, parts: kept };
}

/**
 * Whether `inner` is `outer` or stands below it, by parts: `/repo-evil` is not below `/repo`.
 *
 * @param ignoreCase Whether names that differ only in case or in Unicode form are one file there.
 */
export function containsPath(
  outer: AbsolutePath,
  inner: AbsolutePath,
  ignoreCase: boolean,
): boolean {
  const same = (left: string, right: string): boolean =>
    ignoreCase ? foldName(left) === foldName(right) : left === right;
  return outer.root === inner.root && outer.parts.length <= inner.parts.length &&
    outer.parts.every((part, index) => same(part, inner.parts[index]!));
}

/** Letters that have one form only. */
// deno-lint-ignore no-control-regex
const PLAIN = /^[\x00-\x7f]*$/;

/** A name as a volume that ignores case compares it: case, ligatures and composed letters are one. */
export function foldName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  // Upper case first: it is what opens a sharp s and ligatures into their letters.
  return name.normalize("NFD").toUpperCase().toLowerCase().normalize("NFC");
}

function names(text: string, separators: string | RegExp = "/"): string[] {
  return text.split(separators).filter((part) => part !== "" && part !== ".");
}

function readRelative(text: string, parts: readonly string[]): PathReading {
  // "./~" is a file named "~": only a path that begins with the sign means the home.
  if (!text.startsWith("~")) return { kind: "relative", parts };
  const [first = "", ...rest] = parts;
  if (first === "~") return { kind: "home", parts: rest };
  return { kind: "not-understood", why: `"${first}" may be somebody's home; write ./${first}` };
}

/** Names that Windows gives to devices in every folder, whatever extension follows. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

function readWindowsPath(text: string): PathReading {
  // The extended-length form of a local path is that path.
  const local = text.replace(/^[\\/]{2}\?[\\/](?=[a-z]:)/i, "");
  if (/^[\\/]{2}/.test(local)) {
    return { kind: "not-understood", why: "it is a network share or a device" };
  }
  const drive = /^([a-z]):/i.exec(local);
  const below = drive === null ? local : local.slice(2);
  if (drive !== null && !/^[\\/]/.test(below)) {
    return { kind: "not-understood", why: "it depends on the drive's current folder" };
  }
  if (drive === null && /^[\\/]/.test(local)) {
    return { kind: "not-understood", why: "it depends on the current drive" };
  }
  const parts = names(below, /[\\/]+/);
  for (const part of parts) {
    if (part.includes(":")) return { kind: "not-understood", why: "it names a stream of a file" };
    if (part !== ".." && /[. ]$/.test(part)) {
      return { kind: "not-understood", why: "Windows drops dots and blanks at a name's end" };
    }
    if (/~\d/.test(part)) {
      return { kind: "not-understood", why: `"${part}" may be the short name of another file` };
    }
    if (WINDOWS_DEVICE.test(part)) return { kind: "not-understood", why: "it names a device" };
  }
  if (drive === null) return readRelative(local, parts);
  // Windows takes ".." away before it looks at the disk.
  const path = normalizePath({ root: `${drive[1]!.toUpperCase()}:`, parts });
  return { kind: "absolute", path };
}
