/**
 * What a command line means: the facts that rules and guards judge.
 *
 * Everything here says what the text would run, never whether it should. No value is changed once it
 * is read.
 *
 * @module
 */

/**
 * A piece of the line, in UTF-16 offsets, `end` not included. Always a piece of the line that was
 * read: a command inside a script that a word carries in changed spelling has the word's span.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The reading of one line.
 *
 * `understood: false` never means "harmless": the commands that were found are still listed, so that
 * one of them can be denied, and the reasons say what may run besides.
 */
export interface ShellReading {
  /** The line, as it was given. */
  readonly text: string;
  /**
   * `commands`: at least one was found. `no-command`: the line is blank or a comment, nothing runs.
   * `not-looked`: the line was not read at all (too long, too deep), so nothing is known of it.
   */
  readonly outcome: "commands" | "no-command" | "not-looked";
  /** Whether all that the line would run is in `commands`. Exactly then `reasons` is empty. */
  readonly understood: boolean;
  readonly reasons: readonly NotUnderstood[];
  /**
   * Every simple command, in the order of the text. A command stands before those that its own words
   * or its script contain; the body of a function stands where the function is called. The body of a
   * loop over known words is listed once per word.
   */
  readonly commands: readonly SimpleCommand[];
  /** How much work the reading was: grows linearly with the text, up to the caps. */
  readonly steps: number;
}

/** Why a line is not understood. */
export type NotUnderstoodCode =
  | "syntax" // the shell would refuse it, or read it in another way than we do
  | "too-long" // over a cap: characters, words, commands, brace expansions or steps
  | "too-deep" // nested deeper than we follow
  | "unknown-program" // which program runs is known only when it runs
  | "unknown-script" // a shell, `eval`, `trap`, … runs a text that is known only when it runs
  | "unknown-option" // a launcher has an option we do not know, so what it launches is a guess
  | "other-shell" // the line is for a shell that we do not read
  | "hidden-character" // invisible or direction-changing characters: the reader sees another line
  | "rebound"; // the line changes what names mean (`enable -f`, `hash -p`, `alias` with `eval`, …)

/** One reason, and where. */
export interface NotUnderstood {
  readonly code: NotUnderstoodCode;
  /** What, in words, as the end of "Cannot tell what this runs: …". */
  readonly message: string;
  readonly span: Span;
}

/** One simple command: a program with its words, or only assignments and redirections. */
export interface SimpleCommand {
  /** Its place in {@linkcode ShellReading.commands}. */
  readonly index: number;
  readonly span: Span;
  readonly program: Program;
  /**
   * The words as the program gets them: quotes removed, braces expanded, known variables put in, the
   * program itself first. Empty when `program.kind` is `none`.
   */
  readonly words: readonly ShellWord[];
  /**
   * What the program gets besides, at the end of `words`, from where we cannot see: `stdin` (xargs,
   * parallel) or `found-files` (`find -exec … {} +`). `null`: `words` is all.
   */
  readonly unseenOperands: "stdin" | "found-files" | null;
  /** `NAME=value` before the program, or alone. Their values are in `environment` as well. */
  readonly assignments: readonly Assignment[];
  /** Its redirections, in order. One of a group, loop or `if` stands in a command of its own with program `none`. */
  readonly redirections: readonly Redirection[];
  /** What it reads, as far as the line says. */
  readonly stdin: StandardInput;
  /** Every variable that the line sets and that is in force for this command; a later one wins. */
  readonly environment: readonly EnvironmentChange[];
  /** Where it runs, as far as `cd` on the line can be followed. */
  readonly directory: Directory;
  /** Where it may run instead: a `cd` before it can fail and the line goes on, or only one branch had it. */
  readonly otherDirectories: readonly Directory[];
  /** How the shell gets to it, from the outside to the inside. Empty: it stands plainly on the line. */
  readonly reach: readonly ReachStep[];
  /** The operator in front of it in its list; `null` for the first. */
  readonly joinedBy: "&&" | "||" | ";" | "&" | "|" | "|&" | null;
  /** The command that contains it: whose words, script or launcher it stands in; `null` at the top. */
  readonly parent: number | null;
  /**
   * `launches`: it only starts the commands in `opens` (`timeout`, `xargs`, `bash -c`, …). `runs`: it does
   * something of its own, whether or not it also opens others (`find -exec`, `sudo`, `ssh`, …).
   */
  readonly role: "runs" | "launches";
  /** The commands that it starts directly, by index. */
  readonly opens: readonly number[];
  /** The launchers around it, from the outside to the inside; `sudo timeout 5 rm x` has two. */
  readonly launchers: readonly Launcher[];
  /** All that the launchers do to it, without repetition. */
  readonly effects: readonly LauncherEffect[];
  /** Code in another language that it runs: `python -c …`, a heredoc for `node`, an `awk` program. */
  readonly code: readonly InlineCode[];
  /**
   * The command in one defined spelling, for wildcard rules: the words, separated by one space, each
   * quoted only where it must be ('single' quotes), a program in a system folder by its bare name,
   * unknown parts as they are written, then the redirections that touch a file or give a text (not
   * `2>&1`, not `/dev/null`; a heredoc is `<<`). Assignments are left out.
   */
  readonly canonical: string;
}

