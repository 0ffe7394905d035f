import type { CommandContext } from "./command.ts";

/**
 * Asks a person on the terminal.
 *
 * @returns Whether the answer was yes. `null` when nobody can be asked: standard input or error is no terminal.
 */
export async function confirm(context: CommandContext, question: string): Promise<boolean | null> {
  const { stdio } = context.runtime;
  if (!stdio.isTerminal("input") || !stdio.isTerminal("error")) return null;
  await stdio.writeError(`${question} [y/N] `);
  for await (const line of stdio.readLines()) return /^y(?:es)?$/i.test(line.trim());
  return false;
}
