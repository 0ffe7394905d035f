/**
 * Which operands of which programs are files, and what is done with them.
 *
 * @module
 */

import type { ShellWord, SimpleCommand } from "../shell/facts.ts";
import {
  type CommandWords,
  commandWords,
  givenOption,
  type OptionGrammar,
} from "./command_words.ts";
import { programGrammar } from "./program_grammar.ts";

/**
 * What is done with a file. `write` replaces what is there, `append` adds to it, `change` changes it in place, `create`
 * makes it where it is not, `remove` takes it away, `move` takes it away to elsewhere, `run` runs it.
 */
export type PathUseKind =
  | "read"
  | "write"
  | "append"
  | "change"
  | "create"
  | "remove"
  | "move"
  | "run";

/** One file that a command uses. */
export interface PathUse {
  readonly kind: PathUseKind;
  /** The word that names it, or a text taken out of a word. */
  readonly word: ShellWord | string;
  readonly from: "operand" | "redirection";
}

/** What a program does with the files it is given. */
interface FileProgram {
  readonly programs: string;
  /** What it does with its operands. `first` and `last` take precedence; `none` is no file. */
  readonly first?: PathUseKind | "none";
  readonly rest: PathUseKind | "none";
  /** Used for the last of two or more operands. */
  readonly last?: PathUseKind;
  /** Options whose values are files. */
  readonly options?: Readonly<Record<string, PathUseKind>>;
  /** With one of these options, the operands are changed in place. */
  readonly inPlace?: readonly string[];
  /** With one of these options, the first operand is a file as well: it took the place of a pattern. */
  readonly patternOptions?: readonly string[];
  readonly valued?: readonly string[];
}

