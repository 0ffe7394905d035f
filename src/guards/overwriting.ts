/**
 * What is written over, and what is moved away.
 *
 * @module
 */

import type { SimpleCommand } from "../shell/facts.ts";
import { type AbsolutePath, formatPath } from "./absolute_path.ts";
import { type CommandContext, type CommandFinding, finding } from "./command_finding.ts";
import { commandWords, givenOption } from "./command_words.ts";
import { isHarmless } from "./destructive_facts.ts";
import { fileGrammar, type PathUse, pathUses } from "./path_uses.ts";
import { isTemporaryRoot, type Place, placeOf } from "./places.ts";
import { directoriesOf } from "./removal.ts";
import { pathText, wordPath } from "./word_path.ts";

/** One way of writing over something. */
export interface OverwriteFact {
  readonly name: string;
  readonly behavior: "deny" | "escalate";
  readonly effect: string;
  readonly instead: string;
  readonly example: string;
}

/** What writing over something means, by what it is. */
export const OVERWRITE_FACTS = {
  disk: {
    name: "write over a disk",
    behavior: "deny",
    effect: "writes over a disk",
    instead: "dd if=/dev/zero of=./disk.img count=1",
    example: "dd if=/dev/zero of=/dev/sda",
  },
  device: {
    name: "write to a device",
    behavior: "escalate",
    effect: "writes to a device",
    instead: "echo x > /dev/null",
    example: "echo x > /dev/video0",
  },
  system: {
    name: "write over the system",
    behavior: "deny",
    effect: "writes over a file of the system",
    instead: "cp /etc/hosts ./hosts.new",
    example: "echo x > /etc/hosts",
  },
  git: {
    name: "write over git's own files",
    behavior: "escalate",
    effect: "writes over what git knows of the repository",
    instead: "git status",
    example: "echo x > .git/HEAD",
  },
  existing: {
    name: "write over an existing file",
    behavior: "escalate",
    effect: "writes over a file that is there and that git may not have",
    instead: "cp notes.txt notes.txt.new",
    example: "echo x > notes.txt",
  },
  folder: {
    name: "copy over an existing folder",
    behavior: "escalate",
    effect: "writes over the files of a folder that git may not have",
    instead: "cp -R ../other/src ./src-copy",
    example: "cp -R ../other/src/. src/",
  },
  away: {
    name: "move out of the workspace",
    behavior: "escalate",
    effect: "takes files out of the workspace",
    instead: "cp -R src /tmp/src-copy",
    example: "mv src /tmp/src",
  },
  lost: {
    name: "move onto a device",
    behavior: "deny",
    effect: "loses what is moved there",
    instead: "mv src ./old-src",
    example: "mv src /dev/null",
  },
  owner: {
    name: "change a whole system's owners or rights",
    behavior: "deny",
    effect:
      "changes who may use a whole part of the system, a home folder or the workspace's parents",
    instead: "chmod -R u+rw ./build",
    example: "chmod -R 777 /",
  },
  mirror: {
    name: "rsync --delete",
    behavior: "escalate",
    effect: "removes what is not in the source",
    instead: "rsync -a --delete --dry-run src/ backup/",
    example: "rsync -a --delete src/ backup/",
  },
} as const satisfies Readonly<Record<string, OverwriteFact>>;

/** Devices that lose nothing. */
const HARMLESS_DEVICES =
  /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|ptmx|console|fd\/\d+|shm\/.+|tcp\/.+|udp\/.+)$/;

/** Devices that are disks. */
const DISKS = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|md|dm-|loop|sr|nbd|zd)/i;

/** Judges what a command writes over, moves away, or changes the owners of. */
export async function overwriteFindings(
  command: SimpleCommand,
  context: CommandContext,
): Promise<CommandFinding[]> {
  if (command.effects.includes("remote") || command.effects.includes("container")) return [];
  const findings: CommandFinding[] = [];
  const name = command.program.kind === "named" ? command.program.name : "";
  const words = commandWords(command.words.slice(1), fileGrammar(name));
  const isDry = isHarmless(words) || (name === "rsync" && givenOption(words, ["-n"]) !== null);
  const isRecursive = givenOption(words, ["-r", "-R", "-a", "--recursive", "--archive"]) !== null;
  const uses = pathUses(command).filter((use) => !isDry || use.from === "redirection");
  for (const use of uses) {
    for (const found of await judgeUse(command, use, name, isRecursive, uses, context)) {
      findings.push(found);
    }
  }
  if (name === "rsync" && !isDry && words.options.some((option) => /^--del/.test(option.name))) {
    findings.push(overwrite(command, OVERWRITE_FACTS.mirror));
  }
  return findings;
}

