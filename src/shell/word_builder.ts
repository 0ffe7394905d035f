import type { ShellWord, Span, WordPart } from "./facts.ts";

/** Makes shell words out of pieces, splitting unquoted values as the shell does. */
export class WordBuilder {
  private parts: WordPart[] = [];
  private text = "";
  private quoted = false;
  private splits = false;
  private started = false;

  /**
   * @param words Where finished words go.
   * @param written The word as it is written on the line.
   * @param span Where it stands.
   * @param separators The characters of `IFS`; `null` when they are not known.
   */
  constructor(
    private readonly words: ShellWord[],
    private readonly written: string,
    private readonly span: Span,
    private readonly separators: string | null,
  ) {}

  /** Adds text that stays as it is. */
  addText(text: string): void {
    this.text += text;
    if (text !== "") this.started = true;
  }

  /** Says that something here is quoted: the word exists even when it is empty. */
  addQuotes(): void {
    this.quoted = this.started = true;
  }

  /** Adds a part that stays whole. */
  addPart(part: WordPart): void {
    if (part.kind === "text") return this.addText(part.text);
    this.flush();
    this.parts.push(part);
    this.started = true;
  }

  /** Adds the value of an expansion outside quotes: split at separators, patterns come alive. */
  addValue(parts: readonly WordPart[]): void {
    for (const part of parts) {
      if (part.kind === "text") this.addSplit(part.text);
      else {
        if (part.kind === "unknown" && SPLITTING[part.source]) this.splits = true;
        this.addPart(part);
      }
    }
  }

  /** Says that unknown words may stand here, inside quotes too (`"$@"`). */
  addSplitting(part: WordPart): void {
    this.addPart(part);
    this.splits = true;
  }

  /** Ends the word that is being built, if there is one, and begins another. */
  breakWord(): void {
    if (this.started) this.words.push(this.finish());
    this.parts = [];
    this.text = "";
    this.quoted = this.splits = this.started = false;
  }

  /** Ends the word, which exists even when it is empty. */
  single(): ShellWord {
    return this.finish();
  }

  private addSplit(text: string): void {
    if (this.separators === null) {
      this.splits = true;
      return this.addPatterns(text);
    }
    let piece = "";
    // Blanks before another separator belong to it: they end one word, not two.
    let afterBlank = false;
    for (const character of text) {
      if (!this.separators.includes(character)) {
        piece += character;
        afterBlank = false;
        continue;
      }
      this.addPatterns(piece);
      piece = "";
      const blank = character === " " || character === "\t" || character === "\n";
      if (!blank && !afterBlank) this.started = true;
      afterBlank = blank && (this.started || afterBlank);
      this.breakWord();
    }
    this.addPatterns(piece);
  }

  private addPatterns(text: string): void {
    if (!/[*?[]/.test(text)) return this.addText(text);
    for (const [piece] of text.matchAll(/[*?]|\[[^\]]*\]|[^*?[]+|\[/g)) {
      const pattern = piece === "*" || piece === "?" || (piece.length > 1 && piece[0] === "[");
      if (pattern) this.addPart({ kind: "glob", text: piece });
      else this.addText(piece);
    }
  }

  private flush(): void {
    if (this.text === "") return;
    this.parts.push({ kind: "text", text: this.text });
    this.text = "";
  }

  private finish(): ShellWord {
    this.flush();
    return makeWord(this.parts, this.written, this.span, this.quoted, this.splits);
  }
}

/** Which unknown parts may be split into several words. */
const SPLITTING = Object.freeze({
  "variable": true,
  "substitution": true,
  "pattern": true,
  "arithmetic": false,
  "process": false,
  "found-file": false,
  "stdin-item": true,
});

/** A word of exactly one text. */
export function textWord(
  text: string,
  written: string,
  span: Span,
  quoted: boolean,
): ShellWord {
  const parts: WordPart[] = text === "" ? [] : [{ kind: "text", text }];
  return {
    value: text,
    known: "known",
    parts,
    globs: false,
    quoted,
    splits: false,
    text: written,
    span,
  };
}

/** A word of these parts. */
export function makeWord(
  parts: readonly WordPart[],
  written: string,
  span: Span,
  quoted: boolean,
  splits: boolean,
): ShellWord {
  let value: string | null = "";
  let globs = false;
  let unknown = 0;
  for (const part of parts) {
    if (part.kind === "glob") globs = true;
    if (part.kind === "text" || part.kind === "glob") {
      if (value !== null) value += part.text;
    } else {
      value = null;
      if (part.kind === "unknown") unknown++;
    }
  }
  const known = unknown === 0 ? "known" : unknown === parts.length ? "unknown" : "partly";
  return { value, known, parts, globs, quoted, splits, text: written, span };
}
