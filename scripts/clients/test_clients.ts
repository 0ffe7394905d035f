/**
 * Installs the real clients at pinned versions, wires gatehouse into each as a person would, and tries every scenario
 * offline against a scripted model.
 *
 *     bun scripts/clients/test_clients.ts [client…] [--scenario TEXT] [--binary FILE] [--keep] [--install-only]
 *         [--install-limit SECONDS] [--report FILE]
 *
 * With --report, how many cells of the table are as expected is written to a file as JSON.
 *
 * The clients go to $GATEHOUSE_CLIENTS, or to .build/clients, side by side. A client that cannot be installed within
 * the limit is told and left out; with `--all` that is a failure.
 */

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { ClientName } from "../../src/clients/client.ts";
import type { Counts } from "../test/junit_counts.ts";
import type { Driver, RunPlace } from "./driver.ts";
import { claudeCodeDriver } from "./drivers/claude_code.ts";
import { codexDriver } from "./drivers/codex.ts";
import { copilotDriver } from "./drivers/copilot.ts";
import { geminiDriver } from "./drivers/gemini.ts";
import { opencodeDriver } from "./drivers/opencode.ts";
import { installClient, isInstalled, packageFolder } from "./install_clients.ts";
import { hasOwnEtc, isOffline, runOffline } from "./network.ts";
import { runClient } from "./run_client.ts";
import { type Fault, FAULTY_PROGRAMS, policy, SCENARIOS, SWITCHES } from "./scenarios.ts";
import { type RecordedEvidence, STOP_SCENARIOS, type StopScenario } from "./stop_scenarios.ts";
import { CLIENT_PACKAGES } from "./versions.ts";

const DRIVERS: Readonly<Record<ClientName, Driver>> = {
  "claude-code": claudeCodeDriver,
  codex: codexDriver,
  gemini: geminiDriver,
  opencode: opencodeDriver,
  copilot: copilotDriver,
};

const repository = fileURLToPath(new URL("../..", import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    binary: { type: "string", default: join(repository, "dist/gatehouse") },
    all: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    scenario: { type: "string" },
    "install-only": { type: "boolean", default: false },
    "install-limit": { type: "string", default: "300" },
    report: { type: "string" },
  },
});
const folder = resolve(process.env.GATEHOUSE_CLIENTS ?? join(repository, ".build/clients"));
const binary = resolve(values.binary);

/** A client's whole run takes seconds; only a hook that hangs takes longer. */
const RUN_LIMIT_MS = 180_000;

/** Seen on two cores: from one second to five for each start. */
const SLOWEST_LAST: readonly ClientName[] = [
  "codex",
  "claude-code",
  "gemini",
  "copilot",
  "opencode",
];

const wanted = CLIENT_PACKAGES.filter(({ client }) =>
  positionals.length === 0 || positionals.includes(client)
);

if (!isOffline()) {
  if (!existsSync(binary)) {
    console.error(`Cannot test the clients: ${binary} is missing. Run \`deno task build\` first.`);
    process.exit(2);
  }
  const limitMs = Number(values["install-limit"]) * 1000;
  const reasons = await Promise.all(
    wanted.map((client) => installClient(folder, client, limitMs)),
  );
  for (const [index, { client, version }] of wanted.entries()) {
    if (reasons[index] === null) continue;
    console.error(`${client} ${version} was not installed: ${reasons[index]}`);
  }
  const missing = reasons.filter((reason) => reason !== null).length;
  if (values.all && missing > 0) process.exit(1);
  if (values["install-only"]) process.exit(0);
  const code = runOffline();
  if (code !== null) process.exit(code);
  console.error(
    "This system cannot cut the clients off: they run with network, and the machine's settings are not tried.",
  );
}
process.exit(await testAll());

