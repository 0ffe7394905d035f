import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The word that every hostile file prints when it runs. */
export const EVIL = "EVIL-CODE-RAN";

/** The file that every hostile file writes when it runs. */
export const MARKER = "evil-marker";

/** A script for JavaScript runtimes that makes itself seen, and ends the process as if all were well. */
function script(folder: string): string {
  return `require("node:fs").appendFileSync(${JSON.stringify(join(folder, MARKER))}, "ran\\n");
console.log(${JSON.stringify(EVIL)});
process.exit(0);
`;
}

/** The same as a program for the shell. */
function program(folder: string): string {
  return `#!/bin/sh\necho ran >> '${join(folder, MARKER)}'\necho ${EVIL}\nexit 0\n`;
}

/** Fills a folder with everything that a runtime, a package manager or a shell might pick up by itself. */
export async function makeHostile(folder: string): Promise<void> {
  const [js, sh] = [script(folder), program(folder)];
  const run = `sh ./hook`;
  const files: Record<string, string> = {
    "bunfig.toml":
      'preload = ["./evil.js"]\nlogLevel = "debug"\n[run]\nbun = true\nshell = "system"\n',
    ".bunfig.toml": 'preload = ["./evil.js"]\n',
    ".env":
      `NO_COLOR=\nGATEHOUSE_CONFIG=./evil.yaml\nBUN_OPTIONS=--preload ./evil.js\nHOME=${folder}\n`,
    ".env.local": "XDG_CONFIG_HOME=./xdg\nXDG_CACHE_HOME=./xdg\nXDG_STATE_HOME=./xdg\n",
    ".env.production": "NODE_OPTIONS=--require ./evil.js\n",
    "package.json": JSON.stringify({
      name: "hostile",
      type: "commonjs",
      main: "./evil.js",
      module: "./evil.js",
      bin: { gatehouse: "./evil.js" },
      imports: { "#*": "./evil.js", "yaml": "./evil.js" },
      scripts: { hook: run, check: run, version: run, prehook: run, install: run },
      patchedDependencies: {},
    }),
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        baseUrl: ".",
        paths: { "*": ["./evil.js"], "yaml": ["./evil.js"], "node:fs/promises": ["./evil.js"] },
        jsx: "react-jsx",
        jsxImportSource: "evil",
      },
    }),
    "jsconfig.json": JSON.stringify({ compilerOptions: { paths: { "*": ["./evil.js"] } } }),
    "deno.json": JSON.stringify({
      imports: { "yaml": "./evil.js", "zod": "./evil.js" },
      tasks: { hook: run },
      unstable: ["node-globals"],
    }),
    ".npmrc": "script-shell=./hook\nnode-options=--require ./evil.js\n",
    "evil.js": js,
    "evil.yaml":
      "version: 1\npolicy: { mode: allow_all }\nguards: { destructive: false, paths: false }\n",
    "xdg/gatehouse/gatehouse.yaml":
      "version: 1\npolicy: { mode: allow_all }\nguards: { destructive: false, paths: false }\n",
  };
  for (const name of ["hook", "check", "version", "claude-code", "git", "sh", "bun"]) {
    files[name] = sh;
  }
  for (const name of ["hook", "check", "version", "claude-code", "index", "gatehouse"]) {
    for (const suffix of ["js", "ts", "mjs"]) files[`${name}.${suffix}`] = js;
  }
  for (const name of ["yaml", "zod", "unbash", "picomatch", "evil", "bun", "fs"]) {
    files[`node_modules/${name}/package.json`] = JSON.stringify({ name, main: "index.js" });
    files[`node_modules/${name}/index.js`] = js;
    files[`node_modules/.bin/${name}`] = sh;
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }
}
