/**
 * What is removed or written over, and whether it can be lost.
 *
 * @module
 */

import type { Directory, ShellWord, SimpleCommand } from "../shell/facts.ts";
import { type AbsolutePath, formatPath } from "./absolute_path.ts";
import { type CommandContext, type CommandFinding, finding } from "./command_finding.ts";
import { commandWords, givenOption, wordText } from "./command_words.ts";
import { isHarmless } from "./destructive_facts.ts";
import { fileGrammar, type PathUse, pathUses } from "./path_uses.ts";
import { isRegenerable, type Place, placeOf } from "./places.ts";
import { pathText, type WordPath, wordPath } from "./word_path.ts";

/** What a removal of a place means: the document's table and the guard's in one. */
export interface RemovalFact {
  readonly name: string;
  readonly effect: string;
  readonly behavior: "deny" | "escalate" | "allow";
  /** When all it removes is one file by its name. */
  readonly singleFile: "deny" | "escalate" | "allow";
  readonly instead: string;
  readonly example: string;
}

/** What removing in each kind of place means. */
export const REMOVAL_FACTS: Readonly<Record<Place | "unknown", RemovalFact>> = {
  critical: {
    name: "remove the system or a home",
    effect: "removes a part of the system, a home folder, or a folder that holds the workspace",
    behavior: "deny",
    singleFile: "deny",
    instead: "rm -rf ./build",
    example: "rm -rf /",
  },
  "workspace-root": {
    name: "remove the workspace",
    effect: "removes the whole workspace",
    behavior: "deny",
    singleFile: "deny",
    instead: "rm -rf ./build",
    example: "rm -rf .",
  },
  "git-folder": {
    name: "remove git's own files",
    effect: "removes what git knows of the repository: commits, branches, stashes",
    behavior: "deny",
    singleFile: "escalate",
    instead: "git status",
    example: "rm -rf .git",
  },
  "temporary-root": {
    name: "remove all temporary files",
    effect: "removes the temporary files of every program",
    behavior: "escalate",
    singleFile: "allow",
    instead: "rm -rf /tmp/my-build",
    example: "rm -rf /tmp/*",
  },
  temporary: {
    name: "remove a temporary file",
    effect: "removes a temporary file",
    behavior: "allow",
    singleFile: "allow",
    instead: "ls /tmp/my-build",
    example: "rm -rf /tmp/my-build",
  },
  regenerable: {
    name: "remove what a build makes again",
    effect: "removes what a build, an installation or a test run makes again",
    behavior: "allow",
    singleFile: "allow",
    instead: "ls node_modules",
    example: "rm -rf node_modules",
  },
  workspace: {
    name: "remove folders of the workspace",
    effect: "removes files of the workspace that may not be in git",
    behavior: "escalate",
    singleFile: "allow",
    instead: "git rm -r --cached src",
    example: "rm -rf src",
  },
  outside: {
    name: "remove outside the workspace",
    effect: "removes files outside the workspace",
    behavior: "escalate",
    singleFile: "escalate",
    instead: "rm -rf ./build",
    example: "rm -rf /srv/data",
  },
  unknown: {
    name: "remove what is not known",
    effect: "removes files that are known only when it runs",
    behavior: "escalate",
    singleFile: "escalate",
    instead: "rm -rf ./build",
    example: 'rm -rf "$FOLDER"',
  },
};

/** Programs that remove the files they are given. */
const REMOVERS = new Set(["rm", "unlink", "shred", "srm", "rimraf", "del-cli", "del"]);

/** Programs among them that remove folders without being told to. */
const FOLDER_REMOVERS = new Set(["rimraf", "del-cli"]);

/** Whether a command removes the files it is given. */
export function isRemover(command: SimpleCommand): boolean {
  return command.program.kind === "named" && REMOVERS.has(command.program.name);
}

/** Judges what a command removes. */
export async function removalFindings(
  command: SimpleCommand,
  context: CommandContext,
): Promise<CommandFinding[]> {
  if (command.program.kind !== "named") return [];
  const { name } = command.program;
  if (!REMOVERS.has(name)) return [];
  const words = commandWords(command.words.slice(1), fileGrammar(name));
  if (isHarmless(words)) return [];
  const isRecursive = FOLDER_REMOVERS.has(name) ||
    givenOption(words, ["-r", "-R", "--recursive", "-d"]) !== null;
  const findings: CommandFinding[] = [];
  if (command.unseenOperands !== null && !isFromFind(command)) {
    findings.push(removal(command, REMOVAL_FACTS.unknown, "escalate"));
  }
  for (const { word } of words.operands) {
    const found = await removalOf(command, word, isRecursive, name, context);
    if (found !== null) findings.push(found);
  }
  return findings;
}

