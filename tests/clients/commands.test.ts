// `init`, `uninstall`, `doctor` and `pause`, as a person runs them: the real binary in a home of its own.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { chmod, copyFile, link, mkdir, rm } from "node:fs/promises";
import { before, describe, test } from "node:test";
import { STARTER_NAMES } from "../../src/config/starter.ts";
import { builtBinary, type ProgramEnd, start } from "../binary/built_binary.ts";
import { inTemporaryFolder, type TemporaryFolder } from "../temporary_folder.ts";

let binary = "";

before(async () => {
  binary = await builtBinary();
});

/** A home with gatehouse in it, a project, and the settings folders of the clients that are named. */
async function inHome(
  clients: readonly string[],
  body: (
    run: (args: readonly string[], env?: Record<string, string>) => Promise<ProgramEnd>,
    folder: TemporaryFolder,
  ) => Promise<void>,
): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    for (const name of ["home/bin", "project", ...clients.map((client) => `home/${client}`)]) {
      await mkdir(folder.at(name), { recursive: true });
    }
    const program = folder.at("home/bin/gatehouse");
    await link(binary, program).catch(async () => {
      await copyFile(binary, program);
      await chmod(program, 0o755);
    });
    await body((args, env = {}) =>
      start([program, ...args], {
        cwd: folder.at("project"),
        env: { PATH: `${folder.at("home/bin")}:/usr/bin:/bin`, HOME: folder.at("home"), ...env },
      }), folder);
  });
}

const ALL = [".claude", ".codex", ".gemini", ".config/opencode", ".copilot"];

describe("gatehouse init", () => {
  test("finds the clients that are there, shows the change, and makes it once", async () => {
    await inHome([".claude", ".codex"], async (run, folder) => {
      const first = await run(["init", "--yes"]);
      assert.equal(first.code, 0, first.stderr);
      assert.match(first.stdout, /^\+ .*"PreToolUse"/m);
      assert.match(first.stdout, /^\+trusted_hash = "sha256:[0-9a-f]{64}"$/m);
      assert.ok(!existsSync(folder.at("home/.gemini/settings.json")));
      const again = await run(["init", "--yes"]);
      assert.equal(again.code, 0);
      assert.match(again.stdout, /Claude Code: the hook is in place\.\n/);
      assert.doesNotMatch(again.stdout, /^\+/m);
    });
  });

  test("changes nothing where nobody can be asked and nobody said yes", async () => {
    await inHome([".claude"], async (run, folder) => {
      const { code, stderr } = await run(["init"]);
      assert.equal(code, 2);
      assert.match(stderr, /--yes/);
      assert.ok(!existsSync(folder.at("home/.claude/settings.json")));
    });
  });

  test("says so where no client is", async () => {
    await inHome([], async (run) => {
      const { code, stderr } = await run(["init", "--yes"]);
      assert.equal(code, 1);
      assert.match(stderr, /No coding agent was found/);
    });
  });

  test("warns when a file here switches the hooks off", async () => {
    await inHome([".claude"], async (run, folder) => {
      await folder.write("project/.claude/settings.json", '{"disableAllHooks": true}');
      const { code, stderr } = await run(["init", "--yes"]);
      assert.equal(code, 0);
      assert.match(stderr, /switches all hooks off .*so the hook will not be called/);
    });
  });

  test("an unknown client, preset or two scopes at once are wrong usage", async () => {
    await inHome([], async (run) => {
      for (
        const args of [["claude"], ["codex", "--preset", "lax"], ["codex", "--user", "--project"]]
      ) {
        assert.equal((await run(["init", "--yes", ...args])).code, 2, args.join(" "));
      }
    });
  });

  test("what cannot be edited is told, and the other clients are done", async () => {
    await inHome([".claude", ".gemini"], async (run, folder) => {
      await folder.write("home/.claude/settings.json", "{ not json");
      const { code, stderr } = await run(["init", "--yes"]);
      assert.equal(code, 1);
      assert.match(stderr, /Claude Code: Cannot edit .*line 1 is not JSON/);
      assert.equal(readFileSync(folder.at("home/.claude/settings.json"), "utf8"), "{ not json");
      assert.ok(existsSync(folder.at("home/.gemini/settings.json")));
    });
  });

  for (const preset of STARTER_NAMES) {
    test(`the preset ${preset} is a valid configuration, which is not written over another`, async () => {
      await inHome([".claude"], async (run, folder) => {
        assert.equal((await run(["init", "--yes", "--preset", preset])).code, 0);
        const lint = await run(["policy", "lint"]);
        assert.equal(lint.code, 0, lint.stdout + lint.stderr);
        const path = folder.at("home/.config/gatehouse/gatehouse.yaml");
        const before = readFileSync(path, "utf8");
        assert.equal((await run(["init", "--yes", "--preset", "guards"])).code, 0);
        assert.equal(readFileSync(path, "utf8"), before);
      });
    });
  }

  test("the presets judge as their names say", async () => {
    const wanted: readonly (readonly [string, Record<string, number>])[] = [
      ["guards", { "git status": 0, "npm test": 0, "rm -rf /": 1 }],
      ["safe", { "git status": 0, "npm test": 3, "rm x": 1 }],
      ["readonly", { "git status": 1 }],
      ["strict", { "git status": 0, "npm test": 3, "git push origin x": 1 }],
    ];
    for (const [preset, commands] of wanted) {
      await inHome([".claude"], async (run) => {
        await run(["init", "--yes", "--preset", preset]);
        for (const [command, code] of Object.entries(commands)) {
          const end = await run(["check", "bash", command]);
          assert.equal(end.code, code, `${preset}: ${command}: ${end.stdout}`);
        }
      });
    }
  });

  test("in a project, the files name gatehouse without a folder, so that others can use them", async () => {
    await inHome([], async (run, folder) => {
      const { code, stdout } = await run(["init", "claude-code", "--project", "--yes"]);
      assert.equal(code, 0);
      assert.match(stdout, /gatehouse trust/);
      const text = readFileSync(folder.at("project/.claude/settings.json"), "utf8");
      assert.match(text, / gatehouse hook claude-code /);
      assert.ok(existsSync(folder.at("project/gatehouse.yaml")));
    });
  });
});