/** Which program runs. */
export type Program =
  | {
    readonly kind: "named";
    /** The last part of its path, what tables are asked with: `rm` for `/bin/rm`. */
    readonly name: string;
    /** As the shell sees it: `rm`, `/bin/rm`, `./rm`, `~/bin/rm`. */
    readonly path: string;
    /** `search`: looked up in PATH; `system`: in one of {@linkcode SYSTEM_FOLDERS}; `elsewhere`: some other file. */
    readonly place: "search" | "system" | "elsewhere";
  }
  /** A function that the line defines; its body follows, with this command as parent. `recursive`: it is inside itself. */
  | { readonly kind: "function"; readonly name: string; readonly recursive: boolean }
  /** No program: only assignments and redirections. */
  | { readonly kind: "none" }
  /** Known only when it runs. The reading has a reason for it, unless a launcher's empty command is meant. */
  | { readonly kind: "unknown" };

export { SYSTEM_FOLDERS } from "./system_folders.ts";

/** One word as the shell hands it on. */
export interface ShellWord {
  /**
   * The value, when it is made of text and glob patterns only (with `globs: false` it is exact);
   * `null` when a part of it is symbolic or unknown: then ask `parts`, or `wordText`.
   */
  readonly value: string | null;
  /** `known`: every part is text, a pattern or symbolic. `partly`: some is unknown. `unknown`: nothing else. */
  readonly known: "known" | "partly" | "unknown";
  /** What it is made of; neighbouring texts of one kind are joined. Empty for the empty word. */
  readonly parts: readonly WordPart[];
  /** Whether the shell would match files with it: it has a `glob` part. */
  readonly globs: boolean;
  /** Whether some of it is quoted in the text. */
  readonly quoted: boolean;
  /** Whether it may become several words, or none: an unknown part stands outside quotes. */
  readonly splits: boolean;
  /** As it is written on the line. Words made by one expansion share text and span. */
  readonly text: string;
  readonly span: Span;
}

/** A piece of a word. */
export type WordPart =
  /** Exactly this text. */
  | { readonly kind: "text"; readonly text: string }
  /** A pattern: `*`, `?`, `[a-z]`, `@(a|b)`; the shell puts matching file names in its place. */
  | { readonly kind: "glob"; readonly text: string }
  /** The home folder: `~`, `$HOME`; of another user when `user` is set. */
  | { readonly kind: "home"; readonly user: string | null }
  /** A folder: `$PWD`, `~+`, `$OLDPWD`, `$(pwd)`, as it was where the word was read. */
  | { readonly kind: "directory"; readonly directory: Directory }
  /** Not known before it runs. */
  | {
    readonly kind: "unknown";
    readonly source: UnknownSource;
    /** As it is written. */
    readonly text: string;
    /** The variable's name, when it is one. */
    readonly name: string | null;
    /** Whether it can be empty; `false` only where the shell itself stops on empty (`${X:?}`) or it is a file or number. */
    readonly mayBeEmpty: boolean;
  };

/** Where an unknown part comes from. */
export type UnknownSource =
  | "variable" // set outside the line, or differently in several branches
  | "substitution" // the output of a command
  | "arithmetic" // a number
  | "process" // the path of a process substitution: a pipe, not a file
  | "found-file" // `{}` of `find -exec`
  | "stdin-item" // `{}` of `xargs -I{}`, of `parallel`; a line that `read` read
  | "pattern"; // an operation on text that we do not compute

/** `NAME=value`, as a prefix of a command or alone. */
export interface Assignment {
  readonly name: string;
  /** The value; `null` for an array or an element of one. */
  readonly value: ShellWord | null;
  /** Whether it adds to the old value (`+=`). */
  readonly append: boolean;
  readonly span: Span;
}

/** A variable that the line sets before or for a command. */
export interface EnvironmentChange {
  readonly name: string;
  /** The value; `null` when it is not known or is an array. */
  readonly value: ShellWord | null;
  /**
   * `prefix` (`A=1 cmd`), `launcher` (`env A=1 cmd`) and `export` reach the program. A plain
   * `assignment` does when the variable was exported before, which `PATH` and its like are.
   */
  readonly how: "prefix" | "launcher" | "export" | "assignment";
}

