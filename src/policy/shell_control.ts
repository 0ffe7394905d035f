/**
 * The first shell-control token in a command, or `null` (D1-5): by such a token one line becomes several commands, or
 * reads and writes files. Rules match text from its beginning, so they cannot see
 * past such a token.
 */
export function shellControlToken(command: string): string | null {
  // By hand: an expression would have to be compiled at every call of the hook.
  for (let index = 0; index < command.length; index++) {
    const character = command[index];
    switch (character) {
      case ";":
      case "`":
      case "<":
      case ">":
      case "\n":
        return character;
      case "|":
        return command[index + 1] === "|" ? "||" : "|";
      case "&":
        if (command[index + 1] === "&") return "&&";
        break;
      case "$":
        if (command[index + 1] === "(") return "$(";
        break;
    }
  }
  return null;
}
