// What the layout of the repository promises, read from its files: who may import whom, who may name a
// runtime, which versions are pinned, and what must never be written down.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join, posix, relative, sep } from "node:path";
import { describe, test } from "node:test";

const ROOT = dirname(import.meta.dirname!);

/** The rooms of `src/`, from the roof down: a room imports itself and rooms below it. */
const ROOMS = [
  "mod.ts",
  "main.ts",
  "cli",
  "agent",
  "judge",
  "clients",
  "config",
  "session",
  "tools",
  "store",
  "data",
  "evidence",
  "hooks",
  "guards",
  "policy",
  "action",
  "signals",
  "shell",
  "runtime",
  "call.ts",
] as const;

/** The only files that may name a runtime. */
const RUNTIME_FILES = ["src/runtime/deno.ts", "src/runtime/bun.ts", "src/runtime/bun_types.ts"];

const NOT_OURS = ["node_modules", "dist", ".build", ".git", "coverage"];

interface Source {
  /** The path from the repository's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The text without its comments. */
  readonly code: string;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true });
  const found = await Promise.all(entries.map(async (entry) => {
    if (NOT_OURS.includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return await filesBelow(path);
    return entry.isFile() ? [path.split(sep).join("/")] : [];
  }));
  return found.flat().sort();
}

async function source(path: string): Promise<Source> {
  const text = await readFile(join(ROOT, path), "utf8");
  return { path, text, code: withoutComments(text) };
}

/** Drops block comments that begin a line and line comments that fill one; imports stand in neither. */
function withoutComments(text: string): string {
  return text.replace(/^\s*\/\*[\s\S]*?\*\//gm, "").replace(/^\s*\/\/.*$/gm, "");
}

/** What a file imports, re-exports or loads later, as it is written. */
function specifiersOf(code: string): string[] {
  const pattern = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)["']([^"'\n]+)["']/g;
  return [...code.matchAll(pattern)].map((match) => match[1]);
}

/** The files of this repository that a file imports. */
function importsOf(file: Source): string[] {
  return specifiersOf(file.code)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => posix.join(posix.dirname(file.path), specifier));
}

/** Where a file stands in {@linkcode ROOMS}; -1 when it is in no room. */
function floorOf(path: string): number {
  const room = path === "mod.ts" ? path : path.replace(/^src\//, "").split("/")[0];
  return (ROOMS as readonly string[]).indexOf(room);
}

const ours = await filesBelow(".");
const sources = await Promise.all(
  ours.filter((path) => path === "mod.ts" || /^src\/.*\.ts$/.test(path)).map(source),
);

describe("structure: rooms", () => {
  test("there are source files to look at, and their imports are seen", () => {
    const deno = sources.find(({ path }) => path === "src/runtime/deno.ts");
    assert.ok(deno !== undefined && sources.length > 10);
    assert.ok(importsOf(deno).includes("src/runtime/port.ts"));
    assert.ok(importsOf(deno).includes("src/runtime/supervised_process.ts"), "a lazy import too");
  });

  test("every source file is in a room that has its place in the order", () => {
    assert.deepEqual(sources.filter(({ path }) => floorOf(path) < 0).map(({ path }) => path), []);
  });

  test("no file imports upwards", () => {
    const upwards = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => floorOf(target) < floorOf(file.path))
        .map((target) => `${file.path} imports ${target}`)
    );
    assert.deepEqual(upwards, []);
  });

  test("every relative import names a file that is there", () => {
    const missing = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => !ours.includes(target))
        .map((target) => `${file.path} imports ${target}`)
    );
    assert.deepEqual(missing, []);
  });

  test("no imports go round in a circle, so no two files import each other", () => {
    const graph = new Map(sources.map((file) => [file.path, importsOf(file)]));
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) {
        circles.push([...way.slice(way.indexOf(path)), path].join(" -> "));
        return;
      }
      if (done.has(path)) return;
      for (const target of graph.get(path) ?? []) visit(target, [...way, path]);
      done.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
    assert.deepEqual(circles, []);
  });

  test("source files import nothing of the tests and scripts", () => {
    const strays = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => target !== "mod.ts" && !target.startsWith("src/"))
        .map((target) => `${file.path} imports ${target}`)
    );
    assert.deepEqual(strays, []);
  });
});