/** What `find -exec` hands on is judged with `find`, which knows where it looks. */
function isFromFind(command: SimpleCommand): boolean {
  return command.unseenOperands === "found-files";
}

/** Judges the removal of one word's files, in every folder where the command may run. */
export async function removalOf(
  command: SimpleCommand,
  word: ShellWord | string,
  isRecursive: boolean,
  program: string,
  context: CommandContext,
): Promise<CommandFinding | null> {
  if (
    typeof word !== "string" &&
    word.parts.some((part) => part.kind === "unknown" && part.source === "found-file")
  ) {
    return null;
  }
  if (command.effects.includes("remote") || command.effects.includes("container")) {
    return elsewhere(command, word, isRecursive, context);
  }
  let worst: CommandFinding | null = null;
  for (const directory of directoriesOf(command)) {
    const path = wordPath(word, directory, context);
    const found = await judgeRemoval(command, word, path, isRecursive, program, context);
    if (found !== null && (worst === null || found.behavior === "deny")) worst = found;
  }
  return worst;
}

/** On another machine or in a container only the system and the homes are known. */
function elsewhere(
  command: SimpleCommand,
  word: ShellWord | string,
  isRecursive: boolean,
  context: CommandContext,
): CommandFinding | null {
  const path = wordPath(word, { base: "unknown" }, { ...context, home: undefined });
  const place = path.kind === "known" ? placeOf(path.path, { workspace: [] }) : "unknown";
  if (place === "critical") return removal(command, REMOVAL_FACTS.critical, "deny");
  if (place === "temporary" || !isRecursive) return null;
  return removal(command, REMOVAL_FACTS.outside, "escalate");
}

