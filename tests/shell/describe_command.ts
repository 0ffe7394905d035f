import { directoryText } from "../../src/shell/directory.ts";
import type { SimpleCommand } from "../../src/shell/facts.ts";

/**
 * A command in one line, for tables of expectations: the canonical text, then what is out of the
 * ordinary: `in` a folder, `by` a way, `does` effects, `reads` an input, `code`, `launches`.
 */
export function describeCommand(command: SimpleCommand): string {
  const notes: string[] = [];
  const { directory, otherDirectories, reach, effects, stdin, code, unseenOperands } = command;
  const folders = [directory, ...otherDirectories].map(directoryText).join(" or ");
  if (folders !== ".") notes.push(`in ${folders}`);
  if (reach.length > 0) {
    notes.push(`by ${reach.map(({ kind, name }) => name ? `${kind} ${name}` : kind).join(", ")}`);
  }
  if (effects.length > 0) notes.push(`does ${effects.join(", ")}`);
  if (stdin.kind === "text") notes.push(`reads ${JSON.stringify(stdin.word.value)}`);
  else if (stdin.kind === "pipe") notes.push(`reads what ${stdin.from.join(", ")} print`);
  else if (stdin.kind === "file") notes.push(`reads the file ${stdin.target.text}`);
  if (unseenOperands !== null) notes.push(`and more operands from ${unseenOperands}`);
  for (const { language, word } of code) notes.push(`${language} ${JSON.stringify(word.value)}`);
  if (command.role === "launches") notes.push("launches");
  if (command.program.kind === "function") notes.push("a function");
  if (command.program.kind === "unknown") notes.push("an unknown program");
  return [command.canonical, ...notes].join(" | ");
}
