import { parseArgs } from "node:util";
import type { Client } from "../clients/client.ts";
import {
  type Finding,
  type FoundHook,
  inspectClient,
  tryHook,
} from "../clients/install/inspect.ts";
import { type Installation, LIMIT_SECONDS } from "../clients/install/installation.ts";
import { CLIENTS } from "../clients/registry.ts";
import { ConfigurationError } from "../config/configuration_error.ts";
import { type Configuration, loadConfiguration } from "../config/load_configuration.ts";
import { readPause } from "../config/pause.ts";
import { lastSaid } from "../config/setting.ts";
import { userFolders } from "../config/user_folders.ts";
import type { Runtime } from "../runtime/port.ts";
import { storeHealth } from "../store/store_health.ts";
import { foundClients, hookProgram, inPath, namedClients, placeFor } from "./clients_place.ts";
import type { CommandContext } from "./command.ts";
import { configuredLocation } from "./open_signals.ts";

/** Something is wrong. */
const FOUND = 1;

/** What the program was told by its surroundings that changes what runs inside it. */
const HOSTILE_VARIABLES: readonly string[] = ["BUN_OPTIONS", "BUN_BE_BUN"];

/** `gatehouse doctor`. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      live: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const { runtime } = context;
  const place = placeFor(runtime, "user");
  const named = namedClients(positionals);
  const clients = named.length > 0 ? named : foundClients(runtime, place);
  const findings: Finding[] = [...environmentFindings(runtime)];
  const { configuration, problems } = await readConfiguration(runtime);
  findings.push(...problems, ...await storeFindings(runtime), ...await windowFindings(runtime));
  // Only how the hook is started is of interest here, not which program.
  const program = await hookProgram(runtime, "project", undefined);
  if (program.limiter === null) {
    findings.push({
      level: "note",
      subject: "environment",
      message:
        "there is no `timeout` program: a hook that hangs is ended by the client, and some then run the call",
      fix: "install coreutils, then run gatehouse init",
    });
  }
  const hooks = new Map<Installation, readonly FoundHook[]>();
  for (const client of clients) {
    const inspection = await inspectClient(
      runtime,
      client,
      place,
      program,
      (name) => inPath(runtime, name),
    );
    hooks.set(client, inspection.hooks);
    findings.push(...inspection.findings);
    for (const note of client.notes(place)) {
      findings.push({ level: "note", subject: client.title, message: note, fix: null });
    }
    if (configuration !== null) {
      findings.push(...meaning(client, CLIENTS[client.client], configuration));
    }
    if (!values.live) continue;
    for (const hook of inspection.hooks) {
      const finding = await tryHook(runtime, client, hook, place.project);
      if (finding !== null) findings.push(finding);
    }
  }
  const problemsFound = findings.filter(({ level }) => level === "problem").length;
  if (values.json) await context.print(asJson(hooks, findings, values.live));
  else await printFindings(context, hooks, findings, values.live);
  return problemsFound > 0 ? FOUND : 0;
}

function environmentFindings(runtime: Runtime): Finding[] {
  return HOSTILE_VARIABLES.filter((name) => runtime.env.get(name) !== undefined).map((name) => ({
    level: "problem",
    subject: "environment",
    message:
      `${name} is set: the runtime inside gatehouse obeys it where gatehouse is not started by its own hook`,
    fix: `unset ${name}`,
  }));
}

async function readConfiguration(
  runtime: Runtime,
): Promise<{ configuration: Configuration | null; problems: Finding[] }> {
  const subject = "configuration";
  try {
    const configuration = await loadConfiguration(runtime, { cwd: runtime.env.cwd() });
    const problems: Finding[] = configuration.notices.map((message) => ({
      level: "note",
      subject,
      message,
      fix: null,
    }));
    if (configuration.layers.length === 0) {
      problems.push({
        level: "note",
        subject,
        message: "there is no gatehouse.yaml: only the built-in guards speak",
        fix: "gatehouse init --preset safe",
      });
    }
    for (const { file } of configuration.layers) {
      if (file.deadline !== null && file.deadline >= LIMIT_SECONDS) {
        problems.push({
          level: "problem",
          subject,
          message:
            `${file.path}: a deadline of ${file.deadline} s is never reached, hooks are ended after ${LIMIT_SECONDS} s`,
          fix: `write a deadline below ${LIMIT_SECONDS}`,
        });
      }
    }
    return { configuration, problems };
  } catch (error) {
    const where = error instanceof ConfigurationError ? `${error.path}: ` : "";
    const message = error instanceof Error ? error.message : String(error);
    const problem: Finding = {
      level: "problem",
      subject,
      message: `every call is denied, since it cannot be read: ${where}${message}`,
      fix: "gatehouse policy lint",
    };
    return { configuration: null, problems: [problem] };
  }
}

/** Whether what happens can be recorded, and whether all of it was. */
async function storeFindings(runtime: Runtime): Promise<Finding[]> {
  const subject = "records";
  const { failure, waiting, losses } = await storeHealth(
    runtime,
    await configuredLocation(runtime),
  );
  const findings: Finding[] = [];
  if (failure !== null) {
    const wait = waiting === 0 ? "" : `; ${waiting} records wait for it and are not lost`;
    findings.push({ level: "problem", subject, message: `${failure.message}${wait}`, fix: null });
  }
  if (losses.lost > 0) {
    findings.push({
      level: "note",
      subject,
      message: `at least ${losses.lost} were lost, the last one because: ${
        losses.reason ?? "unknown"
      }`,
      fix: null,
    });
  }
  return findings;
}

