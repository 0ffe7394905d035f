import type { ShellWord } from "./facts.ts";
import type { LauncherGrammar } from "./launcher_grammar.ts";

/** What a launcher's options say. */
export interface LauncherCall {
  /** Where the launched command begins among the words; at the end when there is none. */
  readonly rest: number;
  /** The launcher's own operands (`5` of `timeout 5`, the host of `ssh`). */
  readonly operands: readonly ShellWord[];
  /** The `NAME=value` words before the command. */
  readonly assignments: readonly ShellWord[];
  /** The values of options that mean something to us. */
  readonly values: readonly OptionValue[];
  /** Whether an option says that nothing is launched. */
  readonly launchesNothing: boolean;
  /** Whether an option says that the rest is for a shell. */
  readonly forShell: boolean;
  /** The names of all flags and options that were given, as the table spells them. */
  readonly given: ReadonlySet<string>;
  /** A word that should be an option and is none we know; `null` when there is none. */
  readonly unknown: ShellWord | null;
}

/** The value of an option with a meaning. */
export interface OptionValue {
  readonly meaning: "directory" | "split" | "script" | "item";
  readonly option: string;
  readonly word: ShellWord;
  /** The value, cut out of the word; `null` when the word is not known. */
  readonly value: string | null;
}

/** What an option takes, and what that does; see `LauncherGrammar`. */
type Meaning =
  | "flag"
  | "value"
  | "nothing"
  | "shell"
  | "words"
  | "directory"
  | "split"
  | "script"
  | "item";

interface Option {
  readonly name: string;
  readonly meaning: Meaning;
  /** Whether it takes a value. */
  readonly takes: boolean;
  /** Whether the value may be the next word. */
  readonly separate: boolean;
}

/** Reads a launcher's words, from the one behind its name. */
export function readLauncherCall(
  words: readonly ShellWord[],
  from: number,
  grammar: LauncherGrammar,
): LauncherCall {
  const options = optionsOf(grammar.options);
  const operands: ShellWord[] = [];
  const assignments: ShellWord[] = [];
  const values: OptionValue[] = [];
  const given = new Set<string>();
  let launchesNothing = false;
  let forShell = false;
  let unknown: ShellWord | null = null;
  const separated = grammar.permutes && words.some((word) => word.value === "--");
  let ended = false;
  let index = from;

  const take: Take = (option, attached, word) => {
    given.add(option.name);
    let value = attached?.value ?? null;
    let valueWord = word;
    if (attached === null && option.separate && index + 1 < words.length) {
      valueWord = words[++index];
      value = valueWord.globs ? null : valueWord.value;
    }
    const { meaning, name } = option;
    switch (meaning) {
      case "flag":
      case "value":
        return;
      case "nothing":
        launchesNothing = true;
        return;
      case "shell":
        forShell = true;
        return;
      case "words":
        ended = true;
        return;
      case "directory":
      case "split":
      case "script":
      case "item":
        values.push({ meaning, option: name, word: valueWord, value });
        return;
      default:
        meaning satisfies never;
    }
  };

  for (; index < words.length; index++) {
    const word = words[index];
    const text = leadingText(word);
    if (text === "--" && word.value === "--") {
      index++;
      break;
    }
    const named = options.get(text);
    if (named !== undefined && word.value === text) {
      take(named, null, word);
    } else if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = equals === -1 ? text : text.slice(0, equals);
      const option = options.get(name) ?? shortened(options, name);
      if (option === undefined) unknown ??= word;
      else {
        const value = word.value?.slice(equals + 1) ?? null;
        take(option, equals === -1 ? null : { value }, word);
      }
    } else if (text.length > 1 && text.startsWith("-")) {
      unknown ??= takeCluster(options, word, text, take);
    } else if (grammar.assignments && /^[A-Za-z_]\w*=/.test(text)) {
      assignments.push(word);
    } else if (word.splits && word.known === "unknown") {
      unknown ??= word;
    } else if (operands.length < grammar.operands) {
      operands.push(word);
    } else if (grammar.permutes && (grammar.rest === "nothing" || separated)) {
      operands.push(word);
    } else break;
    if (ended) {
      index++;
      break;
    }
  }
  return {
    rest: index,
    operands,
    assignments,
    values,
    launchesNothing,
    forShell,
    given,
    unknown,
  };
}

/** Takes note of an option; `attached` is the value that stands in the same word. */
type Take = (
  option: Option,
  attached: { readonly value: string | null } | null,
  word: ShellWord,
) => void;

/** The options that a grammar's text lists, parsed once. */
export function optionsOf(text: string): ReadonlyMap<string, Option> {
  const cached = PARSED.get(text);
  if (cached !== undefined) return cached;
  const options = new Map<string, Option>();
  for (const spelled of text.split(" ")) {
    if (spelled === "" || spelled === "--") continue;
    const [, name, mark, word] = /^(-{0,2}[^=?!:]*)([=?!:]?)(.*)$/.exec(spelled)!;
    const meaning: Meaning = mark === ""
      ? "flag"
      : mark === "!"
      ? "nothing"
      : word === ""
      ? "value"
      : word as Meaning;
    options.set(name, {
      name,
      meaning,
      takes: mark === "=" || mark === "?",
      separate: mark === "=",
    });
  }
  PARSED.set(text, options);
  return options;
}

const PARSED = new Map<string, ReadonlyMap<string, Option>>();

/** The text with which a word begins. */
function leadingText(word: ShellWord): string {
  const [first] = word.parts;
  return first?.kind === "text" ? first.text : "";
}

/** GNU programs take a long option by any beginning that only one has. */
function shortened(options: ReadonlyMap<string, Option>, name: string): Option | undefined {
  let found: Option | undefined;
  for (const option of options.values()) {
    if (!option.name.startsWith("--") || !option.name.startsWith(name)) continue;
    if (found !== undefined && found.meaning !== option.meaning) return undefined;
    found = option;
  }
  return name.length > 2 ? found : undefined;
}

/** Reads `-abc`, `-n5`; the word itself when a letter is not known. */
function takeCluster(
  options: ReadonlyMap<string, Option>,
  word: ShellWord,
  text: string,
  take: Take,
): ShellWord | null {
  // `nice -5`, `xargs -1`: a number alone is an old spelling of a value.
  if (/^-\d+$/.test(text)) return null;
  for (let at = 1; at < text.length; at++) {
    const option = options.get(`-${text[at]}`);
    if (option === undefined) {
      // Long options with one dash (`gdb -ex`, `perf`): the part before `=`.
      const long = options.get(text.split("=")[0]);
      if (at === 1 && long !== undefined) {
        const equals = text.indexOf("=");
        take(long, equals === -1 ? null : { value: text.slice(equals + 1) }, word);
        return null;
      }
      return word;
    }
    if (option.takes) {
      const attached = text.length > at + 1 || word.parts.length > 1;
      take(option, attached ? { value: word.value?.slice(at + 1) ?? null } : null, word);
      return null;
    }
    take(option, null, word);
  }
  return null;
}
