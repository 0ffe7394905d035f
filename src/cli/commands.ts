/** What the help says of a command. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** What stands after the command's name. */
  readonly usage: readonly string[];
  readonly description: string;
  /** Options and what they do. */
  readonly options: readonly (readonly [string, string])[];
  /** Command lines that work, and what they show. */
  readonly examples: readonly (readonly [string, string])[];
}

const CONFIG_OPTION = [
  "--config FILE",
  "use this configuration alone; it counts as trusted",
] as const;
const JSON_OPTION = ["--json", "print JSON for programs"] as const;

/** Every command but `hook`, which main.ts runs itself, in the order the help lists them. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "check",
    summary: "judge one tool call, or many, and say why",
    usage: ["<tool> [argument…]", "<tool> '{\"key\": …}'", "--batch"],
    description:
      "Judges a call by the configuration of the current folder. For bash the arguments are the " +
      "command line, for reader and editor a path, for search a pattern and a path; for any tool, one JSON " +
      "object or key=value pairs. With --batch it reads JSON lines {tool, action?, args, cwd?} and prints one " +
      "verdict a line, in the same order.\n\n" +
      "Exit code: 0 allow, 1 deny, 3 escalate, 2 wrong usage or configuration. Of a batch: the strictest.",
    options: [
      ["--action NAME", "the tool's action, where it has several"],
      ["--cwd DIR", "judge as if the call ran there"],
      ["--batch", "read JSON lines from standard input"],
      CONFIG_OPTION,
      JSON_OPTION,
    ],
    examples: [
      ["gatehouse check bash 'rm -rf build'", "denied by a built-in guard"],
      ["gatehouse check reader src/main.ts --json", "the verdict as JSON"],
    ],
  },
  {
    name: "policy",
    summary: "check, show or explain the configuration that counts here",
    usage: ["lint [FILE]", "show", "explain <tool> [argument…]"],
    description:
      "lint reads the configuration and names every problem with its line, and rules that can never " +
      "decide. show prints which files count, how far they are trusted, and what they come to. explain judges a " +
      "call like `gatehouse check` and lists what every control and every rule said, in the order they were asked.",
    options: [CONFIG_OPTION, JSON_OPTION],
    examples: [
      ["gatehouse policy lint", "exit code 0 when nothing is wrong, 2 when something is"],
      ["gatehouse policy explain bash 'git push --force'", "every control's answer"],
    ],
  },
  {
    name: "trust",
    summary: "let a project's configuration count in full",
    usage: ["[FILE]", "--list", "--revoke [FILE]"],
    description:
      "A project's gatehouse.yaml may only tighten until a person has trusted it: this remembers the " +
      "hash of what is in it now. A changed file has to be trusted again. It asks on a terminal and nowhere else, " +
      "so that an agent cannot do it.",
    options: [
      ["--list", "print what is trusted"],
      ["--revoke", "trust the file no more"],
      ["--show", "print the file before asking"],
    ],
    examples: [["gatehouse trust --list", "what is trusted, and whether it has changed since"]],
  },
  {
    name: "init",
    summary: "wire gatehouse into the coding agents on this machine",
    usage: ["[client…]"],
    description:
      "Finds the coding agents that are installed (or takes those named: claude-code, codex, " +
      "gemini, opencode, copilot), shows the exact change to each of their files, asks, and makes it. Everything else " +
      "in the files stays as it is, and what was there before is kept. Run again, it changes only what is not in " +
      "place. It also writes a first gatehouse.yaml where there is none.",
    options: [
      ["--user", "for you, in every project (this is the default)"],
      ["--project", "for this folder, in files that others share"],
      ["--system", "for the whole machine, where an agent cannot switch it off (as root)"],
      ["--preset NAME", "the first configuration: guards (no rules), safe, readonly or strict"],
      ["--yes", "make the changes without asking"],
      ["--binary FILE", "start this program as the hook, not the one that is running"],
    ],
    examples: [
      ["gatehouse init", "every agent that is found"],
      ["gatehouse init claude-code codex --preset safe", "these two, with a policy"],
      ["sudo gatehouse init --system", "so that no agent can switch it off"],
    ],
  },
  {
    name: "uninstall",
    summary: "take gatehouse out of the coding agents again",
    usage: ["[client…]"],
    description:
      "Undoes what `gatehouse init` did: a file that nobody else has changed since is restored byte " +
      "for byte, from one that somebody has only our part is taken out.",
    options: [
      ["--user", "what was installed for you (this is the default)"],
      ["--project", "what was installed in this folder"],
      ["--system", "what was installed for the whole machine (as root)"],
      ["--yes", "make the changes without asking"],
    ],
    examples: [["gatehouse uninstall codex", "out of Codex only"]],
  },
  {
    name: "evidence",
    summary: "say whether a run left work behind, and against what",
    usage: ["start", "[--since baseline|REF] [--base REF]"],
    description:
      "start remembers HEAD, the branches and what is uncommitted now. Without it, the command says " +
      "what has been added since: commits, changed and untracked files, and whether they are pushed or merged. " +
      "Without --since it counts from the baseline, or from the base branch where none was taken. Git is asked " +
      "without running anything of the repository's own.\n\n" +
      "Exit code: 0 there is work to show, 1 there is none, 3 git cannot tell, 2 wrong usage.",
    options: [
      ["--since REF", "count from this commit, or from `baseline`"],
      ["--base REF", "the branch the work is for; found by itself when left out"],
      ["--cwd DIR", "ask about this folder"],
      JSON_OPTION,
    ],
    examples: [
      ["gatehouse evidence start", "remember how things are before a run"],
      ["gatehouse evidence", "one sentence and the facts behind it"],
    ],
  },
  {
    name: "completions",
    summary: "print a completion script for a shell",
    usage: ["bash | zsh | fish"],
    description: "Prints a script to be read by the shell's start-up file.",
    options: [],
    examples: [["gatehouse completions bash", "a script for bash"]],
  },
  {
    name: "version",
    summary: "print the version",
    usage: [""],
    description: "Prints the version, the runtime inside, and the platform.",
    options: [JSON_OPTION],
    examples: [["gatehouse version", "one line"]],
  },
];

/** The entry for the hook, which is loaded with the program itself. */
export const HOOK_HELP = {
  name: "hook",
  summary: "answer a coding agent's hook (agents run this, not people)",
  usage: ["claude-code | codex | gemini | opencode | copilot"],
  description:
    "Reads the client's payload on standard input, judges it, and prints the answer in the form which " +
    "that client honours. Whatever goes wrong is a refusal with a reason.",
  options: [CONFIG_OPTION, ["--on-screen", "a person can answer a question (Gemini CLI)"]],
  examples: [["gatehouse hook claude-code < payload.json", "exit code 2 when the call is denied"]],
} as const;
