// Installing the real clients, with programs in npm's place that do what npm may do.

import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { installClient, isInstalled } from "../../scripts/clients/install_clients.ts";
import type { ClientPackage } from "../../scripts/clients/versions.ts";

const CLIENT: ClientPackage = {
  client: "codex",
  package: "a-client",
  version: "1.2.3",
  program: "bin/client.js",
  setup: null,
};

/** More than any of these programs needs that ends by itself. */
const AMPLE_MS = 60_000;

const INSTALLS = `mkdir -p node_modules/a-client/bin
echo '{"version":"1.2.3"}' > node_modules/a-client/package.json
echo "$*" > asked`;

describe("installing a client", { skip: process.platform === "win32" }, () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "gatehouse-install-"));
  });
  after(() => rm(root, { recursive: true, force: true }));

  /** A folder to install into, and what stands for npm. */
  async function npmThat(does: string): Promise<{ folder: string; npm: string }> {
    const folder = await mkdtemp(join(root, "clients-"));
    const npm = join(folder, "npm");
    await writeFile(npm, `#!/bin/sh\n${does}\n`);
    await chmod(npm, 0o755);
    return { folder, npm };
  }

  test("asks npm for the pinned version, once", async () => {
    const { folder, npm } = await npmThat(`${INSTALLS}; touch node_modules/a-client/bin/client.js`);
    assert.equal(await installClient(folder, CLIENT, AMPLE_MS, npm), null);
    assert.ok(isInstalled(folder, CLIENT));
    assert.match(await readFile(join(folder, "codex", "asked"), "utf8"), /a-client@1\.2\.3\n$/);
    assert.equal(await installClient(folder, CLIENT, 0, join(folder, "no such npm")), null);
  });

  test("is over at the limit, with everything that npm has started", async () => {
    const { folder, npm } = await npmThat("sleep 600 & wait");
    // A limit with a fraction, as what is left of a time has.
    assert.equal(
      await installClient(folder, CLIENT, 250.5, npm),
      "it took longer than 0.2505 s",
    );
    assert.ok(!isInstalled(folder, CLIENT));
  });

  test("is not begun without time", async () => {
    const { folder, npm } = await npmThat("exit 0");
    assert.equal(await installClient(folder, CLIENT, 0, npm), "no time is given for it");
  });

  test("tells the error that npm names first", async () => {
    const { folder, npm } = await npmThat(
      "printf 'npm warn old\\nnpm error code ENOTFOUND\\nnpm error see the log\\n' >&2; exit 1",
    );
    assert.equal(
      await installClient(folder, CLIENT, AMPLE_MS, npm),
      `${npm} install: npm error code ENOTFOUND`,
    );
  });

  test("is not finished while the program is missing", async () => {
    const { folder, npm } = await npmThat(INSTALLS);
    assert.equal(
      await installClient(folder, CLIENT, AMPLE_MS, npm),
      "bin/client.js is missing after the install",
    );
    assert.ok(!isInstalled(folder, CLIENT));
  });

  test("says when there is no npm", async () => {
    const { folder } = await npmThat("exit 0");
    const missing = join(folder, "no such npm");
    const reason = await installClient(folder, CLIENT, AMPLE_MS, missing);
    assert.ok(reason?.startsWith(`${missing} install: `), String(reason));
  });
});
