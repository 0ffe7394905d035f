/**
 * What a `git` command line does: its own options, aliases made on the line, and files written over.
 *
 * @module
 */

import type { ShellWord, SimpleCommand } from "../shell/facts.ts";
import { formatPath } from "./absolute_path.ts";
import { type CommandContext, type CommandFinding, finding } from "./command_finding.ts";
import { type CommandWords, commandWords, givenOption, UNKNOWN } from "./command_words.ts";
import { isHarmless, matchingFact } from "./destructive_facts.ts";
import { plainWord } from "./plain_word.ts";
import { programGrammar } from "./program_grammar.ts";
import { directoriesOf } from "./removal.ts";
import { directoryPath, wordPath } from "./word_path.ts";

/** Options whose value is the next word, by subcommand; `*` for all others. */
const SUBCOMMAND_VALUED: Readonly<Record<string, readonly string[]>> = {
  "*": ["--message", "--file", "--author", "--date", "--template", "--format", "--onto"],
  bisect: [],
  checkout: ["-b", "--conflict", "--pathspec-from-file"],
  clean: ["-e", "--exclude"],
  clone: ["-b", "--branch", "-o", "--origin", "--depth", "-u", "--upload-pack", "-c", "--config"],
  commit: [
    "-m",
    "--message",
    "-F",
    "--file",
    "-C",
    "-c",
    "--author",
    "--date",
    "-t",
    "--template",
    "--fixup",
    "--squash",
    "--trailer",
    "--pathspec-from-file",
  ],
  difftool: ["-x", "--extcmd", "-t", "--tool"],
  merge: ["-m", "-F", "--file", "-s", "--strategy", "-X", "--strategy-option"],
  notes: ["-m", "-F"],
  push: ["-o", "--push-option", "--receive-pack", "--exec", "--repo"],
  rebase: ["-x", "--exec", "--onto", "-s", "--strategy", "-X", "--strategy-option"],
  restore: ["-s", "--source", "--conflict", "--pathspec-from-file"],
  stash: ["-m", "--message", "--pathspec-from-file"],
  switch: ["-c", "--create", "--conflict"],
  tag: ["-m", "--message", "-F", "--file", "-u", "--local-user"],
  worktree: ["-b", "--reason"],
};

