/**
 * The command lines that clients run, and how ours are recognised.
 *
 * @module
 */

import type { ClientName } from "../client.ts";
import type { HookProgram, InstalledHook } from "./installation.ts";

/**
 * The command line for calls that are judged. Whatever goes wrong with the program, the call is denied:
 * most clients run the tool when a hook crashes, is missing or takes too long.
 *
 * @param answer For a client that does not pass standard error on: the denial as its answer, in which `REASON` stands.
 * @returns A line for a POSIX shell.
 */
export function judgingCommand(
  client: ClientName,
  program: HookProgram,
  answer: Readonly<Record<string, string>> | null = null,
): string {
  const told = answer === null ? "" : `echo ${shellText(JSON.stringify(answer))}; `;
  return `${start(client, program)} || { code=$?; [ $code -eq 2 ] || ` +
    `{ ${told}echo "${FAILURE}" >&2; }; exit 2; }`;
}

/** What is said when there is no answer; the shell puts the code in. */
const FAILURE = "gatehouse: the hook failed (code $code), so the call is denied. " +
  "Run 'gatehouse doctor' to see why.";

/** A text between double quotes, in which REASON becomes the failure's. */
function shellText(text: string): string {
  return `"${text.replaceAll(/[\\"`$]/g, "\\$&").replace("REASON", FAILURE)}"`;
}

/**
 * The command line for what is only recorded. Whatever goes wrong with the program, the client goes on, and it is not
 * kept waiting for long.
 *
 * @param patient Whether the program may take its whole time: at the end of a turn it may look for evidence.
 */
export function recordingCommand(
  client: ClientName,
  program: HookProgram,
  patient: boolean = false,
): string {
  const limitSeconds = patient
    ? program.limitSeconds
    : Math.min(program.limitSeconds, RECORD_SECONDS);
  return `${start(client, { ...program, limitSeconds })} || : gatehouse`;
}

/** Seconds that a client is kept waiting for a record. */
const RECORD_SECONDS = 5;

/** Whether a command line is one of ours for a client. */
export function isOurCommand(command: unknown, client: ClientName): boolean {
  return typeof command === "string" && command.includes("gatehouse") &&
    command.includes(` hook ${client} ||`);
}

/** The program that one of our command lines starts, unquoted; `null` for a line that is not ours. */
export function programOf(command: string, client: ClientName): string | null {
  const end = command.indexOf(` hook ${client} ||`);
  if (end < 0) return null;
  const quoted = /(?:'((?:[^']|'\\'')*)'|(\S+))$/.exec(command.slice(0, end));
  if (quoted === null) return null;
  return quoted[2] ?? quoted[1].replaceAll(`'\\''`, `'`);
}

/** The hook of a command line, when it is one of ours. */
export function hookOf(command: unknown, client: ClientName): InstalledHook | null {
  if (!isOurCommand(command, client)) return null;
  const line = command as string;
  const program = programOf(line, client);
  return program === null ? null : { program, argv: ["sh", "-c", line] };
}

function start(client: ClientName, { binary, limiter, limitSeconds }: HookProgram): string {
  // The runtime inside a single binary obeys these two; see docs/clients.md.
  const limit = limiter === null ? "" : `${quote(limiter)} -k 1 ${limitSeconds} `;
  return `unset BUN_OPTIONS BUN_BE_BUN; ${limit}${quote(binary)} hook ${client}`;
}

/** A word as a POSIX shell reads it back. */
export function quote(word: string): string {
  return /^[A-Za-z0-9_./+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
