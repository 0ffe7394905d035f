import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { shellControlToken } from "../../src/policy/shell_control.ts";

describe("shell-control tokens", () => {
  test("D1-5 the first of them is found, the longer of two that begin in one place", () => {
    const expression = /;|&&|\|\|?|`|\$\(|<|>|\n/;
    const text = fc.array(
      fc.constantFrom(..."; && & || | ` $( $ ( < > a".split(" "), "\n", " "),
      { maxLength: 8 },
    ).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, (command) => {
        assert.equal(shellControlToken(command), expression.exec(command)?.[0] ?? null);
      }),
      { numRuns: 2_000 },
    );
  });
});
