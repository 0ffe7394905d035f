import assert from "node:assert/strict";
import { chmod, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ConfigurationError } from "../../src/config/configuration_error.ts";
import { type Configuration, loadConfiguration } from "../../src/config/load_configuration.ts";
import { writeTrustedFile } from "../../src/config/trust.ts";
import { UserFoldersError } from "../../src/config/user_folders.ts";
import { runtimeAtHome, runtimeWith } from "../runtime_with_environment.ts";
import { inTemporaryFolder, type TemporaryFolder } from "../temporary_folder.ts";

const RULES =
  "version: 1\npolicy: { mode: rules, allow: { bash: [ls] }, deny: { bash: ['rm *'] } }\n";

function load(folder: TemporaryFolder, cwd: string, config?: string): Promise<Configuration> {
  return loadConfiguration(runtimeAtHome(folder.at("home")), { cwd: folder.at(cwd), config });
}

async function trust(folder: TemporaryFolder, name: string): Promise<void> {
  const runtime = runtimeAtHome(folder.at("home"));
  const bytes = await runtime.fs.readFile(folder.at(name));
  await writeTrustedFile(runtime.fs, folder.at("home/.local/state/gatehouse"), folder.at(name), {
    sha256: await runtime.sha256(bytes),
    trustedAt: "2026-12-01T00:00:00.000Z",
  });
}

function layersOf(folder: TemporaryFolder, { layers }: Configuration): string[] {
  return layers.map(({ origin, trusted, file }) =>
    `${origin} ${trusted ? "trusted" : "untrusted"} ${file.path.slice(folder.path.length + 1)}`
  );
}

describe("loadConfiguration()", () => {
  test("without any file there are no layers, and the workspace is the folder", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.folder("p");
      const configuration = await load(folder, "p");
      assert.deepEqual(configuration.layers, []);
      assert.equal(configuration.workspace, folder.at("p"));
      assert.deepEqual(configuration.notices, []);
    });
  });

  test("finds the user's file, and the project's from the repository's root down", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("home/.config/gatehouse/gatehouse.yaml", RULES);
      await folder.write("gatehouse.yaml", RULES);
      await folder.folder("repo/.git");
      await folder.write("repo/gatehouse.yaml", RULES);
      await folder.write("repo/a/b/gatehouse.yaml", RULES);
      const configuration = await load(folder, "repo/a/b");
      assert.deepEqual(layersOf(folder, configuration), [
        "user trusted home/.config/gatehouse/gatehouse.yaml",
        "project untrusted repo/gatehouse.yaml",
        "project untrusted repo/a/b/gatehouse.yaml",
      ]);
      assert.equal(configuration.workspace, folder.at("repo"));
      assert.equal(configuration.notices.length, 2);
      assert.match(configuration.notices[0], /is not trusted, so its allow rules do not count/);
    });
  });

  test("outside a repository only the folder itself is the project", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("gatehouse.yaml", RULES);
      await folder.write("p/q/gatehouse.yaml", RULES);
      assert.deepEqual(layersOf(folder, await load(folder, "p/q")), [
        "project untrusted p/q/gatehouse.yaml",
      ]);
    });
  });

  test("a .git file counts as a repository, as in a linked working tree", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("tree/.git", "gitdir: elsewhere\n");
      await folder.folder("tree/src");
      assert.equal((await load(folder, "tree/src")).workspace, folder.at("tree"));
    });
  });

  test("trust is for a path and for the very content", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("p/gatehouse.yaml", RULES);
      await trust(folder, "p/gatehouse.yaml");
      const trusted = await load(folder, "p");
      assert.deepEqual(layersOf(folder, trusted), ["project trusted p/gatehouse.yaml"]);
      assert.deepEqual(trusted.notices, []);
      await folder.write("p/gatehouse.yaml", RULES + "# changed\n");
      assert.deepEqual(layersOf(folder, await load(folder, "p")), [
        "project untrusted p/gatehouse.yaml",
      ]);
      await folder.write("q/gatehouse.yaml", RULES);
      assert.deepEqual(layersOf(folder, await load(folder, "q")), [
        "project untrusted q/gatehouse.yaml",
      ]);
    });
  });

  test("a repository made inside another does not hide what was trusted above it", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.folder("outer/.git");
      await folder.write("outer/gatehouse.yaml", RULES);
      await folder.folder("outer/inner/.git");
      assert.deepEqual(layersOf(folder, await load(folder, "outer/inner")), []);
      await trust(folder, "outer/gatehouse.yaml");
      assert.deepEqual(layersOf(folder, await load(folder, "outer/inner")), [
        "project trusted outer/gatehouse.yaml",
      ]);
    });
  });

  test("a file named by hand is trusted and stands alone", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("home/.config/gatehouse/gatehouse.yaml", RULES);
      await folder.write("p/gatehouse.yaml", RULES);
      const other = await folder.write("other.yaml", "version: 1\npolicy: deny_all\n");
      assert.deepEqual(layersOf(folder, await load(folder, "p", other)), [
        "explicit trusted other.yaml",
      ]);
      const nowhere = loadConfiguration(runtimeWith({}), { cwd: folder.at("p"), config: other });
      assert.equal((await nowhere).folders, null);
    });
  });

  test("a file with problems, or one that cannot be read, never means that there are no rules", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("p/gatehouse.yaml", "version: 1\npolcy: safe\n");
      await assert.rejects(load(folder, "p"), ConfigurationError);
      await folder.folder("q/gatehouse.yaml");
      await assert.rejects(load(folder, "q"), /Cannot read .*gatehouse\.yaml: is-a-directory/);
      await folder.folder("r");
      await assert.rejects(load(folder, "r", folder.at("missing.yaml")), /not-found/);
    });
  });

  test("a damaged list of trusted files is told, not taken for an empty one", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("p/gatehouse.yaml", RULES);
      await folder.write("home/.local/state/gatehouse/trust.json", "{");
      await assert.rejects(load(folder, "p"));
    });
  });

  test("without a home folder it refuses: not looked is not the same as not found", async () => {
    await inTemporaryFolder(async (folder) => {
      await assert.rejects(
        loadConfiguration(runtimeWith({}), { cwd: folder.path }),
        UserFoldersError,
      );
    });
  });

  test("follows the XDG variables", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("c/gatehouse/gatehouse.yaml", RULES);
      const runtime = runtimeWith({
        HOME: folder.at("home"),
        XDG_CONFIG_HOME: folder.at("c"),
        XDG_STATE_HOME: folder.at("s"),
        XDG_CACHE_HOME: "not/absolute",
      });
      const { layers, folders } = await loadConfiguration(runtime, { cwd: folder.path });
      assert.equal(layers.length, 1);
      assert.equal(folders?.state, folder.at("s/gatehouse"));
      assert.equal(folders?.cache, folder.at("home/.cache/gatehouse"));
    });
  });
});

