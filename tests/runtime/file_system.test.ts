// The contract of the runtime port's `fs`, on whichever runtime runs this test.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { runtime } from "../../src/runtime/current.ts";
import { type FileErrorCode, FileSystemError } from "../../src/runtime/port.ts";
import { runProgram } from "./run_program.ts";

const { fs } = runtime;
let folder = "";

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-fs-"));
});

after(() => rm(folder, { recursive: true, force: true }));

/** A path in the test's folder that nothing else uses. */
let serial = 0;
function fresh(name = "entry"): string {
  return join(folder, `${name}-${++serial}`);
}

async function rejects(code: FileErrorCode, path: string, body: Promise<unknown>): Promise<void> {
  await assert.rejects(body, (error) => {
    assert.ok(error instanceof FileSystemError, `not a FileSystemError: ${error}`);
    assert.equal(error.code, code);
    assert.equal(error.path, path);
    assert.ok(error.message.startsWith("Cannot "), error.message);
    assert.ok(error.message.includes(path), error.message);
    assert.ok(error.cause !== undefined);
    return true;
  });
}

function throwsAtOnce(code: FileErrorCode, path: string): void {
  for (const read of [() => fs.readFileNow(path), () => fs.readTextNow(path)]) {
    assert.throws(read, (error) => {
      assert.ok(error instanceof FileSystemError, `not a FileSystemError: ${error}`);
      assert.equal(error.code, code);
      assert.equal(error.path, path);
      return true;
    });
  }
}

describe("fs: reading and writing", () => {
  test("bytes written are the bytes read", async () => {
    const path = fresh();
    const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) & 0xff);
    await fs.writeFile(path, bytes);
    const read = await fs.readFile(path);
    assert.ok(read instanceof Uint8Array);
    assert.deepEqual(Array.from(read.subarray(0, 50)), Array.from(bytes.subarray(0, 50)));
    assert.equal(await runtime.sha256(read), await runtime.sha256(bytes));
  });

  test("text is written as UTF-8 and an empty file is empty", async () => {
    const path = fresh();
    await fs.writeFile(path, "größe");
    assert.equal(await readFile(path, "utf8"), "größe");
    await fs.writeFile(path, "");
    assert.equal((await fs.readFile(path)).length, 0);
  });

  test("a file is read before the call returns, as bytes and as text", async () => {
    const path = fresh();
    const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => index % 127);
    await writeFile(path, bytes);
    assert.deepEqual(Array.from(fs.readFileNow(path)), Array.from(bytes));
    assert.equal(fs.readTextNow(path), new TextDecoder().decode(bytes));
    await writeFile(path, "");
    assert.equal(fs.readFileNow(path).length, 0);
    assert.equal(fs.readTextNow(path), "");
    await writeFile(path, "\ufeffgröße");
    assert.equal(fs.readTextNow(path), "\ufeffgröße");
    await writeFile(path, "read-only");
    await chmod(path, 0o400);
    assert.equal(fs.readTextNow(path), "read-only");
    await symlink(path, `${path}-link`);
    assert.equal(fs.readTextNow(`${path}-link`), "read-only");
  });

  test("what was read at once stays as it was when the file is written anew", async () => {
    const path = fresh();
    await writeFile(path, "before");
    const bytes = fs.readFileNow(path);
    await writeFile(path, "AFTER!");
    assert.equal(new TextDecoder().decode(bytes), "before");
  });

  test("what is no file of text is an error at once, and a pipe is not waited for", async () => {
    const path = fresh();
    throwsAtOnce("not-found", path);
    throwsAtOnce("is-a-directory", folder);
    await writeFile(path, Uint8Array.of(0x67, 0xe9, 0x74));
    assert.throws(() => fs.readTextNow(path), FileSystemError);
    assert.equal(fs.readFileNow(path).length, 3);
    const pipe = fresh("pipe");
    assert.equal(spawnSync("mkfifo", [pipe]).status, 0);
    throwsAtOnce("not-a-file", pipe);
    throwsAtOnce("not-a-file", "/dev/zero");
  });

  test("reading follows links", async () => {
    const path = fresh();
    await writeFile(path, "there");
    await symlink(path, `${path}-link`);
    assert.equal(new TextDecoder().decode(await fs.readFile(`${path}-link`)), "there");
  });

  test("writing replaces the file by another one, so that a reader keeps the old text", async () => {
    const path = fresh();
    await writeFile(path, "old");
    await link(path, `${path}-old`);
    await fs.writeFile(path, "new");
    assert.equal(await readFile(path, "utf8"), "new");
    assert.equal(await readFile(`${path}-old`, "utf8"), "old");
  });

  test("writing over a link replaces the link and leaves its target", async () => {
    const path = fresh();
    await writeFile(path, "target");
    await symlink(path, `${path}-link`);
    await fs.writeFile(`${path}-link`, "new");
    assert.equal(await readFile(path, "utf8"), "target");
    assert.ok((await lstat(`${path}-link`)).isFile());
  });

  test("the mode given is the mode of the file, from its first moment", async () => {
    const path = fresh();
    await fs.writeFile(path, "secret", { mode: 0o600 });
    assert.equal((await lstat(path)).mode & 0o777, 0o600);
    await fs.writeFile(path, "secret again", { mode: 0o600 });
    assert.equal((await lstat(path)).mode & 0o777, 0o600);
  });

  test("a failed write leaves nothing behind", async () => {
    const directory = fresh("folder");
    await mkdir(join(directory, "taken", "full"), { recursive: true });
    await assert.rejects(fs.writeFile(join(directory, "taken"), "x"), FileSystemError);
    assert.deepEqual(await readdir(directory), ["taken"]);
  });

  test("appending creates the file with its mode and adds at its end", async () => {
    const path = fresh();
    await fs.appendFile(path, "one\n", { mode: 0o600 });
    await fs.appendFile(path, "two\n", { mode: 0o600 });
    assert.equal(await readFile(path, "utf8"), "one\ntwo\n");
    assert.equal((await lstat(path)).mode & 0o777, 0o600);
  });

  test("lines appended by several processes at once stay whole", async () => {
    const path = fresh();
    const results = await Promise.all(
      ["a", "b", "c"].map((letter) => runProgram(["append", path, letter])),
    );
    for (const result of results) assert.equal(result.code, 0, result.stderr);
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    assert.equal(lines.length, 3 * 100);
    for (const line of lines) assert.match(line, /^(?:a{200}|b{200}|c{200})$/);
  });
});

