/**
 * The folder itself and every folder above it, nearest first.
 *
 * @param folder An absolute path.
 * @throws {RangeError} when it is not absolute.
 */
export function ancestorFolders(folder: string): string[] {
  if (folder[0] !== "/") return ancestorsOnWindows(folder);
  const folders: string[] = [];
  let end = folder.length;
  while (end > 1 && folder[end - 1] === "/") end--;
  while (end > 1) {
    folders.push(folder.slice(0, end));
    end = folder.lastIndexOf("/", end - 1);
  }
  folders.push("/");
  return folders;
}

function ancestorsOnWindows(folder: string): string[] {
  const root = /^(?:[A-Za-z]:[\\/]|\\)/.exec(folder)?.[0];
  if (root === undefined) {
    throw new RangeError(`Cannot look upwards from ${folder}: not an absolute path`);
  }
  const folders: string[] = [];
  let rest = folder.replace(/[\\/]+$/, "");
  while (rest.length >= root.length) {
    folders.push(rest);
    rest = rest.slice(0, Math.max(rest.lastIndexOf("/"), rest.lastIndexOf("\\"), 0));
  }
  folders.push(root);
  return folders;
}

/** A name inside a folder. */
export function inFolder(folder: string, name: string): string {
  const isWindows = folder[0] === "\\" || (folder[1] === ":" && folder[2] === "\\");
  const separator = isWindows ? "\\" : "/";
  return folder.endsWith("/") || folder.endsWith("\\") ? folder + name : folder + separator + name;
}
