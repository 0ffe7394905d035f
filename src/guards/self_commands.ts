/**
 * The guard on what guards, for command lines.
 *
 * @module
 */

import type { GateResult } from "../call.ts";
import type { ShellReading, SimpleCommand } from "../shell/facts.ts";
import { readLine } from "../shell/read_line.ts";
import { formatPath } from "./absolute_path.ts";
import { wordText } from "./command_words.ts";
import { writableMounts } from "./container_mounts.ts";
import type { GuardedCall } from "./guard_hook.ts";
import { quotedTexts } from "./inline_code.ts";
import { isFileProgram, isLooking, type PathUseKind } from "./file_programs.ts";
import { pathUses } from "./path_uses.ts";
import { directoriesOf } from "./removal.ts";
import {
  absolutePath,
  mayBeProtectedFolder,
  protectedOnDisk,
  type ProtectedPlace,
  type SelfProtectionOptions,
} from "./self_places.ts";
import { changedByFilling, COPYING_PROGRAMS } from "./self_filling.ts";
import { selfRefusal } from "./self_refusal.ts";
import { changedBySearch, looksAtUnseen } from "./self_search.ts";
import { baseOf, mayBeFolder, wordLeadsTo } from "./self_words.ts";
import { isUnguardedStart } from "./unguarded_starts.ts";
import { wordPath } from "./word_path.ts";

/** What is done with a file without changing it. */
const HARMLESS_USES: ReadonlySet<PathUseKind> = new Set(["read", "run"]);

/** What is done to a folder with all that is in it, or fills it with what is not named. */
const WHOLE_FOLDER_USES: ReadonlySet<PathUseKind> = new Set(["remove", "move", "change", "create"]);

/** Programs that make exactly what they name. */
const PLAIN_MAKERS: ReadonlySet<string> = new Set(["mkdir", "touch", "mkfifo", "mknod", "mktemp"]);

/** What of git changes, or makes, files that are named. */
const GIT_CHANGES: ReadonlySet<string> = new Set([
  "rm",
  "mv",
  "checkout",
  "restore",
  "clean",
  "apply",
  "archive",
  "bundle",
  "format-patch",
  "worktree",
]);

/** What of gatehouse's own commands only a person may run: what guards is changed, or what was recorded is gone. */
const PERSONS_COMMANDS: ReadonlySet<string> = new Set([
  "init",
  "uninstall",
  "pause",
  "trust",
  "signals prune",
  "signals reset",
]);

/** Programs that can make a copy of a program, or move it. */
const COPIERS: ReadonlySet<string> = new Set([...COPYING_PROGRAMS, "link", "dd", "cat"]);

const UNPACKERS: ReadonlySet<string> = new Set(
  "gzip gunzip xz unxz bzip2 bunzip2 zstd unzstd lzma unlzma uncompress".split(" "),
);

const EDITORS: ReadonlySet<string> = new Set("vi vim nvim view ex ed emacs".split(" "));

/** Programs that end others by their names. */
const ENDERS: ReadonlySet<string> = new Set(["pkill", "killall", "skill"]);

/** Programs that look, or keep to files that are not protected, whatever they are given. */
const HARMLESS_PROGRAMS: ReadonlySet<string> = new Set([
  "git",
  "gatehouse",
  "cd",
  "pushd",
  "export",
]);

/** Programs that give their other program the words that they print. */
const WORD_PRINTERS: ReadonlySet<string> = new Set(["echo", "printf", "ls"]);

/** Programs that look for files and can run others on them; `find` is read word by word. */
const FINDERS: ReadonlySet<string> = new Set(["fd", "fdfind"]);

/** Judges a command line that may touch what guards. */
export async function judgeSelfCommand(
  call: GuardedCall,
  command: string,
  options: SelfProtectionOptions,
): Promise<GateResult | null> {
  const reading = await (options.read ?? readLine)(command);
  for (const simple of reading.commands) {
    const why = await judgeOne(simple, reading.commands, options);
    if (why !== null) {
      return selfRefusal(call, `Cannot run \`${excerpt(reading, simple)}\`: it ${why}`);
    }
  }
  const hidden = reading.commands.find((simple) => entersByPattern(simple, options));
  if (hidden !== undefined && reading.commands.some(changesUnknownFolder)) {
    return selfRefusal(
      call,
      `Cannot run \`${
        excerpt(reading, hidden)
      }\`: the pattern may lead to what guards, and the line changes files there`,
    );
  }
  if (!reading.understood && namesPlaces(command)) {
    const [reason] = reading.reasons;
    return selfRefusal(
      call,
      `Cannot tell what this runs, and it names what guards: ${
        reason?.message ?? "not understood"
      }`,
    );
  }
  return null;
}

