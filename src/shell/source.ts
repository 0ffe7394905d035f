import type { Span } from "./facts.ts";

/** A text that is read, and where it stands on the line. */
export interface Source {
  /** What the parser's positions count in. */
  readonly text: string;
  /** What to add to a position to be on the line; `null` when the text is not on it in this spelling. */
  readonly offset: number | null;
  /** Where all of it stands, for when `offset` is `null`. */
  readonly span: Span;
}

/** A position of the parser as a place on the line. */
export function spanOf(source: Source, node: { readonly pos: number; readonly end: number }): Span {
  const { offset } = source;
  return offset === null ? source.span : { start: node.pos + offset, end: node.end + offset };
}

/**
 * A text that a word carries, as a source: with exact places when the line has it in this very
 * spelling, bare or between one pair of quotes.
 */
export function sourceAt(line: string, text: string, span: Span): Source {
  const spare = span.end - span.start - text.length;
  for (const quote of [0, 1, 2]) {
    if (spare >= quote && line.startsWith(text, span.start + quote)) {
      return { text, offset: span.start + quote, span };
    }
  }
  return { text, offset: null, span };
}