describe("structure: the runtime", () => {
  test("Deno., Bun. and bun: appear in the adapters and nowhere else in the sources", () => {
    const pattern = /\b(?:Deno|Bun)\s*\??\.|["'`]bun:/;
    const naming = sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path);
    assert.deepEqual(naming.filter((path) => !RUNTIME_FILES.includes(path)), []);
    for (const adapter of RUNTIME_FILES.slice(0, 2)) assert.ok(naming.includes(adapter));
  });

  test("only front doors import the current runtime", () => {
    const importers = sources
      .filter((file) => importsOf(file).includes("src/runtime/current.ts"))
      .map(({ path }) => path);
    const FRONT_DOORS = ["mod.ts", "src/main.ts"];
    assert.deepEqual(importers.filter((path) => !FRONT_DOORS.includes(path)), []);
  });

  test("Node's modules are loaded only when asked for, never with a file", () => {
    const pattern = /^(?:import|export)\s+(?!type\b)[^;]*?from\s*["'](node:[a-z/]+)/m;
    const eager = sources.flatMap(({ path, code }) => {
      const module = pattern.exec(code)?.[1];
      if (module === undefined) return [];
      // Every command but the hook is itself loaded only when asked for, and they all read arguments.
      const command = path.startsWith("src/cli/") && path !== "src/cli/hook.ts";
      // The plugin for OpenCode is a text that is written out, not code of ours that runs.
      if (path === "src/clients/install/opencode_plugin.ts") return [];
      return command && module === "node:util" ? [] : [`${path} loads ${module}`];
    });
    assert.deepEqual(eager, []);
  });
});

describe("structure: packages", () => {
  test("a decision says of every package what it is for and what dropping it would take", async () => {
    const { dependencies, devDependencies } = JSON.parse(
      await readFile(join(ROOT, "package.json"), "utf8"),
    );
    const decision = await readFile(
      join(ROOT, "docs/decisions/0001-packages-and-built-ins.md"),
      "utf8",
    );
    const rows = decision.split("\n").filter((line) => line.startsWith("| `"));
    const runtimes = ["bun", "deno"];
    const untold = Object.keys({ ...dependencies, ...devDependencies }).filter((name) =>
      !runtimes.includes(name) && !rows.some((row) => row.split("|")[1].includes(`\`${name}\``))
    );
    assert.deepEqual(untold, []);
  });

  test("package.json and deno.json agree on versions, and every version is exact", async () => {
    const npm = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    const deno = JSON.parse(await readFile(join(ROOT, "deno.json"), "utf8"));
    assert.equal(npm.version, deno.version);
    assert.equal(npm.license, deno.license);
    assert.ok(
      (await readFile(join(ROOT, "src/config/version.ts"), "utf8")).includes(`"${npm.version}"`),
      "src/config/version.ts says another version",
    );
    const imported = Object.fromEntries(
      Object.entries(deno.imports as Record<string, string>).map(([name, specifier]) => {
        const match = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)@([^/]+)(\/.*)?$/.exec(specifier);
        assert.ok(match !== null, `not a pinned npm package: ${specifier}`);
        assert.ok(name === match[1] + (match[3] ?? ""), `${name} is another name for ${specifier}`);
        return [match[1], match[2]];
      }),
    );
    assert.deepEqual(imported, npm.dependencies);
    for (
      const [name, version] of Object.entries({ ...npm.dependencies, ...npm.devDependencies })
    ) {
      assert.match(String(version), /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, `${name} is not pinned`);
    }
  });

  test("the sources import only packages that package.json names", async () => {
    const npm = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    const foreign = sources.flatMap((file) =>
      specifiersOf(file.code)
        .filter((specifier) => !/^(?:\.|node:)/.test(specifier))
        .map((specifier) =>
          specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/")
        )
        .filter((name) => !(name in npm.dependencies))
        .map((name) => `${file.path} imports ${name}`)
    );
    assert.deepEqual(foreign, []);
  });

  test("the lock file pins the versions that package.json names", async () => {
    const npm = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    const lock = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"));
    assert.deepEqual(lock.packages[""].dependencies, npm.dependencies);
    assert.deepEqual(lock.packages[""].devDependencies, npm.devDependencies);
  });
});

describe("structure: what must never be written down", () => {
  test("no file names a registry's host or a place on the machine it was written on", async () => {
    const texts = ours.filter((path) => !/\.(?:png|gif|ico|wasm|db)$/.test(path));
    assert.ok(texts.includes("package-lock.json"));
    const common = ["/", tmpdir(), homedir(), "/home", "/Users", "/src", "/app"];
    const places = [ROOT, dirname(ROOT)].filter((place) => !common.includes(place));
    const hosts = /registry\.(?:npm|yarn)|npm\.jsr|deb\.debian/;
    const found: string[] = [];
    for (const path of texts) {
      const text = await readFile(join(ROOT, path), "utf8");
      const host = hosts.exec(text);
      if (host) found.push(`${path} names ${host[0]}`);
      for (const place of places) {
        if (text.includes(`${place}/`)) found.push(`${path} names ${place}`);
      }
    }
    assert.deepEqual(found, []);
  });

  test("no test is switched off or runs alone, and nothing is left to do", async () => {
    const pattern = /\b(?:test|it|describe|suite)\.(?:only|skip|todo)\(|\b(?:TODO|FIXME)\b/;
    const found: string[] = [];
    for (
      const path of ours.filter((path) => /^(?:src|tests|scripts)\/.*\.ts$|^mod\.ts$/.test(path))
    ) {
      if (path === relative(ROOT, import.meta.filename!).split(sep).join("/")) continue;
      if (pattern.test(await readFile(join(ROOT, path), "utf8"))) found.push(path);
    }
    assert.deepEqual(found, []);
  });
});
