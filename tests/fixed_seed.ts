import fc from "fast-check";

/**
 * Loaded before the tests by `deno task test`: the same examples at every run, so that a change is to blame when one
 * fails. Set GATEHOUSE_TEST_SEED to look at others; a plain `bun test` takes new ones every time.
 */
const seed = Number(process.env.GATEHOUSE_TEST_SEED ?? 20_261_201);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
