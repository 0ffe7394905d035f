import { parseArgs } from "node:util";
import { inFolder } from "../config/ancestor_folders.ts";
import { compileFile } from "../config/compile_file.ts";
import { CONFIGURATION_FILE, loadConfiguration } from "../config/load_configuration.ts";
import { readTrustedFiles, writeTrustedFile } from "../config/trust.ts";
import { userFolders } from "../config/user_folders.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { confirm } from "./confirm.ts";

/** `gatehouse trust`. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      list: { type: "boolean", default: false },
      revoke: { type: "boolean", default: false },
      show: { type: "boolean", default: false },
    },
  });
  if (positionals.length > 1) throw new UsageError("name one file");
  if (values.list) return await list(context);
  const path = await fileToTrust(context, positionals[0]);
  const folders = userFolders(context.runtime.env);
  if (values.revoke) {
    await writeTrustedFile(context.runtime.fs, folders.state, path, null);
    await context.print(`${path} is not trusted any more: it may only tighten.`);
    return 0;
  }
  const bytes = await context.runtime.fs.readFile(path);
  const sha256 = await context.runtime.sha256(bytes);
  // A file with mistakes is told here, and not trusted.
  compileFile(bytes, path, sha256);
  if (values.show) await context.print(new TextDecoder().decode(bytes));
  const answer = await confirm(
    context,
    `${path} (sha256 ${
      sha256.slice(0, 12)
    }…) will count in full: its allow rules, its hooks (which run ` +
      `programs) and its guard settings. Have you read it, and do you trust it?`,
  );
  if (answer === null) {
    throw new UsageError(
      "a person must answer on a terminal; where there is none, name the file with --config instead",
    );
  }
  if (!answer) {
    await context.print("Nothing was changed.");
    return 1;
  }
  await writeTrustedFile(context.runtime.fs, folders.state, path, {
    sha256,
    trustedAt: new Date().toISOString(),
  });
  await context.print(`${path} is trusted as it is now. When it changes it must be trusted again.`);
  return 0;
}

/** The file named, or the nearest project file that counts in this folder. */
async function fileToTrust(context: CommandContext, named: string | undefined): Promise<string> {
  const cwd = context.runtime.env.cwd();
  if (named !== undefined) {
    return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(named)
      ? named
      : inFolder(cwd, named.replace(/^\.\//, ""));
  }
  const { layers } = await loadConfiguration(context.runtime, { cwd });
  const nearest = layers.filter(({ origin }) => origin === "project").at(-1);
  if (nearest === undefined) {
    throw new UsageError(
      `there is no ${CONFIGURATION_FILE} here or above, up to the repository's root`,
    );
  }
  return nearest.file.path;
}

async function list(context: CommandContext): Promise<number> {
  const { runtime, style } = context;
  const files = Object.entries(await readTrustedFiles(runtime.fs, userFolders(runtime.env).state));
  if (files.length === 0) await context.print("Nothing is trusted.");
  for (const [path, { sha256, trustedAt }] of files.sort(([a], [b]) => a < b ? -1 : 1)) {
    const now = await runtime.fs.readFile(path).then((bytes) => runtime.sha256(bytes), () => null);
    const state = now === null
      ? style.dim("is gone")
      : now === sha256
      ? style.green("trusted")
      : style.yellow("has changed since, so it may only tighten");
    await context.print(`${path}  ${state}  ${style.dim(trustedAt)}`);
  }
  return 0;
}
