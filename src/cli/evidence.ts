import { parseArgs } from "node:util";
import { userFolders } from "../config/user_folders.ts";
import { takeBaseline } from "../evidence/baseline.ts";
import { saveBaseline } from "../evidence/baseline_store.ts";
import { listFacts } from "../evidence/describe_run.ts";
import { probeRun } from "../evidence/probe_run.ts";
import type { EvidenceAnswer } from "../evidence/run_evidence.ts";
import { absoluteFolder } from "./check.ts";
import { type CommandContext, UsageError } from "./command.ts";

/** Exit codes of an answer. */
export const EVIDENCE_CODES: Readonly<Record<EvidenceAnswer, number>> = {
  evidence: 0,
  none: 1,
  "no-opinion": 3,
};

/** `gatehouse evidence`. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      since: { type: "string" },
      base: { type: "string" },
      cwd: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const [what, ...more] = positionals;
  const { since, base, json } = values;
  const cwd = absoluteFolder(context, values.cwd);
  if (what === "start" && more.length === 0) {
    if (since !== undefined || base !== undefined) {
      throw new UsageError(
        "`evidence start` remembers the present; --since and --base do not go with it",
      );
    }
    return await start(cwd, json, context);
  }
  if (what !== undefined) {
    throw new UsageError(
      `there is no \`evidence ${positionals.join(" ")}\`; there is \`evidence start\``,
    );
  }
  for (const [name, value] of Object.entries({ since, base })) {
    if (value === "") throw new UsageError(`--${name} needs a name`);
  }
  return await show(cwd, { since, base }, json, context);
}

async function start(cwd: string, json: boolean, context: CommandContext): Promise<number> {
  const { runtime, style } = context;
  const answer = await takeBaseline(cwd, { runtime });
  if (answer.status === "failed") {
    await (json
      ? context.print(JSON.stringify({ status: "failed", reason: answer.reason }))
      : context.printError(`No baseline was taken: ${answer.reason}.`));
    return EVIDENCE_CODES["no-opinion"];
  }
  const { baseline } = answer;
  const file = await saveBaseline(runtime, userFolders(runtime.env).state, baseline);
  if (json) {
    await context.print(JSON.stringify({ status: "taken", file, baseline }));
    return 0;
  }
  const place = baseline.head === null
    ? "before the first commit"
    : `at ${baseline.head.slice(0, SHORT_COMMIT)}`;
  const dirty = Object.keys(baseline.entries).length;
  await context.print(
    `The baseline is taken: ${place} on ${baseline.branch ?? "no branch"}, ` +
      `${dirty === 0 ? "nothing" : dirty === 1 ? "1 path" : `${dirty} paths`} uncommitted.`,
  );
  await context.print(style.dim(`  ${file}`));
  return 0;
}

/** Digits that tell commits apart for a person. */
const SHORT_COMMIT = 12;

async function show(
  cwd: string,
  options: { readonly since?: string; readonly base?: string },
  json: boolean,
  context: CommandContext,
): Promise<number> {
  const { runtime, style } = context;
  const stateFolder = userFolders(runtime.env).state;
  const evidence = await probeRun(cwd, { runtime, stateFolder, ...options });
  if (json) {
    await context.print(JSON.stringify(evidence));
  } else {
    await context.print(evidence.sentence);
    for (const fact of listFacts(evidence)) await context.print(style.dim(`  ${fact}`));
  }
  return EVIDENCE_CODES[evidence.answer];
}
