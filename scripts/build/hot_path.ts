/**
 * Melts what every call of the hook loads into one module, before the program is split into chunks.
 *
 * A bundler makes a chunk of every set of files that the same entry points share, which here are twenty small ones
 * for the hook alone, and each must be found, read and linked at every call. So the files that the program's front
 * door imports, directly or through others, become one module first; all the rest then imports that module, so that
 * nothing is in the program twice.
 *
 * @module
 */

import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

/** The part of Bun that is used here. */
interface Bun {
  readonly Transpiler: new (options: { loader: "ts" }) => {
    scan(text: string): {
      readonly exports: readonly string[];
      readonly imports: readonly { readonly path: string; readonly kind: string }[];
    };
  };
  build(options: Record<string, unknown>): Promise<{
    readonly success: boolean;
    readonly logs: readonly unknown[];
    readonly outputs: readonly { text(): Promise<string> }[];
  }>;
}

/** A plugin of Bun's bundler. */
interface BundlerPlugin {
  readonly name: string;
  setup(build: BundlerHooks): void;
}

/** What a plugin may hook into. */
interface BundlerHooks {
  onLoad(
    filter: { filter: RegExp },
    load: (file: { path: string }) => { loader: "ts" | "js"; contents: string } | undefined,
  ): void;
  onResolve(
    filter: { filter: RegExp },
    resolve: (
      request: { path: string; importer: string; kind: string },
    ) => { path: string; external?: boolean } | undefined,
  ): void;
}

const bun = (globalThis as unknown as { Bun: Bun }).Bun;

/** The name of the one module, as it stands in the list of a chunk's files. */
export const HOT_PATH = "hot-path.js";

/** What {@linkcode hotPath} made. */
export interface HotPath {
  /** The files in it, from the repository's root. */
  readonly files: readonly string[];
  /** Puts the one module in the place of each of its files. */
  readonly plugin: BundlerPlugin;
}

/**
 * Makes the one module.
 *
 * @param root The repository's root.
 * @param entry The program's front door, from the root. It is not in the module itself.
 * @param replaced Texts that stand in the place of files, by absolute path.
 */
export async function hotPath(
  root: string,
  entry: string,
  replaced: ReadonlyMap<string, string>,
): Promise<HotPath> {
  const files = new Map<string, readonly string[]>();
  const pending = [join(root, entry)];
  for (const path of pending) {
    const text = replaced.get(path) ?? await readFile(path, "utf8");
    const { exports, imports } = new bun.Transpiler({ loader: "ts" }).scan(text);
    files.set(path, exports);
    for (const { path: specifier, kind } of imports) {
      const target = resolve(dirname(path), specifier);
      if (kind !== "import-statement" || pending.includes(target)) continue;
      if (!specifier.startsWith(".")) {
        throw new Error(`Cannot have the package ${specifier} on the hot path: ${path} imports it`);
      }
      pending.push(target);
    }
  }
  files.delete(join(root, entry));
  const all = [...files];
  const names = new Map(all.map(([path, exports], index) => [
    path,
    exports.map((name) => ({ name, unique: `${name}_${index}` })),
  ]));
  const source = all.map(([path]) => {
    const list = names.get(path)!.map(({ name, unique }) => `${name} as ${unique}`).join(", ");
    return `export { ${list} } from ${JSON.stringify(path)};\n`;
  }).join("");
  const virtual = join(root, HOT_PATH);
  const built = await bun.build({
    entrypoints: [virtual],
    target: "bun",
    format: "esm",
    plugins: [{
      name: "hot-path",
      setup(build: BundlerHooks) {
        build.onResolve({ filter: /./ }, ({ path, importer, kind }) => {
          if (path === virtual) return { path };
          if (kind !== "dynamic-import") return undefined;
          return {
            path: path.startsWith(".") ? resolve(dirname(importer), path) : path,
            external: true,
          };
        });
        build.onLoad({ filter: /./ }, ({ path }) => {
          if (path === virtual) return { loader: "js", contents: source };
          const text = replaced.get(path);
          return text === undefined ? undefined : { loader: "ts", contents: text };
        });
      },
    }],
  });
  if (!built.success) throw new Error(`Cannot melt the hot path: ${built.logs.join("\n")}`);
  const text = await built.outputs[0].text();
  return {
    files: all.map(([path]) => relative(root, path).split(sep).join("/")),
    plugin: {
      name: "hot-path",
      setup(build) {
        build.onResolve({ filter: /hot-path\.js$/ }, ({ path }) => ({ path }));
        build.onLoad({ filter: /\.(?:ts|js)$/ }, ({ path }) => {
          if (path === virtual) return { loader: "js", contents: text };
          const exported = names.get(path);
          if (exported === undefined) return undefined;
          const list = exported.map(({ name, unique }) => `${unique} as ${name}`).join(", ");
          return {
            loader: "js",
            contents: `export { ${list} } from ${JSON.stringify(virtual)};\n`,
          };
        });
      },
    },
  };
}
