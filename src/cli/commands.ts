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
const STORE_OPTION = [
  "--store PLACE",
  "another store: a file, or a postgres:// URL",
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
    name: "explain",
    summary: "judge a call and show every step: the commands in it, each control, each rule",
    usage: ["<tool> [argument…]"],
    description:
      "Judges a call like `gatehouse check`, draws the commands that the line would run, and lists " +
      "what every control and every rule said, in the order they were asked. Exit codes as for check.",
    options: [
      ["--action NAME", "the tool's action, where it has several"],
      ["--cwd DIR", "judge as if the call ran there"],
      CONFIG_OPTION,
      JSON_OPTION,
    ],
    examples: [[
      "gatehouse explain bash 'cd build && rm -rf *'",
      "two commands, and what is said of each",
    ]],
  },
  {
    name: "policy",
    summary: "check, show, test or explain the configuration that counts here",
    usage: ["lint [FILE]", "show", "test", "explain <tool> [argument…]"],
    description:
      "lint reads the configuration and names every problem with its line, and rules that can never " +
      "decide. show prints which files count, how far they are trusted, and what they come to. test runs the " +
      "`tests:` of the files and names the rules that no test reaches; exit code 1 when one fails. explain is " +
      "`gatehouse explain`.",
    options: [CONFIG_OPTION, JSON_OPTION],
    examples: [
      ["gatehouse policy lint", "exit code 0 when nothing is wrong, 2 when something is"],
      ["gatehouse policy test", "the tests in the files, and which rules they reach"],
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
    name: "sessions",
    summary: "list the sessions of coding agents, with their calls and denials",
    usage: [""],
    description:
      "The latest first: client, folder, when it began and was last heard of, how many calls were " +
      "decided on and how many of them denied.",
    options: [
      ["--client NAME", "only of this client"],
      ["--since TIME", "only with signals since then: 10m, 12h, 30d, or a date"],
      ["--limit N", "at most so many (30)"],
      STORE_OPTION,
      JSON_OPTION,
    ],
    examples: [["gatehouse sessions --since 7d", "the sessions of a week"]],
  },
  {
    name: "signals",
    summary: "look at what was recorded, keep it small, or take it out",
    usage: ["list", "tail [-f]", "show <id>", "export --jsonl", "prune", "stats", "reset"],
    description:
      "list prints the latest decisions: time, verdict, tool, the first words of the command, the rule, and " +
      "the beginning of the id. tail -f goes on as they come. show prints one signal whole, export all of them as " +
      "JSON lines. prune removes what is too old or too much (90 days and 512 MB unless you say), and gives the " +
      "space back. stats also says what was lost. reset sets a damaged store aside.",
    options: [
      ["--session ID", "only of this session"],
      ["--kind NAME", "only of this kind, such as ToolDecided; may be given again"],
      ["--tool NAME", "only of this tool"],
      ["--behavior NAME", "only these verdicts: allow, deny or escalate"],
      ["--since TIME", "only since then: 10m, 12h, 30d, or a date"],
      ["--all", "every kind, not decisions and failures alone"],
      ["--limit N", "at most so many (list 50, tail 20)"],
      ["--older-than TIME", "prune: what is older goes"],
      ["--max-size SIZE", "prune: the oldest go until the store is so small"],
      STORE_OPTION,
      JSON_OPTION,
    ],
    examples: [
      ["gatehouse signals tail -f", "what is decided, as it is decided"],
      ["gatehouse signals list --behavior deny --since 1d", "the denials of a day"],
      ["gatehouse signals prune --older-than 30d --max-size 200MB", "keep a month, and 200 MB"],
    ],
  },
  {
    name: "why",
    summary: "explain a past decision",
    usage: ["<id>", "last"],
    description:
      "Takes the beginning of a signal's id, or the client's id of a call, or `last` for the latest denial, and " +
      "explains the decision from what was recorded: the rule and its place, every control's answer, what was " +
      "rewritten, and what came of it.",
    options: [STORE_OPTION, JSON_OPTION],
    examples: [["gatehouse why last", "why the latest denial was one"]],
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
    name: "doctor",
    summary: "look whether the hooks are in place and can do their work",
    usage: ["[client…]"],
    description:
      "Looks, for every coding agent on this machine, whether its hook is installed, trusted, pointing at " +
      "this program and not switched off by any file here; whether the configuration is valid, the records can be " +
      "written and the environment is clean; and what each agent's abilities mean for this policy. With --live it sends " +
      "a call that must be denied through the very command line that each agent would run.\n\n" +
      "Exit code: 0 nothing found, 1 something is wrong.",
    options: [["--live", "try each hook with a call that must be denied"], JSON_OPTION],
    examples: [["gatehouse doctor --live", "the whole check"]],
  },
  {
    name: "pause",
    summary: "open a window in which agents may change what guards them",
    usage: ["", "--minutes N", "--end", "--list"],
    description:
      "Agents may not change gatehouse's own files, nor the settings by which they call it. This opens a " +
      "window for that, for at most an hour. It asks on a terminal and nowhere else, so that an agent cannot do it, and " +
      "every window is recorded. All other rules and guards stay. Without an option it says whether a window is open.",
    options: [["--minutes N", "open it for so long, 1 to 60"], ["--end", "close it"], [
      "--list",
      "every window there was",
    ]],
    examples: [["gatehouse pause --minutes 10", "ten minutes"]],
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
