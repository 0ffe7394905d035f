// What the build made: how it was built, and what the hook has to load before it can judge.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { before, describe, test } from "node:test";
import { positionsOf, RUNTIME_VARIABLES } from "../../scripts/build/rename_variables.ts";
import { inTemporaryFolder } from "../temporary_folder.ts";
import { builtBinary, ROOT, start } from "./built_binary.ts";

const CHUNKS = join(ROOT, ".build", "chunks");

/** The most that a hook may have to load, in bytes of minified text: more code is more time at every call. */
const HOOK_LIMIT = 60_000;
/** The most functions that a call may run of which nobody has an opinion: each is made ready when it is first called. */
const FUNCTION_LIMIT = 160;
/** What the runtime compiles from its own source when it is first used, which costs more than a loop by hand. */
const COMPILED_BUILTINS =
  /^(?:map|filter|forEach|some|every|find|findIndex|reduce|flatMap|from|Promise|matchAll)$/;
/** The front door, and the one module that all the rest of the hook is made into. */
const HOOK_CHUNKS = 2;

interface Output {
  readonly bytes: number;
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
  readonly inputs: Record<string, unknown>;
}

let outputs: Record<string, Output> = {};
let build: {
  settings: Record<string, unknown>;
  autoload: Record<string, unknown>;
  runtimeBytes: number;
  bytecodeOrders: number;
  chunks: readonly { name: string; bytes: number; entryPoint: string | null; inputs: string[] }[];
};
let binary = "";

before(async () => {
  binary = await builtBinary();
  outputs = JSON.parse(await readFile(join(CHUNKS, "metafile.json"), "utf8")).outputs;
  build = JSON.parse(await readFile(join(CHUNKS, "build.json"), "utf8"));
});

/** The chunk that starts at a source file. */
function chunkOf(entryPoint: string): string {
  const found = Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint);
  assert.ok(found !== undefined, `no chunk starts at ${entryPoint}`);
  return found[0];
}

/** The chunks that are loaded with a chunk, itself first. */
function loadedWith(name: string): string[] {
  const loaded = [name];
  for (const chunk of loaded) {
    for (const { path, kind } of outputs[chunk].imports) {
      const target = Object.keys(outputs).find((key) =>
        posix.basename(key) === posix.basename(path)
      );
      if (kind === "import-statement" && target !== undefined && !loaded.includes(target)) {
        loaded.push(target);
      }
    }
  }
  return loaded;
}

/** Everything that `hook claude-code` loads before it answers a simple call. */
function hookChunks(): string[] {
  return loadedWith(chunkOf("src/main.ts"));
}

describe("build: how the binary was made", () => {
  test("it is minified, split, in ECMAScript modules, with bytecode", () => {
    assert.equal(build.settings.minify, true);
    assert.equal(build.settings.splitting, true);
    assert.equal(build.settings.format, "esm");
    assert.equal(build.settings.bytecode, true);
  });

  test("what the hook runs lies together in it", () => {
    assert.ok(build.bytecodeOrders >= 5, `${build.bytecodeOrders} calls were recorded`);
  });

  test("it reads no settings in the folder it is started in", () => {
    assert.deepEqual(build.autoload, {
      autoloadBunfig: false,
      autoloadDotenv: false,
      autoloadPackageJson: false,
      autoloadTsconfig: false,
    });
  });

  test("the chunks that are read here are the chunks in the binary", () => {
    const inputsOf = (inputs: readonly string[]) => [...inputs].sort().join(" ");
    assert.deepEqual(
      Object.values(outputs).map(({ inputs }) => inputsOf(Object.keys(inputs))).sort(),
      build.chunks.map(({ inputs }) => inputsOf(inputs)).sort(),
    );
  });

  test("the runtime in the binary asks for none of the variables that could lead it astray", async () => {
    // Behind the runtime stands our own program, and that may name them.
    const runtime = (await readFile(binary)).subarray(0, build.runtimeBytes);
    assert.ok(runtime.length > 50_000_000, "this is no runtime");
    for (const { name } of RUNTIME_VARIABLES) {
      const asked = positionsOf(runtime, name).filter((at) =>
        runtime[at - 1] !== ".".charCodeAt(0)
      );
      assert.deepEqual(asked, [], name);
      assert.ok(runtime.includes(`\0${name.slice(1)}`), `${name} was never there`);
    }
  });

  test("Deno's adapter is not in it", () => {
    const inputs = build.chunks.flatMap((chunk) => chunk.inputs);
    assert.ok(inputs.includes("src/runtime/bun.ts"));
    assert.ok(!inputs.includes("src/runtime/deno.ts"));
  });
});

describe("build: what the hook loads", () => {
  test("no YAML library and no zod", () => {
    const packages = hookChunks().flatMap((name) => Object.keys(outputs[name].inputs))
      .filter((input) => input.includes("node_modules"));
    assert.deepEqual(packages.filter((input) => /node_modules\/(?:yaml|zod)\//.test(input)), []);
  });

  test("no module of Node's, unless it is asked for later", async () => {
    for (const name of hookChunks()) {
      const text = await readFile(join(CHUNKS, posix.basename(name)), "utf8");
      const specifiers = [
        ...text.matchAll(/\bfrom\s*["']([^"']+)["']|\bimport\s*["']([^"']+)["']/g),
      ]
        .map((match) => match[1] ?? match[2]);
      assert.deepEqual(specifiers.filter((specifier) => !specifier.startsWith("./")), [], name);
      assert.doesNotMatch(text, /\brequire\(/, name);
    }
  });

  test("no mention of process.stdin or process.stdout", async () => {
    for (const name of hookChunks()) {
      const text = await readFile(join(CHUNKS, posix.basename(name)), "utf8");
      assert.doesNotMatch(text, /\bprocess\.(?:stdin|stdout|stderr)\b/, name);
    }
  });

  test("little enough to be loaded at every call", () => {
    const sizes = hookChunks().map((name) => outputs[name].bytes);
    const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
    assert.equal(sizes.length, HOOK_CHUNKS);
    assert.ok(total <= HOOK_LIMIT, `the hook loads ${total} bytes`);
  });
});

describe("build: what the hook runs for a call of which nobody has an opinion", () => {
  let names: readonly string[] = [];

  before(async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write(
        "home/.config/gatehouse/gatehouse.yaml",
        "version: 1\nstore: false\npolicy: { mode: rules, allow: { bash: ['git status*'] } }\n",
      );
      const payload = {
        session_id: "s",
        cwd: folder.path,
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command: "git status" },
      };
      // The runtime's own list of all that it makes ready to run.
      const hook = (env: Readonly<Record<string, string>>) =>
        start([binary, "hook", "claude-code"], {
          cwd: folder.path,
          env: { HOME: folder.at("home"), ...env },
          input: JSON.stringify(payload),
        });
      // The first call compiles the configuration.
      assert.equal((await hook({})).code, 0);
      const { stdout, stderr, code } = await hook({ BUN_JSC_dumpGeneratedBytecodes: "1" });
      assert.equal(code, 0);
      names = [...`${stdout}\n${stderr}`.matchAll(/^(.*)#[A-Za-z0-9]+:\[0x.*instructions/gm)]
        .map(([, name]) => name);
    });
  });

  test("few functions", () => {
    assert.ok(names.length > 50, `the runtime lists ${names.length} functions only`);
    assert.ok(names.length <= FUNCTION_LIMIT, `the hook runs ${names.length} functions`);
  });

  test("nothing that the runtime has to compile first", () => {
    assert.deepEqual(names.filter((name) => COMPILED_BUILTINS.test(name)), []);
  });
});