async function windowFindings(runtime: Runtime): Promise<Finding[]> {
  const pause = await readPause(runtime.fs, userFolders(runtime.env).state);
  if (pause === null) return [];
  return [{
    level: "problem",
    subject: "window",
    message: `agents may change what guards them until ${
      new Date(pause.until).toLocaleTimeString()
    }`,
    fix: "gatehouse pause --end",
  }];
}

/** What a client's abilities mean for the policy that counts here. */
function meaning(
  { title: subject }: Installation,
  { capabilities }: Client,
  configuration: Configuration,
): Finding[] {
  const files = configuration.layers.map(({ file }) => file);
  const notes: string[] = [];
  const escalates = files.some(({ policy }) =>
    policy !== null && Object.values(policy.lines.escalate).some((lines) => lines.length > 0)
  );
  if (escalates && capabilities.ask === "no") {
    notes.push("`escalate` rules act as deny: it cannot ask a person");
  }
  if (escalates && capabilities.ask === "on-screen") {
    notes.push("`escalate` rules act as deny, unless the hook is started with --on-screen");
  }
  if (files.some(({ onAllow }) => onAllow === "approve") && !capabilities.approve) {
    notes.push("`onAllow: approve` changes nothing: its own questions stay");
  }
  const onStop = lastSaid(configuration, ({ onStop }) => onStop);
  if (onStop === "block" && !capabilities.goOn) {
    notes.push("`onStop: block` only records: it cannot be made to go on");
  }
  if (onStop === "warn" && capabilities.tell === "no") {
    notes.push("`onStop: warn` only records: it shows no message when its agent stops");
  }
  if (onStop === "warn" && capabilities.tell === "not-headless") {
    notes.push("`onStop: warn` only records where it runs without a screen");
  }
  return notes.map((message) => ({ level: "note", subject, message, fix: null }));
}

function asJson(
  hooks: ReadonlyMap<Installation, readonly FoundHook[]>,
  findings: readonly Finding[],
  live: boolean,
): string {
  const clients = [...hooks].map(([{ client }, found]) => ({
    client,
    hooks: found.map(({ scope, path, program }) => ({ scope, path, program })),
    capabilities: CLIENTS[client].capabilities,
  }));
  const ok = findings.every(({ level }) => level !== "problem");
  return JSON.stringify({ version: 1, ok, live, clients, findings });
}

async function printFindings(
  { print, style }: CommandContext,
  hooks: ReadonlyMap<Installation, readonly FoundHook[]>,
  findings: readonly Finding[],
  live: boolean,
): Promise<void> {
  for (const [{ title }, found] of hooks) {
    for (const { scope, path } of found) {
      await print(`${style.green("✓")} ${style.bold(title)}: hook in ${path} (${scope})`);
    }
  }
  if (hooks.size === 0) await print("No coding agent was found here.");
  for (const { level, subject, message, fix } of findings) {
    const sign = level === "problem" ? style.red("✗") : style.blue("·");
    await print(
      `${sign} ${style.bold(subject)}: ${message}${
        fix === null ? "" : `\n    ${style.dim("→")} ${fix}`
      }`,
    );
  }
  const problems = findings.filter(({ level }) => level === "problem").length;
  if (problems === 0) {
    await print(
      live && hooks.size > 0
        ? "Every hook denied what it must deny."
        : "Nothing is wrong. --live tries each hook.",
    );
  }
}
