/**
 * The guard on paths, for the files that a command line reads and writes.
 *
 * @module
 */

import type { GateResult } from "../call.ts";
import type { ShellReading, ShellWord, SimpleCommand } from "../shell/facts.ts";
import { formatPath } from "./absolute_path.ts";
import { type CommandFinding, finding } from "./command_finding.ts";
import { UNKNOWN, wordText } from "./command_words.ts";
import { commandResult, strictest } from "./commands.ts";
import type { GuardedCall } from "./guard_hook.ts";
import { quotedTexts } from "./inline_code.ts";
import {
  type PathRefusal,
  type PathRules,
  pathRules,
  type PathRulesOptions,
  secretRefusal,
} from "./path_rules.ts";
import { judgesOperands } from "./file_programs.ts";
import { type PathUse, pathUses } from "./path_uses.ts";
import { PATHS_CONTROL } from "./paths.ts";
import { TEMPORARY_FOLDERS } from "./places.ts";
import { patternMayBeSecret, type ProtectedFile, protectedFile } from "./protected_files.ts";
import { directoriesOf } from "./removal.ts";
import { type PathBase, pathText, wordPath } from "./word_path.ts";

/** Where commands may read and write. */
export interface CommandPathOptions extends PathRulesOptions {
  /** The absolute folder in which the line starts. */
  readonly cwd: string;
  /** What to do about reading outside the roots. Default `allow`: programs read the system all the time. */
  readonly outsideReads?: "allow" | "escalate" | "deny";
  /** More folders for temporary files than the usual ones. */
  readonly temporary?: readonly string[];
}

/** Devices that anything may write to. */
const FREE_DEVICES = /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/;

/**
 * Judges the files that a command line reads and writes: outside the roots, denied, or holding secrets.
 *
 * @returns The strictest refusal, or `null` when the guard has no opinion.
 */
export async function judgeCommandPaths(
  call: GuardedCall,
  reading: ShellReading,
  options: CommandPathOptions,
): Promise<GateResult | null> {
  const worst = strictest(await commandPathFindings(reading, options));
  return worst === null ? null : commandResult(PATHS_CONTROL, call, reading, worst);
}

/** Everything the guard has to say against the files of a line, in the order of the line. */
export async function commandPathFindings(
  reading: ShellReading,
  options: CommandPathOptions,
): Promise<readonly CommandFinding[]> {
  const rules = pathRules({
    ...options,
    secrets: true,
    outsideReads: options.outsideReads ?? "allow",
    besides: [...options.besides ?? [], ...TEMPORARY_FOLDERS, ...options.temporary ?? []],
  });
  const base: PathBase = options.home === undefined
    ? { cwd: options.cwd }
    : { cwd: options.cwd, home: options.home };
  const findings: CommandFinding[] = [];
  for (const command of reading.commands) {
    // On another machine and in a container the paths are others.
    if (command.effects.includes("remote") || command.effects.includes("container")) continue;
    if (options.style === "windows") {
      findings.push(...windowsFindings(command));
      continue;
    }
    for (const use of pathUses(command)) {
      findings.push(...await judgeUse(command, use, rules, base));
    }
    findings.push(...await linkedPackages(command, rules, base));
    findings.push(...secretPatterns(command, reading.commands));
    findings.push(...await secretsInCode(command, rules));
    findings.push(...secretOperands(command, base));
  }
  return findings;
}

