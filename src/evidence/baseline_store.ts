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

/**
 * Keeps a baseline, in place of an earlier one, and returns the file's path.
 *
 * @param stateFolder The user's folder for what must be remembered.
 */
export async function saveBaseline(
  runtime: Runtime,
  stateFolder: string,
  baseline: Baseline,
): Promise<string> {
  const folder = baselinesIn(stateFolder);
  await runtime.fs.makeDirectory(folder, { mode: FOLDER_MODE });
  const path = await baselinePath(runtime, folder, baseline.gitDirectory);
  await runtime.fs.writeFile(path, `${JSON.stringify(baseline)}\n`, { mode: FILE_MODE });
  return path;
}

/**
 * Reads the baseline of a working tree.
 *
 * `null` when there is none, or none that can be read: an unreadable one is no reason to fail.
 *
 * @param stateFolder The folder it was kept in.
 * @param gitDirectory The real git folder of the working tree, which is what baselines are kept by.
 */
export async function loadBaseline(
  runtime: Runtime,
  stateFolder: string,
  gitDirectory: string,
): Promise<Baseline | null> {
  try {
    const path = await baselinePath(runtime, baselinesIn(stateFolder), gitDirectory);
    const text = new TextDecoder().decode(await runtime.fs.readFile(path));
    const read = BASELINE.safeParse(JSON.parse(text));
    return read.success && read.data.gitDirectory === gitDirectory
      ? Object.freeze(read.data)
      : null;
  } catch {
    return null;
  }
}

function baselinesIn(stateFolder: string): string {
  return `${stateFolder}/baselines`;
}

async function baselinePath(
  runtime: Runtime,
  folder: string,
  gitDirectory: string,
): Promise<string> {
  return `${folder}/${await runtime.sha256(new TextEncoder().encode(gitDirectory))}.json`;
}