/** Settings that name a program git runs, or where it gets programs from. */
const PROGRAM_SETTINGS =
  /^(?:core\.(?:fsmonitor|sshcommand|pager|editor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|diff\..+\.(?:command|textconv)|difftool\..+\.(?:cmd|path)|merge\..+\.driver|mergetool\..+\.(?:cmd|path)|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?program|pager\..+|remote\..+\.(?:uploadpack|receivepack|proxy|vcs)|uploadpack\.packobjectshook|protocol\.(?:.+\.)?allow|init\.templatedir)$/i;

/** Values of such settings that run nothing unusual. */
const PLAIN_VALUES =
  /^(?:|cat|less|less -\w+|true|false|yes|no|on|off|0|1|:|never|always|store|cache|osxkeychain|manager)$/;

/** Variables with which a project's checks are skipped. */
const SKIPPING_VARIABLES =
  /^(?:HUSKY|HUSKY_SKIP_HOOKS|SKIP|LEFTHOOK|LEFTHOOK_EXCLUDE|PRE_COMMIT_ALLOW_NO_CONFIG|OVERCOMMIT_DISABLE)$/;

/** Commands that throw local changes away; a linked worktree may be free for that. */
const DISCARDS = new Set([
  "git reset --hard",
  "git reset --merge",
  "git clean",
  "git checkout --force",
  "git switch --discard-changes",
  "git checkout-index --force",
  "git read-tree --reset",
  "git checkout PATH",
]);

/** How often an alias may lead to another. */
const ALIAS_LIMIT = 8;

/** Commands of git itself: no alias can take their names. */
const KNOWN = new Set(
  ("add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap " +
    "check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree " +
    "config count-objects credential daemon describe diagnose diff diff-files diff-index diff-tree difftool fast-export " +
    "fast-import fetch fetch-pack filter-branch filter-repo fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc " +
    "get-tar-commit-id grep gui hash-object help http-backend init init-db instaweb interpret-trailers lfs log ls-files " +
    "ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag " +
    "mktree multi-pack-index mv name-rev notes p4 pack-objects pack-redundant pack-refs prune prune-packed pull push " +
    "range-diff read-tree rebase reflog remote repack replace replay request-pull rerere reset restore rev-list rev-parse " +
    "revert rm send-email send-pack shell shortlog show show-branch show-index show-ref sparse-checkout stage stash status " +
    "stripspace submodule subtree svn switch symbolic-ref tag unpack-file unpack-objects update-index update-ref " +
    "update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version whatchanged worktree " +
    "write-tree flow gitk subrepo town absorb crypt secret annex").split(" "),
);

/** What a subcommand runs as a shell line, by the option or operand that holds it. */
const RUNS_TEXT: Readonly<Record<string, { operand?: number; options?: readonly string[] }>> = {
  submodule: { operand: 1 },
  rebase: { options: ["-x", "--exec"] },
  "filter-branch": { options: ["--tree-filter", "--index-filter", "--msg-filter", "--env-filter"] },
  difftool: { options: ["-x", "--extcmd"] },
  clone: { options: ["--upload-pack", "-u"] },
  fetch: { options: ["--upload-pack"] },
  "ls-remote": { options: ["--upload-pack"] },
  push: { options: ["--receive-pack", "--exec"] },
  archive: { options: ["--exec"] },
};

/** Judges a `git` command. */
export async function gitFindings(
  command: SimpleCommand,
  context: CommandContext,
  readText: (text: string, command: SimpleCommand) => Promise<CommandFinding[]>,
): Promise<CommandFinding[]> {
  if (command.program.kind !== "named" || command.program.name !== "git") return [];
  return await judge(command, command.words.slice(1), context, readText, 0);
}

async function judge(
  command: SimpleCommand,
  words: readonly ShellWord[],
  context: CommandContext,
  readText: (text: string, command: SimpleCommand) => Promise<CommandFinding[]>,
  depth: number,
): Promise<CommandFinding[]> {
  const globals = commandWords(words, programGrammar("git"));
  const [first, ...others] = globals.operands;
  const findings = settingFindings(command, globals, first?.text ?? "");
  if (first === undefined) return findings;
  if (first.text.includes(UNKNOWN)) {
    findings.push(finding(command, {
      behavior: "escalate",
      rule: "git UNKNOWN",
      effect: "runs a git command that is known only when it runs",
      reasonCode: "not-understood",
      advice: "Write the git command out.",
    }));
    return findings;
  }
  const rest = others.map(({ word }) => word);
  const alias = aliasOf(globals, first.text);
  if (alias !== null && !KNOWN.has(first.text) && depth < ALIAS_LIMIT) {
    if (alias.startsWith("!")) return [...findings, ...await readText(alias.slice(1), command)];
    const text = alias.trim().split(/\s+/).map((part) =>
      plainWord(part.replace(/^["']|["']$/g, ""), first.word)
    );
    return [...findings, ...await judge(command, [...text, ...rest], context, readText, depth + 1)];
  }
  if (!KNOWN.has(first.text)) {
    findings.push(finding(command, {
      behavior: "escalate",
      rule: "git alias",
      effect: `runs "git ${first.text}", an alias or an extension that may do anything`,
      reasonCode: "not-understood",
      advice: "Write out what the alias stands for.",
    }));
    return findings;
  }
  const read = commandWords(rest, {
    valued: Object.hasOwn(SUBCOMMAND_VALUED, first.text)
      ? SUBCOMMAND_VALUED[first.text]!
      : SUBCOMMAND_VALUED["*"]!,
  });
  const all: CommandWords = {
    ...read,
    operands: [{ ...first, afterOption: false }, ...read.operands],
  };
  if (isHarmless(all)) return findings;
  if (rest.some(isUnknownOptions)) {
    findings.push(finding(command, {
      behavior: "escalate",
      rule: "git OPTIONS UNKNOWN",
      effect: "has options that are known only when it runs",
      reasonCode: "not-understood",
      advice: "Write the options out.",
    }));
  }
  const fact = matchingFact("git", all);
  const discards = fact === null
    ? await checkoutFinding(command, first.text, rest, read, context)
    : null;
  const found = fact === null ? discards : finding(command, {
    behavior: fact.behavior,
    rule: fact.name,
    effect: fact.effect,
    advice: fact.instead,
  });
  if (found !== null && !await isFreeWorktree(command, globals, found.rule, context)) {
    findings.push(found);
  }
  const runs = RUNS_TEXT[first.text];
  const texts = (runs?.options ?? []).flatMap((name) => givenOption(read, [name])?.value ?? []);
  if (runs?.operand !== undefined && read.operands[0]?.text === "foreach") {
    texts.push(read.operands.slice(runs.operand).map(({ text }) => text).join(" "));
  }
  if (first.text === "bisect" && read.operands[0]?.text === "run") {
    texts.push(rest.slice(1).map(({ text }) => text).join(" "));
  }
  for (const text of texts) findings.push(...await readText(text, command));
  return findings;
}

/** A variable without quotes that says of itself that it holds options. */
function isUnknownOptions(word: ShellWord): boolean {
  return word.splits &&
    word.parts.some((part) =>
      part.kind === "unknown" && /(?:^|_)(?:flags?|opts?|options?|args?)$/i.test(part.name ?? "")
    );
}

/** What `-c`, `--config-env`, `--exec-path` and the environment set for this one command. */
function settingFindings(
  command: SimpleCommand,
  globals: CommandWords,
  subcommand: string,
): CommandFinding[] {
  const findings: CommandFinding[] = [];
  for (const { name, value } of globals.options) {
    if (name === "--config-env" || (name === "-c" && value?.startsWith(UNKNOWN))) {
      findings.push(finding(command, {
        behavior: "escalate",
        rule: "git --config-env",
        effect: "takes a setting from where it cannot be read",
        reasonCode: "not-understood",
        advice: "Leave the setting out, or write it with -c.",
      }));
    }
    if (name === "--exec-path" && value !== null) {
      findings.push(programSetting(command, "--exec-path"));
    }
    if (name !== "-c" || value === null) continue;
    const key = value.split("=")[0]!;
    if (/^core\.hookspath$/i.test(key)) {
      findings.push(finding(command, {
        behavior: "deny",
        rule: "git -c core.hooksPath",
        effect: "skips the checks that the project runs, or runs others",
        advice: `git ${subcommand}`,
      }));
    } else if (PROGRAM_SETTINGS.test(key) && !PLAIN_VALUES.test(value.slice(key.length + 1))) {
      findings.push(programSetting(command, key));
    }
  }
  if (
    /^(?:commit|push|merge|am|rebase|cherry-pick)$/.test(subcommand) &&
    command.environment.some(({ name }) => SKIPPING_VARIABLES.test(name))
  ) {
    findings.push(finding(command, {
      behavior: "deny",
      rule: "git without checks by the environment",
      effect: "skips the checks that the project runs",
      advice: `git ${subcommand}`,
    }));
  }
  for (const { name } of command.environment) {
    if (/^GIT_CONFIG_(?:COUNT|KEY_\d+|PARAMETERS|GLOBAL|SYSTEM)$/.test(name)) {
      findings.push(programSetting(command, name));
      break;
    }
  }
  return findings;
}

function programSetting(command: SimpleCommand, key: string): CommandFinding {
  return finding(command, {
    behavior: "escalate",
    rule: "git -c PROGRAM",
    effect: `sets ${key}, which can name a program that git runs`,
    advice: "Leave the setting out.",
  });
}

function aliasOf(globals: CommandWords, name: string): string | null {
  const setting = globals.options.findLast((option) =>
    option.name === "-c" && option.value?.toLowerCase().startsWith(`alias.${name.toLowerCase()}=`)
  );
  return setting?.value?.slice(`alias.${name}=`.length) ?? null;
}

/** `git checkout`, `git restore` and `git stash` over files: what is written over may be nowhere else. */
async function checkoutFinding(
  command: SimpleCommand,
  subcommand: string,
  given: readonly ShellWord[],
  words: CommandWords,
  context: CommandContext,
): Promise<CommandFinding | null> {
  if (subcommand !== "checkout" && subcommand !== "restore") return null;
  if (words.options.some(({ name }) => name === "-p" || name === "--patch")) return null;
  const found = finding(command, {
    behavior: "escalate",
    rule: "git checkout PATH",
    effect: "writes committed files over uncommitted changes",
    advice: "git stash push --include-untracked",
  });
  if (subcommand === "restore") {
    const isStaged = givenOption(words, ["-S", "--staged"]) !== null;
    const isTree = givenOption(words, ["-W", "--worktree"]) !== null;
    if (isStaged && !isTree) return null;
    const paths = words.operands.map(({ word }) => word);
    return paths.length === 0 || await areSaved(command, paths, context) ? null : found;
  }
  if (givenOption(words, ["--pathspec-from-file"]) !== null) return found;
  const end = given.findIndex(({ value }) => value === "--");
  if (end >= 0) {
    const paths = given.slice(end + 1);
    return paths.length === 0 || await areSaved(command, paths, context) ? null : found;
  }
  if (
    words.options.some(({ name }) => ["-b", "--orphan", "-t", "--track", "--detach"].includes(name))
  ) {
    return null;
  }
  if (words.operands.length > 1) return found;
  const [operand] = words.operands;
  if (operand === undefined) return null;
  if (/^(?:\.{1,2}|.*\/|:.*|.*[*?].*)$/.test(operand.text)) return found;
  for (const directory of directoriesOf(command)) {
    const path = wordPath(operand.word, directory, context);
    if (path.kind !== "known") continue;
    const target = await context.observe.target(formatPath(path.path));
    if (target === "file" || target === "directory") return found;
  }
  return null;
}

/** Whether git has the content of all these files: then nothing is lost. */
async function areSaved(
  command: SimpleCommand,
  paths: readonly ShellWord[],
  context: CommandContext,
): Promise<boolean> {
  for (const word of paths) {
    for (const directory of directoriesOf(command)) {
      const path = wordPath(word, directory, context);
      if (path.kind !== "known" || path.pattern !== null) return false;
      if (await context.observe.saved(formatPath(path.path)) !== "saved") return false;
    }
  }
  return true;
}

async function isFreeWorktree(
  command: SimpleCommand,
  globals: CommandWords,
  rule: string,
  context: CommandContext,
): Promise<boolean> {
  if (context.discardInLinkedWorktree !== true || !DISCARDS.has(rule)) return false;
  if (givenOption(globals, ["--git-dir", "--work-tree"]) !== null) return false;
  if (command.environment.some(({ name }) => name.startsWith("GIT_"))) return false;
  for (const directory of directoriesOf(command)) {
    let folder = directoryPath(directory, context);
    for (const option of globals.options) {
      if (option.name !== "-C" || option.word === null || folder === null) continue;
      const path = wordPath(option.word, { base: "root", path: formatPath(folder) }, context);
      folder = path.kind === "known" ? path.path : null;
    }
    if (folder === null || !await context.observe.linkedWorktree(formatPath(folder))) return false;
  }
  return true;
}
