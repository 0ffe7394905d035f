import { parse } from "unbash";
import { admitCommand } from "./admit.ts";
import { canonicalCommand } from "./canonical_text.ts";
import { exactText } from "./command_parts.ts";
import type { NotUnderstood, NotUnderstoodCode, ShellReading, ShellWord, Span } from "./facts.ts";
import { hiddenCharacters } from "./hidden_characters.ts";
import { fileKeyOf } from "./known_output.ts";
import {
  FIXED_STEPS,
  MAX_CHARACTERS,
  MAX_COMMANDS,
  MAX_DEPTH,
  STEPS_PER_CHARACTER,
} from "./limits.ts";
import {
  type Draft,
  enter,
  type Frame,
  type Invocation,
  type Printed,
  type Reading,
} from "./reading.ts";
import { type FunctionBinding, ShellState } from "./shell_state.ts";
import { sourceAt } from "./source.ts";
import { scriptText } from "./stand_in.ts";
import { readFunctionBody, readScriptNode } from "./walk.ts";
import { makeWord } from "./word_builder.ts";

/** How a line is to be read. */
export interface ReadOptions {
  /**
   * The shell that will run it. zsh is read like bash, but for words that begin with `=`. A line for
   * another shell is not looked at. Default `bash`.
   */
  readonly shell?: "bash" | "sh" | "zsh" | "other";
}

/**
 * Says what a command line would run: every simple command with its words as the shell would see them,
 * and everything that is not understood.
 *
 * Never throws and never runs or looks up anything. Takes time proportional to the length of the text.
 *
 * @param text The line, or several.
 * @returns The reading; see {@linkcode ShellReading}.
 *
 * @example
 * ```ts
 * import { readCommandLine } from "./read_command_line.ts";
 *
 * const reading = readCommandLine("cd /srv && sudo rm -rf logs");
 * const last = reading.commands[2];
 * last.canonical; // "rm -rf logs"
 * last.directory; // { base: "root", path: "/srv" }
 * last.effects; // ["privilege"]
 * ```
 */
export function readCommandLine(text: string, options: ReadOptions = {}): ShellReading {
  if (options.shell === "other") {
    return notLooked(text, "other-shell", "the line is for a shell that we do not read");
  }
  if (text.length > MAX_CHARACTERS) {
    return notLooked(text, "too-long", `the line has more than ${MAX_CHARACTERS} characters`);
  }
  return new LineReading(text, options.shell === "zsh" ? "zsh" : "bash").read();
}

/** A line that was not read. */
function notLooked(text: string, code: NotUnderstoodCode, message: string): ShellReading {
  return {
    text,
    outcome: "not-looked",
    understood: false,
    reasons: [{ code, message, span: { start: 0, end: text.length } }],
    commands: NONE,
    steps: 0,
  };
}

const NONE: readonly never[] = Object.freeze([]);

/** How many reasons are kept; one is enough to refuse, a few help to explain. */
const MAX_REASONS = 32;

class LineReading implements Reading {
  readonly state: ShellState = new ShellState();
  readonly commands: Draft[] = [];
  iterations = 1;
  standIns = 0;
  private readonly reasons: NotUnderstood[] = [];
  private readonly budget: number;
  private printedTexts: Reading["printedBy"] | undefined;
  private files: Map<string, ShellWord> | undefined;
  private spent = 0;
  stopped = false;

  constructor(readonly text: string, readonly shell: "bash" | "zsh") {
    this.budget = FIXED_STEPS + STEPS_PER_CHARACTER * text.length;
  }

  read(): ShellReading {
    const { text } = this;
    for (const { name, span } of hiddenCharacters(text)) {
      this.doubt("hidden-character", `the character ${name} cannot be seen`, span);
    }
    const frame: Frame = {
      source: { text, offset: 0, span: { start: 0, end: text.length } },
      depth: 0,
      parent: null,
      reach: NONE,
      launchers: NONE,
      effects: NONE,
      stdin: INHERITED,
      functions: NONE,
    };
    this.spend(text.length >> 3);
    this.readNode(parse(text), frame);
    this.readUncalled(frame);
    return this.finish();
  }

  get printedBy(): Reading["printedBy"] {
    return this.printedTexts ??= new Map();
  }

