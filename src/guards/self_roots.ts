/**
 * Where clients keep what decides about their hooks, when a variable has moved it: the table of places knows only the
 * usual folders.
 *
 * @module
 */

/**
 * The moved files and folders; none when no variable is set. Those below the home folder stand there in each way that a
 * command line may write them.
 */
export function movedClientFiles(variable: (name: string) => string | undefined): string[] {
  const home = variable("HOME") ?? "";
  const found: string[] = [];
  const add = (name: string, files: string): void => {
    const folder = variable(name);
    if (folder === undefined || folder === "") return;
    const isBelowHome = home !== "" && folder.startsWith(`${home}/`);
    const below = folder.slice(home.length);
    for (const file of files.split(" ")) {
      found.push(`${folder}/${file}`);
      if (isBelowHome) found.push(`~${below}/${file}`, `$HOME${below}/${file}`);
    }
  };
  add("CLAUDE_CONFIG_DIR", "settings.json settings.local.json hooks");
  add("CODEX_HOME", "hooks.json config.toml");
  add("COPILOT_HOME", "hooks settings.json config.json");
  add("GEMINI_CLI_HOME", ".gemini/settings.json .gemini/policies");
  add("XDG_CONFIG_HOME", "opencode/plugin opencode/plugins");
  return found;
}
