import type { ShellWord, Span, WordPart } from "./facts.ts";
import { makeWord } from "./word_builder.ts";

/** One word made of several, with a space between each two, as `eval` and `ssh` do it. */
export function joinWords(words: readonly ShellWord[], separator = " "): ShellWord {
  if (words.length === 1) return words[0];
  const parts: WordPart[] = [];
  for (const [index, word] of words.entries()) {
    if (index > 0) addText(parts, separator);
    for (const part of word.parts) {
      if (part.kind === "text") addText(parts, part.text);
      else parts.push(part);
    }
  }
  const written = words.map((word) => word.text).join(separator);
  return makeWord(parts, written, spanOfWords(words), true, words.some((word) => word.splits));
}

/** Where several words stand, together. */
export function spanOfWords(words: readonly ShellWord[]): Span {
  let start = Infinity;
  let end = 0;
  for (const { span } of words) {
    start = Math.min(start, span.start);
    end = Math.max(end, span.end);
  }
  return { start: Math.min(start, end), end };
}

/** A word without its first characters, which must be text. */
export function cutWord(word: ShellWord, count: number): ShellWord {
  return makeWord(cutParts(word.parts, count), word.text, word.span, word.quoted, word.splits);
}

/** Parts without the first characters, which must be text. */
export function cutParts(parts: readonly WordPart[], count: number): readonly WordPart[] {
  const [first, ...rest] = parts;
  if (first?.kind !== "text") return parts;
  const text = first.text.slice(count);
  return text === "" ? rest : [{ kind: "text", text }, ...rest];
}

/** The text with which a word begins; empty when it begins with something else. */
export function leadingText(word: ShellWord): string {
  const [first] = word.parts;
  return first?.kind === "text" ? first.text : "";
}

/** The exact text of a word; `null` when it is not known or is a pattern. */
export function exactText(word: ShellWord | undefined): string | null {
  return word === undefined || word.globs ? null : word.value;
}

/** A word with every occurrence of a text in it replaced by a part. */
export function replaceInWord(word: ShellWord, text: string, by: WordPart): ShellWord {
  if (!word.parts.some((part) => part.kind === "text" && part.text.includes(text))) return word;
  const parts: WordPart[] = [];
  for (const part of word.parts) {
    if (part.kind !== "text") parts.push(part);
    else {
      for (const [index, piece] of part.text.split(text).entries()) {
        if (index > 0 && by.kind === "text") addText(parts, by.text);
        else if (index > 0) parts.push(by);
        addText(parts, piece);
      }
    }
  }
  return makeWord(parts, word.text, word.span, word.quoted, word.splits);
}

function addText(parts: WordPart[], text: string): void {
  if (text === "") return;
  const last = parts[parts.length - 1];
  if (last?.kind === "text") parts[parts.length - 1] = { kind: "text", text: last.text + text };
  else parts.push({ kind: "text", text });
}
