/**
 * Looks whether a client's hook is in place and will be called.
 *
 * @module
 */

import type { Runtime } from "../../runtime/port.ts";
import { readTexts } from "./changes.ts";
import { InstallationError } from "./installation.ts";
import type {
  HookProgram,
  Installation,
  InstalledHook,
  Place,
  Scope,
  Texts,
} from "./installation.ts";

/** Something that a person should know. */
export interface Finding {
  /** `problem`: a call may go unjudged, or is refused without need. `note`: worth knowing. */
  readonly level: "problem" | "note";
  /** What it is about: a client, the configuration, the records, the environment. */
  readonly subject: string;
  readonly message: string;
  /** What to do; `null` when there is nothing to do. */
  readonly fix: string | null;
}

/** A place where a client's hook was found. */
export interface FoundHook extends InstalledHook {
  readonly scope: Scope;
  readonly path: string;
}

/** What was seen of one client. */
export interface Inspection {
  readonly hooks: readonly FoundHook[];
  readonly findings: readonly Finding[];
}

const SCOPES: readonly Scope[] = ["user", "project", "system"];

/**
 * Looks at one client in all three scopes.
 *
 * @param program How this program would be installed.
 * @param resolve Where a program named without a folder stands, or `null`.
 */
export async function inspectClient(
  runtime: Runtime,
  installation: Installation,
  place: Place,
  program: HookProgram,
  resolve: (name: string) => string | null,
): Promise<Inspection> {
  const hooks: FoundHook[] = [];
  const findings: Finding[] = [];
  const { title: subject, client } = installation;
  const add = (level: Finding["level"], message: string, fix: string | null): void =>
    void findings.push({ level, subject, message, fix });
  for (const scope of SCOPES) {
    const here: Place = { ...place, scope };
    const option = scope === "user" ? "" : ` --${scope}`;
    const again = `gatehouse init ${client}${option}`;
    let texts: Texts;
    try {
      texts = await readTexts(runtime.fs, installation.paths(here));
    } catch (error) {
      // No such scope for this client, or a file that is no text.
      if (!(error instanceof InstallationError)) throw error;
      continue;
    }
    const hook = installation.hook(texts, here);
    if (hook === null) continue;
    const [path] = installation.paths(here);
    hooks.push({ ...hook, scope, path });
    const where = hook.program.includes("/") ? hook.program : resolve(hook.program);
    if (where === null || !runtime.fs.exists(where)) {
      add(
        "problem",
        `${path} starts ${hook.program}, which is not there: every call is denied`,
        again,
      );
      continue;
    }
    if (where !== runtime.env.executable) {
      add(
        "problem",
        `${path} starts ${where}, not this program (${runtime.env.executable})`,
        again,
      );
    }
    const wanted = await installation.install(texts, here, { ...program, binary: hook.program });
    const isAsWanted = [...wanted].every(([file, text]) => texts.get(file) === text);
    if (!isAsWanted) {
      add("problem", `${path} is not as this version installs it, or is not trusted`, again);
    }
    const switches = await readTexts(runtime.fs, installation.switches(here));
    for (const obstacle of installation.obstacles(switches, here)) add("problem", obstacle, null);
  }
  if (hooks.length === 0) {
    add("problem", "the hook is not installed: no call is judged", `gatehouse init ${client}`);
  }
  return { hooks, findings };
}

/** A command that gatehouse refuses whatever the policy says; nothing runs it. */
export const CANARY = "gatehouse uninstall --yes";

/** Seconds that a hook may take to refuse the canary. */
const CANARY_SECONDS = 30;

/** Enough of what it printed to tell what happened. */
const OUTPUT_LIMIT = 65_536;

/** Sends a call that must be denied through the very command line that the client would run. */
export async function tryHook(
  runtime: Runtime,
  installation: Installation,
  hook: FoundHook,
  cwd: string,
): Promise<Finding | null> {
  const result = await runtime.subprocess.run({
    argv: hook.argv,
    env: runtime.env.all(),
    cwd,
    stdin: JSON.stringify(installation.payloadFor(CANARY, cwd)),
    timeoutMs: CANARY_SECONDS * 1000,
    outputLimit: OUTPUT_LIMIT,
  });
  const problem = (message: string): Finding => ({
    level: "problem",
    subject: installation.title,
    message: `${hook.path}: a call that must be denied ${message}`,
    fix: `gatehouse init ${installation.client}`,
  });
  if (result.status === "not-started") return problem(`could not be judged: ${result.reason}`);
  if (result.status === "timed-out") return problem(`had no answer in ${CANARY_SECONDS} seconds`);
  const said = new TextDecoder().decode(result.stderr).trim();
  if (result.code !== 2) {
    return problem(`was let through (the hook ended with ${result.code}). ${said}`);
  }
  return /An agent may not change what guards it/.test(said)
    ? null
    : problem(`was denied for another reason: ${said}`);
}
