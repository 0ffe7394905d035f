import { execFile } from "node:child_process";
import { access, mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { renameVariables } from "./rename_variables.ts";
import { binaryFormat, type Target } from "./targets.ts";

const run = promisify(execFile);

/**
 * Makes the runtime that a target's binaries are built on: Bun's own, from npm, without the variables
 * that {@linkcode renameVariables} takes out. They are taken out before the program is put in, so that
 * our own texts may name them, and so that the signature that Bun then makes for macOS covers the change.
 *
 * @param cache The folder for packages that are fetched and runtimes that are made; never committed.
 * @returns The path of the runtime.
 */
export async function preparedRuntime(
  target: Target,
  root: string,
  version: string,
  cache: string,
): Promise<string> {
  const executable = await readFile(await originalRuntime(target, root, version, cache));
  if (binaryFormat(executable) !== target.format) {
    throw new Error(`Cannot use ${target.runtimePackage}: it is not a ${target.format} executable`);
  }
  renameVariables(executable);
  const folder = join(cache, `${target.name}-${version}`);
  await mkdir(folder, { recursive: true });
  const path = join(folder, `bun${target.suffix}`);
  await writeFile(path, executable, { mode: 0o755 });
  return path;
}

/** The runtime as its makers published it: the one that runs this script, or one fetched from npm into the cache. */
async function originalRuntime(
  target: Target,
  root: string,
  version: string,
  cache: string,
): Promise<string> {
  if (await isThisMachine(target, version)) return process.execPath;
  const folder = join(cache, `package-${target.name}-${version}`);
  const executable = join(folder, "package", "bin", `bun${target.suffix}`);
  if (await isThere(executable)) return executable;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { stdout } = await run("npm", [
    "pack",
    "--silent",
    "--pack-destination",
    folder,
    `${target.runtimePackage}@${version}`,
  ], { cwd: root });
  const archive = join(folder, stdout.trim().split("\n").at(-1)!);
  await run("tar", ["-xzf", archive, "-C", folder]);
  await rm(archive);
  return executable;
}

/** Whether a target is the machine that this script runs on, with Bun itself running it. */
async function isThisMachine(target: Target, version: string): Promise<boolean> {
  return process.versions.bun === version && target.name === await thisMachine();
}

/** The name of the target that this machine is. */
export async function thisMachine(): Promise<string> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return `${system}-${process.arch}${await isMusl() ? "-musl" : ""}`;
}

/** An executable names its loader near its beginning. */
async function isMusl(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const file = await open(process.execPath);
  try {
    const { buffer } = await file.read(Buffer.alloc(LOADER_WITHIN), 0, LOADER_WITHIN, 0);
    return buffer.includes("/ld-musl-");
  } finally {
    await file.close();
  }
}

/** The first bytes of an ELF file, in which its loader's path stands. */
const LOADER_WITHIN = 4_096;

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
