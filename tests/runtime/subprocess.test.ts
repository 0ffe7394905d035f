// The contract of the runtime port's `subprocess`, on whichever runtime runs this test.

import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { runtime } from "../../src/runtime/current.ts";
import type { SubprocessRequest, SubprocessResult } from "../../src/runtime/port.ts";

const MEBIBYTE = 1_048_576;
const ONE_SHELL_PATH = "/usr/bin:/bin";

let folder = "";

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-subprocess-")));
});

after(() => rm(folder, { recursive: true, force: true }));

/** Runs a program with a clean environment, enough time and enough room. */
function run(
  argv: readonly string[],
  request: Partial<SubprocessRequest> = {},
): Promise<SubprocessResult> {
  return runtime.subprocess.run({
    argv,
    env: { PATH: ONE_SHELL_PATH },
    timeoutMs: 20_000,
    outputLimit: 4 * MEBIBYTE,
    ...request,
  });
}

function exited(result: SubprocessResult): Extract<SubprocessResult, { status: "exited" }> {
  assert.equal(result.status, "exited", JSON.stringify(result));
  return result as Extract<SubprocessResult, { status: "exited" }>;
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Whether a process is there and not a zombie. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform === "linux") {
    // The state stands behind the program's name, which is in brackets.
    const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") Z");
    return !/\) [ZX]/.test(status);
  }
  const { stdout } = exited(await run(["ps", "-o", "stat=", "-p", String(pid)]));
  return text(stdout).trim() !== "" && !text(stdout).trim().startsWith("Z");
}

async function waitUntilGone(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (!await isAlive(pid)) return true;
    await pause(20);
  }
  return false;
}

describe("subprocess: what the program gets", () => {
  test("the arguments arrive exactly, whatever a shell would make of them", async () => {
    const hostile = [
      "",
      " ",
      "a b",
      "*",
      "$HOME",
      "`id`",
      "'",
      '"',
      "\\",
      "-n",
      "ünï",
      "a\nb",
      ";rm",
    ];
    const result = exited(
      await run(["/bin/sh", "-c", 'for word do printf "%s\\0" "$word"; done', "sh", ...hostile]),
    );
    assert.deepEqual(text(result.stdout).split("\0").slice(0, -1), hostile);
    assert.equal(result.code, 0);
    assert.equal(result.signal, null);
    assert.equal(result.truncated, false);
  });

  test("the environment is the given one and nothing else", async () => {
    const given = { ONLY: "one value", EMPTY: "", WITH_EQUALS: "a=b" };
    const result = exited(await run(["/usr/bin/env"], { env: given }));
    assert.deepEqual(
      text(result.stdout).trimEnd().split("\n").sort(),
      ["EMPTY=", "ONLY=one value", "WITH_EQUALS=a=b"],
    );
  });

  test("an empty environment is empty", async () => {
    assert.equal(text(exited(await run(["/usr/bin/env"], { env: {} })).stdout), "");
  });

  test("the program is looked up in the PATH of the given environment", async () => {
    const programs = join(folder, "programs");
    await mkdir(programs);
    await writeFile(join(programs, "gatehouse-test-program"), "#!/bin/sh\necho found\n");
    await chmod(join(programs, "gatehouse-test-program"), 0o755);
    const found = await run(["gatehouse-test-program"], {
      env: { PATH: `${programs}:${ONE_SHELL_PATH}` },
    });
    assert.equal(text(exited(found).stdout), "found\n");
    assert.equal((await run(["gatehouse-test-program"])).status, "not-started");
  });

  test("the program runs in the given folder", async () => {
    assert.equal(text(exited(await run(["/bin/pwd"], { cwd: folder })).stdout), `${folder}\n`);
  });

  test("without an input the program reads an empty one", async () => {
    assert.equal(exited(await run(["/bin/cat"])).stdout.length, 0);
  });

  test("a text input arrives as UTF-8", async () => {
    assert.equal(text(exited(await run(["/bin/cat"], { stdin: "größe\n" })).stdout), "größe\n");
  });

  test("every byte of a binary input arrives", async () => {
    const bytes = Uint8Array.from({ length: MEBIBYTE }, (_, index) => (index * 7) & 0xff);
    const result = exited(await run(["/bin/cat"], { stdin: bytes }));
    assert.equal(await runtime.sha256(result.stdout), await runtime.sha256(bytes));
  });

  test("an input of 1 MiB to a program that does not read it does no harm", async () => {
    const result = exited(await run(["/bin/sh", "-c", "exit 7"], { stdin: "x".repeat(MEBIBYTE) }));
    assert.equal(result.code, 7);
  });
});

