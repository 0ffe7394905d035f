/**
 * The guard on what guards, for command lines.
 *
 * @module
 */

import type { GateResult } from "../call.ts";
import type { ShellReading, SimpleCommand } from "../shell/facts.ts";
import { readLine } from "../shell/read_line.ts";
import { type AbsolutePath, formatPath } from "./absolute_path.ts";
import { wordText } from "./command_words.ts";
import type { GuardedCall } from "./guard_hook.ts";
import { quotedTexts } from "./inline_code.ts";
import { isPattern } from "./name_pattern.ts";
import { isUnguardedStart } from "./unguarded_starts.ts";
import { changedBySearch, looksAtUnseen } from "./self_search.ts";
import { isFileProgram, isLooking, type PathUseKind } from "./file_programs.ts";
import { pathUses } from "./path_uses.ts";
import { directoriesOf } from "./removal.ts";
import {
  absolutePath,
  protectedMatches,
  protectedOnDisk,
  type ProtectedPlace,
  type SelfProtectionOptions,
} from "./self_places.ts";
import { selfRefusal } from "./self_refusal.ts";
import { type PathBase, wordPath } from "./word_path.ts";

/** What is done with a file without changing it. */
const HARMLESS_USES: ReadonlySet<PathUseKind> = new Set(["read", "run"]);

/** What is done to a folder with all that is in it, or fills it with what is not named. */
const WHOLE_FOLDER_USES: ReadonlySet<PathUseKind> = new Set(["remove", "move", "change", "create"]);

/** Programs that make exactly what they name. */
const PLAIN_MAKERS: ReadonlySet<string> = new Set(["mkdir", "touch", "mkfifo", "mknod", "mktemp"]);

/** Programs whose target can be a folder, which then gets files by the names of their sources. */
const FOLDER_FILLERS: ReadonlySet<string> = new Set([
  "cp",
  "gcp",
  "mv",
  "gmv",
  "install",
  "ln",
  "rsync",
  "ditto",
  "scp",
]);

/** What git does to files in the working tree that are named. */
const GIT_CHANGES: ReadonlySet<string> = new Set(["rm", "mv", "checkout", "restore", "clean"]);

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
const COPIERS: ReadonlySet<string> = new Set([
  "cp",
  "gcp",
  "mv",
  "gmv",
  "install",
  "ln",
  "link",
  "dd",
  "cat",
  "rsync",
  "ditto",
]);

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
  if (name === null || !WORD_PRINTERS.has(name)) return null;
  const isChanged = commands.some((other) =>
    other.unseenOperands === "stdin" && !looksAtUnseen(other)
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
  if (name === "git") {
    const words = command.words.slice(1);
    if (!words.some((word) => GIT_CHANGES.has(wordText(word)))) return null;
    for (const word of words) {
      const found = await wordLeadsTo(command, word, "inside", options);
      if (found !== null) return found;
    }
  }
  if (name === null || !FOLDER_FILLERS.has(name)) return null;
  const sources = uses.filter(({ kind, from }) =>
    from === "operand" && (kind === "read" || kind === "move")
  );
  for (const { kind, word } of uses) {
    if (kind !== "write" && kind !== "create") continue;
    const target = typeof word === "string" ? word : wordText(word);
    if (sources.length < 2 && !await mayBeFolder(command, target, options)) continue;
    for (const source of sources) {
      const text = typeof source.word === "string" ? source.word : wordText(source.word);
      const last = text.replace(/\/+$/, "").split("/").at(-1) ?? "";
      const found = await wordLeadsTo(command, `${target}/${last}`, "around", options);
      if (found !== null) return found;
    }
  }
  return null;
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

/** Whether what a target names is there as a folder, or is meant as one. */
async function mayBeFolder(
  command: SimpleCommand,
  target: string,
  options: SelfProtectionOptions,
): Promise<boolean> {
  if (/(?:^|\/)\.{0,2}$/.test(target)) return true;
  for (const directory of directoriesOf(command)) {
    const path = wordPath(target, directory, baseOf(options));
    if (path.kind !== "known") return true;
    const found = await options.fs.information(formatPath(path.written)).catch(() => null);
    if (found?.kind === "directory" || found?.kind === "link") return true;
  }
  return false;
}

function baseOf({ cwd, home }: SelfProtectionOptions): PathBase {
  return home === undefined ? { cwd } : { cwd, home };
}

/** What protects the file that a word names, in every folder the command may run in. */
async function wordLeadsTo(
  command: SimpleCommand,
  word: Parameters<typeof wordPath>[0],
  reach: "inside" | "around",
  options: SelfProtectionOptions,
): Promise<ProtectedPlace | null> {
  const base = baseOf(options);
  for (const directory of directoriesOf(command)) {
    const path = wordPath(word, directory, base);
    if (path.kind === "unknown") continue;
    if (path.kind === "known" && path.pattern === null) {
      const found = await protectedOnDisk(path.written, options, reach);
      if (found !== null) return found;
      continue;
    }
    if (path.kind === "known") {
      for (const candidate of protectedMatches(path.path)) {
        // With a sign left in it, what it matches is not known; else it counts when it is there.
        const isOpen = candidate.parts.some(isPattern);
        if (
          isOpen || (await options.fs.information(formatPath(candidate)).catch(() => null)) !== null
        ) {
          return await protectedOnDisk(candidate, options);
        }
      }
    }
    // What a variable or a sign stands for is not known: any file in that folder.
    const folder: AbsolutePath = path.kind === "partly"
      ? path.prefix
      : { root: path.path.root, parts: path.path.parts.slice(0, path.pattern ?? undefined) };
    const found = await protectedOnDisk(folder, options) ??
      (path.kind === "partly"
        ? await protectedOnDisk(folder, { ...options, roots: [] }, "around")
        : null);
    if (found !== null) return found;
  }
  return null;
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
