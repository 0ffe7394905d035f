// Builds the binary and judges real payloads with it: `deno task try`.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ROOT = dirname(import.meta.dirname!);
const BINARY = join(ROOT, "dist", "gatehouse");

const POLICY = `version: 1

policy:
  mode: rules
  allow:
    bash: ["git status*", "git diff*", "ls*"]
    reader: ["*"]
    editor: ["*"]
  deny:
    bash:
      - "git push --force*"
      - "npm publish*"
  escalate:
    bash: ["git push*"]
`;

/** What a person would try first, and what should come of it. */
const COMMANDS: readonly (readonly [string, number])[] = [
  ["git status", 0],
  ["git push origin main", 3],
  ["npm publish", 1],
  ["rm -rf build", 1],
];

function run(
  argv: readonly string[],
  options: { cwd?: string; input?: string; env?: NodeJS.ProcessEnv },
) {
  const [program, ...args] = argv;
  return spawnSync(program, args, { encoding: "utf8", ...options });
}

console.log("Building dist/gatehouse …");
const build = run([process.execPath, join(ROOT, "scripts", "build.ts")], { cwd: ROOT });
if (build.status !== 0) throw new Error(`Cannot build: ${build.stdout}${build.stderr}`);
console.log(build.stdout.trim());

const folder = mkdtempSync(join(tmpdir(), "gatehouse-try-"));
let failed = 0;
try {
  const project = join(folder, "project");
  const config = join(folder, "home", ".config", "gatehouse");
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "gatehouse.yaml"), POLICY);
  // A home of its own: your configuration is not looked at, and nothing is left behind.
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, "home"),
    NO_COLOR: process.env.NO_COLOR,
  };

  console.log(`\nThe policy of a user, in ~/.config/gatehouse/gatehouse.yaml:\n\n${POLICY}`);
  for (const [command, expected] of COMMANDS) {
    console.log(`$ gatehouse check bash '${command}'`);
    const check = run([BINARY, "check", "bash", command], { cwd: project, env });
    console.log(check.stdout + check.stderr);
    if (check.status !== expected) failed++;
  }

  const payload = {
    session_id: "sample",
    cwd: project,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "git push --force origin main", description: "Publish the branch" },
    tool_use_id: "toolu_sample",
  };
  console.log("What Claude Code's hook sends, and what it is answered:\n");
  console.log(`$ gatehouse hook claude-code\n${JSON.stringify(payload)}`);
  const hook = run([BINARY, "hook", "claude-code"], {
    cwd: project,
    env,
    input: JSON.stringify(payload),
  });
  console.log(
    `stdout  ${hook.stdout.trim()}\nstderr  ${hook.stderr.trim()}\nexit    ${hook.status}`,
  );
  if (hook.status !== 2) failed++;

  console.log("\n$ gatehouse policy explain bash 'git push --force origin main'");
  const explain = run([BINARY, "policy", "explain", "bash", "git push --force origin main"], {
    cwd: project,
    env,
  });
  console.log(explain.stdout + explain.stderr);
  if (explain.status !== 1) failed++;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failed > 0) {
  console.error(`${failed} of the calls were not judged as expected`);
  process.exit(1);
}
