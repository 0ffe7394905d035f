/**
 * The answers that mean the same to every client.
 *
 * @module
 */

import type { Answer } from "./client.ts";

/** No opinion: the client's own rules go on. Anything on standard output would be an opinion. */
export const NO_OPINION: Answer = Object.freeze({ stdout: "", stderr: "", exitCode: 0 });

/** An opinion, as one line of JSON. */
export function jsonAnswer(answer: Readonly<Record<string, unknown>>): Answer {
  return Object.freeze({ stdout: `${JSON.stringify(answer)}\n`, stderr: "", exitCode: 0 });
}

/** A denial. The exit code alone stops the tool in every client, as long as standard error has a text. */
export function denial(
  reason: string,
  answer: (reason: string) => Readonly<Record<string, unknown>>,
): Answer {
  const text = reason.trim() || "gatehouse: denied";
  return Object.freeze({
    stdout: `${JSON.stringify(answer(text))}\n`,
    stderr: `${text}\n`,
    exitCode: DENIED,
  });
}

/** The one exit code that stops a tool in all clients; most others let it run in most of them. */
const DENIED = 2;
