import { parseArgs } from "node:util";
import {
  applyInstall,
  type FileChange,
  planInstall,
  planNewFile,
  readTexts,
} from "../clients/install/changes.ts";
import { InstallationError, type Place } from "../clients/install/installation.ts";
import { inFolder } from "../config/ancestor_folders.ts";
import { CONFIGURATION_FILE } from "../config/load_configuration.ts";
import { STARTER_NAMES, starterConfiguration, type StarterName } from "../config/starter.ts";
import { userFolders } from "../config/user_folders.ts";
import { FileSystemError } from "../runtime/port.ts";
import { foundClients, hookProgram, namedClients, placeFor, scopeOf } from "./clients_place.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { confirm } from "./confirm.ts";
import { showChanges } from "./show_changes.ts";

/** Folders that only the administrator writes to. */
const SYSTEM_FOLDERS = /^\/(?:usr|opt|bin|sbin|nix|gnu)\//;

/** Something could not be installed. */
const FAILED = 1;

/** `gatehouse init`. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      user: { type: "boolean", default: false },
      project: { type: "boolean", default: false },
      system: { type: "boolean", default: false },
      yes: { type: "boolean", short: "y", default: false },
      preset: { type: "string", default: "guards" },
      binary: { type: "string" },
    },
  });
  if (!STARTER_NAMES.includes(values.preset as StarterName)) {
    throw new UsageError(`--preset is one of ${STARTER_NAMES.join(", ")}, not ${values.preset}`);
  }
  const { runtime } = context;
  const scope = scopeOf(values);
  const place = placeFor(runtime, scope);
  const named = namedClients(positionals);
  const clients = named.length > 0 ? named : foundClients(runtime, place);
  if (clients.length === 0) {
    await context.printError(
      "No coding agent was found here. Name one: `gatehouse init claude-code`.",
    );
    return FAILED;
  }
  const program = await hookProgram(runtime, scope, values.binary);
  const state = userFolders(runtime.env).state;
  const changes: FileChange[] = [];
  let failed = false;
  for (const client of clients) {
    try {
      const planned = await planInstall(runtime, state, client, place, program);
      if (planned.length === 0) await context.print(`${client.title}: the hook is in place.`);
      changes.push(...planned);
      const switches = await readTexts(runtime.fs, client.switches(place));
      for (const obstacle of client.obstacles(switches, place)) {
        await context.printError(`${client.title}: ${obstacle}, so the hook will not be called.`);
      }
      for (const note of client.notes(place)) await context.print(`${client.title}: ${note}`);
    } catch (error) {
      if (!(error instanceof InstallationError)) throw error;
      failed = true;
      await context.printError(`${client.title}: ${error.message}`);
    }
  }
  const starter = await planNewFile(
    runtime,
    starterPath(context, place),
    starterConfiguration(values.preset as StarterName),
  );
  if (starter !== null) changes.push(starter);
  if (scope === "system" && !SYSTEM_FOLDERS.test(program.binary)) {
    await context.printError(
      `${program.binary} stands where an agent may be able to replace it. Put gatehouse into /usr/local/bin, owned by ` +
        "root, and run this from there.",
    );
  }
  if (program.limiter === null) {
    await context.print(
      "There is no `timeout` program here, so a hook that hangs is ended by the client, and the call then runs in " +
        "some of them. Install coreutils, then run this again.",
    );
  }
  if (changes.length === 0) return failed ? FAILED : 0;
  await context.print(showChanges(changes, context.style));
  if (!values.yes) {
    const answer = await confirm(context, "Make these changes?");
    if (answer === null) throw new UsageError("nobody can be asked here; --yes makes the changes");
    if (!answer) {
      await context.print("Nothing was changed.");
      return FAILED;
    }
  }
  try {
    await applyInstall(runtime, state, changes);
  } catch (error) {
    if (!(error instanceof FileSystemError) || error.code !== "permission") throw error;
    await context.printError(
      `Cannot write ${error.path}: no permission.${
        scope === "system" ? " Run this with sudo." : ""
      }`,
    );
    return FAILED;
  }
  const count = changes.length === 1 ? "1 file was" : `${changes.length} files were`;
  await context.print(
    `${count} changed. \`gatehouse uninstall\` takes it back; \`gatehouse doctor\` looks it over.`,
  );
  if (starter !== null && scope === "project") {
    await context.print(
      "The project's configuration counts in full once you have run `gatehouse trust`.",
    );
  }
  return failed ? FAILED : 0;
}

/** Where the starter configuration goes. */
function starterPath(context: CommandContext, place: Place): string {
  const folder = place.scope === "project"
    ? place.project
    : userFolders(context.runtime.env).config;
  return inFolder(folder, CONFIGURATION_FILE);
}
