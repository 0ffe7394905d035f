import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import type { GateResult } from "../../src/call.ts";
import { INSTALLATIONS } from "../../src/clients/install/registry.ts";
import { readPath } from "../../src/guards/absolute_path.ts";
import { movedClientFiles } from "../../src/guards/self_roots.ts";
import { protectedPlace } from "../../src/guards/self_places.ts";
import { judgeSelfProtection } from "../../src/guards/self_protection.ts";
import { runtime } from "../../src/runtime/current.ts";

let home: string;

before(async () => {
  home = await mkdtemp(join(tmpdir(), "gatehouse-self-"));
  mkdirSync(join(home, "work/src"), { recursive: true });
  mkdirSync(join(home, ".claude"));
  mkdirSync(join(home, "gatehouse"));
  mkdirSync(join(home, "bin"));
  writeFileSync(join(home, "bin/gatehouse"), "#!/bin/sh\n");
  writeFileSync(join(home, ".claude/settings.json"), "{}");
  symlinkSync(join(home, ".claude"), join(home, "work/innocent"));
});

after(() => rm(home, { recursive: true, force: true }));

function judge(tool: string, args: Record<string, unknown>): Promise<GateResult | null> {
  return judgeSelfProtection({ tool, action: "", args }, {
    cwd: join(home, "work"),
    home,
    roots: ["/opt/bin/gatehouse", "/srv/state/gatehouse-elsewhere"],
    fs: runtime.fs,
  });
}

