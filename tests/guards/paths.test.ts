import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { PermissionError } from "../../src/call.ts";
import {
  type PathRefusalKind,
  pathRules,
  type PathRulesOptions,
} from "../../src/guards/path_rules.ts";
import { guardPaths, judgePaths } from "../../src/guards/paths.ts";
import { runtime } from "../../src/runtime/current.ts";

interface Layout {
  dir?: string;
  file?: string;
  link?: string;
  to?: string;
}

interface Recorded {
  cwd: string;
  layout: Layout[];
  cases: {
    config: { allowed?: string[]; denied?: string[] };
    args: { path?: string; file_path?: string };
    expect: { allowed: boolean; kind?: string };
  }[];
}

const recorded = JSON.parse(
  readFileSync(new URL("../golden/paths.json", import.meta.url), "utf8"),
) as Recorded;

/** The recorded names of refusals, in our words. */
const KINDS: Record<string, PathRefusalKind> = {
  outside: "outside",
  symlink: "symlink",
  protected: "protected",
  denied_rule: "denied-rule",
};

let root = "";
const fs = runtime.fs;

before(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-paths-")));
  await build(recorded.layout);
});
after(() => rm(root, { recursive: true, force: true }));

async function build(layout: Layout[]): Promise<void> {
  for (const { dir, file, link, to } of layout) {
    if (dir !== undefined) await mkdir(join(root, dir), { recursive: true });
    for (const path of [file, link]) {
      if (path !== undefined) await mkdir(dirname(join(root, path)), { recursive: true });
    }
    if (file !== undefined) await writeFile(join(root, file), "x");
    if (link !== undefined) await symlink(to!, join(root, link));
  }
}

function place(text: string): string {
  return text.replaceAll("{ROOT}", root);
}

describe("guardPaths() on recorded paths", () => {
  test("there are 352 recorded rows", () => assert.equal(recorded.cases.length, 352));

  for (const [index, { config, args, expect }] of recorded.cases.entries()) {
    const words = expect.allowed ? "allows" : `refuses as ${expect.kind}`;
    test(`D2-7 row ${index + 1} ${words} ${JSON.stringify(args)} under ${JSON.stringify(config)}`, async () => {
      const options: PathRulesOptions = {
        allowed: config.allowed?.map(place),
        denied: config.denied?.map(place),
        symlinks: "refuse",
        cwd: join(root, recorded.cwd),
        fs,
      };
      const given = place(args.path ?? args.file_path ?? "");
      const call = { tool: "reader", action: "", args: mapValues(args, place) };
      const result = await judgePaths(call, options);
      assert.equal(result === null, expect.allowed, result?.reason);
      if (expect.kind !== undefined) {
        assert.equal((await pathRules(options).judge(given))?.kind, KINDS[expect.kind]);
      }
    });
  }
});

function mapValues(record: Record<string, string>, change: (value: string) => string) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