/** Tries every scenario in every installed client and prints the table. */
async function testAll(): Promise<number> {
  const installed = wanted.filter((client) => isInstalled(folder, client));
  const rows = new Map<ClientName, Map<string, string | null>>();
  let notes = "";
  // A hook that hangs only waits, so these runs go beside all others.
  const hanging = installed.map(({ client }) => tryFault(client, "hangs"));
  // Clients mostly wait for themselves, so two are tried at a time; the slowest begin, so that both end together.
  const waiting = [...installed].sort((a, b) => slowness(b.client) - slowness(a.client));
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const row = new Map<string, string | null>();
      rows.set(next.client, row);
      for (const fault of ["sound", "crash", "killed", "missing"] as const) {
        for (const [name, wrong] of await tryFault(next.client, fault)) row.set(name, wrong);
      }
      for (const scenario of STOP_SCENARIOS.filter(({ name }) => isWanted(name))) {
        if (!scenario.clients.includes(next.client)) continue;
        row.set(scenario.name, await tryStop(next.client, scenario));
      }
    }
  };
  await Promise.all([lane(), lane()]);
  for (const [index, { client }] of installed.entries()) {
    for (const [name, wrong] of await hanging[index]) rows.get(client)!.set(name, wrong);
  }
  // The machine's settings are for every run, so these come when all others are over.
  for (const { client } of hasOwnEtc() ? installed : []) {
    for (const [name, wrong] of await tryFault(client, "switched-off")) {
      rows.get(client)!.set(name, wrong);
    }
  }
  for (const { client, version } of installed) {
    const row = rows.get(client)!;
    for (const [name, wrong] of row) {
      if (wrong !== null) notes += `${client} ${version}, ${name}: ${wrong}\n`;
    }
    const good = [...row.values()].filter((wrong) => wrong === null).length;
    console.error(`${client} ${version}: ${good} of ${row.size} as expected`);
  }
  console.log(table(rows));
  if (notes !== "") console.log(`\n${notes}`);
  const cells = [...rows.values()].flatMap((row) => [...row.values()]);
  const passed = cells.filter((wrong) => wrong === null).length;
  const counts: Counts = { passed, failed: cells.length - passed, skipped: 0 };
  if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(counts));
  return counts.failed > 0 || rows.size === 0 ? 1 : 0;
}

/** The place of a client among those that take long to start. */
function slowness(client: ClientName): number {
  return SLOWEST_LAST.indexOf(client);
}

function isWanted(scenario: string): boolean {
  return values.scenario === undefined || scenario.includes(values.scenario);
}

/** One run of a client: all scenarios that need the same state of the hook. */
async function tryFault(
  client: ClientName,
  fault: Fault,
): Promise<readonly (readonly [name: string, wrong: string | null])[]> {
  const scenarios = SCENARIOS.filter((scenario) =>
    scenario.fault === fault && (scenario.clients?.includes(client) ?? true) &&
    isWanted(scenario.name)
  );
  if (scenarios.length === 0) return [];
  const entry = CLIENT_PACKAGES.find((entry) => entry.client === client)!;
  const run = await runClient({
    driver: DRIVERS[client],
    packageFolder: packageFolder(folder, entry),
    wishes: (work) => scenarios.map((scenario) => scenario.wish(work)),
    install: async (place) => await install(client, place, fault),
    limitMs: RUN_LIMIT_MS,
  });
  const results = scenarios.map((scenario, index) => {
    const { work } = run.place;
    const wrong = scenario.wrong({ work, told: run.told[index], echoNotes: run.echoNotes });
    return [scenario.name, wrong] as readonly [name: string, wrong: string | null];
  });
  if (fault === "sound") results.push(["recorded", wronglyRecorded(run.place, scenarios.length)]);
  const failed = results.some(([, wrong]) => wrong !== null);
  if (failed) {
    console.error(`${client} (${fault}) ended with ${run.exitCode}: ${run.output.slice(-2000)}`);
  }
  if (values.keep) console.error(`${client} (${fault}): ${dirname(run.place.home)}`);
  else run.remove();
  return results;
}

/** One run of a client that says that it is done. */
async function tryStop(client: ClientName, scenario: StopScenario): Promise<string | null> {
  const entry = CLIENT_PACKAGES.find((entry) => entry.client === client)!;
  const run = await runClient({
    driver: DRIVERS[client],
    packageFolder: packageFolder(folder, entry),
    wishes: (work) => scenario.wishes(work),
    install: async (place) => await install(client, place, "sound", scenario.onStop),
    inRepository: true,
    limitMs: RUN_LIMIT_MS,
  });
  const { saidDone, lastRequest, output } = run;
  const evidence = recordedEvidence(run.place);
  const wrong = scenario.wrong({ saidDone, lastRequest, output, evidence });
  if (wrong !== null) {
    console.error(
      `${client} (${scenario.name}) ended with ${run.exitCode}: ${output.slice(-2000)}`,
    );
  }
  if (values.keep) console.error(`${client} (${scenario.name}): ${dirname(run.place.home)}`);
  else run.remove();
  return wrong;
}

