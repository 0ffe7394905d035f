import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** A file system of its own, of one megabyte in memory. */
export interface SmallDisk {
  readonly folder: string;
  /** Writes until nothing more fits. */
  fill(): void;
  /** Lets nobody write any more. */
  makeReadOnly(): void;
  remove(): void;
}

/** Why there are no small disks here, or `false` when there are: only root may mount, and not in every container. */
export const skipSmallDisk: string | false = (() => {
  if (process.getuid?.() !== 0) return "only root can mount a small file system";
  try {
    smallDisk().remove();
    return false;
  } catch (error) {
    return `mounting is not allowed here: ${(error as Error).message.split("\n")[0]}`;
  }
})();

/** Mounts one. */
export function smallDisk(): SmallDisk {
  const parent = mkdtempSync(join(tmpdir(), "gatehouse-disk-"));
  const folder = join(parent, "disk");
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", folder], {
      stdio: "pipe",
    });
  } catch (error) {
    rmSync(parent, { recursive: true, force: true });
    throw error;
  }
  return {
    folder,
    fill() {
      for (let index = 0; index < 1_000; index++) {
        try {
          writeFileSync(
            join(folder, `filling-${index}`),
            new Uint8Array(index < 200 ? 16_384 : 4_096),
          );
        } catch {
          if (index > 200) return;
          index = 200;
        }
      }
    },
    makeReadOnly: () => void execFileSync("mount", ["-o", "remount,ro", folder], { stdio: "pipe" }),
    remove() {
      execFileSync("umount", ["-l", folder], { stdio: "pipe" });
      rmSync(parent, { recursive: true, force: true });
    },
  };
}
