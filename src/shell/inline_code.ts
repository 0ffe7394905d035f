import { cutWord, exactText, joinWords, leadingText } from "./command_parts.ts";
import type { InlineCode, InlineLanguage, ShellWord } from "./facts.ts";
import type { InterpreterGrammar } from "./interpreter_table.ts";
import { readLauncherCall } from "./launcher_options.ts";
import { launcher } from "./launcher_grammar.ts";
import type { Draft, Reading } from "./reading.ts";
import { INPUT_NAMES } from "./run_script.ts";
import { makeWord } from "./word_builder.ts";

/** The code that an interpreter is given on the line. */
export function inlineCode(
  reading: Reading,
  draft: Draft,
  interpreter: InterpreterGrammar,
  name: string,
): readonly InlineCode[] {
  const { words } = draft;
  const { language } = interpreter;
  reading.spend(words.length);
  if (language === "powershell") return checked(reading, name, powershellCode(words));
  if (language === "cmd") return checked(reading, name, commandPromptCode(words));
  if (name === "deno" || (name === "bun" && exactText(words[1]) === "run")) {
    const code = exactText(words[1]) === "eval"
      ? words.slice(2).find((word) => !leadingText(word).startsWith("-"))
      : undefined;
    return code === undefined ? [] : checked(reading, name, [argument(language, code)]);
  }
  const call = readLauncherCall(words, 1, { ...PLAIN, options: interpreter.options });
  const scripts = call.values.filter(({ meaning }) => meaning === "script");
  if (scripts.length > 0) {
    return checked(
      reading,
      name,
      scripts.map(({ word, value }) => argument(language, valueWord(word, value))),
    );
  }
  if (call.launchesNothing) return [];
  const first = words[call.rest];
  if (interpreter.operand === "code") {
    return first === undefined ? [] : checked(reading, name, [argument(language, first)]);
  }
  if (first !== undefined && !INPUT_NAMES.has(exactText(first) ?? "")) {
    return fileCode(reading, draft, language, first);
  }
  return inputCode(reading, draft, language, name);
}

/** Grammar of an interpreter's words: only its options differ. */
const PLAIN = launcher("");

function inputCode(
  reading: Reading,
  draft: Draft,
  language: InlineLanguage,
  name: string,
): readonly InlineCode[] {
  const { stdin } = draft;
  switch (stdin.kind) {
    case "text":
      return checked(reading, name, [{ language, word: stdin.word, from: "stdin" }]);
    case "pipe":
    case "other":
      if (READS_NO_CODE.has(name)) return [];
      reading.doubt("unknown-script", `${name} runs what it reads`, draft.span);
      return [];
    case "file":
    case "inherited":
      return [];
    default:
      return stdin satisfies never;
  }
}

/** Interpreters whose name is better known for something else than reading code from a pipe. */
const READS_NO_CODE = new Set(["bun", "emacs", "sed", "awk", "expect"]);

function fileCode(
  reading: Reading,
  draft: Draft,
  language: InlineLanguage,
  file: ShellWord,
): readonly InlineCode[] {
  const [part] = file.parts;
  if (file.parts.length === 1 && part.kind === "unknown" && part.source === "process") {
    const printed = reading.printedBy.get(part) ?? null;
    if (printed === null) {
      reading.doubt("unknown-script", `what ${part.text} prints is run`, file.span);
      return [];
    }
    return [argument(language, makeWord(printed, file.text, file.span, true, false))];
  }
  const written = reading.writtenFile(draft, file);
  return written === undefined ? [] : [argument(language, written)];
}

function argument(language: InlineLanguage, word: ShellWord): InlineCode {
  return { language, word, from: "argument" };
}

/** Notes code that is known only when it runs. */
function checked(
  reading: Reading,
  name: string,
  code: readonly InlineCode[],
): readonly InlineCode[] {
  for (const { word } of code) {
    if (word.known === "known") continue;
    const harmless = word.parts.every((part) =>
      part.kind !== "unknown" || part.source === "arithmetic"
    );
    if (!harmless) {
      reading.doubt(
        "unknown-script",
        `part of the code for ${name} is known only when it runs`,
        word.span,
      );
    }
  }
  return code;
}

/** The value of a code option: the next word, or what is left of the option's own. */
function valueWord(word: ShellWord, value: string | null): ShellWord {
  if (value === null || value === word.value) return word;
  const text = leadingText(word);
  return text.endsWith(value) ? cutWord(word, text.length - value.length) : word;
}

function powershellCode(words: readonly ShellWord[]): InlineCode[] {
  for (let index = 1; index < words.length; index++) {
    const option = (exactText(words[index]) ?? "").toLowerCase();
    if (/^[-/](?:e|ec|en[a-z]*)$/.test(option)) {
      const encoded = words[index + 1];
      return encoded === undefined ? [] : [argument("powershell", decoded(encoded))];
    }
    if (/^[-/]c(?:o[a-z]*)?$/.test(option)) {
      const rest = words.slice(index + 1);
      return rest.length === 0 ? [] : [argument("powershell", joinWords(rest))];
    }
    if (/^[-/]f(?:i[a-z]*)?$/.test(option)) return [];
    if (!/^[-/]/.test(option)) return [argument("powershell", joinWords(words.slice(index)))];
    if (/^[-/](?:ex|ep|w|v|in|o|p|cus|set|wor|con)[a-z]*$/.test(option)) index++;
  }
  return [];
}

/** `-EncodedCommand` is UTF-16 in base64. */
function decoded(word: ShellWord): ShellWord {
  const text = exactText(word);
  if (text === null) return word;
  try {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const plain = new TextDecoder("utf-16le", { fatal: true }).decode(bytes);
    return makeWord([{ kind: "text", text: plain }], word.text, word.span, true, false);
  } catch {
    return makeWord(
      [{ kind: "unknown", source: "pattern", text, name: null, mayBeEmpty: true }],
      word.text,
      word.span,
      true,
      false,
    );
  }
}

function commandPromptCode(words: readonly ShellWord[]): InlineCode[] {
  const at = words.findIndex((word) => /^[-/][ckr]$/i.test(exactText(word) ?? ""));
  const rest = at === -1 ? [] : words.slice(at + 1);
  return rest.length === 0 ? [] : [argument("cmd", joinWords(rest))];
}