/** What gatehouse recorded of the stops. */
function recordedEvidence(place: RunPlace): readonly RecordedEvidence[] {
  return gatehouse(place, ["signals", "list", "--kind", "CompletionEvidenceFound", "--json"])
    .map((line) => (JSON.parse(line) as { payload: RecordedEvidence }).payload);
}

/** The lines that a command of gatehouse prints in a run's own home. */
function gatehouse(place: RunPlace, args: readonly string[]): string[] {
  const { stdout, stderr, status } = spawnSync(join(place.home, "bin", "gatehouse"), args, {
    env: { PATH: process.env.PATH ?? "", HOME: place.home },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`gatehouse ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout.split("\n").filter((line) => line !== "");
}

/** Whether gatehouse remembers one session with every call that the model wanted; `null` when it does. */
function wronglyRecorded(place: RunPlace, calls: number): string | null {
  const sessions = gatehouse(place, ["sessions", "--json"]);
  if (sessions.length !== 1) return `there are ${sessions.length} sessions: ${sessions.join(" ")}`;
  const session = JSON.parse(sessions[0]) as { calls: number };
  return session.calls === calls ? null : `${session.calls} of ${calls} calls were recorded`;
}

/** What a person does: a configuration, then `gatehouse init`. Then the program is broken as the scenario has it. */
// deno-lint-ignore require-await -- what the run expects
async function install(
  client: ClientName,
  place: RunPlace,
  fault: Fault,
  onStop: StopScenario["onStop"] = "record",
): Promise<void> {
  const program = join(place.home, "bin", "gatehouse");
  mkdirSync(dirname(program), { recursive: true });
  try {
    linkSync(binary, program);
  } catch {
    copyFileSync(binary, program);
    chmodSync(program, 0o755);
  }
  const transform = fileURLToPath(new URL("transform.ts", import.meta.url));
  const config = join(place.home, ".config/gatehouse/gatehouse.yaml");
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(
    config,
    `${policy([process.execPath, transform])}completion: { onStop: ${onStop} }\n`,
  );
  const isManaged = fault === "switched-off";
  const init = spawnSync(program, ["init", client, isManaged ? "--system" : "--user", "--yes"], {
    cwd: place.work,
    env: { PATH: process.env.PATH ?? "", HOME: place.home },
    encoding: "utf8",
  });
  if (init.status !== 0) {
    throw new Error(
      `gatehouse init ${client} ended with ${init.status}: ${init.stderr}${init.stdout}`,
    );
  }
  if (isManaged) {
    const [path, text] = SWITCHES[client]!;
    mkdirSync(dirname(join(place.work, path)), { recursive: true });
    writeFileSync(join(place.work, path), text);
    return;
  }
  if (fault === "sound") return;
  rmSync(program);
  if (fault !== "missing") writeFileSync(program, FAULTY_PROGRAMS[fault], { mode: 0o755 });
}

function table(rows: ReadonlyMap<ClientName, ReadonlyMap<string, string | null>>): string {
  const names = [
    ...SCENARIOS.map(({ name }) => name),
    "recorded",
    ...STOP_SCENARIOS.map(({ name }) => name),
  ].filter((name) => [...rows.values()].some((row) => row.has(name)));
  const clients = wanted.map(({ client }) => client).filter((client) => rows.has(client));
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.map((name) => {
    const cells = clients.map((client) => {
      const wrong = rows.get(client)?.get(name);
      const cell = wrong === undefined ? "–" : wrong === null ? "as expected" : "WRONG";
      return cell.padEnd(Math.max(client.length, 11));
    });
    return [name.padEnd(width), ...cells].join("  ");
  });
  const head = ["".padEnd(width), ...clients.map((client) => client.padEnd(11))].join("  ");
  return [head, ...lines].join("\n");
}
