import type { CompiledFile } from "../config/compiled_file.ts";
import { type Configuration, loadConfiguration } from "../config/load_configuration.ts";
import { createJudge } from "../judge/judge.ts";
import { TIERS } from "../policy/compiled_policy.ts";
import type { CommandContext } from "./command.ts";

/** A test, and what came of it. */
interface TestOutcome {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly expected: string;
  readonly actual: string;
  readonly reason: string;
  readonly passed: boolean;
}

/** A rule that neither an example nor a test reaches. */
interface UnreachedRule {
  readonly file: string;
  readonly line: number;
  readonly tier: string;
  readonly tool: string;
  readonly rule: string;
}

/** `gatehouse policy test`: runs the tests of the files that count here; exit code 1 when one fails. */
export async function testPolicies(
  context: CommandContext,
  options: { readonly cwd: string; readonly config: string | undefined; readonly json: boolean },
): Promise<number> {
  const { runtime, print, style } = context;
  const configuration = await loadConfiguration(runtime, options);
  const outcomes: TestOutcome[] = [];
  const reached = new Set<string>();
  // A file's tests say what that file comes to as it would once trusted; they judge it by itself.
  for (const { file, origin } of configuration.layers) {
    const alone: Configuration = {
      ...configuration,
      layers: [{ origin, trusted: true, file }],
      notices: [],
    };
    const judge = createJudge(runtime, alone);
    for (const { name, tool, action, args, expect, line } of file.tests) {
      const verdict = await judge({ tool, action, args, cwd: options.cwd });
      for (const { place } of verdict.results) {
        if (place !== null) reached.add(`${place.file}:${place.line}`);
      }
      outcomes.push({
        file: file.path,
        line,
        name,
        expected: expect,
        actual: verdict.behavior,
        reason: verdict.reason,
        passed: verdict.behavior === expect,
      });
    }
  }
  const examples = configuration.layers.reduce(
    (sum, { file }) => sum + (file.policy?.examples ?? 0),
    0,
  );
  const unreached = configuration.layers.flatMap(({ file }) => unreachedRules(file, reached));
  const failed = outcomes.filter(({ passed }) => !passed);
  if (options.json) {
    await print(JSON.stringify({ examples, tests: outcomes, unreached }));
    return failed.length === 0 ? 0 : 1;
  }
  for (const { file, line, name, expected, actual, reason, passed } of outcomes) {
    if (passed) await print(`${style.green("ok")}      ${name}`);
    else {
      await print(`${style.red("failed")}  ${name}`);
      await print(`        expected ${expected}, got ${actual}: ${reason}`);
      await print(`        --> ${file}:${line}`);
    }
  }
  for (const { file, line, tier, tool, rule } of unreached) {
    await print(`${style.yellow("note")}    no test reaches the ${tier} rule for ${tool}: ${rule}`);
    await print(`        --> ${file}:${line}`);
  }
  await print(
    `${outcomes.length - failed.length} passed, ${failed.length} failed; ` +
      `${examples} examples in rules hold; ${unreached.length} rules without a test`,
  );
  return failed.length === 0 ? 0 : 1;
}

function unreachedRules(file: CompiledFile, reached: ReadonlySet<string>): UnreachedRule[] {
  if (file.policy === null || file.policy.preset !== null) return [];
  const { policy, lines, tested } = file.policy;
  const rules: UnreachedRule[] = [];
  for (const tier of TIERS) {
    for (const [tool, index] of Object.entries(policy.tiers[tier])) {
      for (const [number, rule] of index.patterns.entries()) {
        const line = lines[tier][tool][number];
        if (tested.includes(line) || reached.has(`${file.path}:${line}`)) continue;
        rules.push({ file: file.path, line, tier, tool, rule });
      }
    }
  }
  return rules;
}
