// Builds the binaries for all machines into dist/, with their SHA256SUMS: `deno task build:all`.

import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bundle } from "./build/bundle.ts";
import { recordBytecodeOrder } from "./build/bytecode_order.ts";
import { checkSignature, signAdHoc } from "./build/mach_o_signature.ts";
import { preparedRuntime, thisMachine } from "./build/prepared_runtime.ts";
import { binaryFormat, TARGETS } from "./build/targets.ts";

const ROOT = dirname(import.meta.dirname!);
const CACHE = join(ROOT, ".build", "runtimes");
const DIST = join(ROOT, "dist");

const bunVersion = process.versions.bun;
if (bunVersion === undefined) throw new Error("Cannot build: run this script with Bun");
await mkdir(DIST, { recursive: true });

// The functions are the same on all machines, so those that are called together here are everywhere.
const machine = await thisMachine();
const here = TARGETS.find(({ name }) => name === machine);
if (here === undefined) throw new Error(`Cannot build on ${machine}`);
const bytecodeOrder = await recordBytecodeOrder(ROOT, here, join(ROOT, ".build", "order"));

const sums: string[] = [];
for (const target of TARGETS) {
  const runtime = await preparedRuntime(target, ROOT, bunVersion, CACHE);
  const name = `gatehouse-${target.name}${target.suffix}`;
  const outfile = join(DIST, name);
  await rm(outfile, { force: true });
  await bundle({
    root: ROOT,
    entry: "src/main.ts",
    outfile,
    runtime,
    bunName: target.bunName,
    bytecodeOrder,
  });
  if (target.format === "mach-o-x64") {
    await writeFile(outfile, signAdHoc(await readFile(outfile), "gatehouse"));
  }
  const bytes = await readFile(outfile);
  const format = binaryFormat(bytes);
  if (format !== target.format) {
    throw new Error(`Cannot use ${name}: it is ${format}, not ${target.format}`);
  }
  const signature = format.startsWith("mach-o") ? checkSignature(bytes) : null;
  if (signature === "unsigned") {
    throw new Error(`Cannot use ${name}: macOS wants at least an ad hoc signature`);
  }
  sums.push(`${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`);
  console.log(`${name}: ${format}, ${bytes.length} bytes${signature ? `, ${signature}` : ""}`);
}
await writeFile(join(DIST, "SHA256SUMS"), sums.join(""));
console.log(`Wrote ${sums.length} sums to dist/SHA256SUMS.`);
