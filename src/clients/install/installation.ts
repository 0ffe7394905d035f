/**
 * How gatehouse is wired into a client: as pure edits of texts, so that they can be shown before they are made.
 *
 * @module
 */

import type { ClientName } from "../client.ts";

/** Where the hook is installed: for one person, for one project, or for the whole machine. */
export type Scope = "user" | "project" | "system";

/** What an edit depends on. */
export interface Place {
  readonly scope: Scope;
  /** The person's home folder. */
  readonly home: string;
  /** The project's folder. */
  readonly project: string;
  readonly platform: "linux" | "darwin" | "windows";
  /** The environment's variables; some move a client's folder. */
  readonly variables: Readonly<Record<string, string>>;
  /** The SHA-256 of bytes, in lower-case hexadecimal. */
  sha256(bytes: Uint8Array): Promise<string>;
}

/** How the hook is started. */
export interface HookProgram {
  /** The absolute path of gatehouse, or its bare name where other people's machines share the file. */
  readonly binary: string;
  /** The program that ends a hook that never answers (`timeout` of coreutils); `null` where there is none. */
  readonly limiter: string | null;
  /** Seconds until it does. Longer than gatehouse's own deadline, shorter than the client's. */
  readonly limitSeconds: number;
}

/** Texts by the path of their file; `null` where there is no file. */
export type Texts = ReadonlyMap<string, string | null>;

/** How one client is wired up. */
export interface Installation {
  readonly client: ClientName;
  /** The name people know it by. */
  readonly title: string;
  /** The program's name in PATH. */
  readonly program: string;
  /** The folder of its settings, which is there once it was started. */
  settingsFolder(place: Place): string;
  /** The files that are edited. Throws {@linkcode InstallationError} when the scope is not possible. */
  paths(place: Place): readonly string[];
  /** The texts with the hook in them. The same texts again when it is in them already. */
  install(texts: Texts, place: Place, program: HookProgram): Promise<Texts>;
  /** The texts without the hook; `null` for a file that held nothing else. */
  uninstall(texts: Texts, place: Place): Texts;
  /** How the client starts the hook for calls to judge, as the texts have it; `null` when it is not in them. */
  hook(texts: Texts, place: Place): InstalledHook | null;
  /** A payload as the client sends it for a shell command. */
  payloadFor(command: string, cwd: string): unknown;
  /** What keeps an installed hook from being called, as far as these and other files in the place say. */
  obstacles(texts: Texts, place: Place): readonly string[];
  /** More files in which the client can be told not to call its hooks. */
  switches(place: Place): readonly string[];
  /** What a person must know or do besides. */
  notes(place: Place): readonly string[];
}

/** A hook as it stands in a client's files. */
export interface InstalledHook {
  /** The program that is started in the end. */
  readonly program: string;
  /** What the client runs. */
  readonly argv: readonly string[];
}

/** Why a file cannot be edited, and what to do. */
export class InstallationError extends Error {
  override readonly name = "InstallationError";
}

/** The text of a file of the map. */
export function textOf(texts: Texts, path: string): string | null {
  return texts.get(path) ?? null;
}

/** Seconds that a client gives the hook. Longer than any limit of ours, so that ours is what ends it. */
export const CLIENT_TIMEOUT_SECONDS = 30;

/** Seconds until the limiter ends a hook: four times gatehouse's own deadline. */
export const LIMIT_SECONDS = 20;