const DENIED_COMMANDS: readonly string[] = [
  "echo '{}' > ~/.claude/settings.json",
  `echo '{"disableAllHooks": true}' >> .claude/settings.local.json`,
  "sed -i s/block/allow/ ~/.claude/settings.json",
  "cd ~/.claude && echo {} > settings.json",
  "cp /tmp/x ~/.codex/config.toml",
  "mv ~/.codex ~/.codex.old",
  "rm -rf ~/.claude",
  "rm gatehouse.yaml",
  "truncate -s0 ./gatehouse.yaml",
  "tee .github/hooks/gatehouse.json < /dev/null",
  "ln -sf /tmp/mine ~/.gemini/settings.json",
  "chmod 000 ~/.config/opencode/plugin/gatehouse.js",
  "rm ~/.config/opencode/plugin/*.js",
  "rm ~/.cl*/settings.json",
  "rm -rf ~/.local/state/gatehouse",
  "rm ~/.cache/gatehouse/x",
  "echo > /opt/bin/gatehouse",
  "rm -r /srv/state/gatehouse-elsewhere",
  "echo {} > innocent/settings.json",
  "bash -c 'echo {} > ~/.claude/settings.json'",
  "sudo tee /etc/codex/requirements.toml",
  "python3 -c \"open('.claude/settings.json', 'w').write('{}')\"",
  "node -e \"require('fs').writeFileSync('gatehouse.yaml', '')\"",
  "gatehouse pause --minutes 10",
  "gatehouse uninstall --yes",
  "/usr/local/bin/gatehouse trust",
  "script -qc 'gatehouse trust' /dev/null",
  "yes | gatehouse init --yes",
  "codex --disable hooks exec 'rm -r x'",
  "codex exec -c features.hooks=false go",
  "claude --bare -p go",
  `claude --settings '{"disableAllHooks":true}' -p go`,
  "opencode --pure run go",
  "OPENCODE_PURE=1 opencode run go",
  "ln -s ~/.claude/settings.json s",
  "cp /tmp/settings.json ~/.claude/",
  "cp /tmp/settings.json ~/.claude",
  "mv /tmp/hooks.json /tmp/other ~/.codex",
  "cp -r /tmp/mine/.claude ~/",
  "install -m 600 /tmp/gatehouse.yaml .",
  "git checkout HEAD~3 -- gatehouse.yaml",
  "git rm -f .claude/settings.json",
  "git restore --source=HEAD~1 gatehouse.yaml",
  "ln -sfn /tmp/mine ~/.claude",
  "touch .claude/settings.local.json",
  "rm ~/.claude/*.json",
  "rm ~/.claude/$NAME",
  "mystery-tool --write .claude/settings.json",
  `e"cho" x > .cla'ude'/settings.json`,
  "ln -s ~/.claude c && echo {} > c/settings.json",
  "cp -l ~/.claude/settings.json s",
  "cp -as ~/.claude c",
  "mount --bind /tmp/mine ~/.claude",
  "echo ~/.claude/settings.json | xargs rm",
  "ls ~/.claude/* | xargs -n1 sed -i s/a/b/",
  "find ~/.claude -type f -delete",
  "find ~/.claude -name '*.json' -exec sed -i s/a/b/ {} +",
  "find ~/.claude -name 'set*' -print0 | xargs -0 rm",
  "find ~/.claude -type f | xargs perl -e 'unlink @ARGV'",
  "find ~/.claude ! -name settings.json.bak -delete",
  "find ~/.claude -name x -o -type f -delete",
  "find ~/.codex -name sessions -prune -o -type f -delete",
  "find ~ -name settings.json -delete",
  "find ~ -path '*/.claude/*' -exec rm {} \\;",
  "find ~/.claude -name x -exec rm {} \\; -o -exec tee -name y \\;",
  "find innocent/ -name '*.json' -delete",
  "find .. -type f -delete",
  "find ~/.config/opencode/plugin -name x.md -delete",
  "cd ~/.claude && find . -delete",
  "codex exec -c 'features={hooks=false}' go",
  "codex features disable hooks",
  "codex exec --ignore-user-config go",
  "codex exec -p unhooked go",
  "claude --safe-mode -p go",
  "claude --settings /tmp/mine.json -p go",
  "claude --setting-sources project,local -p go",
  "npx -y @anthropic-ai/claude-code@latest --bare -p go",
  "CLAUDE_CONFIG_DIR=/tmp/mine claude -p go",
  "export HOME=/tmp/mine; codex exec go",
  "env XDG_CONFIG_HOME=/tmp/mine opencode run go",
  "CODEX_HOME=/tmp/mine timeout 9 codex exec go",
  "gatehouse signals prune --older-than 1m",
  "gatehouse signals --json reset",
  "cp ~/bin/gatehouse /tmp/other",
  "cat ../bin/gatehouse > other",
  "ln -s ~/bin/gatehouse other",
  "dd if=../bin/gatehouse of=other",
  "fd settings ~/.claude -X sed -i s/a/b/",
  "cd /srv/state && rm -r gatehouse-elsewhere",
  "cd /opt/bin; mv gatehouse x",
  "fd . ~/.claude | xargs rm",
  "dd if=x of=$HOME/.claude/settings.json",
  "dd if=x of=$HOME/.claude/$NAME",
  "cp --target-directory=$HOME/.claude settings.json",
  "cp notes/* ~/.claude/",
  "cp notes/s*.json innocent",
  "cp -rT notes ~/.claude",
  "rsync -a notes/ ~/.claude/",
  "rsync -a --delete notes/ ~/.claude/",
  "scp host:settings.json ~/.claude/",
  "sftp host:a/settings.json ~/.claude/",
  "xz -dk ~/.claude/settings.json.xz",
  "gunzip -f .claude/settings.json.gz",
  "vim -es -c 'w! ~/.claude/settings.json' -c q x",
  "git archive -o ~/.claude/settings.json HEAD",
  "git archive --output=$HOME/.claude/settings.json HEAD",
  "git format-patch -o ~/.claude/hooks",
  "git worktree add ~/.claude/hooks",
  "git bundle create ~/.claude/settings.json HEAD",
  "git mv .claude old",
  "git -C ~/.claude checkout -- settings.json",
  "git apply --directory=.claude change.diff",
  "patch -d ~/.claude < change.diff",
  "patch --directory=.claude -i change.diff",
  "docker run -v ~/.claude:/c image sh",
  "podman run --volume=$HOME/.codex:/c:rw,z image sh",
  "docker run --mount type=bind,source=$HOME/.codex,target=/c image sh",
  "cd ~/.cl*; echo {} > settings.json",
  "cd ~/.c?aude && rm -f settings.json",
  "pushd ~/.co*x; tee config.toml < mine",
  "pkill -f gatehouse",
  "killall gatehouse",
  "sudo -u other codex exec go",
  "su other -c 'claude -p go'",
  "codex exec -c hooks='{}' go",
  "codex exec --config=hooks.PreToolUse=[] go",
  "copilot --config-dir=/tmp/mine -p go",
  "CLAUDE_CODE_PERSONAL_HOOKS_OFF=launch claude -p go",
  "OPENCODE_TEST_HOME=/tmp/mine opencode run go",
];

