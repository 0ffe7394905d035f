import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder for one test, with real files in it. */
export interface TemporaryFolder {
  /** Its absolute path, links resolved. */
  readonly path: string;
  /** The absolute path of a name in it. */
  at(name: string): string;
  /** Writes a file, making the folders above it. */
  write(name: string, text: string | Uint8Array): Promise<string>;
  /** Makes a folder. */
  folder(name: string): Promise<string>;
}

/** Runs a test in a new folder and removes the folder afterwards. */
export async function inTemporaryFolder<T>(
  body: (folder: TemporaryFolder) => Promise<T>,
): Promise<T> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-test-")));
  const at = (name: string) => join(path, name);
  try {
    return await body({
      path,
      at,
      async write(name, text) {
        await mkdir(dirname(at(name)), { recursive: true });
        await writeFile(at(name), text);
        return at(name);
      },
      async folder(name) {
        await mkdir(at(name), { recursive: true });
        return at(name);
      },
    });
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