async function judgeRemoval(
  command: SimpleCommand,
  word: ShellWord | string,
  path: WordPath,
  isRecursive: boolean,
  program: string,
  context: CommandContext,
): Promise<CommandFinding | null> {
  if (path.kind === "unknown") {
    // "$X/" and "$X/*" are the top of the disk when X is empty.
    const text = typeof word === "string" ? word : wordText(word);
    const mayBeTop = isRecursive && /^\0+\/+(?:\*|\.)?$/.test(text);
    return removal(command, REMOVAL_FACTS.unknown, mayBeTop ? "deny" : "escalate");
  }
  if (path.kind === "partly") {
    const place = placeOf(path.prefix, context);
    const fact = REMOVAL_FACTS[place];
    if (fact.behavior === "allow") return null;
    if (!isRecursive && fact.singleFile === "allow") return null;
    return removal(command, fact, place === "critical" ? "deny" : "escalate", path.prefix);
  }
  // "folder/*" removes what is in the folder.
  const whole = path.pattern === null ? path.path : patternFolder(path.path, path.pattern);
  const place = placeOf(whole, context);
  const fact = REMOVAL_FACTS[place];
  const names = path.pattern === null ? [] : path.path.parts.slice(path.pattern);
  if (names.length > 0 && place === "workspace-root" && !isEverything(names)) {
    return isRegenerable(names)
      ? null
      : removal(command, REMOVAL_FACTS.workspace, "escalate", whole);
  }
  if (
    names.length > 0 && isRegenerable(names) && (place === "workspace" || place === "regenerable")
  ) {
    return null;
  }
  if (program === "rimraf" && /[*?[{]/.test(path.path.parts.join("/"))) {
    // It follows the pattern itself, through links too.
    return removal(command, REMOVAL_FACTS.unknown, "escalate", whole);
  }
  const isNamed = path.pattern === null;
  const target = isNamed && place === "workspace"
    ? await context.observe.target(formatPath(path.path))
    : "unknown";
  if (target === "nothing") return null;
  const isSingle = isNamed && (!isRecursive || target === "file");
  if (place === "git-folder") {
    if (/\.lock$/.test(path.path.parts.at(-1) ?? "")) return null;
    const isAll = path.path.parts.at(-1) === ".git" || names.length > 0;
    return removal(command, fact, isAll ? "deny" : "escalate", whole);
  }
  const behavior = isSingle ? fact.singleFile : fact.behavior;
  if (behavior === "allow") {
    // shred leaves nothing to bring back.
    return program === "shred" && place === "workspace"
      ? removal(command, fact, "escalate", whole)
      : await modifiedFile(command, fact, path.path, place, context);
  }
  return removal(command, fact, behavior, whole);
}

async function modifiedFile(
  command: SimpleCommand,
  fact: RemovalFact,
  path: AbsolutePath,
  place: Place,
  context: CommandContext,
): Promise<CommandFinding | null> {
  if (place !== "workspace" || context.overwrite === "allow") return null;
  // A file of git's with changes that git does not have; one that git never knew is plainly named, and goes.
  if (await context.observe.saved(formatPath(path)) !== "modified") return null;
  return removal(command, fact, "escalate", path);
}

/** The folder in which a pattern's first sign stands. */
function patternFolder(path: AbsolutePath, pattern: number): AbsolutePath {
  return { root: path.root, parts: path.parts.slice(0, pattern) };
}

/** Whether a pattern's parts match all there is: `*`, `.*`, `*.*`, `**`. */
function isEverything(names: readonly string[]): boolean {
  return /^[.*?]*$/.test(names[0]!) || names[0] === "{*,.*}";
}

function removal(
  command: SimpleCommand,
  fact: RemovalFact,
  behavior: "deny" | "escalate" | "allow",
  path?: AbsolutePath,
): CommandFinding {
  return finding(command, {
    behavior: behavior === "allow" ? "escalate" : behavior,
    rule: fact.name,
    effect: path === undefined ? fact.effect : `${fact.effect} (${pathText(path)})`,
    advice: `Name exactly what may go, such as: ${fact.instead}`,
  });
}

/** Every folder a command may run in. */
export function directoriesOf(command: SimpleCommand): readonly Directory[] {
  return [command.directory, ...command.otherDirectories];
}

/** What `find` removes with `-delete` or hands to a remover. */
export function findFindings(
  command: SimpleCommand,
  opened: readonly SimpleCommand[],
  context: CommandContext,
): CommandFinding[] {
  if (command.program.kind !== "named") return [];
  if (/^fd(?:find)?$/.test(command.program.name)) return fdFindings(command, opened);
  if (command.program.name !== "find") return [];
  const texts = command.words.slice(1).map(wordText);
  const removes = texts.includes("-delete") || opened.some(isRemover);
  // Empty folders hold nothing to lose.
  if (!removes || texts.includes("--help") || texts.includes("-empty")) return [];
  const starts = pathUses(command).filter((use) => use.kind === "read" && use.from === "operand");
  const names = texts.flatMap((text, index) =>
    /^-i?(?:name|path|wholename)$/.test(text) ? [texts[index + 1] ?? ""] : []
  );
  const isNarrow = names.length > 0 &&
    names.every((name) => isRegenerable(name.split("/").filter((part) => part !== "*")));
  const words: readonly (PathUse["word"])[] = starts.length > 0
    ? starts.map(({ word }) => word)
    : ["."];
  const findings: CommandFinding[] = [];
  for (const word of words) {
    for (const directory of directoriesOf(command)) {
      const path = wordPath(word, directory, context);
      const place = path.kind === "known" && path.pattern === null
        ? placeOf(path.path, context)
        : "unknown";
      if (place === "temporary" || place === "regenerable") continue;
      if (isNarrow && place !== "critical" && place !== "unknown") continue;
      const isTop = place === "critical";
      const fact = isTop ? REMOVAL_FACTS.critical : REMOVAL_FACTS.workspace;
      findings.push(
        removal(
          command,
          fact,
          isTop ? "deny" : "escalate",
          path.kind === "known" ? path.path : undefined,
        ),
      );
    }
  }
  return findings;
}

/** `fd -x rm` hands what it finds to a remover; it looks below the folder it is in. */
function fdFindings(
  command: SimpleCommand,
  opened: readonly SimpleCommand[],
): CommandFinding[] {
  if (!opened.some(isRemover)) return [];
  const words = commandWords(command.words.slice(1), { valued: ["-e", "--extension"] });
  const endings = words.options.filter(({ name }) => name === "-e" || name === "--extension");
  const isNarrow = endings.length > 0 &&
    endings.every(({ value }) => isRegenerable([`x.${value}`]));
  return isNarrow ? [] : [removal(command, REMOVAL_FACTS.workspace, "escalate")];
}
