// Every captured payload through the real binary, and what the client that sent it then does.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { ClientName } from "../../src/clients/client.ts";
import { builtBinary, type ProgramEnd, ROOT, start } from "../binary/built_binary.ts";
import { clientOf, payload, payloadNames } from "./golden.ts";
import { type ClientAct, whatClientDoes } from "./what_clients_do.ts";

let binary = "";
let folder = "";

/** Clients in which nobody can be asked: an escalation is a denial there. */
const NEVER_ASKS: readonly ClientName[] = ["codex", "gemini", "opencode"];

/** Calls that are judged file by file: what a transform makes of one file cannot be put back into the patch. */
const PATCHES = /apply_patch/;

before(async () => {
  binary = await builtBinary();
  folder = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-clients-")));
  await mkdir(join(folder, "repo"));
  await mkdir(join(folder, "home"));
  const quiet = "guards: { destructive: false, paths: false }\n";
  const transform = join(folder, "transform.mjs");
  await writeFile(
    transform,
    `const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { args } = JSON.parse(Buffer.concat(chunks).toString());
for (const name of Object.keys(args)) if (typeof args[name] === "string") args[name] += "~";
console.log(JSON.stringify({ args }));
`,
  );
  const hooks = `hooks:\n  - command: ${
    JSON.stringify([join(ROOT, "node_modules", ".bin", "bun"), transform])
  }\n    timeout: 20\n`;
  const configurations = {
    rewriteAndEscalate:
      `version: 1\npolicy:\n  mode: rules\n  escalate: { "*": ["*"] }\n${quiet}${hooks}`,
    allow: `version: 1\npolicy: allow_all\n${quiet}`,
    deny: `version: 1\npolicy: deny_all\n${quiet}`,
    escalate: `version: 1\npolicy:\n  mode: rules\n  escalate: { "*": ["*"] }\n${quiet}`,
    approve: `version: 1\npolicy: allow_all\nonAllow: approve\n${quiet}`,
    rewrite: `version: 1\npolicy: allow_all\n${quiet}${hooks}`,
  };
  for (const [name, text] of Object.entries(configurations)) {
    await writeFile(join(folder, `${name}.yaml`), text);
  }
});

after(() => rm(folder, { recursive: true, force: true }));

/** A payload, in a folder that is really there. */
async function payloadText(name: string): Promise<string> {
  const text = await readFile(join(import.meta.dirname!, "payloads", name), "utf8");
  return text.replaceAll("/repo", join(folder, "repo"));
}

async function hook(name: string, configuration: string): Promise<ProgramEnd> {
  return await start(
    [binary, "hook", clientOf(name).name, "--config", join(folder, `${configuration}.yaml`)],
    {
      cwd: join(folder, "repo"),
      env: { PATH: "/usr/bin:/bin", HOME: join(folder, "home") },
      input: await payloadText(name),
    },
  );
}

/** The arguments that the client sent, in its own words. */
async function sentArguments(name: string): Promise<Record<string, unknown>> {
  const event = clientOf(name).read(JSON.parse(await payloadText(name)), { cwd: () => folder });
  return event.native?.args ?? {};
}

async function act(name: string, configuration: string): Promise<ClientAct> {
  const end = await hook(name, configuration);
  return whatClientDoes(
    clientOf(name).name,
    name.includes("-pascal-"),
    end,
    await sentArguments(name),
  );
}

/** What the transform makes of arguments. */
function marked(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map((
      [key, value],
    ) => [key, typeof value === "string" ? `${value}~` : value]),
  );
}

