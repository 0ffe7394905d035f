import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HOT_PATH, type HotPath, hotPath } from "./hot_path.ts";

/** What to compile, and into what. */
export interface BundleRequest {
  /** The repository's root. */
  readonly root: string;
  /** The file to start from, relative to the root. */
  readonly entry: string;
  /** The executable to write. */
  readonly outfile: string;
  /** The runtime that is put into it. */
  readonly runtime: string;
  /** Bun's name for the machine it will run on. */
  readonly bunName: string;
  /** Files that say which functions lie together, the most important first; see `bytecode_order.ts`. */
  readonly bytecodeOrder?: readonly string[];
}

/** A piece of the program, as it is loaded. */
export interface Chunk {
  readonly name: string;
  /** Bytes of minified text. */
  readonly bytes: number;
  readonly entryPoint: string | null;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
  /** The source files in it. */
  readonly inputs: readonly string[];
}

/** The settings that every binary is built with. `deno task build` writes them beside the binary, and a test reads them there. */
export const BUILD_SETTINGS = {
  minify: true,
  bytecode: true,
  format: "esm",
  splitting: true,
  target: "bun",
  env: "disable",
  sourcemap: "none",
} as const;

/** What the binary must not read in the folder it is started in. */
export const AUTOLOAD_SETTINGS = {
  autoloadDotenv: false,
  autoloadBunfig: false,
  autoloadTsconfig: false,
  autoloadPackageJson: false,
} as const;

/** The part of Bun's bundler that is used here. */
interface Bundler {
  build(options: Record<string, unknown>): Promise<{
    readonly success: boolean;
    readonly logs: readonly unknown[];
    readonly metafile: {
      readonly outputs: Record<string, {
        readonly bytes: number;
        readonly entryPoint?: string;
        readonly imports: readonly { readonly path: string; readonly kind: string }[];
        inputs: Record<string, unknown>;
      }>;
    };
    readonly outputs: readonly { readonly path: string; text(): Promise<string> }[];
  }>;
}

const bundler = (globalThis as unknown as { Bun: Bundler }).Bun;

/** Compiles a program into one executable and says which chunks it is made of. */
export async function bundle(request: BundleRequest): Promise<readonly Chunk[]> {
  const hot = await hotPath(request.root, request.entry, replacements(request.root));
  const result = await bundler.build({
    ...optionsOf(request, hot),
    compile: {
      target: request.bunName,
      outfile: request.outfile,
      executablePath: request.runtime,
      bytecodeOrder: request.bytecodeOrder ?? null,
      ...AUTOLOAD_SETTINGS,
    },
  });
  if (!result.success) throw new Error(`Cannot build ${request.entry}: ${result.logs.join("\n")}`);
  return Object.entries(result.metafile.outputs).map(([name, output]) => ({
    name,
    bytes: output.bytes,
    entryPoint: output.entryPoint ?? null,
    imports: output.imports,
    inputs: sourcesOf(output.inputs, hot),
  }));
}

/** The source files in a chunk: those of the hot path in the place of the one module that they became. */
function sourcesOf(inputs: Readonly<Record<string, unknown>>, { files }: HotPath): string[] {
  return Object.keys(inputs).flatMap((input) => input === HOT_PATH ? files : [input]);
}

/** Writes the chunks of a program as text files into a folder, so that a test can read what is in them. */
export async function writeChunks(request: BundleRequest, folder: string): Promise<void> {
  const hot = await hotPath(request.root, request.entry, replacements(request.root));
  const result = await bundler.build({
    ...optionsOf(request, hot),
    bytecode: false,
    outdir: folder,
    naming: { entry: "entry.js", chunk: "[name]-[hash].js" },
  });
  if (!result.success) throw new Error(`Cannot build ${request.entry}: ${result.logs.join("\n")}`);
  for (const output of Object.values(result.metafile.outputs)) {
    output.inputs = Object.fromEntries(sourcesOf(output.inputs, hot).map((input) => [input, {}]));
  }
  await writeFile(join(folder, "metafile.json"), JSON.stringify(result.metafile, null, 2));
}

function optionsOf(request: BundleRequest, { plugin }: HotPath): Record<string, unknown> {
  return {
    ...BUILD_SETTINGS,
    root: request.root,
    entrypoints: [join(request.root, request.entry)],
    metafile: true,
    define: {
      "process.env.NODE_ENV": JSON.stringify("production"),
    },
    plugins: [plugin],
  };
}

/** Lets the compiled program take Bun's adapter at once, instead of asking which runtime it is on. */
function replacements(root: string): ReadonlyMap<string, string> {
  return new Map([
    [join(root, "src/runtime/current.ts"), 'export { runtime } from "./bun.ts";'],
  ]);
}
