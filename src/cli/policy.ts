import { parseArgs } from "node:util";
import { compileFile } from "../config/compile_file.ts";
import { ConfigurationError, describeProblem } from "../config/configuration_error.ts";
import { lintFile } from "../config/lint.ts";
import {
  type Configuration,
  CONFIGURATION_FILE,
  type Layer,
  loadConfiguration,
} from "../config/load_configuration.ts";
import { effectiveGuards } from "../judge/guard_settings.ts";
import { type CompiledPolicy, TIERS } from "../policy/compiled_policy.ts";
import { absoluteFolder } from "./check.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { run as explain } from "./explain.ts";
import { testPolicies } from "./policy_test.ts";

/** A configuration with problems. */
const PROBLEMS = 2;

interface Options {
  readonly config: string | undefined;
  readonly json: boolean;
  readonly action: string;
  readonly cwd: string;
}

/** `gatehouse policy`. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      config: { type: "string" },
      json: { type: "boolean", default: false },
      action: { type: "string", default: "" },
      cwd: { type: "string" },
    },
  });
  const options = { ...values, config: values.config, cwd: absoluteFolder(context, values.cwd) };
  const [subcommand, ...words] = positionals;
  switch (subcommand) {
    case "lint":
      if (words.length > 1) throw new UsageError("lint takes one file");
      return await lint(context, { ...options, config: words[0] ?? values.config });
    case "show":
      if (words.length > 0) throw new UsageError("show takes no arguments");
      return await show(context, options);
    case "explain":
      return await explain(args.filter((argument) => argument !== "explain"), context);
    case "test":
      if (words.length > 0) throw new UsageError("test takes no arguments");
      return await testPolicies(context, options);
    default:
      throw new UsageError(`say lint, show, explain or test, not ${subcommand ?? "nothing"}`);
  }
}

async function lint(context: CommandContext, options: Options): Promise<number> {
  const { runtime, print, style } = context;
  const paths = options.config === undefined
    ? (await findFiles(context, options.cwd))
    : [absoluteFolder(context, options.config)];
  const found: {
    path: string;
    line: number;
    column: number;
    message: string;
    fix: string | null;
  }[] = [];
  for (const path of paths) {
    const bytes = await runtime.fs.readFile(path);
    try {
      const file = compileFile(bytes, path, await runtime.sha256(bytes));
      found.push(...lintFile(file).map((problem) => ({ path, ...problem })));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      found.push(...error.problems.map((problem) => ({ path, ...problem })));
    }
  }
  if (options.json) await print(JSON.stringify({ files: paths, problems: found }));
  else if (paths.length === 0) {
    await print(`There is no ${CONFIGURATION_FILE} here: only the built-in guards are on.`);
  } else {
    for (const { path, ...problem } of found) {
      await print(style.yellow(describeProblem(path, problem)));
    }
    const files = paths.length === 1 ? paths[0] : `${paths.length} files`;
    await print(
      found.length === 0 ? `${files}: no problems` : `${found.length} problems in ${files}`,
    );
  }
  return found.length === 0 ? 0 : PROBLEMS;
}

/** The files that would count here, found without reading them. */
async function findFiles(context: CommandContext, cwd: string): Promise<string[]> {
  try {
    const { layers } = await loadConfiguration(context.runtime, { cwd });
    return layers.map(({ file }) => file.path);
  } catch (error) {
    if (error instanceof ConfigurationError) return [error.path];
    throw error;
  }
}

async function show(context: CommandContext, options: Options): Promise<number> {
  const configuration = await loadConfiguration(context.runtime, options);
  const guards = effectiveGuards(configuration);
  if (options.json) {
    await context.print(JSON.stringify({
      workspace: configuration.workspace,
      layers: configuration.layers.map(({ origin, trusted, file }) => ({
        origin,
        trusted,
        path: file.path,
        sha256: file.sha256,
        policy: file.policy === null ? null : rulesOf(file.policy.policy),
        hooks: file.hooks,
        onAllow: file.onAllow,
        deadline: file.deadline,
      })),
      guards,
      notices: configuration.notices,
    }));
    return 0;
  }
  const { style, print } = context;
  await print(`${style.bold("workspace")}  ${configuration.workspace}`);
  if (configuration.layers.length === 0) {
    await print(
      `${style.bold("files")}      none: the built-in guards are on, everything else is no opinion`,
    );
  }
  for (const layer of configuration.layers) await print(layerText(layer, style));
  const { destructive, paths } = guards;
  await print(style.bold("guards"));
  await print(
    `  destructive  ${destructive === null ? style.yellow("off") : `on, mode ${destructive.mode}`}`,
  );
  await print(
    paths === null
      ? `  paths        ${style.yellow("off")}`
      : `  paths        on, allowed ${paths.allowed.join(", ")}; denied ${
        paths.denied.join(", ") || "nothing more"
      }; symlinks ${paths.symlinks}`,
  );
  await notices(context, configuration);
  return 0;
}

function layerText({ origin, trusted, file }: Layer, style: CommandContext["style"]): string {
  const state = trusted ? style.green("trusted") : style.yellow("not trusted: it may only tighten");
  const lines = [`${style.bold(file.path)}  ${origin}, ${state}`];
  if (file.policy !== null) {
    const { policy, preset } = file.policy;
    lines.push(`  policy  ${preset === null ? `mode ${policy.mode}` : `preset ${preset}`}`);
    for (const tier of TIERS) {
      for (const [tool, index] of Object.entries(policy.tiers[tier])) {
        const rules = index.patterns.map((pattern) => JSON.stringify(pattern)).join(", ");
        lines.push(`    ${tier.padEnd(8)}  ${tool}: ${rules}`);
      }
    }
  }
  for (const hook of file.hooks) {
    lines.push(`  hook    ${hook.name} for ${hook.tools.join(", ")}: ${hook.command.join(" ")}`);
  }
  return lines.join("\n");
}

async function notices(context: CommandContext, configuration: Configuration): Promise<void> {
  for (const notice of configuration.notices) {
    await context.print(`${context.style.yellow("note:")} ${notice}`);
  }
}

function rulesOf(policy: CompiledPolicy): Record<string, unknown> {
  return {
    mode: policy.mode,
    ...Object.fromEntries(TIERS.map((tier) => [
      tier,
      Object.fromEntries(
        Object.entries(policy.tiers[tier]).map(([tool, index]) => [tool, index.patterns]),
      ),
    ])),
  };
}