describe("gatehouse uninstall", () => {
  test("takes out all that init put in, the starter too", async () => {
    await inHome(ALL, async (run, folder) => {
      await folder.write("home/.claude/settings.json", '{ "model" : "opus" } // mine\n');
      await run(["init", "--yes"]);
      assert.ok(existsSync(folder.at("home/.copilot/hooks/gatehouse.json")));
      const { code } = await run(["uninstall", "--yes"]);
      assert.equal(code, 0);
      assert.equal(
        readFileSync(folder.at("home/.claude/settings.json"), "utf8"),
        '{ "model" : "opus" } // mine\n',
      );
      for (
        const path of [
          ".copilot/hooks",
          ".codex/hooks.json",
          ".codex/config.toml",
          ".config/opencode/plugin",
          ".config/gatehouse",
          ".local/state/gatehouse",
        ]
      ) {
        assert.ok(!existsSync(folder.at(`home/${path}`)), path);
      }
      assert.match((await run(["uninstall", "--yes"])).stdout, /nothing to take out/);
    });
  });

  test("leaves a starter that somebody has edited", async () => {
    await inHome([".claude"], async (run, folder) => {
      await run(["init", "--yes"]);
      await folder.write("home/.config/gatehouse/gatehouse.yaml", "version: 1\n");
      await run(["uninstall", "--yes"]);
      assert.equal(
        readFileSync(folder.at("home/.config/gatehouse/gatehouse.yaml"), "utf8"),
        "version: 1\n",
      );
    });
  });
});

