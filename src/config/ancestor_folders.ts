/**
 * The folder itself and every folder above it, nearest first.
 *
 * @param folder An absolute path.
 * @throws {RangeError} when it is not absolute.
 */
export function ancestorFolders(folder: string): string[] {
  const root = folder[0] === "/" ? "/" : /^(?:[A-Za-z]:[\\/]|\\)/.exec(folder)?.[0];
  if (root === undefined) {
    throw new RangeError(`Cannot look upwards from ${folder}: not an absolute path`);
  }
  const separator = root.endsWith("\\") ? "\\" : "/";
  const folders: string[] = [];
  let rest = isSeparator(folder.at(-1)) ? folder.replace(/[\\/]+$/, "") : folder;
  while (rest.length >= root.length) {
    folders.push(rest);
    const cut = Math.max(rest.lastIndexOf("/"), separator === "\\" ? rest.lastIndexOf("\\") : -1);
    rest = rest.slice(0, Math.max(cut, 0));
  }
  folders.push(root);
  return folders;
}

function isSeparator(character: string | undefined): boolean {
  return character === "/" || character === "\\";
}

/** A name inside a folder. */
export function inFolder(folder: string, name: string): string {
  const isWindows = folder[0] === "\\" || (folder[1] === ":" && folder[2] === "\\");
  const separator = isWindows ? "\\" : "/";
  return folder.endsWith("/") || folder.endsWith("\\") ? folder + name : folder + separator + name;
}