describe("guardPaths()", () => {
  const judge = async (given: string, options: Partial<PathRulesOptions> = {}) =>
    (await pathRules({ allowed: [join(root, "repo")], home: join(root, "home"), fs, ...options })
      .judge(place(given)))?.kind ?? null;

  before(() =>
    build([
      { file: "home/.bashrc-target" },
      { link: "home/.bashrc", to: ".bashrc-target" },
      { file: "repo/other.txt" },
      { link: "repo/chain1", to: "chain2" },
      { link: "repo/chain2", to: "../outside/secret" },
      { link: "repo/dangling", to: "../outside/not-there" },
      { link: "repo/plain-name", to: ".env" },
      { link: "repo/ring1", to: "ring2" },
      { link: "repo/ring2", to: "ring1" },
      { link: "broad", to: "home" },
      { link: "top", to: "/" },
      { link: "repo/~tilde", to: "src" },
    ])
  );

  test("D2-8 follows links to where they lead by default", async () => {
    assert.equal(await judge("inlink"), null);
    assert.equal(await judge("selflink"), null);
    assert.equal(await judge("filelink"), "outside");
    assert.equal(await judge("outlink/new/deep"), "outside");
    assert.equal(await judge("chain1"), "outside");
    assert.equal(await judge("dangling"), "outside");
    assert.equal(await judge("outlink/../repo/src/a.ts"), null);
  });

  test("D2-8 links in a circle end in a refusal", async () => {
    assert.equal(await judge("loop"), "loop");
    assert.equal(await judge("ring1/x"), "loop");
  });

  test("a link that leads to a protected name is refused, whatever it is called", async () => {
    assert.equal(await judge("plain-name"), "protected");
  });

  test("~ is the home folder, and refused where no home is known", async () => {
    assert.equal(await judge("~/x"), "outside");
    assert.equal(await judge("~"), "outside");
    assert.equal(await judge("~/x", { allowed: ["~"] }), null);
    assert.equal(await judge("~/x", { home: undefined }), "not-understood");
    assert.equal(await judge("~root/x"), "not-understood");
    assert.equal(await judge("./~tilde/a.ts"), null);
  });

  test("what is no path is refused", async () => {
    assert.equal(await judge("file:///etc/passwd"), "not-understood");
    assert.equal(await judge("a\0b"), "not-understood");
  });

  test("a name of full-width dots is a name, not a parent", async () => {
    assert.equal(await judge("．．/other/x"), null);
  });

  test("relative roots begin in cwd, and without roots so do relative paths", async () => {
    assert.equal(await judge("src/a.ts", { allowed: ["."], cwd: join(root, "repo") }), null);
    assert.equal(await judge("src/a.ts", { allowed: ["."], cwd: undefined }), "not-understood");
    assert.equal(await judge("src/a.ts", { allowed: [] }), "not-understood");
    assert.equal(await judge("src/a.ts", { allowed: [], cwd: join(root, "repo") }), null);
  });

  test("a denied link covers what it leads to", async () => {
    const options = { allowed: [], denied: ["~/.bashrc"] };
    assert.equal(await judge("{ROOT}/home/.bashrc-target", options), "denied-rule");
    assert.equal(await judge("{ROOT}/home/.bashrc", options), "denied-rule");
    assert.equal(await judge("{ROOT}/home/.profile", options), null);
  });

  test("a denied pattern with a slash is compared from the root down, hidden folders too", async () => {
    assert.equal(await judge("src/.deep/x", { denied: ["src/**"] }), "denied-rule");
    assert.equal(await judge("src/x/y/z.key", { denied: ["src/**/*.key"] }), "denied-rule");
    assert.equal(await judge("sub/src/x", { denied: ["src/**"] }), null);
    assert.equal(
      await judge("src/[id]/page.tsx", { denied: ["src/[id]/page.tsx"] }),
      "denied-rule",
    );
    assert.equal(await judge("src/../src/deep/x", { denied: ["./src/deep"] }), "denied-rule");
    assert.equal(await judge("#notes/x", { denied: ["#notes/**"] }), "denied-rule");
  });

  test("where names ignore case, so do roots and denied paths", async () => {
    const folding = { ignoreCase: true };
    assert.equal(await judge("SRC/A.TS", { ...folding, denied: ["src/*.ts"] }), "denied-rule");
    assert.equal(await judge("straße.txt", { ...folding, denied: ["strasse.txt"] }), "denied-rule");
    assert.equal(await judge("README", { denied: ["readme"] }), null);
  });

  test("a root that leads through a link to the home or to the top asks", async () => {
    assert.equal(await judge("x", { allowed: [join(root, "broad")] }), "broad-root");
    assert.equal(await judge("etc/x", { allowed: [join(root, "top")] }), "broad-root");
    assert.equal(await judge("x", { allowed: [join(root, "home")] }), null);
  });

  test("both path arguments are judged, and one that is no text is refused", async () => {
    const options = { allowed: [join(root, "repo")], fs };
    const call = (args: Record<string, unknown>) =>
      judgePaths({ tool: "editor", action: "write", args }, options);
    assert.equal((await call({ path: "src/a.ts", file_path: "../x" }))?.matchedRule, "outside");
    assert.equal((await call({ path: 3 }))?.reason, "Cannot judge path: it is a number, not text");
    assert.equal((await call({ path: ["a"] }))?.reasonCode, "input");
    assert.equal(await call({}), null);
  });

  test("D2-7 throws a PermissionError that says where the path leads", async () => {
    const guard = guardPaths({ allowed: [join(root, "repo")], fs });
    const error = await guard("reader", "", { path: "chain1" }).catch((error) => error);
    assert.ok(error instanceof PermissionError);
    assert.equal(
      error.message,
      `Cannot use chain1: it leads to ${root}/outside/secret, outside of ${root}/repo`,
    );
    assert.ok(Object.isFrozen(error.result));
    assert.equal(error.result?.control, "guard:paths");
  });
});

describe("guardPaths() with the rules of Windows", () => {
  const links: Record<string, string> = { "C:\\projects\\app\\j": "C:\\other" };
  const rules = pathRules({
    allowed: ["C:\\projects\\app"],
    style: "windows",
    fs: {
      information: (path) =>
        Promise.resolve({
          kind: path in links ? "link" : "directory",
          size: 0,
          modifiedMs: 0,
          mode: 0,
        }),
      readLink: (path) => Promise.resolve(links[path]!),
    },
  });
  const rows: [string, PathRefusalKind | null][] = [
    ["c:\\PROJECTS\\App\\src\\a.ts", null],
    ["C:/projects/app/src/a.ts", null],
    ["src\\a.ts", null],
    ["\\\\?\\C:\\projects\\app\\a.ts", null],
    ["C:\\projects\\app\\j\\config.json", "outside"],
    ["..\\secret", "outside"],
    ["D:\\work\\app\\a.ts", "outside"],
    ["C:a.ts", "not-understood"],
    ["\\work\\app\\a.ts", "not-understood"],
    ["\\\\server\\share\\a.txt", "not-understood"],
    ["\\\\.\\PhysicalDrive0", "not-understood"],
    ["a.txt:stream", "not-understood"],
    ["secret. ", "not-understood"],
    ["PROGRA~1\\x", "not-understood"],
    ["nul.txt", "not-understood"],
    ["src\\.ENV", "protected"],
  ];
  for (const [given, kind] of rows) {
    test(`${JSON.stringify(given)} is ${kind ?? "allowed"}`, async () => {
      assert.equal((await rules.judge(given))?.kind ?? null, kind);
    });
  }
});
