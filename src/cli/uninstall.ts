import { parseArgs } from "node:util";
import {
  applyUninstall,
  type FileChange,
  planRemoval,
  planUninstall,
} from "../clients/install/changes.ts";
import { InstallationError } from "../clients/install/installation.ts";
import { INSTALLATIONS } from "../clients/install/registry.ts";
import { inFolder } from "../config/ancestor_folders.ts";
import { CONFIGURATION_FILE } from "../config/load_configuration.ts";
import { userFolders } from "../config/user_folders.ts";
import { namedClients, placeFor, scopeOf } from "./clients_place.ts";
import { type CommandContext, UsageError } from "./command.ts";
import { confirm } from "./confirm.ts";
import { showChanges } from "./show_changes.ts";

/** Something could not be taken out. */
const FAILED = 1;

/** `gatehouse uninstall`. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      user: { type: "boolean", default: false },
      project: { type: "boolean", default: false },
      system: { type: "boolean", default: false },
      yes: { type: "boolean", short: "y", default: false },
    },
  });
  const { runtime } = context;
  const scope = scopeOf(values);
  const place = placeFor(runtime, scope);
  const folders = userFolders(runtime.env);
  const everything = positionals.length === 0;
  const clients = everything ? Object.values(INSTALLATIONS) : namedClients(positionals);
  const changes: FileChange[] = [];
  let failed = false;
  for (const client of clients) {
    try {
      changes.push(...await planUninstall(runtime, folders.state, client, place));
    } catch (error) {
      if (!(error instanceof InstallationError)) throw error;
      // Without names, a client that has no such place is nothing to speak of.
      if (everything && scope === "system") continue;
      failed = true;
      await context.printError(`${client.title}: ${error.message}`);
    }
  }
  if (everything) {
    const folder = scope === "project" ? place.project : folders.config;
    const starter = await planRemoval(runtime, folders.state, inFolder(folder, CONFIGURATION_FILE));
    if (starter !== null) changes.push(starter);
  }
  if (changes.length === 0) {
    await context.print("There is nothing to take out.");
    return failed ? FAILED : 0;
  }
  await context.print(showChanges(changes, context.style));
  if (!values.yes) {
    const answer = await confirm(context, "Make these changes? Calls will no longer be judged.");
    if (answer === null) throw new UsageError("nobody can be asked here; --yes makes the changes");
    if (!answer) {
      await context.print("Nothing was changed.");
      return FAILED;
    }
  }
  await applyUninstall(runtime, folders.state, changes);
  await context.print("The hook is out.");
  return failed ? FAILED : 0;
}
