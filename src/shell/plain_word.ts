import type { Word } from "unbash";
import type { ShellWord } from "./facts.ts";
import type { Reading } from "./reading.ts";
import { type Source, spanOf } from "./source.ts";
import { textWord } from "./word_builder.ts";

/** A word without anything to evaluate, bare or in one pair of quotes; `null` for any other. */
export function plainWord(reading: Reading, source: Source, word: Word): ShellWord | null {
  const { text } = word;
  if (PLAIN.test(text)) {
    reading.spend(1);
    return textWord(text, text, spanOf(source, word), false);
  }
  if (!QUOTED.test(text) || (reading.standIns > 0 && text.includes("$"))) return null;
  reading.spend(1);
  return textWord(text.slice(1, -1), text, spanOf(source, word), true);
}

/** Text in which the shell changes nothing; a leading `=` is something to zsh. */
const PLAIN = /^[\w./:@,+%-][\w./:=@,+%-]*$/;

/** Text in one pair of quotes in which nothing has a meaning. */
const QUOTED = /^(?:'[^']*'|"[^"$`\\]*")$/;
