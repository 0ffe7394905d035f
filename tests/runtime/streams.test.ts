// The contract of the runtime port's `stdio`, `env` and `sha256`, seen from outside through real processes.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { runtime } from "../../src/runtime/current.ts";
import { runProgram } from "./run_program.ts";

const MEBIBYTE = 1_048_576;

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

describe("stdio", () => {
  test("1 MiB on each stream is whole although the exit follows and the reader is slow", async () => {
    const end = await runProgram(["write-and-exit", String(MEBIBYTE)], { delayMs: 300 });
    assert.equal(end.code, 9);
    assert.equal(end.stdout.length, MEBIBYTE);
    assert.equal(end.stderr.length, MEBIBYTE);
    assert.match(end.stdout, /^o+$/);
    assert.match(end.stderr, /^e+$/);
  });

  test("texts written in turn arrive in order", async () => {
    const end = await runProgram(["write-in-turn"]);
    assert.equal(
      end.stdout,
      Array.from({ length: 200 }, (_, index) => `${index} größe\n`).join(""),
    );
  });

  test("an empty text is written as nothing", async () => {
    assert.deepEqual(await runProgram(["write-and-exit", "0"]), {
      code: 9,
      stdout: "",
      stderr: "",
    });
  });

  test("the input is read to its end, byte for byte", async () => {
    const bytes = Uint8Array.from({ length: MEBIBYTE }, (_, index) => (index * 13) & 0xff);
    const end = await runProgram(["read-input", String(8 * MEBIBYTE)], { input: bytes });
    assert.equal(end.stdout, `${bytes.length} ${sha256(bytes)}`);
  });

  test("an input of exactly the limit is whole, a longer one is cut after one byte more", async () => {
    const bytes = new Uint8Array(200_000).fill(120);
    for (
      const [limit, length] of [[200_000, 200_000], [199_999, 200_000], [1_000, 1_001], [0, 1]]
    ) {
      const end = await runProgram(["read-input", String(limit)], { input: bytes });
      assert.equal(end.stdout, `${length} ${sha256(bytes.subarray(0, length))}`, end.stderr);
    }
  });

  test("an empty input is empty", async () => {
    const end = await runProgram(["read-input", "10"]);
    assert.equal(end.stdout, `0 ${sha256(new Uint8Array())}`);
  });

  for (
    const [what, input, lines] of [
      ["line ends of both kinds", "one\ntwo\r\nthree\n", ["one", "two", "three"]],
      ["a last line without its end", "one\ntwo", ["one", "two"]],
      ["empty lines", "\n\na\n\n", ["", "", "a", ""]],
      ["nothing", "", []],
      ["a carriage return inside a line", "a\rb\n", ["a\rb"]],
      ["a long line", `${"ü".repeat(100_000)}\nend\n`, ["ü".repeat(100_000), "end"]],
    ] as const
  ) {
    test(`lines are read: ${what}`, async () => {
      assert.deepEqual(JSON.parse((await runProgram(["read-lines"], { input })).stdout), lines);
    });
  }
});

describe("env", () => {
  test("a program sees its arguments, its variables and its folder", async () => {
    const given = ["", "a b", "--flag", "ünï", "*"];
    const end = await runProgram(["environment", ...given], {
      env: { GATEHOUSE_TEST_VALUE: "a=b ü" },
    });
    assert.equal(end.code, 0, end.stderr);
    const seen = JSON.parse(end.stdout);
    assert.deepEqual(seen.args, given);
    assert.equal(seen.set, "a=b ü");
    assert.equal(seen.all, "a=b ü");
    assert.equal(seen.cwd, process.cwd());
    assert.ok(Number.isInteger(seen.pid) && seen.pid !== process.pid);
    assert.ok(["linux", "darwin", "windows"].includes(seen.platform));
  });

  test("names that no variable can have, or that only an object has, are not set", async () => {
    const seen = JSON.parse((await runProgram(["environment"])).stdout);
    assert.equal(seen.inherited, null);
    assert.equal(seen.empty, null);
    assert.equal(seen.set, undefined);
  });

  test("a clean start has no runtime options, and pipes are no terminals", async () => {
    const seen = JSON.parse((await runProgram(["environment"])).stdout);
    assert.deepEqual(seen.runtimeOptions, []);
    assert.deepEqual(seen.terminals, [false, false, false]);
  });

  test("a program that runs once does what any other does, much of it too", async () => {
    const end = await runProgram(["once", "3000000"]);
    assert.equal(end.stdout, "10500000", end.stderr);
  });

  for (const what of ["rejection", "exception"]) {
    test(`an ${what} that nobody caught reaches the crash handler, which decides the exit code`, async () => {
      const end = await runProgram(["crash", what]);
      assert.equal(end.stdout, `caught ${what}`, end.stderr);
      assert.equal(end.code, 2);
    });
  }

  test("the variables are a copy", () => {
    const variables = runtime.env.all();
    variables.GATEHOUSE_TEST_COPY = "changed";
    assert.equal(runtime.env.get("GATEHOUSE_TEST_COPY"), undefined);
  });
});

describe("sha256", () => {
  test("gives the published digests", async () => {
    const encode = (text: string) => new TextEncoder().encode(text);
    assert.equal(
      await runtime.sha256(encode("")),
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
    assert.equal(
      await runtime.sha256(encode("abc")),
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  test("hashes the part that a view shows, not what it is a part of", async () => {
    const whole = new TextEncoder().encode("xxabcxx");
    assert.equal(await runtime.sha256(whole.subarray(2, 5)), sha256(whole.slice(2, 5)));
  });
});
