import { directoryText } from "./directory.ts";
import type { Program, Redirection, ShellWord, WordPart } from "./facts.ts";
import { quoteText } from "./quote_text.ts";

/** Words that mean something to the shell where a program may stand. */
const RESERVED: ReadonlySet<string> = new Set(
  "if then elif else fi for while until do done case esac select function time coproc in { } ! [[ ]]"
    .split(" "),
);

/** A word in canonical spelling: known text quoted where it must be, the rest as it is written. */
export function canonicalWord(word: ShellWord): string {
  if (word.value !== null && !word.globs) {
    // A word that is its own value needs no quotes, since it had none.
    const { text, value, quoted } = word;
    const same = !quoted && value === text && text !== "" && !text.includes("$") &&
      !text.includes("`");
    return same ? text : quoteText(value);
  }
  if (word.parts.length === 0) return "''";
  let text = "";
  for (let index = 0; index < word.parts.length; index++) {
    text += canonicalPart(word.parts[index], index === 0);
  }
  return text;
}

function canonicalPart(part: WordPart, first: boolean): string {
  switch (part.kind) {
    case "text":
      return quoteText(part.text);
    case "glob":
    case "unknown":
      return part.text;
    case "home":
      return first ? `~${part.user ?? ""}` : '"$HOME"';
    case "directory":
      return quoteText(directoryText(part.directory)).replace(/^'\?'$/, '"$PWD"');
    default:
      return part satisfies never;
  }
}

/** A command in canonical spelling; see `SimpleCommand.canonical`. */
export function canonicalCommand(
  program: Program,
  words: readonly ShellWord[],
  redirections: readonly Redirection[],
): string {
  let text = "";
  for (let index = 0; index < words.length; index++) {
    let word = index === 0 && program.kind === "named" && program.place === "system"
      ? quoteText(program.name)
      : canonicalWord(words[index]);
    if (index === 0 && meansMore(word)) word = `'${word}'`;
    text = index === 0 ? word : `${text} ${word}`;
  }
  if (redirections.length === 0) return text;
  for (const redirection of redirections) {
    if (!matters(redirection)) continue;
    const spelled = canonicalRedirection(redirection);
    text = text === "" ? spelled : `${text} ${spelled}`;
  }
  return text;
}

/** Whether the shell would take a bare first word for something else than a program. */
function meansMore(word: string): boolean {
  return RESERVED.has(word) || (word.includes("=") && /^[A-Za-z_]\w*\+?=/.test(word));
}

/** Whether it touches a file or gives a text; `2>&1` and `2>/dev/null` are no part of what a command does. */
function matters({ effect, target }: Redirection): boolean {
  return effect !== "duplicate" && effect !== "close" && target.value !== "/dev/null";
}

function canonicalRedirection(redirection: Redirection): string {
  const { operator, descriptor, target } = redirection;
  const usual = operator.startsWith("<") ? 0 : 1;
  const number = operator.startsWith("&") || descriptor === usual ? "" : `${descriptor ?? "{}"}`;
  if (operator === "<<" || operator === "<<-") return `${number}<<`;
  return `${number}${operator} ${canonicalWord(target)}`;
}
