import type { Runtime } from "../runtime/port.ts";
import type { Plainness } from "./plain_settings.ts";
import type { RepositoryLayout } from "./repository_layout.ts";
import { userVariables } from "./user_variables.ts";

/** Milliseconds one git command may take (D6-1: it bounds a local check; the document gives no reason for five seconds). */
export const GIT_TIMEOUT_MS = 5_000;

/** Bytes kept of a command's output unless it is told otherwise: far more names than a person would read. */
const OUTPUT_LIMIT = 8 * 1024 * 1024;

/** A path below which nothing can exist: looked up in here, no program is ever found. */
const NOWHERE = "/dev/null";

/** What every command is told by the environment. */
const FIXED_VARIABLES: Readonly<Record<string, string>> = {
  LC_ALL: "C", // messages are recognised in English
  PATH: NOWHERE, // git starts nothing of its own accord: not a pager, not a helper, not git for a submodule
  GIT_EXEC_PATH: NOWHERE,
  GIT_OPTIONAL_LOCKS: "0", // never write the index: no lock for the user to meet, no post-index-change hook
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "", // set and empty: no askpass program, not even the configured one
  GIT_SSH_COMMAND: NOWHERE,
  GIT_ALLOW_PROTOCOL: "none", // no transport at all, so no lazy fetch either
  GIT_NO_LAZY_FETCH: "1", // the same, for versions that know it (2.45)
  GIT_PAGER: "",
  GIT_EDITOR: NOWHERE,
};

/** What every command is told in place of the repository's own settings. */
const FIXED_SETTINGS: readonly string[] = [
  "core.fsmonitor=", // a program that status would run; empty means none in old and new versions
  "core.hooksPath=/dev/null",
  "core.pager=",
  "core.askPass=",
  "core.sshCommand=",
  "core.alternateRefsCommand=",
  "credential.helper=",
  "diff.external=",
  "gpg.program=",
  "log.showSignature=false",
  "maintenance.auto=false",
  "gc.auto=0",
  "protocol.allow=never",
  "submodule.recurse=false",
  "filter.lfs.clean=", // the one filter that half the world has in its own settings, and that repositories can extend
  "filter.lfs.process=",
  "filter.lfs.required=false",
];

/** How a git command ended. */
export type GitAnswer =
  | { readonly status: "ok"; readonly output: string; readonly truncated: boolean }
  | { readonly status: "failed"; readonly code: number; readonly message: string }
  | { readonly status: "timed-out" }
  | { readonly status: "not-started"; readonly message: string };

/** Git in one folder, with everything switched off that could run a program or reach the network. */
export interface Git {
  readonly runtime: Runtime;
  /** The absolute folder the commands run in. */
  readonly cwd: string;
  /** What is known of the repository there without asking; `null` where only git can tell. */
  readonly known: KnownRepository | null;
  /** Runs one fixed command: no shell, {@linkcode GIT_TIMEOUT_MS}. Never throws. */
  run(args: readonly string[], options?: GitRunOptions): Promise<GitAnswer>;
  /** The same git in another folder. */
  at(cwd: string): Git;
  /** The same git with more settings, each `name=value`. */
  configured(settings: readonly string[]): Git;
}

/** A repository as its files show it, before git is asked anything. */
export interface KnownRepository {
  readonly layout: RepositoryLayout;
  readonly plainness: Plainness;
}

/** What a single command may need besides its arguments. */
export interface GitRunOptions {
  readonly stdin?: string;
  /** Bytes of output to keep. */
  readonly outputLimit?: number;
  /** Variables added for this command. */
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * Makes the hardened git of the probe.
 *
 * Git's own look-up path leads nowhere, so that git cannot start a program by name even where a setting
 * asks for one; git itself is started by its absolute path.
 *
 * @param program The absolute path of git, as {@linkcode locateGit} finds it.
 * @param cwd The absolute folder to run in.
 * @param known What is known of the repository there.
 */
export function hardenedGit(
  runtime: Runtime,
  program: string,
  cwd: string,
  known: KnownRepository | null,
  settings: readonly string[] = FIXED_SETTINGS,
): Git {
  const env: Record<string, string> = { ...FIXED_VARIABLES, ...userVariables(runtime) };
  const prefix = [program, "--no-pager", ...settings.flatMap((setting) => ["-c", setting])];
  return {
    runtime,
    cwd,
    known,
    async run(args, options = {}) {
      const ended = await runtime.subprocess.run({
        argv: [...prefix, ...args],
        env: options.variables === undefined ? env : { ...env, ...options.variables },
        cwd,
        stdin: options.stdin,
        timeoutMs: GIT_TIMEOUT_MS,
        outputLimit: options.outputLimit ?? OUTPUT_LIMIT,
      });
      switch (ended.status) {
        case "exited":
          return ended.code === 0
            ? { status: "ok", output: text(ended.stdout), truncated: ended.truncated }
            : { status: "failed", code: ended.code, message: text(ended.stderr).trim() };
        case "timed-out":
          return { status: "timed-out" };
        case "not-started":
          return { status: "not-started", message: ended.reason };
        default:
          return ended satisfies never;
      }
    },
    at: (folder) => hardenedGit(runtime, program, folder, null, settings),
    configured: (more) => hardenedGit(runtime, program, cwd, known, [...settings, ...more]),
  };
}

function text(bytes: Uint8Array): string {
  return bytes.length === 0 ? "" : new TextDecoder().decode(bytes);
}