describe("fs: folders, links, modes", () => {
  test("a folder is made with those above it, and again without an error", async () => {
    const path = join(fresh("folder"), "b", "c");
    await fs.makeDirectory(path, { mode: 0o700 });
    await fs.makeDirectory(path, { mode: 0o700 });
    const found = await fs.information(path);
    assert.equal(found?.kind, "directory");
    assert.equal(found?.mode, 0o700);
  });

  test("information tells files, folders, links and others apart and follows no link", async () => {
    const path = fresh();
    await writeFile(path, "12345", { mode: 0o640 });
    await symlink(path, `${path}-link`);
    await symlink("/no/such/target", `${path}-dangling`);
    const file = await fs.information(path);
    assert.equal(file?.kind, "file");
    assert.equal(file?.size, 5);
    assert.equal(file?.mode, 0o640);
    assert.ok(Number.isInteger(file?.modifiedMs));
    assert.ok(Math.abs((file?.modifiedMs ?? 0) - (await lstat(path)).mtimeMs) <= 1);
    assert.equal((await fs.information(folder))?.kind, "directory");
    assert.equal((await fs.information(`${path}-link`))?.kind, "link");
    assert.equal((await fs.information(`${path}-dangling`))?.kind, "link");
    assert.equal((await fs.information("/dev/null"))?.kind, "other");
    assert.equal(await fs.information(fresh()), null);
  });

  test("exists follows links and never rejects", async () => {
    const path = fresh();
    await writeFile(path, "");
    await symlink(path, `${path}-link`);
    await symlink("/no/such/target", `${path}-dangling`);
    await symlink(`${path}-loop`, `${path}-loop`);
    assert.equal(fs.exists(path), true);
    assert.equal(fs.exists(folder), true);
    assert.equal(fs.exists(`${path}-link`), true);
    assert.equal(fs.exists(`${path}-dangling`), false);
    assert.equal(fs.exists(`${path}-loop`), false);
    assert.equal(fs.exists(`${path}/below`), false);
    assert.equal(fs.exists("a\0b"), false);
    assert.equal(fs.exists(""), false);
  });

  test("a link is read as it is written", async () => {
    const path = fresh("link");
    await symlink("../somewhere/else", path);
    assert.equal(await fs.readLink(path), "../somewhere/else");
  });

  test("a folder's names are listed, hidden ones too", async () => {
    const path = fresh("folder");
    await mkdir(join(path, "sub"), { recursive: true });
    await writeFile(join(path, ".hidden"), "");
    await writeFile(join(path, "näme"), "");
    assert.deepEqual((await fs.list(path)).sort(), [".hidden", "näme", "sub"]);
  });

  test("the mode can be set", async () => {
    const path = fresh();
    await writeFile(path, "");
    await fs.setMode(path, 0o755);
    assert.equal((await fs.information(path))?.mode, 0o755);
  });

  test("renaming moves a file over another", async () => {
    const [from, to] = [fresh(), fresh()];
    await writeFile(from, "new");
    await writeFile(to, "old");
    await fs.rename(from, to);
    assert.equal(await readFile(to, "utf8"), "new");
    assert.equal(fs.exists(from), false);
  });

  test("removing takes a folder with all in it, and what is not there without an error", async () => {
    const path = fresh("folder");
    await mkdir(join(path, "a", "b"), { recursive: true });
    await writeFile(join(path, "a", "file"), "");
    await fs.remove(path);
    assert.equal(fs.exists(path), false);
    await fs.remove(path);
  });

  test("removing a link, even inside a removed folder, leaves what it points to", async () => {
    const target = fresh("folder");
    await mkdir(target);
    await writeFile(join(target, "keep"), "kept");
    const path = fresh("link");
    await symlink(target, path);
    await fs.remove(path);
    const outer = fresh("folder");
    await mkdir(outer);
    await symlink(target, join(outer, "link"));
    await fs.remove(outer);
    assert.equal(await readFile(join(target, "keep"), "utf8"), "kept");
  });

  test("a temporary folder is new, private and named as asked", async () => {
    const path = await fs.makeTemporaryDirectory("gatehouse-contract-");
    try {
      assert.ok(basename(path).startsWith("gatehouse-contract-"));
      assert.equal((await fs.information(path))?.mode, 0o700);
      assert.deepEqual(await fs.list(path), []);
    } finally {
      await rm(path, { recursive: true });
    }
  });
});

