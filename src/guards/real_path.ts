import type { FileInformation, FileSystemError, FileSystemPort } from "../runtime/port.ts";
import { type AbsolutePath, formatPath, type PathStyle, readPath } from "./absolute_path.ts";

/** As many links as Linux follows in one path before it calls it a loop. */
const LINK_LIMIT = 40;

/** What of the file system a path's way needs. */
export type PathFileSystem = Pick<FileSystemPort, "information" | "readLink">;

/** The same, remembering what it was told: one judgement looks at the same folders again and again. */
export interface RememberedFileSystem {
  information(path: string): FileInformation | null | Promise<FileInformation | null>;
  readLink(path: string): Promise<string>;
}

/** Makes a file system that asks about each path once. */
export function rememberFiles(fs: PathFileSystem): RememberedFileSystem {
  const known = new Map<string, FileInformation | null>();
  return {
    information(path) {
      const found = known.get(path);
      if (found !== undefined) return found;
      return fs.information(path).then((information) => {
        known.set(path, information);
        return information;
      });
    },
    readLink: (path) => fs.readLink(path),
  };
}

/** Where a path really leads. */
export type RealPath =
  | {
    readonly kind: "real";
    readonly path: AbsolutePath;
    /** What stands there; `null` when nothing does yet. */
    readonly target: "file" | "directory" | "other" | null;
  }
  | { readonly kind: "loop"; readonly at: string }
  | { readonly kind: "not-understood"; readonly at: string; readonly why: string };

/**
 * Follows a path link by link to where it really leads (D2-8), for targets that do not exist yet as well.
 *
 * The deepest parent that exists is resolved; what comes after it is taken as written. Links in a circle end in `loop`,
 * a folder that cannot be looked into in `not-understood`.
 *
 * @param path The path, `..` included: a `..` after a link leaves the link's target, not the link.
 */
export async function realPath(
  path: AbsolutePath,
  fs: RememberedFileSystem,
  style: PathStyle,
): Promise<RealPath> {
  let root = path.root;
  const pending = [...path.parts].reverse();
  const real: string[] = [];
  /** How many leading parts of `real` are there, once one is known to be missing. */
  let present = Infinity;
  let target: "file" | "directory" | "other" | null = "directory";
  let links = 0;
  while (pending.length > 0) {
    const part = pending.pop()!;
    if (part === "..") {
      real.pop();
      if (real.length <= present) present = Infinity;
      target = present === Infinity ? "directory" : null;
      continue;
    }
    real.push(part);
    if (real.length > present) continue;
    const at = formatPath({ root, parts: real });
    try {
      const looked = fs.information(at);
      const found = looked instanceof Promise ? await looked : looked;
      if (found === null) {
        present = real.length - 1;
        target = null;
      } else if (found.kind === "link") {
        links += 1;
        if (links > LINK_LIMIT) return { kind: "loop", at };
        const text = await fs.readLink(at);
        // A link's target is no shell word: a "~" in it is a name.
        const reading = readPath(text.startsWith("~") ? `./${text}` : text, style);
        if (reading.kind === "not-understood") {
          return { kind: "not-understood", at, why: `its link cannot be followed: ${reading.why}` };
        }
        real.pop();
        if (reading.kind === "absolute") {
          root = reading.path.root;
          real.length = 0;
        }
        const parts = reading.kind === "absolute" ? reading.path.parts : reading.parts;
        pending.push(...[...parts].reverse());
        target = "directory";
      } else {
        target = found.kind;
      }
    } catch (error) {
      const code = (error as FileSystemError).code;
      if (code === "loop") return { kind: "loop", at };
      // Below a file there is nothing: the tool itself will say so.
      if (code !== "not-a-directory" && code !== "not-found") {
        return { kind: "not-understood", at, why: `it cannot be looked at (${code ?? "error"})` };
      }
      present = real.length - 1;
      target = null;
    }
  }
  return { kind: "real", path: { root, parts: real }, target };
}
