/** Starts this program again without network, so that a client can reach nothing but the model on loopback. */

import { spawnSync } from "node:child_process";

/** Set in the program that has no network. */
const MARK = "GATEHOUSE_CLIENTS_OFFLINE";

/** How the program is cut off: as root, or as anybody where the system lets anybody make namespaces. */
const WAYS: readonly (readonly string[])[] = [
  ["unshare", "--net", "--pid", "--fork", "--mount-proc"],
  ["unshare", "--map-root-user", "--net", "--pid", "--fork", "--mount-proc"],
];

/** Whether this program runs without network already. */
export function isOffline(): boolean {
  return process.env[MARK] !== undefined;
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
  const again = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh", process.execPath];
  const result = spawnSync(program, [...args, ...again, ...process.argv.slice(1)], {
    stdio: "inherit",
    env: { ...process.env, [MARK]: "1" },
  });
  return result.status ?? 1;
}
