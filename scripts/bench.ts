// Measures what the speed of gatehouse is promised to be, as ratios within one run: `deno task bench [NAME…]`.
//
// Every file in scripts/bench/ that exports `bench()` takes part; with names, only those files. Nothing is
// asserted here: a row that misses what it must reach says so, and the exit code is 1.

import { spawnSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { cpus } from "node:os";
import { basename, dirname, join } from "node:path";
import { type BenchRow, benchTable, reached } from "./bench/row.ts";

const ROOT = dirname(import.meta.dirname!);
const FOLDER = join(ROOT, "scripts", "bench");

const wanted = process.argv.slice(2);
const built = spawnSync(process.execPath, [join(ROOT, "scripts", "build.ts")], {
  stdio: "inherit",
});
if (built.status !== 0) process.exit(1);

const rows: BenchRow[] = [];
for (const file of (await readdir(FOLDER)).filter((name) => name.endsWith(".ts")).sort()) {
  const module: { bench?: () => Promise<readonly BenchRow[]> } = await import(join(FOLDER, file));
  const name = basename(file, ".ts");
  if (module.bench === undefined || (wanted.length > 0 && !wanted.includes(name))) continue;
  rows.push(...await module.bench());
}

const [cpu] = cpus();
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${
    cpu?.model.trim() ?? "unknown"
  }, ` +
    `${process.platform} ${process.arch}, Bun ${process.versions.bun}\n`,
);
console.log(benchTable(rows));
const missed = rows.filter((row) => reached(row) === "no").length;
console.log(`\n${rows.length} rows, ${missed} below what they must reach`);
process.exit(missed === 0 ? 0 : 1);