const ALLOWED_COMMANDS: readonly string[] = [
  "cat ~/.claude/settings.json",
  "git add .claude/settings.json gatehouse.yaml",
  "git diff gatehouse.yaml",
  "grep -r gatehouse .",
  "gatehouse check bash 'ls'",
  "gatehouse doctor",
  "gatehouse signals list",
  "ls .github",
  "echo x > .github/workflows/ci.yml",
  "mkdir -p .claude/skills",
  "mkdir .claude",
  "cp notes.md .claude/",
  "git checkout main",
  "git restore src/a.ts .github/workflows/ci.yml",
  "cp a.txt b.txt .github/",
  "echo x > .claude/skills/a.md",
  "cp gatehouse.yaml /tmp/copy.yaml",
  "rm -rf node_modules",
  "echo 'edit .claude/settings.json yourself'",
  "claude -p go",
  "codex exec go",
  "npm test",
  "rm *.log",
  "rm *.json",
  "prettier --write '**/*.yaml'",
  "ln -s ../shared shared",
  "ln -s ~/.claude/skills/a.md a.md",
  "cp -r ~/.claude/skills skills",
  "find ~/.claude -type f | xargs grep -l hooks",
  "find ~/.claude -name '*.md' -delete",
  "find ~/.claude/skills -type f -delete",
  "find ~ -name '*.pyc' -delete",
  "find .. -name node_modules -prune -o -name '*.log' -exec rm {} +",
  "find .. \\( -name '*.o' -o -name '*.a' \\) ! -name keep.o -delete",
  "find .. -path './build/*' -delete",
  "find .. -type d -empty -delete",
  "find . -type f -delete",
  "find .. -maxdepth 1 -type f -delete",
  "find .. -type f -exec cat {} +",
  "find . -type f -print0 | xargs -0 sha256sum",
  "ls ~/.claude | xargs -n1 echo",
  "claude --setting-sources user,project -p go",
  "HOME=/tmp/mine npm test",
  "codex exec --disable web_search go",
  "gatehouse signals export --jsonl",
  "cp ~/bin/gatehouse src/",
  "cp ~/bin/gatehouse src/gatehouse",
  "cp -r ../gatehouse copy",
  "cp notes.md gatehouse.md",
  "fd settings ~/.claude -x cat",
  "fd . ~/.claude | xargs grep -l hooks",
  "cp notes/*.md ~/.claude/",
  "cp notes/* ~/.claude/commands/",
  "rsync -a notes ~/.claude/",
  "rsync -a notes.md ~/.claude/",
  "git checkout -b claude",
  "git mv a b",
  "git commit -m 'git mv .claude old'",
  "git worktree add ../feature",
  "patch -d src -p1 < change.diff",
  "docker run -v $PWD:/app -w /app node npm test",
  "docker run -v $HOME/.claude:/c:ro image cat /c/settings.json",
  "docker run --mount type=bind,src=$HOME/.codex,dst=/c,readonly image sh",
  "cd src/* && touch x",
  "cd ~/.cl* && ls",
  "cd ~/.cache/go* && touch x",
  "pkill node",
  "sudo apt-get install claude",
  "claude -p 'what does sudo do'",
  "codex exec -c model=gpt 'explain hooks'",
];

/** Variables by which people move the clients' settings. */
const MOVED = {
  CLAUDE_CONFIG_DIR: "/moved/one",
  CODEX_HOME: "/moved/two",
  COPILOT_HOME: "/moved/three",
  GEMINI_CLI_HOME: "/moved/four",
  XDG_CONFIG_HOME: "/moved/five",
} as const;

function absolute(path: string) {
  const reading = readPath(path, "posix");
  assert.ok(reading.kind === "absolute", path);
  return reading.path;
}

