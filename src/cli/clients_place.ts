import type { ClientName } from "../clients/client.ts";
import { INSTALLATIONS } from "../clients/install/registry.ts";
import {
  type HookProgram,
  type Installation,
  LIMIT_SECONDS,
  type Place,
  type Scope,
} from "../clients/install/installation.ts";
import { userFolders } from "../config/user_folders.ts";
import type { Runtime } from "../runtime/port.ts";
import { UsageError } from "./command.ts";

/** Where a command installs, from the options it was given. */
export function placeFor(runtime: Runtime, scope: Scope): Place {
  return {
    scope,
    home: userFolders(runtime.env).home,
    project: runtime.env.cwd(),
    platform: runtime.env.platform,
    variables: runtime.env.all(),
    sha256: (bytes) => runtime.sha256(bytes),
  };
}

/** The scope of the options; the user's when none is named. */
export function scopeOf(
  options: { readonly user?: boolean; readonly project?: boolean; readonly system?: boolean },
): Scope {
  const named = (["user", "project", "system"] as const).filter((scope) => options[scope]);
  if (named.length > 1) throw new UsageError("name one of --user, --project and --system");
  return named[0] ?? "user";
}

/** The installations of the clients that were named. Throws {@linkcode UsageError} for an unknown one. */
export function namedClients(names: readonly string[]): readonly Installation[] {
  return names.map((name) => {
    if (Object.hasOwn(INSTALLATIONS, name)) return INSTALLATIONS[name as ClientName];
    const known = Object.keys(INSTALLATIONS).join(", ");
    throw new UsageError(`there is no client \`${name}\`; there are ${known}`);
  });
}

/** The clients that are on this machine: their program is in PATH, or their settings folder is there. */
export function foundClients(
  runtime: Runtime,
  place: Place,
): readonly Installation[] {
  const found: Installation[] = [];
  for (const installation of Object.values(INSTALLATIONS)) {
    const isThere = inPath(runtime, installation.program) !== null ||
      runtime.fs.exists(installation.settingsFolder(place));
    if (isThere) found.push(installation);
  }
  return found;
}

/**
 * How the hook will be started. In a project's files, which other machines share, by its bare name.
 *
 * @throws {UsageError} when this program is not the built one: a client could not start it.
 */
export async function hookProgram(
  runtime: Runtime,
  scope: Scope,
  binary: string | undefined,
): Promise<HookProgram> {
  const { executable } = runtime.env;
  const isRuntime = /(?:^|[\\/])(?:bun|deno)(?:\.exe)?$/.test(executable);
  if (binary === undefined && scope !== "project" && isRuntime) {
    throw new UsageError(
      `${executable} is not gatehouse, but what runs its source; build it, or name the program with --binary`,
    );
  }
  if (binary !== undefined && !/^(?:[\\/]|[A-Za-z]:[\\/])/.test(binary)) {
    throw new UsageError(`--binary needs an absolute path, not ${binary}`);
  }
  return {
    binary: binary ?? (scope === "project" ? "gatehouse" : executable),
    limiter: await limiter(runtime),
    limitSeconds: LIMIT_SECONDS,
  };
}

/** The program that can end a hook which hangs: one that was seen to work as coreutils' does. */
async function limiter(runtime: Runtime): Promise<string | null> {
  // Windows has another program of that name.
  if (runtime.env.platform === "windows") return null;
  for (const name of ["timeout", "gtimeout"]) {
    const path = inPath(runtime, name);
    if (path === null) continue;
    const trial = await runtime.subprocess.run({
      argv: [path, "-k", "1", "5", "true"],
      env: { PATH: runtime.env.get("PATH") ?? "" },
      timeoutMs: 5_000,
      outputLimit: 1_024,
    });
    if (trial.status === "exited" && trial.code === 0) return path;
  }
  return null;
}

/** Where a program stands in PATH, or `null`. */
export function inPath(runtime: Runtime, program: string): string | null {
  const separator = runtime.env.platform === "windows" ? ";" : ":";
  for (const folder of (runtime.env.get("PATH") ?? "").split(separator)) {
    // A relative entry would mean another program in every folder.
    if (!folder.startsWith("/") && !/^[A-Za-z]:/.test(folder)) continue;
    const path = `${folder.replace(/[\\/]$/, "")}/${program}`;
    for (
      const name of runtime.env.platform === "windows" ? [`${path}.exe`, `${path}.cmd`] : [path]
    ) {
      if (runtime.fs.exists(name)) return name;
    }
  }
  return null;
}
