/**
 * Splits a command into words as a shell reads quotes and backslashes, and does nothing else of what a shell does: no
 * variables, no globs, no operators.
 *
 * @throws {Error} when a quote is not closed.
 */
export function splitWords(command: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let index = 0;
  while (index < command.length) {
    const letter = command[index];
    index += 1;
    if (letter === " " || letter === "\t" || letter === "\r" || letter === "\n") {
      if (word !== null) words.push(word);
      word = null;
    } else if (letter === "'") {
      const end = command.indexOf("'", index);
      if (end === -1) throw new Error("Cannot split the command: a ' is not closed");
      word = (word ?? "") + command.slice(index, end);
      index = end + 1;
    } else if (letter === '"') {
      word ??= "";
      while (command[index] !== '"') {
        if (index >= command.length) {
          throw new Error('Cannot split the command: a " is not closed');
        }
        if (command[index] === "\\" && '"\\$`'.includes(command[index + 1] ?? " ")) index += 1;
        word += command[index];
        index += 1;
      }
      index += 1;
    } else if (letter === "\\") {
      if (index >= command.length) {
        throw new Error("Cannot split the command: it ends in a backslash");
      }
      word = (word ?? "") + command[index];
      index += 1;
    } else word = (word ?? "") + letter;
  }
  if (word !== null) words.push(word);
  return words;
}
