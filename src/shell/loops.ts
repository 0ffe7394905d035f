import type { CommandNode, Word } from "unbash";
import { sameDirectory, UNKNOWN_DIRECTORY } from "./directory.ts";
import type { ShellWord, WordPart } from "./facts.ts";
import { forgetNames } from "./forget_names.ts";
import { MAX_ITERATIONS } from "./limits.ts";
import { enter, type Frame, type Printed, type Reading } from "./reading.ts";
import type { Variable } from "./shell_state.ts";
import { spanOf } from "./source.ts";
import { evaluateWords } from "./word_evaluation.ts";

/** Reads a loop whose number of turns nobody knows: what it changes is unknown from its first turn on. */
export function readLoop(
  reading: Reading,
  frame: Frame,
  node: { readonly pos: number; readonly end: number },
  body: () => void,
): Printed {
  const { state } = reading;
  forgetNames(reading, frame.source.text.slice(node.pos, node.end));
  const mark = state.mark();
  const first = reading.commands.length;
  body();
  if (!sameDirectory(state.flags.directory, mark.flags.directory)) {
    reading.spend(reading.commands.length - first);
    for (const command of reading.commands.slice(first)) {
      command.otherDirectories = [...command.otherDirectories, UNKNOWN_DIRECTORY];
    }
  }
  reading.spend(state.join(state.leaveBranch(mark)));
  return null;
}

/** Reads `for` and `select`: once per word where all words are known and not too many. */
export function readFor(
  reading: Reading,
  frame: Frame,
  node: Extract<CommandNode, { type: "For" | "Select" }>,
  body: (frame: Frame) => Printed,
): Printed {
  const { state } = reading;
  const name = node.name.text;
  const values = wordsOf(reading, frame, node.wordlist);
  const inner = enter(frame, "loop", spanOf(frame.source, node));
  const turns = node.type === "For" && values !== null && values.length > 0
    ? reading.iterations * values.length
    : Infinity;
  if (values === null || turns > MAX_ITERATIONS) {
    return readLoop(reading, frame, node, () => {
      state.setVariable(name, { kind: "unknown", source: "variable" });
      body(inner);
    });
  }
  const outer = reading.iterations;
  reading.iterations = turns;
  const mark = state.mark();
  let printed: WordPart[] | null = [];
  for (const parts of values) {
    if (reading.stopped) break;
    const value: Variable = { kind: "set", parts, elements: null, exported: false };
    state.setVariable(name, value);
    const { flags } = state;
    const one = body(inner);
    state.mayAlsoBeIn(flags);
    printed = one === null || printed === null ? null : [...printed, ...one];
  }
  reading.iterations = outer;
  reading.spend(state.blur(mark));
  return printed;
}

/** The values of a loop's variable; `null` when they are not all known. */
function wordsOf(
  reading: Reading,
  frame: Frame,
  wordlist: readonly Word[] | undefined,
): readonly (readonly WordPart[])[] | null {
  if (wordlist === undefined) return reading.state.flags.positional;
  const words: ShellWord[] = [];
  for (const word of wordlist) evaluateWords(reading, frame, word, words);
  return words.some((word) => word.splits) ? null : words.map((word) => word.parts);
}
