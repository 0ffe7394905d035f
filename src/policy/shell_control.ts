/** Tokens by which one command line becomes several commands, or reads and writes files. */
const SHELL_CONTROL = /;|&&|\|\|?|`|\$\(|<|>|\n/;

/**
 * The first shell-control token in a command, or `null` (D1-5). Rules match text from its beginning, so they cannot see
 * past such a token.
 */
export function shellControlToken(command: string): string | null {
  return SHELL_CONTROL.exec(command)?.[0] ?? null;
}
