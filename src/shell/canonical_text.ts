import { directoryText } from "./directory.ts";
import type { Program, Redirection, ShellWord, WordPart } from "./facts.ts";

/** Text that the shell reads as itself, as a word among others. */
const BARE = /^(?:[\w./:@,+%^-][\w./:=@,+%^~-]*|\{\}|\[|\])$/;

/** Words that mean something to the shell where a program may stand. */
const RESERVED =
  /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|time|coproc|in|\{|\}|!|\[\[|\]\]|[A-Za-z_]\w*\+?=.*)$/;

/**
 * A text as one shell word, in the one spelling gatehouse uses: bare where that is safe, else in
 * single quotes.
 */
export function quoteText(text: string): string {
  return BARE.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A word in canonical spelling: known text quoted where it must be, the rest as it is written. */
export function canonicalWord(word: ShellWord): string {
  if (word.value !== null && !word.globs) return quoteText(word.value);
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
    if (index === 0 && RESERVED.test(word)) word = `'${word}'`;
    text = index === 0 ? word : `${text} ${word}`;
  }
  for (const redirection of redirections) {
    if (!matters(redirection)) continue;
    const spelled = canonicalRedirection(redirection);
    text = text === "" ? spelled : `${text} ${spelled}`;
  }
  return text;
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
