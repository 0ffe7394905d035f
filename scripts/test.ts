// Runs everything that has to be right, on both runtimes: `deno task test [PATH…]`.
//
// Formatting, lint, types and the published package are checked, the binary is built, the tests run on Bun
// and on Deno, and then the real clients are tried that can be installed in time. With paths only the tests
// there run. The last line says how many passed and failed.

import { spawn, spawnSync } from "node:child_process";
import { createWriteStream } from "node:fs";
import { access, mkdir, readFile, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { goldenFiles } from "./test/golden_files.ts";
import { type Counts, countsText, junitCounts, NO_COUNTS, sumOf } from "./test/junit_counts.ts";

const ROOT = dirname(import.meta.dirname!);
const REPORTS = join(ROOT, ".build", "reports");
const WITH_POSTGRES = join(ROOT, "scripts", "with_postgres.ts");
/** Gives property tests the same examples at every run. */
const FIXED_SEED = "./tests/fixed_seed.ts";
/** Set by `with_postgres.ts` for the command it starts. */
const POSTGRES_VARIABLE = "GATEHOUSE_TEST_POSTGRES";

const ENVIRONMENT = {
  ...process.env,
  PATH: [join(ROOT, "node_modules", ".bin"), process.env.PATH].join(delimiter),
  NO_COLOR: "1",
};

/** Bun ends a test after five seconds unless told otherwise; some wait that long on purpose. Deno has no limit. */
const TEST_LIMIT_MS = 120_000;

/** Seconds that npm may take to install a real client; they are installed side by side. */
const INSTALL_LIMIT_S = 120;
const TRY_CLIENTS = ["bun", "scripts/clients/test_clients.ts"];

/** What is checked beside the tests. Each counts as one test. */
const CHECKS: readonly (readonly [what: string, argv: readonly string[]])[] = [
  ["the binary is built", ["bun", "scripts/build.ts"]],
  ["the files are formatted", ["deno", "fmt", "--check"]],
  ["the linter has nothing to say", ["deno", "lint"]],
  ["the types are right", ["deno", "check", "mod.ts", "src", "scripts", "tests", "examples"]],
  ["every public symbol is documented", ["deno", "doc", "--lint", "mod.ts"]],
  ["the package can be published", ["deno", "publish", "--dry-run", "--allow-dirty"]],
];

const paths = process.argv.slice(2);
if (await shouldStartPostgres()) {
  const again = [
    process.execPath,
    WITH_POSTGRES,
    process.execPath,
    import.meta.filename!,
    ...paths,
  ];
  const { status } = spawnSync(again[0], again.slice(1), { cwd: ROOT, stdio: "inherit" });
  process.exit(status ?? 1);
}
process.exit(await main());

async function main(): Promise<number> {
  await mkdir(REPORTS, { recursive: true });
  const all: Counts[] = [];
  const [build, ...others] = CHECKS;
  all.push(await check(...build));
  if (paths.length === 0) {
    // The clients come over the network while the checks use the processor; the tests want both cores for themselves.
    const installing = installClients();
    for (const [what, argv] of others) all.push(await check(what, argv));
    all.push(await installing);
  }
  const where = paths.length === 0 ? ["tests"] : paths;
  all.push(
    await runTests("Bun", (report) => [
      "bun",
      "test",
      ...where,
      `--preload=${FIXED_SEED}`,
      `--timeout=${TEST_LIMIT_MS}`,
      "--only-failures",
      "--reporter=junit",
      `--reporter-outfile=${report}`,
    ]),
    await runTests("Deno", (report) => [
      "deno",
      "test",
      "--allow-all",
      "--no-check",
      `--preload=${FIXED_SEED}`,
      `--junit-path=${report}`,
      ...where,
    ]),
  );
  if (paths.length === 0) all.push(await tryClients());
  const total = sumOf(all);
  for (const { name, rows } of await goldenFiles(ROOT)) console.log(`golden/${name}: ${rows} rows`);
  console.log(countsText(total));
  return total.failed === 0 ? 0 : 1;
}

async function check(what: string, argv: readonly string[]): Promise<Counts> {
  const { code, log } = await run(
    argv,
    `check-${argv.slice(0, 2).join("-").replace(/\W+/g, "-")}.log`,
  );
  console.log(`${code === 0 ? "ok  " : "FAIL"} ${what} (${argv.join(" ")})`);
  if (code === 0) return { ...NO_COUNTS, passed: 1 };
  console.log(await readFile(log, "utf8"));
  return { ...NO_COUNTS, failed: 1 };
}

async function runTests(
  name: string,
  argvFor: (report: string) => readonly string[],
): Promise<Counts> {
  const report = join(REPORTS, `${name.toLowerCase()}.xml`);
  await rm(report, { force: true });
  const { code, log } = await run(argvFor(report), `${name.toLowerCase()}.log`);
  const counts = junitCounts(await readFile(report, "utf8").catch(() => ""));
  const ran = counts.passed + counts.failed + counts.skipped;
  // A runtime that ends badly without a failed test (a file that cannot be loaded) has failed once more;
  // and a run of no tests is no success.
  const failed = Math.max(counts.failed, code === 0 && ran > 0 ? 0 : 1);
  const sure = { ...counts, failed };
  if (failed > 0) console.log(failuresIn(await readFile(log, "utf8")));
  console.log(`${failed === 0 ? "ok  " : "FAIL"} tests on ${name}: ${countsText(sure)}`);
  return sure;
}

/** Installs the real clients. One that cannot be had in time is told, and not tried; that is no failure. */
async function installClients(): Promise<Counts> {
  const { code, log } = await run(
    [...TRY_CLIENTS, "--install-only", `--install-limit=${INSTALL_LIMIT_S}`],
    "clients-install.log",
  );
  const told = await readFile(log, "utf8");
  for (const [line] of told.matchAll(/^.* was not installed: .*$/gm)) console.log(`skip ${line}`);
  if (code === 0) return NO_COUNTS;
  console.log(`FAIL the real clients are installed\n${told}`);
  return { ...NO_COUNTS, failed: 1 };
}

/** The real clients that were installed, each cell of their table as one test. */
async function tryClients(): Promise<Counts> {
  const report = join(REPORTS, "clients.json");
  await rm(report, { force: true });
  const { code, log } = await run(
    [...TRY_CLIENTS, "--install-limit=0", `--report=${report}`],
    "clients.log",
  );
  const text = await readFile(report, "utf8").catch(() => null);
  const counts: Counts = text === null ? NO_COUNTS : JSON.parse(text);
  if (text !== null && counts.passed + counts.failed === 0) {
    console.log("skip scenarios in real clients: none could be installed here in time");
    return NO_COUNTS;
  }
  const failed = Math.max(counts.failed, code === 0 ? 0 : 1);
  const told = await readFile(log, "utf8");
  if (failed > 0) console.log(told);
  else for (const [line] of told.matchAll(/^This system cannot .*$/gm)) console.log(line);
  const sure = { ...counts, failed };
  console.log(`${failed === 0 ? "ok  " : "FAIL"} scenarios in real clients: ${countsText(sure)}`);
  return sure;
}

/** What a runtime printed about failures. Deno tells every test that passed, and then the failures. */
function failuresIn(log: string): string {
  const start = log.indexOf("\n ERRORS \n");
  return start < 0 ? log : log.slice(start);
}

/** Runs a command and keeps what it prints in a file; the exit code is not 0 when it could not be started. */
async function run(
  argv: readonly string[],
  logName: string,
): Promise<{ code: number; log: string }> {
  const log = join(REPORTS, logName);
  const out = createWriteStream(log);
  const child = spawn(argv[0], argv.slice(1), {
    cwd: ROOT,
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.pipe(out, { end: false });
  child.stderr.pipe(out, { end: false });
  const code = await new Promise<number>((resolve) => {
    child.on("error", (error) => {
      out.write(`${error.message}\n`);
      resolve(127);
    });
    child.on("close", (status) => resolve(status ?? 1));
  });
  await new Promise<void>((resolve) => out.end(resolve));
  return { code, log };
}

/** Whether a server for the tests has to be started, and can be. Without one the tests that need it are skipped. */
async function shouldStartPostgres(): Promise<boolean> {
  if (process.env[POSTGRES_VARIABLE] !== undefined) return false;
  try {
    await access(WITH_POSTGRES);
  } catch {
    return false;
  }
  const probe = spawnSync(process.execPath, [WITH_POSTGRES, "true"], {
    cwd: ROOT,
    stdio: "ignore",
  });
  if (probe.status !== 0) {
    console.log("No PostgreSQL server can be started here: the tests that need one are skipped.");
  }
  return probe.status === 0;
}
