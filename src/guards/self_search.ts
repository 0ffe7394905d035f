/**
 * What `find` may hand to something that changes it, of what guards.
 *
 * @module
 */

import type { ShellWord, SimpleCommand } from "../shell/facts.ts";
import { type AbsolutePath, formatPath } from "./absolute_path.ts";
import { wordText } from "./command_words.ts";
import { isLooking } from "./file_programs.ts";
import { matchesName } from "./name_pattern.ts";
import { pathUses } from "./path_uses.ts";
import { realPath } from "./real_path.ts";
import { directoriesOf } from "./removal.ts";
import {
  protectedBelow,
  protectedOnDisk,
  type ProtectedPlace,
  rootsOf,
  type SelfProtectionOptions,
} from "./self_places.ts";
import { baseOf } from "./self_words.ts";
import { wordPath } from "./word_path.ts";

/** One alternative of a search: what is between two `-o`. */
interface Alternative {
  /** Patterns, of which one must match a name; none: any name. */
  readonly names: readonly string[];
  /** Patterns, of which one must match the path as `find` writes it; none: any path. */
  readonly paths: readonly string[];
}

/** Tests for a name, by their own word. */
const NAME_TESTS: ReadonlySet<string> = new Set(["-name", "-iname"]);
const PATH_TESTS: ReadonlySet<string> = new Set([
  "-path",
  "-ipath",
  "-wholename",
  "-iwholename",
]);

/** What begins a command inside the search, up to `;` or `+`. */
const COMMAND_ACTIONS: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

/** Whether a command only looks at what it is given in operands that we do not see. */
export function looksAtUnseen({ program, words, code }: SimpleCommand): boolean {
  if (program.kind !== "named" || !isLooking(program.name)) return false;
  if (code.some(({ language }) => language !== "sed" && language !== "awk")) return false;
  return !words.some((word) => /^(?:-[A-Za-z]*i|--in-?place)/.test(wordText(word))) ||
    /grep$|^(?:ls|rg|ag|ack|diff|cat|sort|uniq)$/.test(program.name);
}

/**
 * What protects a file that a search finds and changes; `null` when there is none.
 *
 * @param commands All commands of the line.
 */
export async function changedBySearch(
  command: SimpleCommand,
  commands: readonly SimpleCommand[],
  options: SelfProtectionOptions,
): Promise<ProtectedPlace | null> {
  const texts = command.words.slice(1).map(wordText);
  const opened = command.opens.flatMap((index) => commands[index] ?? []);
  const given = commands.filter(({ unseenOperands }) => unseenOperands === "stdin");
  const changes = texts.includes("-delete") ||
    [...opened, ...given].some((other) => !looksAtUnseen(other));
  // An empty file guards nothing.
  if (!changes || texts.includes("-empty")) return null;
  const alternatives = alternativesOf(texts);
  const depth = Number(texts[texts.indexOf("-maxdepth") + 1] ?? Infinity);
  const starts = pathUses(command)
    .filter(({ kind, from }) => kind === "read" && from === "operand").map(({ word }) => word);
  for (const word of starts.length > 0 ? starts : ["."]) {
    for (const start of startsOf(command, word, options)) {
      const real = await realPath(start, options.fs, options.style ?? "posix");
      const found = await protectedOnDisk(start, options);
      if (found !== null) return found;
      for (const folder of real.kind === "real" ? [start, real.path] : [start]) {
        for (const { place, rest, isNear } of protectedBelow(folder, rootsOf(options))) {
          if (texts.includes("-maxdepth") && rest.length > depth) continue;
          if (!alternatives.some((one) => finds(one, word, rest, isNear))) continue;
          const path = { root: folder.root, parts: [...folder.parts, ...rest] };
          const isThere = (isNear && isFile(rest)) ||
            await options.fs.information(formatPath(path)).catch(() => null) !== null;
          if (isThere) return place;
        }
      }
    }
  }
  return null;
}

function startsOf(
  command: SimpleCommand,
  word: ShellWord | string,
  options: SelfProtectionOptions,
): AbsolutePath[] {
  return directoriesOf(command).flatMap((directory) => {
    const path = wordPath(word, directory, baseOf(options));
    return path.kind === "known" && path.pattern === null ? [path.written] : [];
  });
}

/** Whether an alternative can find a protected place, or, in a client's own folder, something in it. */
function finds(
  { names, paths }: Alternative,
  start: ShellWord | string,
  rest: readonly string[],
  isNear: boolean,
): boolean {
  const isNamed = names.length === 0 ||
    names.some((name) =>
      rest.some((part) => matchesName(name, part, true)) ||
      // Below a client's folder for hooks and plugins any name can be.
      (isNear && !isFile(rest))
    );
  const base = typeof start === "string" ? start : start.value;
  const isOnPath = paths.length === 0 || base === null ||
    paths.some((path) => matchesName(path, [base.replace(/\/+$/, ""), ...rest].join("/"), true));
  return isNamed && isOnPath;
}

/** Whether a place of the table is a file; the others are folders. */
function isFile(tail: readonly string[]): boolean {
  return tail.at(-1)!.includes(".", 1);
}

/** A search's alternatives; one that only leaves a folder out finds nothing. What is negated narrows nothing. */
function alternativesOf(texts: readonly string[]): readonly Alternative[] {
  const found: { names: string[]; paths: string[]; prunes: boolean }[] = [];
  let now = { names: [] as string[], paths: [] as string[], prunes: false };
  found.push(now);
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at];
    if (text === "-o" || text === "-or" || text === ",") {
      now = { names: [], paths: [], prunes: false };
      found.push(now);
    } else if (text === "!" || text === "-not") {
      // A negated group: its tests, up to the end of the group, are not counted.
      if (texts[at + 1] === "(") at = endOfGroup(texts, at + 1);
      else at += takesValue(texts[at + 1]) ? 2 : 1;
    } else if (text === "-prune") now.prunes = true;
    else if (NAME_TESTS.has(text)) now.names.push(texts[++at] ?? "");
    else if (PATH_TESTS.has(text)) now.paths.push(texts[++at] ?? "");
    else if (COMMAND_ACTIONS.has(text)) {
      while (at < texts.length && texts[at] !== ";" && texts[at] !== "+") at++;
    }
  }
  const open = found.filter(({ prunes }) => !prunes);
  return open.length > 0 ? open : [{ names: [], paths: [] }];
}

function takesValue(test: string | undefined): boolean {
  return test !== undefined && !/^-(?:empty|executable|readable|writable|true|false)$/.test(test);
}

function endOfGroup(texts: readonly string[], open: number): number {
  let depth = 0;
  for (let at = open; at < texts.length; at++) {
    if (texts[at] === "(") depth++;
    else if (texts[at] === ")" && --depth === 0) return at;
  }
  return texts.length;
}