describe("the cache of compiled configurations", () => {
  const cacheOf = (folder: TemporaryFolder) => folder.at("home/.cache/gatehouse/configurations");

  test("keeps one private entry for each content", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("p/gatehouse.yaml", RULES);
      const first = await load(folder, "p");
      const names = await readdir(cacheOf(folder));
      assert.equal(names.length, 1);
      assert.equal((await stat(cacheOf(folder))).mode & 0o777, 0o700);
      assert.equal((await stat(join(cacheOf(folder), names[0]))).mode & 0o777, 0o600);
      const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
      assert.deepEqual(plain(await load(folder, "p")), plain(first));
    });
  });

  test("files of one content in two places each keep theirs", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("p/gatehouse.yaml", RULES);
      await folder.write("q/gatehouse.yaml", RULES);
      await load(folder, "p");
      await load(folder, "q");
      assert.equal((await readdir(cacheOf(folder))).length, 2);
    });
  });

  test("an entry that does not fit, or is damaged, is as good as none", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("p/gatehouse.yaml", RULES);
      await load(folder, "p");
      const [name] = await readdir(cacheOf(folder));
      const entry = join(cacheOf(folder), name);
      const [json, source] = runtimeAtHome("").fs.readTextNow(entry).split("\0");
      assert.equal(source, RULES);
      const good = JSON.parse(json);
      const kept = (value: unknown, text = RULES) => `${JSON.stringify(value)}\0${text}`;
      // What is kept counts at all: it is read, and nothing is compiled again.
      await folder.write(
        entry.slice(folder.path.length + 1),
        kept({ ...good, file: { ...good.file, deadline: 7 } }),
      );
      assert.equal((await load(folder, "p")).layers[0].file.deadline, 7);
      const other = await folder.write("elsewhere", "");
      for (
        const bad of [
          "",
          "{",
          "null",
          `\0${RULES}`,
          JSON.stringify(good),
          kept({ ...good, format: 0 }),
          kept({ ...good, version: "0.0.0" }),
          kept({ ...good, file: { ...good.file, path: other } }),
          kept(good, `${RULES} `),
          kept(good, ""),
        ]
      ) {
        await folder.write(entry.slice(folder.path.length + 1), bad);
        const { layers } = await load(folder, "p");
        assert.deepEqual(layers[0].file.policy?.policy.tiers.deny.bash.patterns, ["rm *"], bad);
        assert.equal(layers[0].file.path, folder.at("p/gatehouse.yaml"));
      }
    });
  });

  test("a cache that cannot be written changes nothing", async () => {
    await inTemporaryFolder(async (folder) => {
      await folder.write("p/gatehouse.yaml", RULES);
      await folder.write("home/.cache", "a file where a folder should be");
      assert.equal((await load(folder, "p")).layers.length, 1);
      await chmod(folder.at("home"), 0o700);
    });
  });
});