async function judgeUse(
  command: SimpleCommand,
  use: PathUse,
  name: string,
  isRecursive: boolean,
  uses: readonly PathUse[],
  context: CommandContext,
): Promise<CommandFinding[]> {
  const writes = use.kind === "write" || use.kind === "append" || use.kind === "create";
  const changes = use.kind === "change" || use.kind === "move";
  if (!writes && !changes) return [];
  const findings: CommandFinding[] = [];
  for (const directory of directoriesOf(command)) {
    const path = wordPath(use.word, directory, context);
    if (path.kind !== "known") {
      // What is moved is not known, such as what find finds; where it goes may be.
      if (use.kind === "move" && !staysInside(uses, directory, context)) {
        findings.push(overwrite(command, OVERWRITE_FACTS.away));
      }
      continue;
    }
    const text = formatPath(path.path);
    const place = placeOf(path.path, context);
    const isDevice = path.path.root === "/" && path.path.parts[0] === "dev";
    if (isDevice) {
      const isMove = name === "mv" && use.kind === "write";
      if (DISKS.test(text)) findings.push(overwrite(command, OVERWRITE_FACTS.disk, path.path));
      else if (isMove) findings.push(overwrite(command, OVERWRITE_FACTS.lost, path.path));
      else if (!HARMLESS_DEVICES.test(text)) {
        findings.push(overwrite(command, OVERWRITE_FACTS.device, path.path));
      }
      continue;
    }
    if (use.kind === "change" && /^ch(?:mod|own|grp)$/.test(name)) {
      if (place === "critical" && (isRecursive || path.path.parts.length <= 1)) {
        findings.push(overwrite(command, OVERWRITE_FACTS.owner, path.path));
      }
      continue;
    }
    // What is put into the folder for temporary files writes over nothing that holds it, such as the workspace.
    if (writes && place === "critical" && isTemporaryRoot(path.path, context)) continue;
    if (place === "critical") {
      findings.push(overwrite(command, OVERWRITE_FACTS.system, path.path));
      continue;
    }
    if (use.kind === "move") {
      const isAll = place === "workspace-root" || place === "git-folder";
      if (isAll || (place === "workspace" && !staysInside(uses, directory, context))) {
        findings.push(overwrite(command, OVERWRITE_FACTS.away, path.path));
      }
      continue;
    }
    if (use.kind !== "write" || path.pattern !== null) continue;
    if (place === "git-folder") findings.push(overwrite(command, OVERWRITE_FACTS.git, path.path));
    if (place === "workspace" && context.overwrite !== "allow") {
      const found = await existing(command, use, path.path, isRecursive, uses, directory, context);
      if (found !== null) findings.push(found);
    }
  }
  return findings;
}

/** Whether what a command moves stays in the workspace, as far as its target says. */
function staysInside(
  uses: readonly PathUse[],
  directory: SimpleCommand["directory"],
  context: CommandContext,
): boolean {
  const target = uses.findLast((use) => use.kind === "write");
  const path = target === undefined ? null : wordPath(target.word, directory, context);
  // A target that is not known is the path guard's to ask about.
  if (path === null || path.kind === "unknown") return true;
  return INSIDE.has(placeOf(path.kind === "known" ? path.path : path.prefix, context));
}

const INSIDE: ReadonlySet<Place> = new Set([
  "workspace",
  "regenerable",
  "workspace-root",
  "git-folder",
]);

async function existing(
  command: SimpleCommand,
  use: PathUse,
  path: AbsolutePath,
  isRecursive: boolean,
  uses: readonly PathUse[],
  directory: SimpleCommand["directory"],
  context: CommandContext,
): Promise<CommandFinding | null> {
  const target = await context.observe.target(formatPath(path));
  if (target === "file") return await unsaved(command, path, context);
  if (target !== "directory" || use.from === "redirection") return null;
  if (isRecursive) return overwrite(command, OVERWRITE_FACTS.folder, path);
  // A file that is copied or moved into a folder keeps its name there.
  for (const source of uses.filter(({ kind }) => kind === "read" || kind === "move")) {
    const from = wordPath(source.word, directory, context);
    if (from.kind !== "known" || from.pattern !== null) continue;
    const inside = { root: path.root, parts: [...path.parts, from.path.parts.at(-1) ?? ""] };
    if (await context.observe.target(formatPath(inside)) !== "file") continue;
    const found = await unsaved(command, inside, context);
    if (found !== null) return found;
  }
  return null;
}

async function unsaved(
  command: SimpleCommand,
  path: AbsolutePath,
  context: CommandContext,
): Promise<CommandFinding | null> {
  return await context.observe.saved(formatPath(path)) === "saved"
    ? null
    : overwrite(command, OVERWRITE_FACTS.existing, path);
}

function overwrite(
  command: SimpleCommand,
  fact: OverwriteFact,
  path?: AbsolutePath,
): CommandFinding {
  return finding(command, {
    behavior: fact.behavior,
    rule: fact.name,
    effect: path === undefined ? fact.effect : `${fact.effect} (${pathText(path)})`,
    advice: fact.instead,
  });
}
