/** Installs the clients from npm into one folder, each at its pinned version, unless it is there already. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientPackage } from "./versions.ts";

/** Where a client's package stands below the folder of all clients. */
export function packageFolder(folder: string, client: ClientPackage): string {
  return join(folder, client.client, "node_modules", client.package);
}

/**
 * Installs one client.
 *
 * @param limitMs How long it may take.
 * @returns `null`, or why it could not be installed.
 */
export function installClient(
  folder: string,
  client: ClientPackage,
  limitMs: number,
): string | null {
  const own = join(folder, client.client);
  const home = packageFolder(folder, client);
  if (isInstalled(folder, client)) return null;
  if (limitMs < 1_000) return "there is no time left";
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), '{"private":true}\n');
  const wanted = `${client.package}@${client.version}`;
  // The version is asked for by name: npm picks an older one by itself where node is older than it likes.
  const npm = run("npm", ["install", "--no-fund", "--no-audit", wanted], own, limitMs);
  if (npm !== null) return npm;
  if (client.setup !== null) {
    const setup = run("node", [join(home, client.setup)], home, limitMs);
    if (setup !== null) return setup;
  }
  if (!existsSync(join(home, client.program))) {
    return `${client.program} is missing after the install`;
  }
  writeFileSync(join(own, READY), `${client.version}\n`);
  return null;
}

/** Whether a client is there at its pinned version, and its install was finished. */
export function isInstalled(folder: string, client: ClientPackage): boolean {
  return installedVersion(packageFolder(folder, client)) === client.version &&
    existsSync(join(folder, client.client, READY));
}

/** Written when an install was finished. */
const READY = ".ready";

function installedVersion(home: string): string | null {
  try {
    return JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version;
  } catch {
    return null;
  }
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  timeout: number,
): string | null {
  const result = spawnSync(program, [...args], { cwd, timeout, encoding: "utf8" });
  if (result.status === 0) return null;
  const reason = result.error?.message ?? result.stderr.trim().split("\n").at(-1) ?? "";
  return `${program} ${args[0]}: ${reason || `code ${result.status}`}`;
}
