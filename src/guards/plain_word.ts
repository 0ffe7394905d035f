import type { ShellWord } from "../shell/facts.ts";

/** A known word made of a text that stands inside another word (an alias, a list of words). */
export function plainWord(text: string, at: ShellWord): ShellWord {
  return Object.freeze({
    value: text,
    known: "known",
    parts: text === "" ? [] : [{ kind: "text" as const, text }],
    globs: false,
    quoted: true,
    splits: false,
    text,
    span: at.span,
  });
}
