/**
 * Finds programs that would read what to run from the terminal.
 *
 * Codex types into a running program (`write_stdin`) without asking any hook. A shell that was started bare
 * would then run whatever is typed, unseen. This is a net with known meshes: it knows the usual
 * programs, not every one that can start another.
 *
 * @module
 */

/** How a program that can read commands from the terminal is kept from doing so. */
interface Interpreter {
  /** Options that carry the program text, so that nothing is read; `-c`. */
  readonly code: readonly string[];
  /** Options that make it read from the terminal although there is a script. */
  readonly interactive: readonly string[];
  /** Options whose next word is their value, not a script. */
  readonly valued: readonly string[];
  /** How many operands it needs before it no longer reads commands; `never`: it always reads them. */
  readonly operands: number | "never";
}

const shell: Interpreter = {
  code: ["-c"],
  interactive: ["-i", "-s", "-l"],
  valued: ["-o", "+o", "-O", "+O", "--rcfile", "--init-file"],
  operands: 1,
};
const script = (code: readonly string[], valued: readonly string[] = []): Interpreter => ({
  code,
  interactive: ["-i", "--interactive"],
  valued,
  operands: 1,
});
const always: Interpreter = { code: [], interactive: [], valued: [], operands: "never" };

/** The programs, by the last part of their path, version numbers left out. */
const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map([
  ...[
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "mksh",
    "ash",
    "fish",
    "csh",
    "tcsh",
    "nu",
    "elvish",
    "xonsh",
  ]
    .map((name) => [name, shell] as const),
  ["pwsh", script(["-c", "-command", "-Command", "-e", "-EncodedCommand", "-f", "-File", "-file"])],
  ["python", script(["-c", "-m", "--version", "-V", "-h", "--help"], ["-W", "-X"])],
  ["pypy", script(["-c", "-m", "--version"], ["-W", "-X"])],
  [
    "node",
    script(["-e", "--eval", "-p", "--print", "-v", "--version", "-h", "--help", "--test"], [
      "-r",
      "--require",
      "--import",
    ]),
  ],
  ["ruby", script(["-e", "-v", "--version"], ["-I", "-r"])],
  ["perl", script(["-e", "-E", "-v", "-V", "--version"], ["-I", "-M"])],
  ["php", {
    code: ["-r", "-v", "-m", "-l"],
    interactive: ["-a"],
    valued: ["-d", "-c"],
    operands: 1,
  }],
  ["lua", script(["-e", "-v"], ["-l"])],
  ["luajit", script(["-e", "-v"], ["-l"])],
  ["R", script(["-e", "-f", "CMD"])],
  ["julia", script(["-e", "--eval", "-E"])],
  ["ipython", script(["-c", "-m"])],
  ["tclsh", script([])],
  ["guile", script(["-c"])],
  ["irb", always], // Ruby's prompt
  ["pry", always],
  ["ghci", always], // Haskell's prompt; `:!` runs a shell
  ["iex", always],
  ["erl", script(["-eval", "-noshell", "-noinput"])],
  ["gdb", { code: ["-batch", "--batch"], interactive: [], valued: [], operands: "never" }], // `shell`
  ["lldb", { code: ["-b", "--batch"], interactive: [], valued: [], operands: "never" }],
  ["expect", script(["-c"])],
  ["screen", {
    code: ["-ls", "-list", "-X", "-dmS", "-dm"],
    interactive: [],
    valued: [],
    operands: "never",
  }],
  ["tmux", script([])], // with a command it runs that; alone it opens a shell
  ["script", { code: ["-c", "--command"], interactive: [], valued: [], operands: "never" }], // a shell with a log
  ["su", { code: ["-c", "--command"], interactive: [], valued: [], operands: "never" }],
  ["ed", always], // `!` runs a shell
  ["ex", always],
  ["vi", always],
  ["vim", always],
  ["nvim", { code: ["--headless"], interactive: [], valued: [], operands: "never" }],
  ["emacs", { code: ["--batch", "-batch"], interactive: [], valued: [], operands: "never" }],
  ["sqlite", {
    code: [],
    interactive: ["-interactive"],
    valued: ["-cmd", "-init", "-separator"],
    operands: 2,
  }], // `.shell`
  ["psql", {
    code: ["-c", "--command", "-f", "--file", "-l", "--list"],
    interactive: [],
    valued: [],
    operands: "never",
  }], // `\!`
  ["mysql", { code: ["-e", "--execute"], interactive: [], valued: [], operands: "never" }], // `system`
  ["mariadb", { code: ["-e", "--execute"], interactive: [], valued: [], operands: "never" }],
  ["ssh", {
    code: ["-V", "-N", "-G", "-Q"],
    interactive: [],
    valued: [
      "-p",
      "-i",
      "-l",
      "-o",
      "-F",
      "-L",
      "-R",
      "-D",
      "-J",
      "-c",
      "-m",
      "-b",
      "-E",
      "-W",
      "-S",
    ],
    operands: 2,
  }],
  ["xargs", always], // what is typed becomes the words of a command
  ["parallel", always],
]);

/** Programs that only start another one; their options, values of options and assignments are stepped over. */
const LAUNCHERS: ReadonlySet<string> = new Set([
  "env",
  "exec",
  "command",
  "builtin",
  "nohup",
  "time",
  "nice",
  "ionice",
  "setsid",
  "stdbuf",
  "unbuffer",
  "rlwrap",
  "sudo",
  "doas",
  "timeout",
  "chrt",
  "taskset",
  "winpty",
  "busybox",
  "catchsegv",
  "eval",
]);