/** Programs that work on files, by what they do. The names stand in one text, separated by blanks. */
const FILE_PROGRAMS: readonly FileProgram[] = [
  {
    programs:
      "cat bat batcat tac nl head tail less more most wc od xxd hexdump hd strings file stat md5sum sha1sum sha256sum " +
      "sha512sum shasum b2sum cksum sum base64 base32 cut paste fold fmt column expand unexpand rev tr look cmp comm diff " +
      "diff3 sdiff vimdiff zcat gzcat bzcat xzcat zless zmore open xdg-open nm objdump readelf ldd size source . jless fx " +
      "glow mdcat pygmentize highlight csvlook iconv uniq join tsort",
    rest: "read",
    valued: [
      "-n",
      "--lines",
      "-c",
      "--bytes",
      "-d",
      "-f",
      "-b",
      "--delimiter",
      "--fields",
      "-w",
      "-t",
      "-N",
      "-j",
      "-s",
    ],
  },
  {
    programs: "sort",
    rest: "read",
    options: { "-o": "write", "--output": "write", "-T": "create" },
    valued: ["-k", "--key", "-t", "--field-separator", "-S", "--buffer-size", "--parallel"],
  },
  {
    programs: "grep egrep fgrep rg ag ack zgrep ugrep ripgrep",
    first: "none",
    rest: "read",
    options: { "-f": "read", "--file": "read" },
    patternOptions: ["-e", "--regexp", "-f", "--file", "--files"],
    valued: [
      "-e",
      "--regexp",
      "-A",
      "-B",
      "-C",
      "-m",
      "--max-count",
      "--include",
      "--exclude",
      "--exclude-dir",
      "-g",
      "--glob",
      "-t",
      "--type",
      "-T",
      "--color",
      "--context",
      "-d",
    ],
  },
  {
    programs: "sed gsed",
    first: "none",
    rest: "read",
    inPlace: ["-i", "--in-place"],
    options: { "-f": "read", "--file": "read" },
    patternOptions: ["-e", "--expression", "-f", "--file"],
    valued: ["-e", "--expression", "-l", "--line-length"],
  },
  {
    programs: "awk gawk mawk nawk jq yq gojq perl ruby xq tomlq dasel",
    first: "none",
    rest: "read",
    inPlace: ["-i", "--in-place", "--inplace"],
    options: { "-f": "read", "--file": "read", "--from-file": "read", "--slurpfile": "read" },
    patternOptions: ["-f", "--file", "--from-file", "-e"],
    valued: ["-F", "-v", "--assign", "--arg", "--argjson", "-e", "--indent", "-p", "-o"],
  },
  { programs: "tee sponge", rest: "write" },
  {
    programs: "touch mkdir mkfifo mknod mktemp",
    rest: "create",
    valued: ["-m", "--mode", "-d", "--date", "-t", "-r", "--reference"],
  },
  { programs: "rm unlink shred srm rimraf del-cli del", rest: "remove" },
  { programs: "rmdir trash trash-put gio", rest: "change" },
  { programs: "truncate", rest: "write" },
  { programs: "chmod chown chgrp", first: "none", rest: "change" },
  { programs: "chattr setfacl", first: "none", rest: "change" },
  {
    programs: "cp gcp",
    rest: "read",
    last: "write",
    options: { "-t": "write", "--target-directory": "write" },
  },
  {
    programs: "install ditto",
    rest: "read",
    last: "write",
    options: { "-t": "write", "--target-directory": "write" },
  },
  {
    programs: "mv gmv",
    rest: "move",
    last: "write",
    options: { "-t": "write", "--target-directory": "write" },
  },
  { programs: "ln", rest: "read", last: "create", options: { "-t": "create" } },
  {
    programs: "rsync scp sftp",
    rest: "read",
    last: "write",
    options: { "--log-file": "write", "--backup-dir": "write" },
    valued: ["-P", "-i", "-F", "-o", "-l", "-S", "-c", "-J"],
  },
  {
    programs: "curl",
    first: "none",
    rest: "none",
    options: {
      "-o": "write",
      "--output": "write",
      "--output-dir": "create",
      "-T": "read",
      "--upload-file": "read",
      "-K": "read",
      "--config": "read",
      "-c": "write",
      "--cookie-jar": "write",
      "-D": "write",
      "--dump-header": "write",
      "--netrc-file": "read",
      "--key": "read",
    },
  },
  {
    programs: "wget",
    first: "none",
    rest: "none",
    options: {
      "-O": "write",
      "--output-document": "write",
      "-P": "create",
      "--directory-prefix": "create",
      "-o": "write",
      "-i": "read",
      "--post-file": "read",
      "--body-file": "read",
    },
  },
  {
    programs: "unzip",
    first: "read",
    rest: "none",
    options: { "-d": "create" },
  },
  { programs: "zip", first: "write", rest: "read" },
  {
    programs: "gzip bzip2 xz zstd gunzip bunzip2 unxz",
    rest: "change",
    valued: ["-S", "--suffix", "-T"],
  },
  {
    programs: "bash sh zsh dash ksh fish node deno bun python python3 php lua Rscript",
    first: "run",
    rest: "none",
    valued: [
      "-c",
      "-m",
      "-W",
      "-X",
      "-e",
      "--eval",
      "-r",
      "--require",
      "-p",
      "--import",
      "--rcfile",
    ],
  },
  {
    programs: "vi vim nvim nano emacs ed ex code subl patch",
    rest: "change",
    options: { "-o": "write", "--output": "write", "-i": "read", "--input": "read" },
    valued: ["-c", "-p", "-d", "--directory"],
  },
  {
    programs: "gcc g++ cc clang rustc go tsc esbuild pandoc ffmpeg convert magick dot protoc javac",
    rest: "none",
    options: {
      "-o": "write",
      "--output": "write",
      "--outfile": "write",
      "--outdir": "create",
      "--outDir": "create",
    },
  },
  { programs: "venv virtualenv", rest: "create" },
  {
    programs: "xargs",
    first: "none",
    rest: "none",
    options: { "-a": "read", "--arg-file": "read" },
  },
  {
    programs: "pip pip3",
    first: "none",
    rest: "none",
    options: {
      "-t": "create",
      "--target": "create",
      "-r": "read",
      "--root": "create",
      "--prefix": "create",
    },
  },
  {
    programs: "split csplit",
    first: "read",
    rest: "create",
    valued: ["-l", "-b", "-n", "-a", "-C"],
  },
];

const INDEX: ReadonlyMap<string, FileProgram> = new Map(
  FILE_PROGRAMS.flatMap((entry) => entry.programs.split(" ").map((name) => [name, entry] as const)),
);