async function judgeOne(
  command: SimpleCommand,
  commands: readonly SimpleCommand[],
  options: SelfProtectionOptions,
): Promise<string | null> {
  // On another machine and in a container the paths are others.
  if (command.effects.includes("remote") || command.effects.includes("container")) return null;
  const texts = command.words.slice(1).map(wordText);
  const name = command.program.kind === "named" ? command.program.name : null;
  if (name === "gatehouse") {
    const [first = "", second = ""] = texts.filter((text) => !text.startsWith("-"));
    const person = [first, `${first} ${second}`].find((words) => PERSONS_COMMANDS.has(words));
    if (person !== undefined) return `is for a person to run (gatehouse ${person})`;
  }
  if (name !== null && COPIERS.has(name) && await renamesProgram(command, options)) {
    return "gives gatehouse another name, under which it is not known";
  }
  if (name !== null && ENDERS.has(name) && texts.some((text) => /gatehouse/i.test(text))) {
    return "ends what guards";
  }
  if (isUnguardedStart(command)) return "starts an agent without its hooks";
  const changed = await changedPlace(command, name, options) ??
    await changedElsewhere(command, name, commands, options);
  if (changed !== null) return `changes a file that ${changed.why}`;
  for (const { word } of command.code) {
    for (const text of quotedTexts(wordText(word))) {
      const path = text === "" || /[\0\n]/.test(text) ? null : absolutePath(text, options);
      const found = path === null ? null : await protectedOnDisk(path, options);
      if (found !== null) return `runs code that names a file which ${found.why}`;
    }
  }
  // A program that we have no table for may change whatever it is given.
  if (name === null || isLooking(name) || isFileProgram(name) || HARMLESS_PROGRAMS.has(name)) {
    return null;
  }
  if (command.role === "launches") return null;
  for (const word of command.words.slice(1)) {
    const reach = name === "mount" ? "around" : "inside";
    const found = await wordLeadsTo(command, word, reach, options);
    if (found !== null) return `is given a file that ${found.why}`;
  }
  return null;
}

/** Whether a command goes to a folder by a pattern that a folder of the table matches. */
function entersByPattern(command: SimpleCommand, options: SelfProtectionOptions): boolean {
  const { program, words } = command;
  if (program.kind !== "named" || !/^(?:cd|pushd)$/.test(program.name)) return false;
  return words.slice(1).some((word) =>
    directoriesOf(command).some((directory) => {
      const path = wordPath(word, directory, baseOf(options));
      return path.kind === "known" && path.pattern !== null && mayBeProtectedFolder(path.path);
    })
  );
}

/** Whether a command changes files in a folder that is not known. */
function changesUnknownFolder(command: SimpleCommand): boolean {
  return command.directory.base === "unknown" &&
    pathUses(command).some(({ kind }) => !HARMLESS_USES.has(kind));
}

/** What protects a file that the command finds or prints, for something else on the line to change. */
async function changedElsewhere(
  command: SimpleCommand,
  name: string | null,
  commands: readonly SimpleCommand[],
  options: SelfProtectionOptions,
): Promise<ProtectedPlace | null> {
  if (name === "find" || name === "gfind") {
    return await changedBySearch(command, commands, options);
  }
  if (name === null || !WORD_PRINTERS.has(name) && !FINDERS.has(name)) return null;
  const isChanged = commands.some((other, index) =>
    (other.unseenOperands === "stdin" || command.opens.includes(index)) && !looksAtUnseen(other)
  );
  if (!isChanged) return null;
  for (const word of command.words.slice(1)) {
    const found = await wordLeadsTo(command, word, "around", options);
    if (found !== null) return found;
  }
  return null;
}

