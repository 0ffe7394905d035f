import { z } from "zod";
import type { Runtime } from "../runtime/port.ts";
import type { Baseline } from "./baseline.ts";

/** Only the user may read which paths of which repository were changed. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

const COMMIT = z.string().regex(/^[0-9a-f]{40,64}$/);

/** The record as it is kept. Checked when it is read: the file may be older than the program, or damaged. */
const BASELINE: z.ZodType<Baseline> = z.object({
  version: z.literal(1),
  takenAt: z.iso.datetime(),
  topLevel: z.string(),
  gitDirectory: z.string(),
  head: COMMIT.nullable(),
  branch: z.string().nullable(),
  tips: z.array(COMMIT),
  entries: z.record(z.string(), z.string()),
  operation: z.string().nullable(),
});

/** Keeps a baseline in the user's state folder, in place of an earlier one, and returns the file's path. */
export async function saveBaseline(runtime: Runtime, baseline: Baseline): Promise<string> {
  const path = await baselinePath(runtime, baseline.gitDirectory);
  await runtime.fs.makeDirectory(path.slice(0, path.lastIndexOf("/")), { mode: FOLDER_MODE });
  await runtime.fs.writeFile(path, `${JSON.stringify(baseline)}\n`, { mode: FILE_MODE });
  return path;
}

/**
 * Reads the baseline of a working tree.
 *
 * `null` when there is none, or none that can be read: an unreadable one is no reason to fail.
 *
 * @param gitDirectory The real git folder of the working tree, which is what baselines are kept by.
 */
export async function loadBaseline(
  runtime: Runtime,
  gitDirectory: string,
): Promise<Baseline | null> {
  try {
    const bytes = await runtime.fs.readFile(await baselinePath(runtime, gitDirectory));
    const read = BASELINE.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return read.success && read.data.gitDirectory === gitDirectory
      ? Object.freeze(read.data)
      : null;
  } catch {
    return null;
  }
}

async function baselinePath(runtime: Runtime, gitDirectory: string): Promise<string> {
  const home = runtime.env.get("HOME") ?? runtime.env.get("USERPROFILE");
  const chosen = runtime.env.get("XDG_STATE_HOME");
  // A relative XDG path is to be ignored, says its specification.
  const state = chosen?.startsWith("/") ? chosen : home && `${home}/.local/state`;
  if (!state) {
    throw new Error("Cannot find the state folder: neither XDG_STATE_HOME nor HOME is set");
  }
  const key = await runtime.sha256(new TextEncoder().encode(gitDirectory));
  return `${state}/gatehouse/baselines/${key}.json`;
}
