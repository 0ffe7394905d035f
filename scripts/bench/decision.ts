import { measure } from "mitata";
import { PermissionPolicy } from "../../src/policy/permission_policy.ts";
import type { BenchRow } from "./row.ts";

/** Sixteen commands that match no rule, so that no engine folds the call away and every rule counts. */
const COMMANDS = [
  "git status --short",
  "git push origin main",
  "ls -la src",
  "npm run build",
  "cat README.md",
  "grep -rn foo src",
  "bun test --watch",
  "curl -sS localhost:8080",
  "cmd sub x",
  "cmd3 subx y",
  "make all",
  "docker ps -a",
  "sed -n 1,20p a.ts",
  "node x.mjs",
  "rm -rf build",
  "find . -name a",
].map((text) => ({ command: Buffer.from(text).toString() }));

const RULE_COUNTS = [10, 100, 1_000, 10_000] as const;
const ENOUGH_NS = 400e6;

/** One decision in a running process, by the number of rules, against one `RegExp.test` that is compiled before. */
export async function bench(): Promise<readonly BenchRow[]> {
  let turn = 0;
  let seen = 0;
  const next = () => COMMANDS[turn++ & 15];
  const pattern = /^git status .*$/;
  const regExp = await nanoseconds(() => {
    if (pattern.test(next().command)) seen++;
  });
  const decisions: number[] = [];
  for (const count of RULE_COUNTS) {
    const rules = Array.from({ length: count }, (_, index) => `cmd${index} sub${index} *`);
    const policy = new PermissionPolicy({
      mode: "rules",
      deny: { bash: rules },
      allow: { "*": ["*"] },
    });
    decisions.push(
      await nanoseconds(() => {
        if (policy.check("bash", "", next()).behavior === "allow") seen++;
      }),
    );
  }
  if (seen === 0) throw new Error("Cannot measure decisions: none was made");
  const [few, , many, most] = decisions;
  return [
    { name: "RegExp.test, compiled before", measured: regExp, unit: "ns", goal: null, must: null },
    ...RULE_COUNTS.map((count, index) => ({
      name: `decision, ${count.toLocaleString("en")} rules`,
      measured: decisions[index],
      unit: "ns",
      goal: null,
      must: null,
    })),
    {
      name: "decision, 1,000 rules / RegExp.test",
      measured: many / regExp,
      unit: "x",
      goal: 40,
      must: 100,
    },
    {
      name: "decision, 10,000 rules / 10 rules",
      measured: most / few,
      unit: "x",
      goal: 1.3,
      must: 2,
    },
  ];
}

/** The median time of one call. */
async function nanoseconds(body: () => void): Promise<number> {
  const statistics = await measure(body, { min_cpu_time: ENOUGH_NS, batch_unroll: 4 });
  return statistics.p50;
}
