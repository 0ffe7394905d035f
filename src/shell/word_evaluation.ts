import {
  type ArithmeticExpansionPart,
  forEachChild,
  parse,
  type SyntaxNode,
  type Word,
  type WordPart as Node,
} from "unbash";
import { expandBraces } from "./brace_expansion.ts";
import { expansionLength } from "./expansion_length.ts";
import { standsForNothing } from "./stands_for_nothing.ts";
import { plainWord } from "./plain_word.ts";
import { withoutLastNewlines } from "./printed_value.ts";
import { UNKNOWN_DIRECTORY } from "./directory.ts";
import type { ShellWord, Span, WordPart } from "./facts.ts";
import { MAX_BRACE_WORDS, MAX_DEPTH } from "./limits.ts";
import { expandName, expandParameter, type Expansion } from "./parameter_expansion.ts";
import { enter, type Frame, type Printed, type Reading, withInput } from "./reading.ts";
import { spanOf } from "./source.ts";
import { withStandIns } from "./stand_in.ts";
import { WordBuilder } from "./word_builder.ts";

/** What a word must contain to hold a command or to set a variable. */
const HOLDS_COMMAND = /[`({]/;

/** A backslash that quotes; before a line end it only joins two lines. */
const ESCAPED = /\\(?!\n)/;

/** `~`, `~user`, `~+`, `~-`, up to the first slash or colon. */
const TILDE = /^~([A-Za-z_][\w.-]*|[+-]?\d*)?(?=[/:]|$)/;

/** Evaluates a word among a command's words: it may become several, or none. */
export function evaluateWords(
  reading: Reading,
  frame: Frame,
  word: Word,
  words: ShellWord[],
): void {
  const plain = plainWord(reading, frame.source, word);
  if (plain !== null) {
    words.push(plain);
    return;
  }
  evaluateUnplain(reading, frame, word, words);
}

/** The same for a word of which {@linkcode plainWord} is known to say nothing. */
export function evaluateUnplain(
  reading: Reading,
  frame: Frame,
  word: Word,
  words: ShellWord[],
): void {
  const { text } = word;
  reading.spend(1);
  if (text.includes("{") && word.parts?.some(mayHoldBraces)) {
    return evaluateBraces(reading, frame, word, words);
  }
  evaluateInto(reading, frame, word, text, spanOf(frame.source, word), words);
}

/**
 * Evaluates a word that stays one word: an assigned value, the target of a redirection, a word of `case`.
 *
 * @param patterns Whether patterns mean files here (redirections), or are text (values).
 */
export function evaluateSingle(
  reading: Reading,
  frame: Frame,
  word: Word,
  patterns = false,
): ShellWord {
  const plain = plainWord(reading, frame.source, word);
  if (plain !== null) return plain;
  const { text } = word;
  reading.spend(1);
  const span = spanOf(frame.source, word);
  const builder = new WordBuilder([], text, span, "");
  const evaluation = new Evaluation(reading, frame, builder, false, patterns);
  evaluation.word(word);
  return builder.single();
}

/** Evaluates the text of a heredoc whose delimiter is not quoted. */
export function evaluateDocument(
  reading: Reading,
  frame: Frame,
  body: {
    readonly text: string;
    readonly parts: readonly Node[] | undefined;
    pos: number;
    end: number;
  },
): ShellWord {
  reading.spend(1 + (body.parts?.length ?? 0));
  const span = spanOf(frame.source, body);
  const builder = new WordBuilder([], body.text, span, "");
  const evaluation = new Evaluation(reading, frame, builder, false, false);
  if (body.parts === undefined) builder.addText(unescapeDocument(body.text));
  else {
    for (const part of body.parts) {
      if (part.type === "Literal") builder.addText(unescapeDocument(part.text));
      else evaluation.part(part, true);
    }
  }
  return builder.single();
}

/** Reads the commands inside a part of the tree whose value does not matter: arithmetic, `[[ … ]]`. */
export function readInside(reading: Reading, frame: Frame, node: SyntaxNode): void {
  reading.spend(1);
  switch (node.type) {
    case "Word":
      if (HOLDS_COMMAND.test(node.text)) evaluateSingle(reading, frame, node);
      return;
    case "CommandExpansion":
    case "ArithmeticCommandExpansion":
    case "ProcessSubstitution":
      readSubstitution(reading, frame, node);
      return;
    case "ArithmeticExpansion":
      return readArithmetic(reading, frame, node);
    default:
      forEachChild(node, (child) => readInside(reading, frame, child));
  }
}

/** Braces expand before patterns are looked at, inside brackets too. */
function mayHoldBraces(part: Node): boolean {
  return part.type === "BraceExpansion" || (part.type === "Glob" && part.text.includes("{"));
}

/** Reads the commands inside `$((…))`, which nests like scripts do. */
function readArithmetic(reading: Reading, frame: Frame, node: ArithmeticExpansionPart): void {
  reading.spend(node.text.length);
  if (reading.stopped) return;
  if (frame.depth > MAX_DEPTH) {
    reading.doubt("too-deep", "arithmetic nested too deep", spanOf(frame.source, node));
    return;
  }
  const { expression } = node;
  const inner = { ...frame, depth: frame.depth + 1 };
  if (expression !== undefined) readInside(reading, inner, expression);
}

function evaluateBraces(reading: Reading, frame: Frame, word: Word, words: ShellWord[]): void {
  const span = spanOf(frame.source, word);
  const texts = expandBraces(word.text, MAX_BRACE_WORDS);
  reading.spend(word.text.length);
  if (texts === null) {
    reading.doubt("too-long", "braces that make too many words", span);
    evaluateInto(reading, frame, word, word.text, span, words);
    return;
  }
  if (texts.length === 1 && texts[0] === word.text) {
    return evaluateInto(reading, frame, word, word.text, span, words);
  }
  for (const text of texts) {
    // A word alone would be a program, a keyword or an assignment; behind a program it is a word.
    const plain = text.replace(/^(?:\\\n)*#/, "\\#");
    const source = { text: `: ${plain}`, offset: null, span };
    reading.spend(text.length);
    if (reading.stopped) return;
    const command = parse(source.text).commands[0]?.command;
    if (command?.type !== "Command") continue;
    for (const item of command.suffix) {
      if (item.type === "Word") {
        evaluateInto(reading, { ...frame, source }, item, word.text, span, words);
      }
    }
  }
}

function evaluateInto(
  reading: Reading,
  frame: Frame,
  word: Word,
  written: string,
  span: Span,
  words: ShellWord[],
): void {
  const builder = new WordBuilder(words, written, span, separators(reading));
  new Evaluation(reading, frame, builder, true, true).word(word);
  builder.breakWord();
}

/** The characters at which unquoted values are split; `null` when the line sets them to who knows what. */
function separators(reading: Reading): string | null {
  const variable = reading.state.variable("IFS");
  if (variable === undefined || variable.kind === "unset") return " \t\n";
  if (variable.kind === "unknown" || variable.parts.some((part) => part.kind !== "text")) {
    return null;
  }
  return variable.parts.map((part) => part.kind === "text" ? part.text : "").join("");
}

/** One word being evaluated. */
class Evaluation {
  constructor(
    private readonly reading: Reading,
    private readonly frame: Frame,
    private readonly builder: WordBuilder,
    /** Whether unquoted values are split. */
    private readonly splits: boolean,
    /** Whether patterns match files. */
    private readonly patterns: boolean,
  ) {}

  word(word: Word): void {
    const { parts, text } = word;
    const tilde = text.startsWith("~") ? TILDE.exec(text.replaceAll("\\\n", "")) : null;
    let skip = 0;
    if (tilde !== null) {
      this.tilde(tilde[1]);
      skip = tilde[0].length;
    } else if (this.reading.shell === "zsh" && /^=[A-Za-z]/.test(text) && this.splits) {
      this.builder.addPart(unknown("pattern", text, null));
      return;
    }
    if (parts === undefined) {
      this.builder.addText(word.value.slice(skip));
      if (ESCAPED.test(text)) this.builder.addQuotes();
      return;
    }
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index];
      if (index === 0 && skip > 0 && part.type === "Literal") {
        this.literal(part.value.slice(skip), part.text);
      } else this.next(part, parts[index + 1], false);
    }
  }

  /** Evaluates a part, knowing the one behind it: a name goes on behind a joined line end. */
  private next(part: Node, behind: Node | undefined, quoted: boolean): void {
    const goesOn = part.type === "SimpleExpansion" && behind?.type === "Literal" &&
      /^\\\n[\\\w]/.test(behind.text) && /\w$/.test(part.text);
    if (!goesOn) return this.part(part, quoted);
    const variable = unknown("variable", part.text, null);
    this.expansion({ kind: "value", parts: [variable] }, quoted);
  }

  part(part: Node, quoted: boolean): void {
    const { reading, frame, builder } = this;
    reading.spend(1);
    switch (part.type) {
      case "Literal":
        return this.literal(part.value, quoted ? "" : part.text);
      case "SingleQuoted":
      case "AnsiCQuoted":
        builder.addQuotes();
        if (reading.standIns === 0) return builder.addText(part.value);
        for (const piece of withStandIns(reading.state, part.value)) builder.addPart(piece);
        return;
      case "DoubleQuoted":
      case "LocaleString":
        if (!standsForNothing(reading, part.parts)) builder.addQuotes();
        for (let index = 0; index < part.parts.length; index++) {
          this.next(part.parts[index], part.parts[index + 1], true);
        }
        return;
      case "Glob":
        return this.bracket("[", part.parts ?? [], "]", part.value);
      case "ExtendedGlob":
        return this.bracket(`${part.operator}(`, part.parts ?? [], ")", part.text);
      case "BraceExpansion":
        // Braces that do not expand here are text, but what stands in them is not.
        if (part.parts === undefined) return builder.addText(part.text);
        builder.addText("{");
        for (const child of part.parts) this.part(child, quoted);
        return builder.addText("}");
      case "SimpleExpansion":
        return this.expansion(
          expandName(reading, nameIn(part.text), part.text),
          quoted,
        );
      case "ParameterExpansion": {
        reading.spend(part.text.length);
        if (reading.stopped) return;
        const evaluate = (word: Word) => evaluateSingle(reading, frame, word);
        return this.expansion(expandParameter(reading, part, evaluate), quoted);
      }
      case "CommandExpansion": {
        const printed = readSubstitution(reading, frame, part);
        const parts = printed === null
          ? [unknown("substitution", part.text, null)]
          : withoutLastNewlines(printed);
        return this.expansion({ kind: "value", parts }, quoted);
      }
      case "ArithmeticExpansion":
        readArithmetic(reading, frame, part);
        return builder.addPart(unknown("arithmetic", part.text, null, false));
      case "ProcessSubstitution": {
        const printed = readSubstitution(reading, frame, part);
        const pipe = unknown("process", part.text, null, false);
        if (part.operator === "<") reading.printedBy.set(pipe, printed);
        return builder.addPart(pipe);
      }
      default:
        part satisfies never;
    }
  }

  private literal(value: string, text: string): void {
    this.builder.addText(value);
    if (ESCAPED.test(text)) this.builder.addQuotes();
  }

  /** A pattern with a list in it; expansions in the list are evaluated like all others. */
  private bracket(open: string, inside: readonly Node[], close: string, text: string): void {
    if (inside.every((part) => part.type === "Literal")) return this.pattern(text);
    this.pattern(open);
    for (const part of inside) this.part(part, false);
    this.pattern(close);
  }

  private pattern(text: string): void {
    if (this.patterns) this.builder.addPart({ kind: "glob", text });
    else this.builder.addText(text);
  }

  private tilde(written: string | undefined): void {
    const user = written === "" ? undefined : written;
    const { flags } = this.reading.state;
    const home = user === undefined ? this.reading.state.variable("HOME") : undefined;
    if (user !== undefined && /\d/.test(user)) {
      // `~1` is a folder of `pushd`; without one only `~0` is a folder.
      const here = /^\+?0$/.test(user) && flags.directoryStack.length === 0;
      const directory = here ? flags.directory : UNKNOWN_DIRECTORY;
      this.builder.addPart({ kind: "directory", directory });
    } else if (home !== undefined) {
      this.whole(expandName(this.reading, "HOME", "~"));
    } else if (user === "+" || user === "-") {
      const directory = user === "+" ? flags.directory : flags.previousDirectory;
      this.builder.addPart({ kind: "directory", directory });
    } else this.builder.addPart({ kind: "home", user: user ?? null });
  }

  private expansion(expansion: Expansion, quoted: boolean): void {
    const { builder } = this;
    // A value may be long and used often: without this the work would be quadratic, or worse.
    this.reading.spend(expansionLength(expansion));
    if (this.reading.stopped) return;
    if (quoted || !this.splits) return this.whole(expansion);
    switch (expansion.kind) {
      case "value":
        return builder.addValue(expansion.parts);
      case "words":
        for (const [index, parts] of expansion.words.entries()) {
          if (index > 0) builder.breakWord();
          builder.addValue(parts);
        }
        return;
      case "unknown-words":
        return builder.addSplitting(expansion.part);
      default:
        expansion satisfies never;
    }
  }

  /** Adds an expansion inside quotes, or where nothing is split. */
  private whole(expansion: Expansion): void {
    const { builder } = this;
    switch (expansion.kind) {
      case "value":
        for (const part of expansion.parts) builder.addPart(part);
        return;
      case "words":
        for (const [index, parts] of expansion.words.entries()) {
          if (index > 0 && this.splits && !expansion.joins) {
            builder.breakWord();
            builder.addQuotes();
          } else if (index > 0) builder.addText((separators(this.reading) ?? " ").slice(0, 1));
          for (const part of parts) builder.addPart(part);
        }
        return;
      case "unknown-words":
        return this.splits ? builder.addSplitting(expansion.part) : builder.addPart(expansion.part);
      default:
        expansion satisfies never;
    }
  }
}

/** Reads the commands of `$(…)`, backticks, `<(…)`; what they print, when that is known. */
function readSubstitution(
  reading: Reading,
  frame: Frame,
  part: Extract<
    SyntaxNode,
    { type: "CommandExpansion" | "ArithmeticCommandExpansion" | "ProcessSubstitution" }
  >,
): Printed {
  reading.spend(part.text.length);
  if (reading.stopped) return null;
  const span = spanOf(frame.source, part);
  const kind = part.type === "ProcessSubstitution" ? "process-substitution" : "substitution";
  const inner = enter(frame, kind, span);
  const script = part.script;
  if (script === undefined) return [];
  const { state } = reading;
  const mark = state.mark();
  const fed = part.type === "ProcessSubstitution" && part.operator === ">"
    ? withInput(inner, OTHER_INPUT)
    : inner;
  const printed = reading.readNode(
    script,
    script.source === undefined
      ? fed
      : { ...fed, source: { text: script.source, offset: null, span } },
  );
  state.restore(mark);
  return printed;
}

/** The name in `$name`, which a joined line end may stand before. */
function nameIn(text: string): string {
  return text[1] === "\\" ? text.replace(/^\$(?:\\\n)*/, "") : text.slice(1);
}

const OTHER_INPUT = Object.freeze({ kind: "other" as const });

function unknown(
  source: Extract<WordPart, { kind: "unknown" }>["source"],
  text: string,
  name: string | null,
  mayBeEmpty = true,
): WordPart {
  return { kind: "unknown", source, text, name, mayBeEmpty };
}

/** In a heredoc a backslash escapes only what would expand, and a line end. */
function unescapeDocument(text: string): string {
  return text.includes("\\")
    ? text.replace(/\\([$`\\\n])/g, (_, escaped: string) => escaped === "\n" ? "" : escaped)
    : text;
}