/**
 * The first program in a command line that would read from the terminal what to run; `null` when none is seen.
 *
 * A program that reads from a pipe, a file or a here-document does not.
 */
export function bareInterpreter(line: string): string | null {
  return scan(line, 0);
}

/** Scripts within scripts are followed so deep. */
const DEEPEST = 8;

function scan(line: string, depth: number): string | null {
  if (depth > DEEPEST) return null;
  for (const command of simpleCommands(line)) {
    const found = judge(command.words, command.reads, depth);
    if (found !== null) return found;
  }
  return null;
}

function judge(words: readonly string[], reads: boolean, depth: number): string | null {
  let at = 0;
  while (at < words.length && /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(words[at])) at++;
  if (at >= words.length) return null;
  const name = programName(words[at]);
  const rest = words.slice(at + 1);
  if (LAUNCHERS.has(name)) {
    // sudo -i and sudo -s open a shell themselves.
    if (name === "sudo" && rest.length > 0 && rest.every((word) => word.startsWith("-"))) {
      if (rest.some((word) => /^-[a-zA-Z]*[is]$/.test(word))) return reads ? null : words[at];
    }
    // Which words are values of options is not known here, so every word may be the program.
    for (let start = 0; start < rest.length; start++) {
      if (!INTERPRETERS.has(programName(rest[start])) && !LAUNCHERS.has(programName(rest[start]))) {
        if (/^-|=|^[0-9.]+[smhd]?$/.test(rest[start])) continue;
        if (start > 0 && rest[start - 1].startsWith("-")) continue;
        return null;
      }
      return judge(rest.slice(start), reads, depth);
    }
    return null;
  }
  const interpreter = INTERPRETERS.get(name);
  if (interpreter === undefined) return null;
  let operands = 0;
  let interactive = false;
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index];
    const isShell = interpreter === shell;
    if (interpreter.code.includes(word) || (isShell && /^-[a-z]*c$/.test(word))) {
      if (interactive && !isShell) break;
      return isShell ? scan(rest[index + 1] ?? "", depth + 1) : null;
    }
    if (interpreter.interactive.includes(word)) interactive = word !== "-l" || interactive;
    else if (interpreter.valued.includes(word)) index++;
    else if (word === "-") interactive = true;
    else if (!word.startsWith("-") && !word.startsWith("+")) {
      operands++;
      if (isShell) break;
    }
  }
  if (reads) return null;
  const enough = interpreter.operands !== "never" && operands >= interpreter.operands;
  return enough && !interactive ? null : words[at];
}

function programName(word: string): string {
  const name = word.slice(word.lastIndexOf("/") + 1);
  return name.replace(/\.exe$/i, "").replace(/(?<=[a-zA-Z])-?[0-9][0-9.]*$/, "");
}

interface Simple {
  readonly words: readonly string[];
  /** Whether it reads from a pipe, a file or a here-document. */
  readonly reads: boolean;
}

/** Cuts a line into simple commands, wherever one could begin, quotes respected. */
function simpleCommands(line: string): readonly Simple[] {
  const commands: Simple[] = [];
  let words: string[] = [];
  let word: string | null = null;
  let reads = false;
  let piped = false;
  const endWord = (): void => {
    if (word !== null && !KEYWORDS.has(word)) words.push(word);
    word = null;
  };
  const endCommand = (pipe: boolean): void => {
    endWord();
    if (words.length > 0) commands.push({ words, reads: reads || piped });
    words = [];
    reads = false;
    piped = pipe;
  };
  for (let index = 0; index < line.length; index++) {
    const char = line[index];
    switch (char) {
      case "\\":
        index++;
        if (line[index] !== "\n") word = (word ?? "") + (line[index] ?? "");
        break;
      case "'": {
        const end = line.indexOf("'", index + 1);
        word = (word ?? "") + line.slice(index + 1, end < 0 ? line.length : end);
        index = end < 0 ? line.length : end;
        break;
      }
      case '"': {
        let text = "";
        for (index++; index < line.length && line[index] !== '"'; index++) {
          if (line[index] === "\\") index++;
          text += line[index] ?? "";
        }
        word = (word ?? "") + text;
        for (const inner of text.matchAll(/\$\(([^()]*)\)|`([^`]*)`/g)) {
          commands.push(...simpleCommands(inner[1] ?? inner[2] ?? ""));
        }
        break;
      }
      case " ":
      case "\t":
        endWord();
        break;
      case "<":
        endWord();
        if (line[index + 1] === "(") break;
        reads = true;
        while (line[index + 1] === "<" || line[index + 1] === "-") index++;
        break;
      case "|":
        if (line[index + 1] === "|") {
          index++;
          endCommand(false);
        } else {
          if (line[index + 1] === "&") index++;
          endCommand(true);
        }
        break;
      case "&":
        if (line[index - 1] === ">" || line[index - 1] === "<") break;
        if (line[index + 1] === ">") break;
        endCommand(false);
        break;
      case ";":
      case "\n":
      case "(":
      case ")":
      case "`":
        endCommand(false);
        break;
      default:
        word = (word ?? "") + char;
    }
  }
  endCommand(false);
  return commands;
}

/** Words of the shell's own, after which a command begins. */
const KEYWORDS: ReadonlySet<string> = new Set([
  "{",
  "}",
  "!",
  "if",
  "then",
  "else",
  "elif",
  "fi",
  "do",
  "done",
  "while",
  "until",
]);
