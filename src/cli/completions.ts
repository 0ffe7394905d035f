import { parseArgs } from "node:util";
import { type CommandContext, UsageError } from "./command.ts";
import { COMMANDS, HOOK_HELP } from "./commands.ts";

const SHELLS: Readonly<Record<string, () => string>> = { bash, zsh, fish };

/** `gatehouse completions SHELL`. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { positionals } = parseArgs({ args: [...args], options: {}, allowPositionals: true });
  const [shell, ...more] = positionals;
  if (shell === undefined || more.length > 0 || !Object.hasOwn(SHELLS, shell)) {
    throw new UsageError(`name one shell: ${Object.keys(SHELLS).join(", ")}`);
  }
  await context.print(SHELLS[shell]());
  return 0;
}

const ENTRIES = [HOOK_HELP, ...COMMANDS];

/** The words that may follow a command: its subcommands and options, without placeholders. */
function wordsOf(entry: (typeof ENTRIES)[number]): string[] {
  const usage = entry.usage.flatMap((line) => line.split(/[\s|]+/)).filter((word) =>
    /^[a-z][a-z-]*$/.test(word)
  );
  const options = entry.options.map(([option]) => option.split(" ")[0]);
  return [...new Set([...usage, ...options, "--help"])];
}

function bash(): string {
  const cases = ENTRIES.map((entry) => `    ${entry.name}) words="${wordsOf(entry).join(" ")}" ;;`);
  return `_gatehouse() {
  local words current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
    *) words="help ${ENTRIES.map(({ name }) => name).join(" ")}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="help ${ENTRIES.map(({ name }) => name).join(" ")}"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _gatehouse gatehouse`;
}

function zsh(): string {
  const names = ENTRIES.map(({ name, summary }) => `    '${name}:${summary.replaceAll("'", "")}'`);
  const cases = ENTRIES.map((entry) =>
    `    ${entry.name}) compadd -- ${wordsOf(entry).join(" ")} ;;`
  );
  return `#compdef gatehouse
_gatehouse() {
  local -a commands=(
    'help:print help'
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  case "$words[2]" in
${cases.join("\n")}
  esac
  _files
}
compdef _gatehouse gatehouse`;
}

function fish(): string {
  const lines = ["complete -c gatehouse -n __fish_use_subcommand -f -a help -d 'print help'"];
  for (const entry of ENTRIES) {
    const summary = entry.summary.replaceAll("'", "");
    lines.push(
      `complete -c gatehouse -n __fish_use_subcommand -f -a ${entry.name} -d '${summary}'`,
      `complete -c gatehouse -n '__fish_seen_subcommand_from ${entry.name}' -a '${
        wordsOf(entry).join(" ")
      }'`,
    );
  }
  return lines.join("\n");
}