/** Programs that only look, print or compute; they write no file whose name they are given. */
const LOOKING = new Set(
  ("echo printf true false test [ pwd date whoami id which type man ls dir exa eza lsd tree du df ps env printenv " +
    "hostname uname seq expr basename dirname readlink realpath nproc free uptime sleep wait jobs yes tput clear help info")
    .split(" "),
);

/** Whether a program is known to look only, whatever its operands. */
export function isLooking(program: string): boolean {
  const entry = INDEX.get(program);
  return LOOKING.has(program) || (entry !== undefined && entry.rest === "read" && !entry.last);
}

/** Whether the table knows what a program does with files. */
export function isFileProgram(program: string): boolean {
  return INDEX.has(program) || LOOKING.has(program);
}

/** The grammar of a program's options, for its files: those whose values are files take values too. */
export function fileGrammar(program: string): OptionGrammar {
  const entry = INDEX.get(program);
  const grammar = programGrammar(program);
  return {
    ...grammar,
    valued: [
      ...grammar.valued ?? [],
      ...entry?.valued ?? [],
      ...Object.keys(entry?.options ?? {}),
    ],
  };
}

/** The files that a command uses, by its redirections and by its operands. */
export function pathUses(command: SimpleCommand): readonly PathUse[] {
  const uses: PathUse[] = [];
  for (const { effect, target } of command.redirections) {
    const from = "redirection";
    if (effect === "read") uses.push({ kind: "read", word: target, from });
    else if (effect === "write") uses.push({ kind: "write", word: target, from });
    else if (effect === "append") uses.push({ kind: "append", word: target, from });
    else if (effect === "read-write") uses.push({ kind: "change", word: target, from });
  }
  if (command.program.kind !== "named") return uses;
  const { name, path, place } = command.program;
  if (place === "elsewhere") {
    uses.push({ kind: "run", word: command.words[0] ?? path, from: "operand" });
  }
  return [...uses, ...operandUses(name, command.words.slice(1))];
}

function operandUses(name: string, given: readonly ShellWord[]): PathUse[] {
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  return special === undefined ? tableUses(name, given) : special(given);
}

function tableUses(name: string, given: readonly ShellWord[]): PathUse[] {
  const entry = INDEX.get(name);
  if (entry === undefined) return [];
  const words = commandWords(given, fileGrammar(name));
  const uses: PathUse[] = [];
  for (const [option, kind] of Object.entries(entry.options ?? {})) {
    const found = givenOption(words, [option]);
    if (found?.word != null) uses.push(use(kind, found.value, found.word));
  }
  const isInPlace = entry.inPlace !== undefined &&
    words.options.some((option) => entry.inPlace!.includes(option.name));
  const isPattern = entry.patternOptions !== undefined &&
    words.options.some((option) => entry.patternOptions!.includes(option.name));
  const toFolder = givenOption(words, ["-t", "--target-directory"]) !== null &&
    entry.last !== undefined;
  const { operands } = words;
  for (const [index, operand] of operands.entries()) {
    let kind: PathUseKind | "none" = isInPlace && entry.rest === "read" ? "change" : entry.rest;
    if (index === 0 && entry.first !== undefined && !isPattern) kind = entry.first;
    if (index === operands.length - 1 && index > 0 && entry.last !== undefined && !toFolder) {
      kind = entry.last;
    }
    if (kind === "none" || operand.text === "-") continue;
    // "host:path" is on another machine.
    if ((name === "rsync" || name === "scp") && /^[^/~.]*:/.test(operand.text)) continue;
    uses.push({ kind, word: operand.word, from: "operand" });
  }
  return uses;
}

/** An option's value as a use: the whole word when the value is the whole word. */
function use(kind: PathUseKind, value: string | null, word: ShellWord): PathUse {
  const isWhole = word.value === null || word.value === value;
  return { kind, word: isWhole ? word : value ?? "", from: "operand" };
}