  spend(steps: number): void {
    if (this.stopped) return;
    this.spent += steps;
    if (this.spent <= this.budget) return;
    this.spent = this.budget;
    this.stop("too much work for a line of this length");
  }

  doubt(code: NotUnderstoodCode, message: string, span: Span): void {
    const known = this.reasons.some((reason) =>
      reason.code === code && reason.span.start === span.start && reason.message === message
    );
    if (!known && this.reasons.length < MAX_REASONS) this.reasons.push({ code, message, span });
  }

  reserve(): number | null {
    if (this.stopped) return null;
    if (this.commands.length >= MAX_COMMANDS) {
      this.stop(`more than ${MAX_COMMANDS} commands`);
      return null;
    }
    this.spent++;
    return this.commands.push(PLACEHOLDER) - 1;
  }

  readNode(node: Parameters<Reading["readNode"]>[0], frame: Frame): Printed {
    return readScriptNode(this, node, frame);
  }

  readScript(word: ShellWord, frame: Frame): Printed {
    if (this.stopped) return null;
    if (frame.depth > MAX_DEPTH) {
      this.doubt("too-deep", "scripts nested too deep", word.span);
      return null;
    }
    for (const part of word.parts) {
      if (part.kind !== "unknown" || part.source === "arithmetic" || part.source === "found-file") {
        continue;
      }
      this.doubt(
        "unknown-script",
        `${part.text} in a script is known only when it runs`,
        word.span,
      );
      if (word.parts.length === 1) return null;
    }
    const { text, made } = scriptText(this.state, word, this.standIns);
    this.standIns += made;
    this.spend(text.length);
    if (this.stopped) return null;
    const source = made > 0
      ? { text, offset: null, span: word.span }
      : sourceAt(this.text, text, word.span);
    return this.readNode(parse(text), { ...frame, source });
  }

  readBody(binding: FunctionBinding, frame: Frame): Printed {
    if (frame.depth > MAX_DEPTH) {
      this.doubt("too-deep", "functions nested too deep", binding.source.span);
      return null;
    }
    return readFunctionBody(this, binding, frame);
  }

  admit(invocation: Invocation, frame: Frame): Printed {
    return admitCommand(this, invocation, frame);
  }

  writeFile(draft: Draft, file: ShellWord, content: Printed, append: boolean): void {
    if (content === null && this.files === undefined) return;
    const key = fileKeyOf(draft, file);
    if (key === null) return;
    const files = this.files ??= new Map();
    const before = append ? files.get(key) : undefined;
    if (content === null || (append && before === undefined)) files.delete(key);
    else {
      const parts = before === undefined ? content : [...before.parts, ...content];
      this.spend(parts.length);
      files.set(key, makeWord(parts, file.text, draft.span, true, false));
    }
  }

  writtenFile(draft: Draft, file: ShellWord): ShellWord | undefined {
    if (this.files === undefined || exactText(file) === null) return undefined;
    return this.files.get(fileKeyOf(draft, file) ?? "");
  }

  /** Functions that were never called on the line may be called later. */
  private readUncalled(frame: Frame): void {
    for (const [name, binding] of this.state.allFunctions()) {
      if (binding.called) continue;
      const mark = this.state.mark();
      this.state.flags = { ...this.state.flags, positional: null };
      const inner = enter(frame, "function", binding.source.span, name);
      this.readBody(binding, { ...inner, effects: ["later"], functions: [name] });
      this.state.restore(mark);
    }
  }

  private stop(message: string): void {
    if (this.stopped) return;
    this.stopped = true;
    // Kept even when there are many reasons already: it says that commands are missing.
    this.reasons.length = Math.min(this.reasons.length, MAX_REASONS - 1);
    this.reasons.push({ code: "too-long", message, span: { start: 0, end: this.text.length } });
  }

  private finish(): ShellReading {
    for (const command of this.commands) {
      command.canonical = canonicalCommand(command.program, command.words, command.redirections);
    }
    return {
      text: this.text,
      outcome: this.commands.length > 0 ? "commands" : "no-command",
      understood: this.reasons.length === 0,
      reasons: this.reasons,
      commands: this.commands,
      steps: this.spent,
    };
  }
}

const INHERITED = Object.freeze({ kind: "inherited" as const });

/** Stands in `commands` while the words of a command are evaluated. */
const PLACEHOLDER = Object.freeze({ parent: null, reach: NONE }) as unknown as Draft;
