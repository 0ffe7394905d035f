/**
 * Runs a command beside a PostgreSQL server of its own, and stops the server afterwards.
 *
 *     bun scripts/with_postgres.ts [--install] COMMAND [ARGUMENT…]
 *
 * The server lives in a temporary folder, listens on a free port of the loopback interface only, asks for a
 * password made for it, and keeps nothing. The command finds it in GATEHOUSE_TEST_POSTGRES. The server
 * refuses to run as root, so as root it is started as the user `postgres`, or `nobody` without one. With
 * `--install`, or where CI is set, Debian's package is installed when no server is found.
 *
 * Exits as the command did; 1 when there is no server to be had.
 *
 * @module
 */

import { spawn, spawnSync } from "node:child_process";
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";

/** The variable in which tests find the server. */
const VARIABLE = "GATEHOUSE_TEST_POSTGRES";

/** Durability is of no use to a server that is thrown away; the tests are about order and loss of connection. */
const SETTINGS = [
  "fsync=off",
  "synchronous_commit=on",
  "max_connections=60",
  "shared_buffers=32MB",
];

interface Identity {
  readonly uid: number;
  readonly gid: number;
}

await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const install = args[0] === "--install";
  // Bun takes the first "--" for itself.
  const rest = install ? args.slice(1) : args;
  const command = rest[0] === "--" ? rest.slice(1) : rest;
  if (command.length === 0) {
    console.error("Usage: with_postgres.ts [--install] COMMAND [ARGUMENT…]");
    process.exit(2);
  }
  if (install || process.env.CI) await installWhenMissing();
  const binaries = await binariesFolder();
  if (binaries === null) {
    console.error(
      "Cannot start PostgreSQL: no server found. Install it (Debian: apt-get install postgresql), or pass --install.",
    );
    process.exit(1);
  }
  const server = await start(binaries);
  const stopAndExit = (code: number) => void server.stop().then(() => process.exit(code));
  const child = spawn(command[0], command.slice(1), {
    stdio: "inherit",
    env: { ...process.env, [VARIABLE]: server.url },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`Cannot run ${command[0]}: ${error.message}`);
    stopAndExit(1);
  });
  child.on("close", (code) => stopAndExit(code ?? 1));
}

async function start(binaries: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-postgres-"));
  const identity = await unprivileged();
  const data = join(folder, "data");
  const log = join(folder, "log");
  const password = crypto.randomUUID();
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, password);
  if (identity !== null) {
    for (const path of [folder, passwordFile]) await chown(path, identity.uid, identity.gid);
  }
  const run = (program: string, args: readonly string[]) => {
    const result = spawnSync(join(binaries, program), args, {
      ...identity,
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (result.status !== 0) {
      throw new Error(`Cannot run ${program}: ${result.error?.message ?? result.stderr}`);
    }
  };
  const port = await freePort();
  try {
    run("initdb", [
      "--pgdata",
      data,
      "--username=gatehouse",
      "--auth=scram-sha-256",
      `--pwfile=${passwordFile}`,
      "--encoding=UTF8",
      "--locale=C",
      "--no-sync",
    ]);
    const settings = [
      ...SETTINGS,
      "listen_addresses=127.0.0.1",
      `port=${port}`,
      `unix_socket_directories=${folder}`,
    ].map((setting) => `-c ${setting}`).join(" ");
    run("pg_ctl", ["--pgdata", data, "--log", log, "--wait", "-o", settings, "start"]);
  } catch (error) {
    console.error((error as Error).message);
    console.error(await readFile(log, "utf8").catch(() => ""));
    await rm(folder, { recursive: true, force: true });
    process.exit(1);
  }
  return {
    url: `postgres://gatehouse:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      try {
        run("pg_ctl", ["--pgdata", data, "--mode=immediate", "--wait", "stop"]);
      } catch (error) {
        console.error((error as Error).message);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The folder with `initdb` and `pg_ctl`: on the PATH, or where Debian keeps them; the newest version. */
async function binariesFolder(): Promise<string | null> {
  const debian = "/usr/lib/postgresql";
  const versions = (await readdir(debian).catch(() => []))
    .sort((left, right) => Number(right) - Number(left));
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => [] as string[]);
    if (names.includes("initdb") && names.includes("pg_ctl")) return folder;
  }
  return null;
}

async function installWhenMissing(): Promise<void> {
  if (await binariesFolder() !== null || process.getuid?.() !== 0) return;
  const options = {
    stdio: "inherit" as const,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  spawnSync("apt-get", ["update", "-qq"], options);
  spawnSync("apt-get", ["install", "-y", "-qq", "postgresql"], options);
}

/** Whom the server runs as; `null` to stay who we are. */
async function unprivileged(): Promise<Identity | null> {
  if (process.getuid?.() !== 0) return null;
  const users = new Map(
    (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  return users.get("postgres") ?? users.get("nobody") ?? null;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        resolve(typeof address === "object" && address !== null ? address.port : 0)
      );
    });
  });
}
