import type { Runtime } from "../runtime/port.ts";

/** What SQLite keeps beside a database: left behind, it would damage the next one of that name. */
const SIDECARS = ["-wal", "-shm", "-journal"] as const;

/**
 * Moves a database away together with what belongs to it.
 *
 * @returns Where it is now; `null` when there was none.
 */
export async function setStoreAside(runtime: Runtime, path: string): Promise<string | null> {
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const aside = `${path}.aside-${stamp}`;
  let moved = false;
  for (const sidecar of ["", ...SIDECARS]) {
    if (!runtime.fs.exists(path + sidecar)) continue;
    await runtime.fs.rename(path + sidecar, aside + sidecar);
    moved = true;
  }
  return moved ? aside : null;
}