for (const name of payloadNames()) {
  const { moment } = clientOf(name).read(payload(name), { cwd: () => "/" });
  if (moment !== "before-tool") {
    test(`${name} is taken in silence, whatever the policy`, async () => {
      const { code, stdout, stderr } = await hook(name, "deny");
      assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: "", stderr: "" });
    });
    continue;
  }
  describe(name, () => {
    test("allowed, it runs as it was, and nothing is said", async () => {
      const { code, stdout, stderr } = await hook(name, "allow");
      assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: "", stderr: "" });
    });

    test("denied, it does not run, and the model is told why and where", async () => {
      const done = await act(name, "deny");
      assert.equal(done.act, "denies");
      assert.match(done.act === "denies" ? done.told : "", /gatehouse: .*[\s\S]*deny\.yaml:2/);
    });

    test("escalated, a person is asked, or it is denied with the word that one must approve", async () => {
      const done = await act(name, "escalate");
      if (NEVER_ASKS.includes(clientOf(name).name)) {
        assert.equal(done.act, "denies");
        assert.match(done.act === "denies" ? done.told : "", /A person must approve this/);
      } else assert.equal(done.act, "asks");
    });

    test("rewritten and escalated, a yes runs what was judged, or it is denied", async () => {
      const sent = await sentArguments(name);
      const done = await act(name, "rewriteAndEscalate");
      if (done.act === "denies") return;
      assert.equal(done.act, "asks");
      assert.deepEqual(done.args, marked(sent));
    });

    test("rewritten, exactly what was judged runs", async () => {
      const sent = await sentArguments(name);
      const done = await act(name, "rewrite");
      if (PATCHES.test(name)) {
        assert.equal(done.act, "denies");
        assert.match(done.act === "denies" ? done.told : "", /Run this instead/);
        return;
      }
      assert.deepEqual(done, { act: "runs", args: marked(sent) });
    });
  });
}

test("a rewrite of one file of a patch is not lost: the whole patch is denied", async () => {
  const transform = join(folder, "second.mjs");
  await writeFile(
    transform,
    `const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { args } = JSON.parse(Buffer.concat(chunks).toString());
if (args.file_path === "second") console.log(JSON.stringify({ args: { ...args, content: "other" } }));
`,
  );
  const bun = join(ROOT, "node_modules", ".bin", "bun");
  await writeFile(
    join(folder, "second.yaml"),
    `version: 1\npolicy: allow_all\nguards: { destructive: false, paths: false }\nhooks:\n  - command: ${
      JSON.stringify([bun, transform])
    }\n    timeout: 20\n`,
  );
  const patch =
    "*** Begin Patch\n*** Add File: first\n+a\n*** Add File: second\n+b\n*** End Patch\n";
  const end = await start([binary, "hook", "codex", "--config", join(folder, "second.yaml")], {
    cwd: join(folder, "repo"),
    env: { PATH: "/usr/bin:/bin", HOME: join(folder, "home") },
    input: JSON.stringify({
      hook_event_name: "PreToolUse",
      cwd: join(folder, "repo"),
      tool_name: "apply_patch",
      tool_input: { command: patch },
    }),
  });
  assert.equal(end.code, 2);
  assert.match(end.stderr, /Run this instead/);
});

test("Codex may not start a bare shell, whatever the policy allows", async () => {
  for (const [command, code] of [["cd /x && bash", 2], ["bash x.sh", 0]] as const) {
    const end = await start([binary, "hook", "codex", "--config", join(folder, "allow.yaml")], {
      cwd: join(folder, "repo"),
      env: { PATH: "/usr/bin:/bin", HOME: join(folder, "home") },
      input: JSON.stringify({
        hook_event_name: "PreToolUse",
        cwd: join(folder, "repo"),
        tool_name: "Bash",
        tool_input: { command },
      }),
    });
    assert.equal(end.code, code, end.stderr);
    if (code === 2) assert.match(end.stderr, /^gatehouse: Codex may not start a bare bash/);
  }
});

describe("an approval by the policy", () => {
  test("is said where the client honours it, and nowhere else", async () => {
    for (const name of payloadNames()) {
      if (clientOf(name).read(payload(name), { cwd: () => "/" }).moment !== "before-tool") continue;
      const { stdout } = await hook(name, "approve");
      const says = /"permissionDecision":"allow"/.test(stdout);
      assert.equal(says, clientOf(name).capabilities.approve, name);
    }
  });
});