describe("subprocess: what comes back", () => {
  test("both output streams come back apart, with the exit code", async () => {
    const result = exited(await run(["/bin/sh", "-c", "echo out; echo err >&2; exit 3"]));
    assert.equal(text(result.stdout), "out\n");
    assert.equal(text(result.stderr), "err\n");
    assert.equal(result.code, 3);
  });

  test("output over the limit is cut, said to be cut, and does not block the program", async () => {
    const result = exited(
      await run(["/bin/sh", "-c", "head -c 3000000 /dev/zero; echo done >&2; exit 4"], {
        outputLimit: 1_000,
      }),
    );
    assert.equal(result.stdout.length, 1_000);
    assert.equal(text(result.stderr), "done\n");
    assert.equal(result.truncated, true);
    assert.equal(result.code, 4);
  });

  test("output of exactly the limit is whole", async () => {
    const result = exited(
      await run(["/bin/sh", "-c", "head -c 1000 /dev/zero"], { outputLimit: 1_000 }),
    );
    assert.equal(result.stdout.length, 1_000);
    assert.equal(result.truncated, false);
  });

  test("an exit by signal names the signal and counts as 128 and its number", async () => {
    const killed = exited(await run(["/bin/sh", "-c", "kill -KILL $$"]));
    assert.equal(killed.signal, "SIGKILL");
    assert.equal(killed.code, 137);
    const terminated = exited(await run(["/bin/sh", "-c", "kill -TERM $$"]));
    assert.equal(terminated.signal, "SIGTERM");
    assert.equal(terminated.code, 143);
  });

  for (
    const [what, argv, request] of [
      ["a program that is not there", ["/no/such/program"], {}],
      ["a folder that is not there", ["/bin/true"], { cwd: "/no/such/folder" }],
      ["a file without the right to run", [import.meta.dirname + "/subprocess.test.ts"], {}],
      ["an argument with a NUL", ["/bin/echo", "a\0b"], {}],
      ["an environment value with a NUL", ["/bin/echo"], { env: { NAME: "a\0b" } }],
      ["an empty list of arguments", [], {}],
      ["an empty program name", [""], {}],
    ] as const
  ) {
    test(`${what} is a value with a reason, not an exception`, async () => {
      const result = await run(argv, request);
      assert.equal(result.status, "not-started", JSON.stringify(result));
      assert.ok(result.status === "not-started" && result.reason.length > 0);
    });
  }
});

describe("subprocess: the time limit", () => {
  test("when the time is up the program's children and grandchildren are killed too", async () => {
    const pids = join(folder, "pids");
    const script = `
      sh -c 'sleep 300 & echo $! >> "$PIDS"; sleep 300' &
      echo $! >> "$PIDS"
      echo $$ >> "$PIDS"
      echo started
      wait`;
    const result = await run(["/bin/sh", "-c", script], {
      env: { PATH: ONE_SHELL_PATH, PIDS: pids },
      timeoutMs: 1_000,
    });
    assert.equal(result.status, "timed-out");
    assert.equal(result.status === "timed-out" && text(result.stdout), "started\n");
    const started = (await readFile(pids, "utf8")).trim().split("\n").map(Number);
    assert.equal(started.length, 3);
    for (const pid of started) assert.ok(await waitUntilGone(pid), `process ${pid} lives on`);
  });

  test("a program that ignores SIGTERM is killed all the same", async () => {
    const result = await run(
      ["/bin/sh", "-c", "trap '' TERM; echo $$; while :; do sleep 1; done"],
      {
        timeoutMs: 500,
      },
    );
    assert.equal(result.status, "timed-out");
    const pid = Number(result.status === "timed-out" && text(result.stdout));
    assert.ok(pid > 0 && await waitUntilGone(pid));
  });

  test("a grandchild that keeps the pipes open after the program ended is killed", async () => {
    const result = await run(["/bin/sh", "-c", "sleep 300 & echo $!; exit 0"], { timeoutMs: 500 });
    assert.equal(result.status, "timed-out");
    const pid = Number(result.status === "timed-out" && text(result.stdout));
    assert.ok(pid > 0 && await waitUntilGone(pid));
  });

  test("a grandchild that left the group does not hold up the answer, and what was read is kept", async () => {
    const script = "setsid sh -c 'echo $$; exec sleep 300' & wait";
    const result = await run(["/bin/sh", "-c", script], { timeoutMs: 500 });
    assert.equal(result.status, "timed-out");
    const pid = Number(result.status === "timed-out" && text(result.stdout));
    assert.ok(pid > 0, "the output so far is part of the answer");
    process.kill(pid, "SIGKILL");
  });

  test("an aborted signal kills the program and its children, and what was read is kept", async () => {
    const controller = new AbortController();
    const pids = join(folder, "aborted-pids");
    const script = 'sleep 300 & echo $! >> "$PIDS"; echo $$ >> "$PIDS"; echo started; wait';
    const running = run(["/bin/sh", "-c", script], {
      env: { PATH: ONE_SHELL_PATH, PIDS: pids },
      signal: controller.signal,
    });
    while ((await readFile(pids, "utf8").catch(() => "")).split("\n").length < 3) await pause(5);
    controller.abort();
    const result = await running;
    assert.equal(result.status, "timed-out");
    for (const pid of (await readFile(pids, "utf8")).trim().split("\n").map(Number)) {
      assert.ok(await waitUntilGone(pid), `process ${pid} lives on`);
    }
    assert.equal(
      (await run(["/bin/sleep", "300"], { signal: AbortSignal.abort() })).status,
      "timed-out",
    );
  });

  test("a program that ends in time leaves no timer behind", async () => {
    const result = exited(await run(["/bin/true"], { timeoutMs: 600_000 }));
    assert.equal(result.code, 0);
  });
});