/** What protects a file that the command changes, by its redirections and its operands. */
async function changedPlace(
  command: SimpleCommand,
  name: string | null,
  options: SelfProtectionOptions,
): Promise<ProtectedPlace | null> {
  const uses = pathUses(command);
  const links = name !== null && makesLinks(command, name);
  for (const use of uses) {
    // A second name for a file is a way to change it under that name.
    if (HARMLESS_USES.has(use.kind) && !links) continue;
    const isWhole = (links || WHOLE_FOLDER_USES.has(use.kind)) &&
      !(name !== null && PLAIN_MAKERS.has(name));
    const found = await wordLeadsTo(command, use.word, isWhole ? "around" : "inside", options);
    if (found !== null) return found;
  }
  for (const text of otherFiles(command, name)) {
    const found = await wordLeadsTo(command, text, "inside", options);
    if (found !== null) return found;
  }
  if (name === "git") {
    const words = command.words.slice(1);
    if (!words.some((word) => GIT_CHANGES.has(wordText(word)))) return null;
    for (const word of words) {
      const folder = /^--directory=(.*)$/s.exec(wordText(word))?.[1];
      const found = await wordLeadsTo(command, folder ?? word, "around", options);
      if (found !== null) return found;
    }
  }
  for (const mount of writableMounts(command)) {
    const found = await wordLeadsTo(command, mount, "around", options);
    if (found !== null) return found;
  }
  return name === null ? null : await changedByFilling(command, name, options);
}

/** Files that a command changes and that no word names by itself. */
function otherFiles(command: SimpleCommand, name: string | null): readonly string[] {
  if (name === null) return [];
  const texts = command.words.slice(1).map(wordText);
  // What is unpacked loses the ending.
  if (UNPACKERS.has(name)) {
    return texts.flatMap((text) => /^(.+)\.(?:gz|xz|bz2|zst|lzma|Z)$/.exec(text)?.[1] ?? []);
  }
  // An editor's own commands: `:w file`.
  return EDITORS.has(name) ? texts.flatMap((text) => text.split(/[\s!=|]+/)) : [];
}

/** Whether the command makes gatehouse's program, or a file named like it, a file of another name. */
async function renamesProgram(
  command: SimpleCommand,
  options: SelfProtectionOptions,
): Promise<boolean> {
  const uses = pathUses(command).map(({ kind, word }) => ({
    kind,
    text: typeof word === "string" ? word : wordText(word),
  }));
  for (const { kind, text } of uses) {
    if ((kind !== "read" && kind !== "move") || !isProgramName(text)) continue;
    for (const directory of directoriesOf(command)) {
      const path = wordPath(text, directory, baseOf(options));
      if (path.kind !== "known") continue;
      const found = await options.fs.information(formatPath(path.written)).catch(() => null);
      if (found === null || found.kind === "directory") continue;
      for (const target of uses) {
        if (HARMLESS_USES.has(target.kind) || target.kind === "move") continue;
        if (!isProgramName(target.text) && !await mayBeFolder(command, target.text, options)) {
          return true;
        }
      }
    }
  }
  return false;
}

function isProgramName(path: string): boolean {
  return /(?:^|[\\/])gatehouse(?:\.exe)?$/i.test(path);
}

/** Whether the command gives its sources second names. */
function makesLinks(command: SimpleCommand, name: string): boolean {
  if (name === "ln" || name === "gln" || name === "link") return true;
  if (name !== "cp" && name !== "gcp") return false;
  return command.words.slice(1).some((word) =>
    /^(?:-[A-Za-z]*[ls]|--link$|--sym)/.test(wordText(word))
  );
}

/** Whether a text that is not understood names one of the places. */
function namesPlaces(text: string): boolean {
  const plain = text.replace(/["'\\]/g, "");
  return /gatehouse|\.claude\/settings|claude-code|\.codex\/(?:hooks|config)|\.gemini\/settings|opencode\/plugin|\.copilot\/|\.cursor\/hooks|\.github\/(?:hooks|copilot)|disableAllHooks|hooksConfig/i
    .test(plain);
}

function excerpt(reading: ShellReading, command: SimpleCommand): string {
  const text = reading.text.slice(command.span.start, command.span.end);
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text;
}

/** How much of a command a reason quotes. */
const LONGEST_EXCERPT = 80;
