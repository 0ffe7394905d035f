// Builds dist/gatehouse for this machine: `deno task build`.

import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AUTOLOAD_SETTINGS, BUILD_SETTINGS, bundle, writeChunks } from "./build/bundle.ts";
import { recordBytecodeOrder } from "./build/bytecode_order.ts";
import { preparedRuntime, thisMachine } from "./build/prepared_runtime.ts";
import { TARGETS } from "./build/targets.ts";
import { VERSION } from "../src/config/version.ts";

const ROOT = dirname(import.meta.dirname!);
const CACHE = join(ROOT, ".build", "runtimes");
const CHUNKS = join(ROOT, ".build", "chunks");

const machine = await thisMachine();
const target = TARGETS.find(({ name }) => name === machine);
if (target === undefined || process.versions.bun === undefined) {
  const names = TARGETS.map(({ name }) => name).join(", ");
  throw new Error(`Cannot build for ${machine}: run this script with Bun on one of ${names}`);
}

const runtime = await preparedRuntime(target, ROOT, process.versions.bun, CACHE);
const outfile = join(ROOT, "dist", `gatehouse${target.suffix}`);
const bytecodeOrder = await recordBytecodeOrder(ROOT, target, join(ROOT, ".build", "order"));
const request = {
  root: ROOT,
  entry: "src/main.ts",
  outfile,
  runtime,
  bunName: target.bunName,
  bytecodeOrder,
};
await mkdir(dirname(outfile), { recursive: true });
await rm(outfile, { force: true });
const chunks = await bundle(request);

// What a test reads: the chunks as text, and how they were built.
await rm(CHUNKS, { recursive: true, force: true });
await writeChunks(request, CHUNKS);
await writeFile(
  join(CHUNKS, "build.json"),
  JSON.stringify(
    {
      settings: BUILD_SETTINGS,
      autoload: AUTOLOAD_SETTINGS,
      bytecodeOrders: bytecodeOrder.length,
      runtimeBytes: (await stat(runtime)).size,
      chunks,
    },
    null,
    2,
  ),
);

const entry = chunks.find(({ entryPoint }) => entryPoint === "src/main.ts");
console.log(
  `Built dist/gatehouse${target.suffix} ${VERSION} for ${target.name}: ` +
    `${chunks.length} chunks, ${entry?.bytes} bytes at the start.`,
);
