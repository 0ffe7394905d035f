// What is looked for before the expressions are, against the expressions.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { hints, NEEDLES, openName } from "../../src/guards/self_hints.ts";

/** The alternatives of the expression, each with a text that it matches. */
const SAMPLES: readonly string[] =
  ("gatehouse .claude claude-code claudecode .codex etc/codex .gemini geminicli gemini-cli opencode copilot .cursor .github " +
    "disableallhooks hooksconfig feature.hooks features.codex_hooks --disable --bare --pure allowmanagedhooksonly claude codex gemini " +
    "settings.json settings.local.json hooks.json config.toml requirements.toml *.yml ?x.yaml ]a.json *b.toml *c.js .cl*")
    .split(" ");

describe("self hints: the needles", () => {
  test("there is a sample for every alternative of the expression", () => {
    const alternatives = hints().source.split(/\|(?![^(]*\))/);
    assert.ok(alternatives.length > 20);
    for (const alternative of alternatives) {
      const expression = new RegExp(alternative, "i");
      assert.ok(SAMPLES.some((sample) => expression.test(sample)), alternative);
    }
  });

  test("whatever the expressions find has a needle in it, in any case of letters", () => {
    const piece = fc.oneof(
      fc.constantFrom(...SAMPLES, ...SAMPLES.map((sample) => sample.toUpperCase())),
      fc.constantFrom(...SAMPLES).chain((sample) =>
        fc.nat({ max: sample.length }).map((length) => sample.slice(length))
      ),
      fc.string({ maxLength: 4 }),
    );
    let found = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const command = pieces.join("");
        if (!hints().test(command) && !openName().test(command)) return;
        found++;
        const lower = command.toLowerCase();
        assert.ok(NEEDLES.some((needle) => lower.includes(needle)), command);
      }),
      { numRuns: 3_000 },
    );
    assert.ok(found > 500);
  });
});