/** Programs whose operands need more than the table. */
const SPECIAL: Readonly<Record<string, (words: readonly ShellWord[]) => PathUse[]>> = {
  curl: (words) => [...tableUses("curl", words), ...sentFiles(words)],
  dd: (words) =>
    words.flatMap((word) => {
      const text = word.value ?? "";
      if (text.startsWith("of=")) return [fromText("write", text.slice(3))];
      return text.startsWith("if=") ? [fromText("read", text.slice(3))] : [];
    }),
  tar: tarUses,
  bsdtar: tarUses,
  find: (words) => {
    const uses: PathUse[] = [];
    for (const word of words) {
      if (/^[-(!]/.test(word.value ?? "")) break;
      uses.push({ kind: "read", word, from: "operand" });
    }
    for (const [index, word] of words.entries()) {
      if (/^-f(?:print0?|printf|ls)$/.test(word.value ?? "") && words[index + 1] !== undefined) {
        uses.push({ kind: "write", word: words[index + 1]!, from: "operand" });
      }
    }
    return uses;
  },
  git: (words) => {
    const globals = commandWords(words, programGrammar("git"));
    const [subcommand, ...rest] = globals.operands;
    const operands = commandWords(rest.map(({ word }) => word), {
      valued: ["-b", "--branch", "-o", "--depth"],
    });
    const output = givenOption(operands, ["--output", "--output-directory"]);
    const uses: PathUse[] = output?.value ? [fromText("write", output.value)] : [];
    if (subcommand?.text === "clone" && operands.operands.length > 1) {
      uses.push({ kind: "create", word: operands.operands.at(-1)!.word, from: "operand" });
    }
    return uses;
  },
  python: pythonUses,
  python3: pythonUses,
};

/** Files that `curl` sends: `-d @file`, `-F name=@file`. */
function sentFiles(words: readonly ShellWord[]): PathUse[] {
  return words.flatMap((word, index) => {
    const before = words[index - 1]?.value ?? "";
    const text = word.value ?? "";
    const isData = /^(?:-d|-F|--data(?:-\w+)?|--form|--json|--url-query)$/.test(before);
    const joined = /^(?:--(?:data(?:-\w+)?|form|json)=|-[dF])(.+)$/.exec(text)?.[1];
    const file = /^(?:[\w.-]*=)?[@<]([^;]+)/.exec(isData ? text : joined ?? "")?.[1];
    return file === undefined || file === "-" ? [] : [fromText("read", file)];
  });
}

function tarUses(given: readonly ShellWord[]): PathUse[] {
  const [first, ...others] = given;
  // "tar xzf a.tgz": the first word may be letters without a dash.
  const letters = first?.value ?? "";
  const bundled = /^[a-zA-Z]+$/.test(letters) && others.length > 0;
  const uses: PathUse[] = [];
  const words: CommandWords = commandWords(bundled ? others : given, {
    valued: ["-f", "--file", "-C", "--directory", "-X", "-T", "--exclude", "--strip-components"],
  });
  const isWriting = bundled
    ? /[cru]/.test(letters)
    : givenOption(words, ["-c", "--create", "-r", "--append", "-u", "--update"]) !== null;
  const archive = bundled && letters.includes("f")
    ? words.operands[0]?.word
    : givenOption(words, ["-f", "--file"])?.word;
  if (archive != null) {
    uses.push({ kind: isWriting ? "write" : "read", word: archive, from: "operand" });
  }
  const folder = givenOption(words, ["-C", "--directory"]);
  if (folder?.word != null && !isWriting) uses.push(use("create", folder.value, folder.word));
  if (isWriting) {
    for (const { word } of words.operands.slice(bundled && letters.includes("f") ? 1 : 0)) {
      uses.push({ kind: "read", word, from: "operand" });
    }
  }
  return uses;
}

function pythonUses(given: readonly ShellWord[]): PathUse[] {
  const words = commandWords(given, { valued: ["-c", "-m", "-W", "-X"], stopsAtOperand: true });
  const module = givenOption(words, ["-m"])?.value;
  if (module === "venv") {
    const rest = words.operands.filter(({ text }) => !text.startsWith("-"));
    return rest.map(({ word }) => ({ kind: "create", word, from: "operand" }));
  }
  const [script] = words.operands;
  if (script === undefined || module != null || givenOption(words, ["-c"]) !== null) return [];
  return [{ kind: "run", word: script.word, from: "operand" }];
}

function fromText(kind: PathUseKind, text: string): PathUse {
  return { kind, word: text, from: "operand" };
}