describe("gatehouse doctor", () => {
  test("finds nothing wrong after init, and each hook denies what it must", async () => {
    await inHome(ALL, async (run) => {
      await run(["init", "--yes"]);
      const { code, stdout } = await run(["doctor", "--live", "--json"]);
      const report = JSON.parse(stdout);
      assert.equal(code, 0, stdout);
      assert.equal(report.ok, true);
      assert.equal(report.clients.length, 5);
      for (const client of report.clients) assert.equal(client.hooks.length, 1, client.client);
    });
  });

  const broken: readonly (readonly [
    what: string,
    breakIt: (folder: TemporaryFolder) => Promise<unknown>,
    message: RegExp,
    live?: boolean,
  ])[] = [
    [
      "a hook that is not installed",
      (folder) => rm(folder.at("home/.claude/settings.json")),
      /Claude Code: the hook is not installed/,
    ],
    ["a program that is gone", async (folder) => {
      const path = folder.at("home/.gemini/settings.json");
      await folder.write(
        "home/.gemini/settings.json",
        readFileSync(path, "utf8").replaceAll("bin/gatehouse", "bin/gone"),
      );
    }, /starts .*bin\/gone, which is not there/],
    ["another program", async (folder) => {
      const path = folder.at("home/.gemini/settings.json");
      await folder.write("home/bin/other", "#!/bin/sh\n");
      await folder.write(
        "home/.gemini/settings.json",
        readFileSync(path, "utf8").replaceAll("bin/gatehouse", "bin/other"),
      );
    }, /starts .*bin\/other, not this program/],
    ["a hook that Codex does not trust", async (folder) => {
      const path = folder.at("home/.codex/config.toml");
      await folder.write(
        "home/.codex/config.toml",
        readFileSync(path, "utf8").replace(/sha256:[0-9a-f]{6}/, "sha256:000000"),
      );
    }, /is not as this version installs it, or is not trusted/],
    [
      "hooks switched off by the project",
      (folder) => folder.write("project/.claude/settings.json", '{"disableAllHooks": true}'),
      /project\/\.claude\/settings\.json switches all hooks off/,
    ],
    [
      "hooks switched off in Codex",
      (folder) => folder.write("project/.codex/config.toml", "[features]\nhooks = false\n"),
      /switches all hooks off \(\[features\]/,
    ],
    [
      "hooks switched off in Codex, in the short form",
      (folder) => folder.write("project/.codex/config.toml", "features = { hooks = false }\n"),
      /switches all hooks off \(\[features\]/,
    ],
    [
      "hooks switched off in Codex, with a dotted name",
      (folder) => folder.write("project/.codex/config.toml", '"features".hooks = false # off\n'),
      /switches all hooks off \(\[features\]/,
    ],
    [
      "hooks switched off in Gemini CLI",
      (folder) =>
        folder.write("project/.gemini/settings.json", '{"hooksConfig": {"enabled": false}}'),
      /hooksConfig\.enabled/,
    ],
    [
      "a configuration that cannot be read",
      (folder) => folder.write("home/.config/gatehouse/gatehouse.yaml", "version: 9\n"),
      /configuration: every call is denied/,
    ],
    [
      "a hook that lets everything through",
      async (folder) => {
        await rm(folder.at("home/bin/gatehouse"));
        await copyFile(binary, folder.at("home/bin/real"));
        await folder.write(
          "home/bin/gatehouse",
          `#!/bin/sh\n[ "$1" = hook ] && exit 0\nexec "$HOME/bin/real" "$@"\n`,
        );
        await chmod(folder.at("home/bin/gatehouse"), 0o755);
      },
      /a call that must be denied was let through/,
      true,
    ],
  ];
  for (const [what, breakIt, message, live = false] of broken) {
    test(`${what} is found`, async () => {
      await inHome(ALL, async (run, folder) => {
        await run(["init", "--yes"]);
        await breakIt(folder);
        const { code, stdout } = await run(["doctor", ...(live ? ["--live"] : [])], {
          NO_COLOR: "1",
        });
        assert.equal(code, 1, stdout);
        assert.match(stdout, message);
      });
    });
  }

  test("an environment that the runtime obeys is found", async () => {
    await inHome([], async (run) => {
      const { code, stdout } = await run(["doctor"], { BUN_BE_BUN: "1" });
      assert.equal(code, 1);
      assert.match(stdout, /BUN_BE_BUN is set/);
    });
  });

  test("it says what a policy means in a client that cannot ask", async () => {
    await inHome([".codex", ".claude"], async (run) => {
      await run(["init", "--yes", "--preset", "safe"]);
      const { code, stdout } = await run(["doctor"]);
      assert.equal(code, 0, stdout);
      assert.match(stdout, /Codex CLI: `escalate` rules act as deny/);
      assert.doesNotMatch(stdout, /Claude Code: `escalate` rules/);
    });
  });

  for (
    const [onStop, can, cannot] of [
      ["block", "Claude Code", /OpenCode: `onStop: block` only records/],
      ["warn", "Claude Code", /Codex CLI: `onStop: warn` only records where it runs without/],
      ["warn", "Claude Code", /Copilot CLI: `onStop: warn` only records:/],
    ] as const
  ) {
    test(`it says which client \`onStop: ${onStop}\` does nothing in: ${cannot.source}`, async () => {
      await inHome(ALL, async (run, folder) => {
        await folder.write(
          "home/.config/gatehouse/gatehouse.yaml",
          `version: 1\ncompletion: { onStop: ${onStop} }\n`,
        );
        const { stdout } = await run(["doctor"], { NO_COLOR: "1" });
        assert.match(stdout, cannot);
        assert.ok(!stdout.includes(`${can}: \`onStop`), stdout);
      });
    });
  }
});

describe("gatehouse pause", () => {
  test("opens no window where no person is", async () => {
    await inHome([], async (run, folder) => {
      const { code, stderr } = await run(["pause", "--minutes", "5"]);
      assert.equal(code, 2);
      assert.match(stderr, /a person must answer on a terminal/);
      assert.ok(!existsSync(folder.at("home/.local/state/gatehouse/pause.json")));
      assert.match((await run(["pause"])).stdout, /No window is open/);
    });
  });

  test("opens one for a person at a terminal, and lists it", async () => {
    await inHome([], async (run, folder) => {
      const program = folder.at("home/bin/gatehouse");
      // `script` gives the program a terminal.
      const end = await start(["script", "-qec", `${program} pause --minutes 5`, "/dev/null"], {
        cwd: folder.at("project"),
        env: { PATH: "/usr/bin:/bin", HOME: folder.at("home") },
        input: "y\n",
      }).catch(() => null);
      if (end === null) return; // no such program here
      assert.match(end.stdout, /A window is open until/);
      assert.match((await run(["pause"])).stdout, /A window is open until/);
      assert.equal((await run(["doctor"])).code, 1);
      assert.equal((await run(["pause", "--end"])).code, 0);
      assert.match((await run(["pause", "--list"])).stdout, /opened for 5 minutes\n.*closed\n/);
      assert.match((await run(["pause"])).stdout, /No window is open/);
    });
  });

  test("no more than an hour, and no less than a minute", async () => {
    await inHome([], async (run) => {
      for (const minutes of ["0", "61", "1.5", "x", "-1"]) {
        assert.equal((await run(["pause", `--minutes=${minutes}`])).code, 2, minutes);
      }
    });
  });

  test("a window lets the protected files be changed, and closes by itself", async () => {
    await inHome([], async (run, folder) => {
      const check = () => run(["check", "editor", "gatehouse.yaml"]);
      assert.equal((await check()).code, 1);
      const state = "home/.local/state/gatehouse/pause.json";
      const now = Date.now();
      await folder.write(state, JSON.stringify({ since: now - 1000, until: now + 600_000 }));
      assert.notEqual((await check()).code, 1);
      for (
        const pause of [
          { since: now - 2000, until: now - 1000 },
          { since: 0, until: now + 9e12 },
          { since: now + 60_000, until: now + 120_000 },
          {},
          [],
        ]
      ) {
        await folder.write(state, JSON.stringify(pause));
        assert.equal((await check()).code, 1, JSON.stringify(pause));
      }
    });
  });
});