/** A redirection. */
export interface Redirection {
  /** As it is written; `<<` and `<<-` are heredocs, `<<<` a here-string. */
  readonly operator:
    | "<"
    | "<>"
    | "<&"
    | "<<"
    | "<<-"
    | "<<<"
    | ">"
    | ">>"
    | ">|"
    | ">&"
    | "&>"
    | "&>>";
  /** The file descriptor it is about: the written one, else the operator's own (0 or 1); `null` for `{name}>`. */
  readonly descriptor: number | null;
  /**
   * What it does: `read`, `write` (empties an existing file), `append`, `read-write` a file;
   * `duplicate` or `close` a descriptor; give `text` to stdin.
   */
  readonly effect: "read" | "write" | "append" | "read-write" | "duplicate" | "close" | "text";
  /** The file, or the text of a here-string or heredoc; for `duplicate` the descriptor as written. */
  readonly target: ShellWord;
  readonly span: Span;
}

/** What a command reads on its standard input. */
export type StandardInput =
  /** What the line itself reads: the line says nothing. */
  | { readonly kind: "inherited" }
  /** A text that stands on the line, as `parts` of a word; `value` is the text when all is known. */
  | {
    readonly kind: "text";
    readonly from: "heredoc" | "here-string" | "pipe";
    readonly word: ShellWord;
  }
  /** A file. */
  | { readonly kind: "file"; readonly target: ShellWord }
  /** The output of other commands, by index, that cannot be told beforehand. */
  | { readonly kind: "pipe"; readonly from: readonly number[] }
  /** Closed, or another descriptor. */
  | { readonly kind: "other" };

/** A folder, as far as it is known. */
export type Directory =
  /** Below the folder in which the line starts: `path` is relative and normalized, `.` for itself, may begin with `..`. */
  | { readonly base: "start"; readonly path: string }
  /** An absolute path, normalized. */
  | { readonly base: "root"; readonly path: string }
  /** Below a home folder, `.` for itself; of another user when `user` is set. */
  | { readonly base: "home"; readonly user: string | null; readonly path: string }
  /** Not known: `cd "$X"`, `cd $(…)`, another machine, a container. */
  | { readonly base: "unknown" };

/** One step on the way to a command. */
export interface ReachStep {
  readonly kind: ReachKind;
  /** The construct's place on the line. */
  readonly span: Span;
  /** For `function`: its name. For `script` and `launcher`: the program. Else `null`. */
  readonly name: string | null;
}

/** The ways to a command. */
export type ReachKind =
  | "pipe" // a stage of a pipeline
  | "and" // after `&&`: runs when the one before succeeded
  | "or" // after `||`
  | "background" // with `&`
  | "negation" // after `!`
  | "subshell" // `( … )`
  | "group" // `{ …; }`
  | "substitution" // `$( … )` or backticks
  | "process-substitution" // `<( … )`, `>( … )`
  | "function" // in the body of a function
  | "loop" // in the body of `for`, `while`, `until`, `select`
  | "condition" // the condition of `if`, `while`, `until`
  | "branch" // in `then`, `elif`, `else`
  | "case" // in a branch of `case`
  | "coprocess"
  | "script" // in a text that a shell or a builtin runs: `bash -c`, `eval`, `trap`, a heredoc for `sh`
  | "launcher"; // as the operands of a launcher: `sudo`, `xargs`, …

/** A launcher around a command. */
export interface Launcher {
  /** Its name: `sudo`, `xargs`, `bash`, … */
  readonly name: string;
  /** Its own entry in {@linkcode ShellReading.commands}. */
  readonly index: number;
  readonly effects: readonly LauncherEffect[];
}

/** What a launcher does to what it launches. */
export type LauncherEffect =
  | "privilege" // as root or another user: sudo, doas, su, pkexec
  | "remote" // on another machine: ssh; paths and programs are that machine's
  | "container" // in a container, a chroot or another namespace: docker exec, kubectl exec
  | "operands-from-stdin" // xargs, parallel
  | "operands-from-files" // find -exec
  | "environment" // sets or clears variables: env
  | "directory" // in another folder: env -C, sudo -D
  | "later" // not now: at, batch, trap, crontab, a function never called
  | "repeated" // many times: watch, xargs, parallel
  | "shell" // through a shell of its own: bash -c, su -c, ssh host '…'
  | "fetches" // may download what it runs: npx, uvx, nix run
  | "detached"; // goes on after the line ends: nohup, setsid, tmux, screen

/** Code in another language. */
export interface InlineCode {
  readonly language: InlineLanguage;
  /** The code; ask its `value`. */
  readonly word: ShellWord;
  readonly from: "argument" | "stdin";
}

/** The languages that are recognised. */
export type InlineLanguage =
  | "python"
  | "javascript"
  | "perl"
  | "ruby"
  | "php"
  | "awk"
  | "sed"
  | "lua"
  | "r"
  | "applescript"
  | "powershell"
  | "cmd"
  | "unknown";