/** On Windows the shell's paths are not the system's: what is not a plain name below the folder is asked about. */
function windowsFindings(command: SimpleCommand): CommandFinding[] {
  const findings: CommandFinding[] = [];
  if (command.words.some(({ text }) => /^["']?(?:\\\\|\/\/)[^\\/]/.test(text))) {
    findings.push(finding(command, {
      behavior: "escalate",
      rule: "network path",
      effect: "uses a path on another machine",
      advice: "Copy the file into the workspace first.",
    }));
  }
  for (const { kind, word } of pathUses(command)) {
    const text = typeof word === "string" ? word : wordText(word);
    const name = text.split(/[\\/]/).at(-1) ?? "";
    const file = protectedFile(
      { root: "?", parts: [name] },
      kind === "read" ? "read" : "write",
      null,
    );
    if (file !== null) findings.push(pathFinding(command, secretRefusal(text, file)));
    const isPlain = !/^[\\/~]|:|(?:^|[\\/])\.\.(?:[\\/]|$)|\0/.test(text) &&
      directoriesOf(command).every(({ base }) => base === "start");
    if (kind !== "read" && kind !== "run" && !isPlain && text !== "/dev/null") {
      findings.push(unknownTarget(command));
    }
  }
  return findings;
}

async function judgeUse(
  command: SimpleCommand,
  use: PathUse,
  rules: PathRules,
  base: PathBase,
): Promise<CommandFinding[]> {
  const access = use.kind === "read" || use.kind === "run" ? "read" : "write";
  const findings: CommandFinding[] = [];
  if (
    typeof use.word !== "string" &&
    use.word.parts.some((part) => part.kind === "unknown" && part.source === "process")
  ) {
    return findings;
  }
  const given = typeof use.word === "string" ? use.word : use.word.text;
  const named = typeof use.word === "string" ? null : secretByShape(use.word);
  if (named !== null) {
    findings.push(pathFinding(command, secretRefusal(given, named)));
  } else if (typeof use.word !== "string" && mayBeSecret(use.word)) {
    findings.push(
      Object.freeze({ ...secretPattern(command, given), behavior: "escalate" as const }),
    );
  }
  for (const directory of directoriesOf(command)) {
    const path = wordPath(use.word, directory, base);
    if (path.kind === "unknown") {
      if (access === "write" && use.kind !== "remove" && use.kind !== "move") {
        findings.push(unknownTarget(command));
      }
      continue;
    }
    const whole = path.kind === "partly"
      ? path.prefix
      : path.pattern === null
      ? path.written
      : { root: path.path.root, parts: path.path.parts.slice(0, path.pattern) };
    const text = formatPath(whole);
    if (FREE_DEVICES.test(text)) continue;
    if (path.kind === "known" && path.pattern !== null) {
      const names = path.path.parts.slice(path.pattern);
      if (patternMayBeSecret(names.at(-1) ?? "")) {
        findings.push(secretPattern(command, names.join("/")));
      }
    }
    const refusal = await rules.judge(pathText(whole), access);
    if (refusal !== null) findings.push(pathFinding(command, { ...refusal, given }));
  }
  return findings;
}

/** An installation empties `node_modules` first: when that is a link, it empties another checkout's. */
async function linkedPackages(
  command: SimpleCommand,
  rules: PathRules,
  base: PathBase,
): Promise<CommandFinding[]> {
  if (command.program.kind !== "named" || !/^(?:npm|pnpm|yarn|bun)$/.test(command.program.name)) {
    return [];
  }
  if (!/^(?:ci|install|i|add|update|)$/.test(wordTextAt(command, 1))) return [];
  const path = wordPath("node_modules", command.directory, base);
  const refusal = path.kind === "known" ? await rules.judge(pathText(path.path), "write") : null;
  if (refusal?.kind !== "outside" && refusal?.kind !== "symlink") return [];
  return [finding(command, {
    behavior: "escalate",
    rule: refusal.kind,
    effect: `installs into node_modules, but ${refusal.why}`,
    advice: "Ask the user whether that folder may be changed.",
  })];
}

function wordTextAt(command: SimpleCommand, index: number): string {
  const word = command.words[index];
  return word === undefined ? "" : wordText(word);
}

/** A file of secrets by what is known of its path: `/proc/$$/environ`, `"$FOLDER/.env"`. */
function secretByShape(word: ShellWord): ProtectedFile | null {
  const text = wordText(word);
  if (!text.includes(UNKNOWN)) return null;
  const parts = text.replaceAll(UNKNOWN, "x").split("/").filter((part) => part !== "");
  const file = protectedFile({ root: text.startsWith("/") ? "/" : "?", parts }, "read", null);
  // A name that is only partly known would be a guess: "$NAME.key".
  return text.slice(text.lastIndexOf("/") + 1).includes(UNKNOWN) ? null : file;
}

/** Whether a name that is only partly known could be a secret's: `.$NAME`, `id_$KIND`. */
function mayBeSecret(word: ShellWord): boolean {
  const text = wordText(word);
  const name = text.slice(text.lastIndexOf("/") + 1);
  return name.includes(UNKNOWN) && patternMayBeSecret(name.replaceAll(UNKNOWN, "*"));
}

/** `find -name '*.env' -exec cat {}` reads what its pattern names. */
function secretPatterns(
  command: SimpleCommand,
  commands: readonly SimpleCommand[],
): CommandFinding[] {
  if (
    command.program.kind !== "named" || command.program.name !== "find" ||
    command.opens.length === 0
  ) return [];
  const isRead = command.opens.some((index) => {
    const program = commands[index]?.program;
    return program?.kind !== "named" ||
      !/^(?:echo|ls|stat|test|printf|basename|dirname|rm)$/.test(program.name);
  });
  const texts = command.words.map(wordText);
  return texts.flatMap((text, index) => {
    const pattern = texts[index + 1] ?? "";
    const isName = /^-i?(?:name|path)$/.test(text);
    return isRead && isName && patternMayBeSecret(pattern.slice(pattern.lastIndexOf("/") + 1))
      ? [secretPattern(command, pattern)]
      : [];
  });
}

/** Code that names a file of secrets in one of its texts. */
async function secretsInCode(command: SimpleCommand, rules: PathRules): Promise<CommandFinding[]> {
  const findings: CommandFinding[] = [];
  for (const { word } of command.code) {
    for (const text of quotedTexts(wordText(word))) {
      if (text === "" || /[\s\0*?]/.test(text) || text.length > 256) continue;
      const refusal = await rules.judge(text, "read");
      if (refusal?.kind === "protected" || refusal?.kind === "secret") {
        findings.push(pathFinding(command, refusal));
      }
    }
  }
  return findings;
}

/** Programs whose own secrets these are: to be given their name is their use. */
const OWN_SECRETS = new Set("ssh ssh-add kubectl helm aws gcloud az gpg find".split(" "));

/** A file of secrets handed to a program that we have no table for: it may read it. */
function secretOperands(command: SimpleCommand, base: PathBase): CommandFinding[] {
  if (command.program.kind !== "named" || command.role === "launches") return [];
  const { name } = command.program;
  if (judgesOperands(name) || OWN_SECRETS.has(name)) return [];
  const given = name === "git" ? gitReads(command) : command.words.slice(1).map(wordText);
  const findings: CommandFinding[] = [];
  for (const word of given) {
    const text = word.replace(/^--?[\w-]+=/, "").replace(/^@/, "");
    if (text === "" || text.startsWith("-") || /[\s\0:*?]/.test(text)) continue;
    for (const directory of directoriesOf(command)) {
      const path = wordPath(text, directory, base);
      const file = path.kind === "known"
        ? protectedFile(path.path, "read", base.home === undefined ? null : homeParts(base.home))
        : null;
      if (file === null) continue;
      findings.push(finding(command, {
        behavior: "escalate",
        rule: file.name,
        effect: `is given ${text}, which ${file.holds}`,
        advice: secretRefusal(text, file).advice,
      }));
    }
  }
  return findings;
}

function homeParts(home: string): readonly string[] {
  return home.split("/").filter((part) => part !== "");
}

/** What git puts into the repository, where everybody reads it. */
function gitReads(command: SimpleCommand): string[] {
  const texts = command.words.slice(1).map(wordText);
  const at = texts.findIndex((text) => /^(?:add|stage|hash-object)$/.test(text));
  return at < 0 ? [] : texts.slice(at + 1);
}

function secretPattern(command: SimpleCommand, pattern: string): CommandFinding {
  return finding(command, {
    behavior: "deny",
    rule: "secret",
    effect: `uses the files that "${pattern}" names, files of secrets among them`,
    advice: "Name the files that you need.",
  });
}

function unknownTarget(command: SimpleCommand): CommandFinding {
  return finding(command, {
    behavior: "escalate",
    rule: "not-understood",
    effect: "writes to a file that is known only when it runs",
    reasonCode: "not-understood",
    advice: "Write the file's name out.",
  });
}

function pathFinding(command: SimpleCommand, refusal: PathRefusal): CommandFinding {
  return finding(command, {
    behavior: refusal.behavior,
    rule: refusal.rule ?? refusal.kind,
    effect: `uses ${refusal.given}, but ${refusal.why}`,
    advice: refusal.advice,
    reasonCode: refusal.kind === "not-understood" ? "not-understood" : "guard",
  });
}
