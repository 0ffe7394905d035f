import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { runtime } from "../../src/runtime/current.ts";
import type { Runtime } from "../../src/runtime/port.ts";

/** A temporary folder with a neutral git configuration, and the runtime port that sees that configuration. */
export interface Laboratory {
  /** The real path of the folder. */
  readonly root: string;
  /** The port, with the laboratory's HOME and settings in place of the machine's. */
  readonly runtime: Runtime;
  /** Runs shell commands in the folder (to build a repository), and returns their output. */
  sh(...commands: string[]): string;
  /** The same port with other environment variables; `undefined` removes one. */
  withEnvironment(variables: Record<string, string | undefined>): Runtime;
  /** Writes a file below the folder. */
  write(path: string, text: string): void;
  remove(): void;
}

/** Makes a laboratory. `globalSettings` is the text of the user's own git configuration. */
export function laboratory(globalSettings = ""): Laboratory {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "evidence-")));
  const home = realpathSync(mkdtempSync(join(tmpdir(), "evidence-home-")));
  writeFileSync(
    join(home, ".gitconfig"),
    `[user]\n\tname = A\n\temail = a@example.org\n[protocol "file"]\n\tallow = always\n${globalSettings}`,
  );
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    LC_ALL: "C",
  };
  const withEnvironment = (variables: Record<string, string | undefined>): Runtime => {
    const all = { ...environment, ...variables };
    return { ...runtime, env: { ...runtime.env, get: (name) => all[name] } };
  };
  return {
    root,
    runtime: withEnvironment({}),
    withEnvironment,
    sh: (...commands) =>
      execFileSync("/bin/sh", ["-e", "-c", commands.join("\n")], {
        cwd: root,
        env: environment,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      }),
    write: (path, text) => writeFileSync(join(root, path), text),
    remove() {
      rmSync(root, { recursive: true, force: true });
      rmSync(home, { recursive: true, force: true });
    },
  };
}
