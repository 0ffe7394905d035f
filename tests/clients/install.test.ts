import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { ClientName } from "../../src/clients/client.ts";
import {
  applyInstall,
  applyUninstall,
  planInstall,
  planUninstall,
} from "../../src/clients/install/changes.ts";
import { notedHash, trustedHooks } from "../../src/clients/install/codex.ts";
import { isOurCommand, programOf } from "../../src/clients/install/hook_command.ts";
import type { HookProgram, Place, Scope } from "../../src/clients/install/installation.ts";
import { hooksOf, jsonValue } from "../../src/clients/install/json_hooks.ts";
import { INSTALLATIONS } from "../../src/clients/install/registry.ts";
import { CLIENT_NAMES } from "../../src/clients/registry.ts";
import { runtime } from "../../src/runtime/current.ts";

const program: HookProgram = {
  binary: "/opt/it's here/gatehouse",
  limiter: "/usr/bin/timeout",
  limitSeconds: 20,
};

/** Everything in a folder: text by path, and which of them are links. */
function snapshot(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, entry);
    const information = lstatSync(path);
    found[entry] = information.isDirectory()
      ? "a folder"
      : information.isSymbolicLink()
      ? "a link"
      : readFileSync(path, "latin1");
  }
  return found;
}

async function inHome<T>(
  body: (place: Place, state: string) => Promise<T>,
  scope: Scope = "user",
): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), "gatehouse-install-"));
  try {
    mkdirSync(join(home, "project"));
    const place: Place = {
      scope,
      home,
      project: join(home, "project"),
      platform: "linux",
      variables: {},
      sha256: (bytes) => runtime.sha256(bytes),
    };
    return await body(place, join(home, ".local/state/gatehouse"));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function install(
  client: ClientName,
  place: Place,
  state: string,
  with_ = program,
): Promise<number> {
  const changes = await planInstall(runtime, state, INSTALLATIONS[client], place, with_);
  await applyInstall(runtime, state, changes);
  return changes.length;
}

async function uninstall(client: ClientName, place: Place, state: string): Promise<void> {
  await applyUninstall(
    runtime,
    state,
    await planUninstall(runtime, state, INSTALLATIONS[client], place),
  );
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A person's hook that must survive everything. */
const THEIRS = {
  matcher: "Bash",
  hooks: [{ type: "command", command: "./their-check", timeout: 5 }],
};

/** A settings file as people have them: any keys, hooks of their own, comments, any layout and line end. */
const settings = fc.record({
  value: fc.dictionary(
    fc.string({ minLength: 1, maxLength: 8 }).filter((key) =>
      key !== "hooks" && key !== "__proto__"
    ),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 4 },
  ),
  hooks: fc.constantFrom(undefined, {}, { PreToolUse: [] }, { PreToolUse: [THEIRS] }, {
    PreToolUse: [THEIRS, THEIRS],
    Stop: [THEIRS],
  }),
  indent: fc.constantFrom(0, 1, 2, 4, "\t"),
  eol: fc.constantFrom("\n", "\r\n"),
  comments: fc.boolean(),
  mark: fc.boolean(),
  end: fc.constantFrom("", "\n", "\n\n"),
}).map(({ value, hooks, indent, eol, comments, mark, end }) => {
  let text = JSON.stringify(hooks === undefined ? value : { ...value, hooks }, null, indent);
  // A comment may stand only where no string is, so the lines of a laid-out text get them.
  if (comments && indent !== 0) {
    text = text.split("\n").map((line, index) =>
      index % 2 === 1 ? `${line} // said ${index}` : line
    ).join("\n");
    text = `/* settings */\n${text}`;
  }
  return (mark ? "\uFEFF" : "") + (text + end).replaceAll("\n", eol);
});

const tomls = fc.constantFrom(
  "",
  'model = "gpt-5.5" # the good one\n',
  '# a comment\nmodel = "x"\n\n[features]\nweb = true # on\n',
  '[hooks.state."/other/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:abc"\n',
  'notes = """\n[not a table]\n"""\r\n[tui]\r\ntheme = "dark"',
  '[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "x"',
);

for (const client of CLIENT_NAMES) {
  const installation = INSTALLATIONS[client];
  describe(`${installation.title}: init, then uninstall`, () => {
    for (const scope of ["user", "project"] as const) {
      test(`a ${scope} without any settings is left as it was, folders too`, async () => {
        await inHome(async (place, state) => {
          const before = snapshot(place.home);
          assert.ok(await install(client, place, state) > 0);
          assert.equal(
            await install(client, place, state),
            0,
            "a second time there is nothing to do",
          );
          await uninstall(client, place, state);
          const after = snapshot(place.home);
          for (
            const path of [
              ".local",
              ".local/state",
            ]
          ) delete after[path];
          assert.deepEqual(after, before);
        }, scope);
      });
    }

    test("every byte of any settings file comes back", async () => {
      await fc.assert(
        fc.asyncProperty(settings, tomls, fc.boolean(), async (json, toml, twice) => {
          await inHome(async (place, state) => {
            for (const path of installation.paths(place)) {
              if (client === "opencode") continue;
              write(path, path.endsWith(".toml") ? toml : json);
            }
            write(join(place.home, "other"), "untouched");
            const before = snapshot(place.home);
            await install(client, place, state);
            for (const path of installation.paths(place)) {
              if (!path.endsWith("json") || client === "opencode") continue;
              const own = (text: string) => {
                const value = { ...jsonValue(text) as Record<string, unknown> };
                delete value.hooks;
                return value;
              };
              assert.deepEqual(
                own(readFileSync(path, "utf8")),
                own(json),
                "the rest means what it meant",
              );
            }
            // Another version of the program in another place.
            if (twice) {
              await install(client, place, state, { ...program, binary: "/opt/new/gatehouse" });
            }
            assert.equal(
              await install(
                client,
                place,
                state,
                twice ? { ...program, binary: "/opt/new/gatehouse" } : program,
              ),
              0,
            );
            await uninstall(client, place, state);
            const after = snapshot(place.home);
            for (const path of Object.keys(after)) {
              if (path.startsWith(".local")) delete after[path];
            }
            assert.deepEqual(after, before);
          });
        }),
        { numRuns: 40 },
      );
    });

    test("when somebody has changed the file since, only our part is taken out", async () => {
      if (client === "opencode") return; // a file of our own
      await inHome(async (place, state) => {
        const [path] = installation.paths(place);
        const event = Object.keys(
          (jsonValue(JSON.stringify(await installed(client, place))) as { hooks: object }).hooks,
        )[0];
        write(path, JSON.stringify({ hooks: { [event]: [THEIRS] }, theirs: 1 }, null, 2));
        await install(client, place, state);
        const text = readFileSync(path, "utf8").replace('"theirs": 1', '"theirs": 2');
        writeFileSync(path, text);
        await uninstall(client, place, state);
        assert.deepEqual(plain(readFileSync(path, "utf8")), {
          hooks: { [event]: [THEIRS] },
          theirs: 2,
        });
      });
    });
  });
}

/** The value of a JSON text with comments, in ordinary objects. */
function plain(text: string): unknown {
  return JSON.parse(JSON.stringify(jsonValue(text)));
}

/** What a new file of a client holds. */
async function installed(client: ClientName, place: Place): Promise<unknown> {
  const [path] = INSTALLATIONS[client].paths(place);
  const texts = await INSTALLATIONS[client].install(new Map(), place, program);
  return JSON.parse(texts.get(path)!);
}

describe("editing with care", () => {
  test("a link to a settings file stays a link", async () => {
    await inHome(async (place, state) => {
      write(join(place.home, "dotfiles/claude.json"), "{}\n");
      mkdirSync(join(place.home, ".claude"));
      symlinkSync("../dotfiles/claude.json", join(place.home, ".claude/settings.json"));
      await install("claude-code", place, state);
      assert.ok(lstatSync(join(place.home, ".claude/settings.json")).isSymbolicLink());
      assert.match(
        readFileSync(join(place.home, "dotfiles/claude.json"), "utf8"),
        /hook claude-code/,
      );
      await uninstall("claude-code", place, state);
      assert.equal(readFileSync(join(place.home, "dotfiles/claude.json"), "utf8"), "{}\n");
    });
  });

  for (
    const [what, text] of [["broken JSON", '{"hooks": '], ["a list", "[]"], [
      "hooks that are a list",
      '{"hooks": []}',
    ], ["an event that is an object", '{"hooks": {"PreToolUse": {}}}']] as const
  ) {
    test(`${what} is not touched, and told`, async () => {
      await inHome(async (place, state) => {
        const path = join(place.home, ".claude/settings.json");
        write(path, text);
        await assert.rejects(() => install("claude-code", place, state), {
          name: "InstallationError",
          message: /Cannot edit .*settings\.json/,
        });
        assert.equal(readFileSync(path, "utf8"), text);
        assert.equal(existsSync(state), false);
      });
    });
  }

  for (
    const [what, text] of [
      [
        "commas at the end",
        '{"a": 1, "hooks": {"PreToolUse": [{"matcher": "x", "hooks": [],},], "Stop": [],},}',
      ],
      [
        "comments everywhere",
        '/*1*/{/*2*/"hooks"/*3*/:/*4*/{/*5*/"PreToolUse"/*6*/:[/*7*/]/*8*/}/*9*/}/*10*/ // 11',
      ],
      ["a comment in a list", '{\n"hooks": {\n"PreToolUse": [\n// none yet\n]\n}\n}'],
      ["no line ends and odd blanks", '{ "hooks" :{"PreToolUse":[ ] },"x":[1,2 ]}'],
      ["only a comment beside", "{}// end"],
      ["braces in strings", '{"}": "{", "hooks": {"]": ["["]}}'],
    ] as const
  ) {
    test(`${what}: what was there is there afterwards, and comes back`, async () => {
      await inHome(async (place, state) => {
        const path = join(place.home, ".claude/settings.json");
        write(path, text);
        const before = plain(text) as { hooks?: Record<string, unknown[]> };
        await install("claude-code", place, state);
        const changed = readFileSync(path, "utf8");
        const after = plain(changed) as { hooks: Record<string, unknown[]> };
        for (const [event, list] of Object.entries(before.hooks ?? {})) {
          assert.deepEqual(after.hooks[event].slice(0, list.length), list, event);
        }
        for (const comment of text.match(/\/\*\d+\*\/|\/\/.*/g) ?? []) {
          assert.ok(changed.includes(comment), comment);
        }
        assert.equal(await install("claude-code", place, state), 0);
        // Without the note of what was there: our own part is taken out of the text.
        const own = INSTALLATIONS["claude-code"].uninstall(new Map([[path, changed]]), place);
        assert.doesNotMatch(own.get(path) ?? "", /hook claude-code/);
        await uninstall("claude-code", place, state);
        assert.equal(readFileSync(path, "utf8"), text);
      });
    });
  }

  test("comments and the order of keys in a settings file stay", async () => {
    await inHome(async (place, state) => {
      const path = join(place.home, ".claude/settings.json");
      write(
        path,
        '{\n    // the model\n    "model": "opus", /* good */\n    "hooks": {\n        // ours\n        "Stop": []\n    }\n}\n',
      );
      await install("claude-code", place, state);
      const text = readFileSync(path, "utf8");
      for (const comment of ["// the model", "/* good */", "// ours"]) {
        assert.ok(text.includes(comment), comment);
      }
      assert.match(text, /\n {8}"PreToolUse"/, "with the file's own indentation");
    });
  });

  test("what cannot be written is not noted as installed", async () => {
    await inHome(async (place, state) => {
      write(join(place.home, ".gemini"), "a file where a folder should be");
      await assert.rejects(() => install("gemini", place, state));
      assert.equal(existsSync(join(state, "installed.json")), false);
      await uninstall("gemini", place, state).catch(() => {});
      assert.equal(
        readFileSync(join(place.home, ".gemini"), "utf8"),
        "a file where a folder should be",
      );
    });
  });

  test("the file's permission bits stay", async () => {
    await inHome(async (place, state) => {
      const path = join(place.home, ".claude/settings.json");
      write(path, "{}");
      await runtime.fs.setMode(path, 0o600);
      await install("claude-code", place, state);
      assert.equal(lstatSync(path).mode & 0o777, 0o600);
    });
  });

  test("Codex is told to trust exactly the hooks that were written", async () => {
    await inHome(async (place, state) => {
      write(
        join(place.home, ".codex/hooks.json"),
        JSON.stringify({ hooks: { PreToolUse: [THEIRS] } }),
      );
      await install("codex", place, state);
      const path = join(place.home, ".codex/hooks.json");
      const config = readFileSync(join(place.home, ".codex/config.toml"), "utf8");
      const hooks = await trustedHooks(readFileSync(path, "utf8"), path, place);
      assert.ok(hooks.some(({ key }) => key === `${path}:pre_tool_use:1:0`), "theirs stands first");
      for (const { key, hash } of hooks) assert.equal(notedHash(config, key), hash);
      assert.equal(config.match(/trusted_hash/g)?.length, hooks.length);
    });
  });

  test("Codex settings in the short form are refused, not broken", async () => {
    await inHome(async (place, state) => {
      write(join(place.home, ".codex/config.toml"), "hooks = { state = {} }\n");
      await assert.rejects(() => install("codex", place, state), {
        name: "InstallationError",
        message: /short form/,
      });
    });
  });

  test("the machine's requirements for Codex hold the hooks and that hooks are on", async () => {
    await inHome(async (place) => {
      const path = "/etc/codex/requirements.toml";
      const given = "# ours\n[features]\nweb = false\n";
      const texts = await INSTALLATIONS.codex.install(new Map([[path, given]]), place, program);
      const text = texts.get(path)!;
      assert.match(text, /^# ours\n\[features\]\nhooks = true\nweb = false\n/);
      assert.equal(text.match(/\[features\]/g)?.length, 1);
      assert.match(text, /\[\[hooks\.PreToolUse\.hooks\]\]/);
      const again = await INSTALLATIONS.codex.install(texts, place, program);
      assert.equal(again.get(path), text);
    }, "system");
  });

  test("another plugin of the same name is not overwritten", async () => {
    await inHome(async (place, state) => {
      write(join(place.home, ".config/opencode/plugin/gatehouse.js"), "// mine\n");
      await assert.rejects(() => install("opencode", place, state), { name: "InstallationError" });
    });
  });
});

describe("the command lines", () => {
  test("they are recognised, and tell which program they start", async () => {
    await inHome(async (place) => {
      const text = JSON.stringify(await installed("codex", place));
      const [hook] = hooksOf(text, "PreToolUse") as { command: string }[];
      assert.ok(isOurCommand(hook.command, "codex"));
      assert.ok(!isOurCommand(hook.command, "gemini"));
      assert.ok(!isOurCommand("/bin/their-hook codex", "codex"));
      assert.equal(programOf(hook.command, "codex"), program.binary);
    });
  });
});
