/** Installs the clients from npm into one folder, each at its pinned version, unless it is there already. */

import { spawn } from "node:child_process";
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
 * @param limitMs How long all of it may take; with none, nothing is begun.
 * @param npm The program that installs packages.
 * @returns `null`, or why it could not be installed.
 */
export async function installClient(
  folder: string,
  client: ClientPackage,
  limitMs: number,
  npm = "npm",
): Promise<string | null> {
  const own = join(folder, client.client);
  const home = packageFolder(folder, client);
  if (isInstalled(folder, client)) return null;
  if (limitMs <= 0) return "no time is given for it";
  const end = performance.now() + limitMs;
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), '{"private":true}\n');
  const wanted = `${client.package}@${client.version}`;
  // The version is asked for by name: npm picks an older one by itself where node is older than it likes.
  const steps: (readonly [program: string, args: readonly string[], cwd: string])[] = [
    [npm, ["install", "--no-fund", "--no-audit", wanted], own],
  ];
  if (client.setup !== null) steps.push(["node", [join(home, client.setup)], home]);
  for (const [program, args, cwd] of steps) {
    const reason = await run(program, args, cwd, end - performance.now());
    if (reason === TOO_LONG) return `it took longer than ${limitMs / 1000} s`;
    if (reason !== null) return reason;
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

const TOO_LONG = Symbol("too long");

function installedVersion(home: string): string | null {
  try {
    return JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version;
  } catch {
    return null;
  }
}

/** Runs a program, with all that it starts, until the limit; the answer is `null` when it went well. */
async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  limitMs: number,
): Promise<string | typeof TOO_LONG | null> {
  const child = spawn(program, [...args], {
    cwd,
    detached: true, // a process group of its own, which can be ended as a whole
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  let isTooLong = false;
  child.stderr.on("data", (chunk) => told += chunk);
  const timer = setTimeout(() => {
    isTooLong = true;
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }, Math.max(0, limitMs));
  const code = await new Promise<number | string | null>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", resolve);
  });
  clearTimeout(timer);
  if (isTooLong) return TOO_LONG;
  if (code === 0) return null;
  // npm's first line names the error, its last one only where its log is.
  const [reason = `code ${code}`] = told.split("\n").filter((line) => /\berror\b/i.test(line));
  return `${program} ${args[0]}: ${typeof code === "string" ? code : reason.trim()}`;
}
