/**
 * Starts this program again without network, so that a client can reach nothing but the model on loopback, and with a
 * copy of /etc, so that the machine's settings can be tried.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Set in the program that has no network. */
const MARK = "GATEHOUSE_CLIENTS_OFFLINE";

/** How the program is cut off: as root, or as anybody where the system lets anybody make namespaces. */
const WAYS: readonly (readonly string[])[] = [
  ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc"],
  ["unshare", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--mount-proc"],
];

/** Whether this program runs without network already. */
export function isOffline(): boolean {
  return process.env[MARK] !== undefined;
}

/** Whether this program has an /etc of its own, which may be written to. */
export function hasOwnEtc(): boolean {
  return isOffline();
}

/**
 * Runs the same program again, offline, with the same arguments.
 *
 * @returns Its exit code; `null` when this system cannot cut a program off, so that nothing was run.
 */
export function runOffline(): number | null {
  const way = WAYS.find(([program, ...args]) =>
    spawnSync(program, [...args, "ip", "link", "set", "lo", "up"]).status === 0
  );
  if (way === undefined) return null;
  const [program, ...args] = way;
  const etc = mkdtempSync(join(tmpdir(), "gatehouse-etc-"));
  // Files of other owners cannot be copied by everybody, and are not needed.
  const prepare =
    'cp -a /etc/. "$1" 2>/dev/null; mount --bind "$1" /etc && ip link set lo up && shift && exec "$@"';
  const again = ["sh", "-c", prepare, "sh", etc, process.execPath];
  try {
    const result = spawnSync(program, [...args, ...again, ...process.argv.slice(1)], {
      stdio: "inherit",
      env: { ...process.env, [MARK]: "1" },
    });
    return result.status ?? 1;
  } finally {
    rmSync(etc, { recursive: true, force: true });
  }
}
