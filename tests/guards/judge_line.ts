import type { Behavior } from "../../src/call.ts";
import type { CommandContext, CommandFinding } from "../../src/guards/command_finding.ts";
import { commandPathFindings, type CommandPathOptions } from "../../src/guards/command_paths.ts";
import { commandContext } from "../../src/guards/command_text.ts";
import { commandFindings, strictest } from "../../src/guards/commands.ts";
import { observeFiles } from "../../src/guards/observations.ts";
import type { ObservedFileSystem } from "../../src/guards/observations.ts";
import { judgeSelfProtection } from "../../src/guards/self_protection.ts";
import { frozenReading } from "../shell/frozen_reading.ts";

/** What stands on a pretended host: a folder, a file with a text, or a link with a target. */
export type Layout = Readonly<Record<string, "folder" | { file: string } | { link: string }>>;

/** The host that most lines are judged on: a workspace, a home, and nothing else. */
export const USUAL: Layout = { "/repo/app": "folder", "/home/u": "folder", "/tmp": "folder" };

/** What lines are judged with, besides the usual. */
export interface Setting {
  readonly cwd?: string;
  readonly layout?: Layout;
  readonly context?: Partial<CommandContext>;
  readonly paths?: Partial<CommandPathOptions>;
}

/** What the guards say of a line. */
export interface Judged {
  readonly behavior: Behavior;
  readonly findings: readonly CommandFinding[];
}

/** Judges a line as the built-in guards do in the workspace /repo/app. */
export async function judgeLine(command: string, setting: Setting = {}): Promise<Judged> {
  const cwd = setting.cwd ?? "/repo/app";
  const fs = pretendedFiles({ ...USUAL, ...setting.layout });
  const home = "/home/u";
  const reading = frozenReading(command);
  const context = {
    ...commandContext({ cwd, home, workspace: ["/repo/app"], observe: observeFiles(fs) }),
    ...setting.context,
  };
  const options = { allowed: ["/repo/app"], cwd, home, fs, ...setting.paths };
  const findings = [
    ...await commandFindings(reading, context),
    ...await commandPathFindings(reading, options),
  ];
  const call = { tool: "bash", action: "", args: { command } };
  const self = await judgeSelfProtection(call, {
    cwd,
    home,
    roots: [],
    fs,
    read: (line) => Promise.resolve(frozenReading(line)),
  });
  const behavior = self?.behavior ?? strictest(findings)?.behavior ?? "allow";
  return { behavior, findings };
}

/** A file system made of a layout; the folders above what it names are there too. */
export function pretendedFiles(layout: Layout): ObservedFileSystem {
  const entries = new Map(Object.entries(layout));
  for (const path of Object.keys(layout)) {
    for (let at = path; at !== "";) {
      at = at.slice(0, at.lastIndexOf("/"));
      if (at !== "" && !entries.has(at)) entries.set(at, "folder");
    }
  }
  return {
    information: (path) => {
      const entry = entries.get(path);
      if (entry === undefined) return Promise.resolve(null);
      const kind = entry === "folder" ? "directory" : "file" in entry ? "file" : "link";
      return Promise.resolve({ kind, size: 0, modifiedMs: 0, mode: 0o644 });
    },
    readLink: (path) => {
      const entry = entries.get(path);
      return Promise.resolve(typeof entry === "object" && "link" in entry ? entry.link : "");
    },
    exists: (path) => entries.has(path),
    readFile: (path) => {
      const entry = entries.get(path);
      const text = typeof entry === "object" && "file" in entry ? entry.file : "";
      return Promise.resolve(new TextEncoder().encode(text));
    },
  };
}
