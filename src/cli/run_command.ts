import { ConfigurationError } from "../config/configuration_error.ts";
import type { Runtime } from "../runtime/port.ts";
import { type Command, type CommandContext, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { styleOf } from "./style.ts";

/** How each command is loaded; a test holds the names against the help. */
export const LOADERS: Readonly<Record<string, () => Promise<{ run: Command }>>> = {
  check: () => import("./check.ts"),
  explain: () => import("./explain.ts"),
  policy: () => import("./policy.ts"),
  trust: () => import("./trust.ts"),
  init: () => import("./init.ts"),
  uninstall: () => import("./uninstall.ts"),
  sessions: () => import("./sessions.ts"),
  signals: () => import("./signals.ts"),
  why: () => import("./why.ts"),
  evidence: () => import("./evidence.ts"),
  doctor: () => import("./doctor.ts"),
  pause: () => import("./pause.ts"),
  completions: () => import("./completions.ts"),
  version: () => import("./version.ts"),
};

/** Wrong usage, or a configuration that cannot be used. */
const USAGE = 2;

/**
 * Runs a command by its name and prints what goes wrong.
 *
 * @returns The exit code.
 */
export async function runCommand(
  runtime: Runtime,
  name: string | undefined,
  args: readonly string[],
): Promise<number> {
  const context = contextOf(runtime);
  try {
    const topic = name === "help" ? args[0] : args.some(isHelp) ? name : undefined;
    if (name === undefined || isHelp(name) || name === "help" || topic !== undefined) {
      const text = topic === undefined || isHelp(topic)
        ? generalHelp(context.style)
        : commandHelp(topic, context.style);
      if (text === null) throw unknownCommand(topic!);
      if (name === undefined) await context.printError(generalHelp(context.errorStyle));
      else await context.print(text);
      return name === undefined ? USAGE : 0;
    }
    if (name === "--version") return await runCommand(runtime, "version", args);
    if (!Object.hasOwn(LOADERS, name)) throw unknownCommand(name);
    return await (await LOADERS[name]()).run(args, context);
  } catch (error) {
    await context.printError(describe(error, context, name));
    return USAGE;
  }
}

function contextOf(runtime: Runtime): CommandContext {
  return {
    runtime,
    print: (text) => runtime.stdio.writeOutput(`${text}\n`),
    printError: (text) => runtime.stdio.writeError(`${text}\n`),
    style: styleOf(runtime, "output"),
    errorStyle: styleOf(runtime, "error"),
  };
}

function isHelp(argument: string): boolean {
  return argument === "--help" || argument === "-h";
}

function unknownCommand(name: string): UsageError {
  const names = ["hook", ...COMMANDS.map((command) => command.name)];
  return new UsageError(`there is no command \`${name}\`; there are ${names.join(", ")}`);
}

function describe(error: unknown, context: CommandContext, name: string | undefined): string {
  const { red, bold } = context.errorStyle;
  const title = red(bold("error"));
  if (isUsage(error)) {
    const known = COMMANDS.some((command) => command.name === name);
    const help = known ? `gatehouse help ${name}` : "gatehouse help";
    return `${title}: ${(error as Error).message}\n  see \`${help}\``;
  }
  if (error instanceof ConfigurationError) {
    return `${title}: cannot use ${error.path}\n${error.message}`;
  }
  return `${title}: ${error instanceof Error ? error.message : String(error)}`;
}

/** Our own refusals of arguments, and those of the argument parser. */
function isUsage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return error instanceof UsageError ||
    (typeof code === "string" && code.startsWith("ERR_PARSE_ARGS"));
}