describe("what guards is not changed by what is guarded", () => {
  for (const command of DENIED_COMMANDS) {
    test(`\`${command}\` is refused`, async () => {
      const result = await judge("bash", { command });
      assert.equal(result?.behavior, "deny");
      assert.equal(result?.control, "guard:self");
      assert.match(result?.advice ?? "", /gatehouse pause/);
    });
  }

  for (const command of ALLOWED_COMMANDS) {
    test(`\`${command}\` is left alone`, async () => {
      assert.equal(await judge("bash", { command }), null);
    });
  }

  for (
    const path of [
      "~/.claude/settings.json",
      ".claude/settings.local.json",
      "gatehouse.yaml",
      "sub/Gatehouse.YAML",
      "../.codex/config.toml",
      "src/../../.gemini/settings.json",
      "innocent/settings.json",
      "innocent/settings.local.json",
      "/etc/github-copilot/policy.d/x.json",
      ".opencode/plugin/new.js",
      "/opt/bin/gatehouse",
    ]
  ) {
    test(`the editor may not write ${path}, whether it is there or not`, async () => {
      assert.equal((await judge("editor", { file_path: path }))?.behavior, "deny");
    });

    test(`the reader may read ${path}`, async () => {
      assert.equal(await judge("reader", { path }), null);
    });

    test(`a foreign tool may not write ${path}, but read it`, async () => {
      assert.equal((await judge("mcp__files__write_file", { path }))?.behavior, "deny");
      assert.equal(await judge("mcp__files__read_file", { path }), null);
    });
  }

  for (
    const [tool, args] of [
      ["mcp__files__write_files", { files: [{ path: "a.ts" }, { path: ".claude/settings.json" }] }],
      ["mcp__files__edit", { edits: { targetFile: "innocent/settings.json", text: "{}" } }],
      ["mcp__files__write", { uri: "file:///opt/bin/gatehouse", text: "" }],
      ["mcp__files__write", { uri: "file://localhost/repo/.claude/settings%2ejson" }],
      ["mcp__files__move_file", { source: "mine.json", destination: "~/.codex/hooks.json" }],
      ["mcp__files__move_file", { source: "gatehouse.yaml", destination: "/tmp/x" }],
      ["mcp__files__delete", { paths: ["a", "b", "gatehouse.yaml"] }],
      ["mcp__files__delete", { glob: ".claude/*.json" }],
      ["mcp__files__rename", { path: "/repo", "new-name": "gatehouse.yml" }],
      ["create_file", { filePath: ".github/hooks/x.json" }],
      ["editor", { file_path: "a.ts", new_path: "gatehouse.yaml" }],
      ["editor", { patch: "*** Update File: a.ts\n*** Move to: .claude/settings.json\n" }],
      ["editor", { diff: "--- a/gatehouse.yaml\n+++ b/gatehouse.yaml\n" }],
    ] as const
  ) {
    test(`${tool} may not write with ${JSON.stringify(args)}`, async () => {
      assert.equal((await judge(tool, args))?.behavior, "deny");
    });
  }

  for (
    const [tool, args] of [
      ["mcp__files__read_files", { paths: [".claude/settings.json"] }],
      ["mcp__files__write_files", { files: [{ path: "a.ts", content: "gatehouse.yaml" }] }],
      ["mcp__chat__post", { message: "Please look at ~/.claude/settings.json", channel: "#x" }],
      ["mcp__git__merge", { target: "main", source: "claude" }],
      ["mcp__web__fetch", { url: "https://example.net/gatehouse.yaml?x" }],
      ["TodoWrite", { todos: [{ content: "Edit gatehouse.yaml", status: "open" }] }],
      ["editor", { file_path: "a.ts", new_string: ".claude/settings.json" }],
      ["editor", { file_path: "notes.md", content: "--- gatehouse.yaml" }],
    ] as const
  ) {
    test(`${tool} is left alone with ${JSON.stringify(args)}`, async () => {
      assert.equal(await judge(tool, args), null);
    });
  }

  test("other files beside the protected ones may be edited", async () => {
    for (
      const path of [
        ".claude/skills/a.md",
        ".github/workflows/ci.yml",
        "src/gatehouse.ts",
        "settings.json",
      ]
    ) {
      assert.equal(await judge("editor", { file_path: path }), null, path);
    }
  });

  test("every file that an installation writes is protected", () => {
    for (const installation of Object.values(INSTALLATIONS)) {
      for (const scope of ["user", "project", "system"] as const) {
        for (const variables of [{}, MOVED]) {
          const place = {
            scope,
            home: "/home/me",
            project: "/repo",
            platform: "linux",
            variables,
            sha256: () => Promise.resolve(""),
          } as const;
          if (installation.client === "opencode" && scope === "system") continue;
          const roots = movedClientFiles((name) => (variables as Record<string, string>)[name]);
          for (const path of [...installation.paths(place), ...installation.switches(place)]) {
            const own = absolute(path);
            assert.notEqual(protectedPlace(own, roots.map(absolute)), null, path);
          }
        }
      }
    }
  });

  test("any command line is judged, never an accident", async () => {
    const word = fc.constantFrom(
      "rm",
      ">",
      "~/.claude",
      "$(",
      ")",
      "|",
      "gatehouse",
      "pause",
      "'",
      '"',
      "*",
      "&&",
      "\\",
      "cd",
      "{a,b}",
      "<<E",
      "\n",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 12 }), async (words) => {
        const result = await judge("bash", { command: words.join(" ") });
        assert.ok(result === null || result.behavior === "deny");
      }),
      { numRuns: 200 },
    );
  });
});
