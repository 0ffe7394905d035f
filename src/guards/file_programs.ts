/**
 * The programs that work on files: which of their operands and options are files, and what is done with them.
 *
 * @module
 */

import { isWordOf, type WordList, wordList } from "../shell/word_list.ts";

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

/** What a program does with the files it is given. */
export interface FileProgram {
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

/**
 * Programs that work on files, by what they do. The names stand in one text, separated by blanks. Made when it is first
 * asked for: a hook that asks about no such program need not fill it.
 */
const filePrograms = (): readonly FileProgram[] => [
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
    programs: "perl ruby",
    first: "none",
    rest: "read",
    inPlace: ["-i"],
    patternOptions: ["-e", "-E"],
    valued: ["-e", "-E", "-I", "-M", "-m", "-r", "-F"],
  },
  {
    programs: "awk gawk mawk nawk jq yq gojq xq tomlq dasel",
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
    programs: "vi vim nvim nano emacs ed ex code subl",
    rest: "change",
    options: { "-o": "write", "--output": "write", "-i": "read", "--input": "read" },
    valued: ["-c", "-p", "-d"],
  },
  {
    programs: "patch",
    rest: "change",
    // Which files of the folder it changes stands in the patch.
    options: {
      "-d": "change",
      "--directory": "change",
      "-o": "write",
      "--output": "write",
      "-i": "read",
      "--input": "read",
    },
    valued: ["-p", "--strip", "-F", "--fuzz", "-B", "--prefix", "-z", "--suffix", "-D", "-r"],
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

/** Programs that only look, print or compute; they write no file whose name they are given. */
const LOOKING: WordList = wordList(
  "echo printf true false test [ pwd date whoami id which type man ls dir exa eza lsd tree du df ps env printenv " +
    "hostname uname seq expr basename dirname readlink realpath nproc free uptime sleep wait jobs yes tput clear help info",
);

/** What was asked for already, by program. */
const known = new Map<string, FileProgram | null>();
/** Lines may name any number of programs; the memory for them may not grow with the lines. */
const KNOWN_LIMIT = 1_000;
let table: readonly FileProgram[] | null = null;

/** What a program does with files; `null` when the table does not say. */
export function fileProgram(program: string): FileProgram | null {
  let found = known.get(program);
  if (found === undefined) {
    table ??= filePrograms();
    // Of several entries for a program the last one counts.
    found = null;
    for (const entry of table) if (isWordOf(` ${entry.programs} `, program)) found = entry;
    if (known.size >= KNOWN_LIMIT) known.clear();
    known.set(program, found);
  }
  return found;
}

/** Whether a program is known to look only, whatever its operands. */
export function isLooking(program: string): boolean {
  const entry = fileProgram(program);
  return isWordOf(LOOKING, program) || (entry !== null && entry.rest === "read" && !entry.last);
}

/** Whether the table knows what a program does with files. */
export function isFileProgram(program: string): boolean {
  return fileProgram(program) !== null || isWordOf(LOOKING, program);
}

/** Whether the table says of every operand what it is; else one may be a file that we do not know of. */
export function judgesOperands(program: string): boolean {
  const entry = fileProgram(program);
  return isWordOf(LOOKING, program) || (entry !== null && entry.rest !== "none");
}
