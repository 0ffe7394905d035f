/** Real bash beside the reading: what it says of a line's syntax, and the words it gives to programs. */

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where bash is, when it is installed. */
export const BASH: string | undefined = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"]
  .find((path) => existsSync(path));

/** The programs there are while a line runs: each writes its own words down and does nothing else. */
export const STUBS: readonly string[] = ["aa", "bb", "cc"];

/**
 * Runs lines with nothing but stub programs in PATH, in an empty folder, in a restricted bash (no
 * redirections to files, no paths as programs, no change of PATH).
 */
export class RealBash {
  readonly #root: string;
  readonly #log: string;

  constructor() {
    this.#root = mkdtempSync(join(tmpdir(), "gatehouse-shell-"));
    this.#log = join(this.#root, "log");
    mkdirSync(join(this.#root, "bin"));
    mkdirSync(join(this.#root, "empty"));
    for (const name of STUBS) {
      const path = join(this.#root, "bin", name);
      writeFileSync(path, `#!${BASH}\nprintf '%s\\0' ${name} "$@" $'\\1' >> '${this.#log}'\n`);
      chmodSync(path, 0o755);
    }
  }

  /** The empty folder in which lines run. */
  get folder(): string {
    return join(this.#root, "empty");
  }

  /** Whether bash accepts the syntax of a line; nothing runs. */
  accepts(line: string): boolean {
    const { status } = spawnSync(
      BASH!,
      ["--norc", "--noprofile", "-n", "-c", "--", line],
      this.#options(),
    );
    return status === 0;
  }

  /** The words of each program that a line starts, in order. */
  run(line: string): string[][] {
    writeFileSync(this.#log, "");
    const { status, error } = spawnSync(
      BASH!,
      ["--norc", "--noprofile", "-r", "-c", "--", line],
      this.#options(),
    );
    if (status === null) throw new Error(`Cannot run bash: ${error}`);
    const text = readFileSync(this.#log, "utf8");
    return text.split("\x01\0").slice(0, -1).map((record) => record.split("\0").slice(0, -1));
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  #options() {
    return {
      cwd: this.folder,
      env: { PATH: join(this.#root, "bin"), HOME: "/nowhere/home", LC_ALL: "C.UTF-8" },
      input: "",
      timeout: 10_000,
      encoding: "utf8" as const,
    };
  }
}
