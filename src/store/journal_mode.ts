/** Kinds of file systems on which processes do not share memory: WAL would lose or damage rows there. */
const SHARED_FILE_SYSTEMS: ReadonlySet<string> = new Set([
  "nfs",
  "nfs4",
  "cifs",
  "smb3",
  "smbfs",
  "9p",
  "virtiofs",
  "vboxsf",
  "vmhgfs",
  "prl_fs",
  "afs",
  "ceph",
  "glusterfs",
  "lustre",
  "fakeowner",
  "grpcfuse",
  "osxfs",
]);

/**
 * Chooses the journal for a database at a path: WAL, unless the file lies on a network drive or on a mount
 * that a virtual machine shares, where writers inside and outside do not see each other's memory.
 *
 * @param path The absolute path of the database.
 * @param mounts The text of `/proc/self/mountinfo`; `null` on systems without it (WAL then).
 */
export function journalModeFor(path: string, mounts: string | null): "WAL" | "DELETE" {
  let found = { point: "", kind: "" };
  for (const line of (mounts ?? "").split("\n")) {
    const [before, after] = line.split(" - ");
    const point = before?.split(" ")[4];
    const kind = after?.split(" ")[0];
    if (point === undefined || kind === undefined) continue;
    const folder = decoded(point);
    const holds = folder === "/" || path === folder || path.startsWith(`${folder}/`);
    // A later line of the same place is mounted over the earlier one.
    if (holds && folder.length >= found.point.length) found = { point: folder, kind };
  }
  const isShared = SHARED_FILE_SYSTEMS.has(found.kind) || found.kind.startsWith("fuse.");
  return isShared ? "DELETE" : "WAL";
}

/** Mount points have spaces and the like in octal. */
function decoded(point: string): string {
  return point.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8)));
}