describe("fs: what fails says what, where and why", () => {
  test("nothing there", async () => {
    const path = fresh();
    await rejects("not-found", path, fs.readFile(path));
    await rejects("not-found", path, fs.readLink(path));
    await rejects("not-found", path, fs.list(path));
    await rejects("not-found", path, fs.setMode(path, 0o600));
    await rejects("not-found", path, fs.rename(path, fresh()));
    await rejects("not-found", `${path}/below`, fs.writeFile(`${path}/below`, ""));
    await rejects("not-found", `${path}/below`, fs.appendFile(`${path}/below`, ""));
  });

  test("a folder where a file is wanted", async () => {
    await rejects("is-a-directory", folder, fs.readFile(folder));
    await rejects("is-a-directory", folder, fs.appendFile(folder, "x"));
  });

  test("a file where a folder is wanted", async () => {
    const path = fresh();
    await writeFile(path, "");
    await rejects("not-a-directory", path, fs.list(path));
    await rejects("not-a-directory", `${path}/below`, fs.readFile(`${path}/below`));
    await rejects("not-a-directory", `${path}/below`, fs.information(`${path}/below`));
    await rejects("not-a-directory", `${path}/below/b`, fs.makeDirectory(`${path}/below/b`));
    await rejects("exists", path, fs.makeDirectory(path));
  });

  test("a link that leads to itself", async () => {
    const path = fresh("loop");
    await symlink(path, path);
    await rejects("loop", path, fs.readFile(path));
  });

  test("a file that is no link has no target", async () => {
    const path = fresh();
    await writeFile(path, "");
    await rejects("other", path, fs.readLink(path));
  });

  test("a path with a NUL is refused by every function that takes one", async () => {
    const path = `${folder}/a\0b`;
    for (
      const attempt of [
        () => fs.readFile(path),
        () => fs.writeFile(path, ""),
        () => fs.appendFile(path, ""),
        () => fs.makeDirectory(path),
        () => fs.information(path),
        () => fs.readLink(path),
        () => fs.list(path),
        () => fs.setMode(path, 0o600),
        () => fs.rename(path, fresh()),
        () => fs.remove(path),
      ]
    ) {
      await assert.rejects(attempt(), FileSystemError, attempt.toString());
    }
    assert.deepEqual((await readdir(folder)).filter((name) => name === "a"), []);
  });
});
