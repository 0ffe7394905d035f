/**
 * Records which functions the hook runs for the calls that agents make most, so that the build can lay their bytecode out
 * together: a process that runs once then touches fewer pages of the executable.
 *
 * The calls are made with a build of the same program around Bun as it comes, since the runtime that ships asks for no
 * variable by which it could be told to write a file.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import type { Target } from "./targets.ts";

/** What the hook is asked, the most common first. */
const CALLS: readonly (readonly [
  name: string,
  tool: string,
  input: Readonly<Record<string, string>>,
  code: number,
])[] = [
  ["look", "Bash", { command: "git status" }, 0],
  ["list", "Bash", { command: "cd src && git diff --stat | tail -30 && npm test 2>&1" }, 0],
  ["read", "Read", { file_path: "src/main.ts" }, 0],
  ["edit", "Edit", { file_path: "src/main.ts", old_string: "a", new_string: "b" }, 0],
  ["commit", "Bash", { command: "git add -A && git commit -m 'Say why' && git push" }, 0],
  ["script", "Bash", { command: 'for f in *.ts; do wc -l "$f"; done | sort -n > out.txt' }, 0],
  ["deny", "Bash", { command: "rm -rf /" }, 2],
];

const CONFIGURATION = `version: 1
policy:
  mode: rules
  shell: parse
  allow:
    bash: ["*"]
    reader: ["*"]
    editor: ["*"]
guards:
  destructive: { mode: parsed, overwrite: allow }
`;

/**
 * Builds the program, has it judge {@linkcode CALLS}, and returns the files that say what it ran.
 *
 * @param root The repository's root.
 * @param target This machine's.
 * @param folder Where the files are put; what was there before is removed.
 * @throws {Error} when a call does not end as it should: then there is nothing to build a binary of either.
 */
export async function recordBytecodeOrder(
  root: string,
  target: Target,
  folder: string,
): Promise<readonly string[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const program = join(folder, `gatehouse${target.suffix}`);
  await bundle({
    root,
    entry: "src/main.ts",
    outfile: program,
    runtime: process.execPath,
    bunName: target.bunName,
  });
  const place = await mkdtemp(join(tmpdir(), "gatehouse-order-"));
  try {
    const home = join(place, "home");
    const project = join(place, "project");
    await mkdir(join(home, ".config", "gatehouse"), { recursive: true });
    await mkdir(join(project, ".git"), { recursive: true });
    await mkdir(join(project, "src"));
    await writeFile(join(home, ".config", "gatehouse", "gatehouse.yaml"), CONFIGURATION);
    await writeFile(join(project, "src", "main.ts"), "a\n");
    const orders: string[] = [];
    // The very first call compiles the configuration, which the hook seldom does; the second one writes over its file.
    for (const [name, tool, input, code] of [CALLS[0], ...CALLS]) {
      const order = join(folder, `${name}.order`);
      const payload = {
        session_id: "order",
        cwd: project,
        hook_event_name: "PreToolUse",
        tool_name: tool,
        tool_input: input,
        tool_use_id: name,
      };
      const end = spawnSync(program, ["hook", "claude-code"], {
        cwd: project,
        input: JSON.stringify(payload),
        env: { HOME: home, PATH: process.env.PATH ?? "", BUN_BYTECODE_ORDER_OUT: order },
        encoding: "utf8",
      });
      if (end.status !== code) {
        throw new Error(
          `Cannot record what the hook runs: ${name} ended with ${end.status}, not ${code}: ${end.stderr}`,
        );
      }
      if (!orders.includes(order)) orders.push(order);
    }
    return orders;
  } finally {
    await rm(place, { recursive: true, force: true });
    await rm(program, { force: true });
  }
}
