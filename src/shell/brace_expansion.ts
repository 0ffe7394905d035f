/**
 * The words that a word with braces becomes, as text, before anything else is expanded: quotes and
 * expansions are carried over as they are written.
 *
 * @param text The word as it is written, with at least one brace.
 * @param limit How many words there may be.
 * @returns The words; only the text itself when no brace expands; `null` when there would be more.
 */
export function expandBraces(text: string, limit: number): readonly string[] | null {
  return text.length > MAX_BRACE_TEXT ? null : new Expander(limit).expand(text);
}

/** Longest word whose braces are expanded, in characters: finding nested braces is quadratic. */
const MAX_BRACE_TEXT = 512;

/** `{a..e}`, `{1..10..2}`. */
const SEQUENCE = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,9}))?$/;

/** How deep braces may nest; deeper ones count as too many. */
const MAX_BRACE_DEPTH = 16;

/** What is found between two braces. */
interface Group {
  readonly open: number;
  readonly close: number;
  readonly commas: readonly number[];
}

class Expander {
  constructor(private readonly limit: number) {}

  expand(text: string, depth = 0): string[] | null {
    if (depth > MAX_BRACE_DEPTH) return null;
    let results = [""];
    let done = 0;
    let from = 0;
    for (;;) {
      const group = nextGroup(text, from);
      if (group === null) break;
      const choices = this.#choices(text, group, depth);
      if (choices === null) return null;
      if (choices.length === 0) {
        from = group.open + 1;
        continue;
      }
      if (results.length * choices.length > this.limit) return null;
      const before = text.slice(done, group.open);
      results = results.flatMap((result) => choices.map((choice) => result + before + choice));
      done = from = group.close + 1;
    }
    const rest = text.slice(done);
    return results.map((result) => result + rest);
  }

  /** The alternatives of a group; none when it does not expand. */
  #choices(text: string, group: Group, depth: number): string[] | null {
    if (group.commas.length === 0) {
      return sequence(text.slice(group.open + 1, group.close), this.limit);
    }
    const choices: string[] = [];
    let start = group.open + 1;
    for (const end of [...group.commas, group.close]) {
      const expanded = this.expand(text.slice(start, end), depth + 1);
      if (expanded === null || choices.length + expanded.length > this.limit) return null;
      choices.push(...expanded);
      start = end + 1;
    }
    return choices;
  }
}

/** The next brace that opens a group, outside quotes and expansions, from a place on. */
function nextGroup(text: string, from: number): Group | null {
  for (let index = from; index < text.length; index++) {
    const skipped = skipQuoted(text, index);
    if (skipped > index) index = skipped - 1;
    else if (text[index] === "{") {
      const group = groupAt(text, index);
      if (group !== null) return group;
    }
  }
  return null;
}

/** The group that a brace opens; bash closes one only where a comma or two dots stand in it. */
function groupAt(text: string, open: number): Group | null {
  const commas: number[] = [];
  let separated = false;
  let level = 0;
  for (let index = open + 1; index < text.length; index++) {
    const skipped = skipQuoted(text, index);
    if (skipped > index) {
      index = skipped - 1;
      continue;
    }
    const character = text[index];
    if (character === "{") level++;
    else if (character === "}") {
      if (level > 0) level--;
      else if (separated) return { open, close: index, commas };
    } else if (level > 0) continue;
    else if (character === ",") {
      commas.push(index);
      separated = true;
    } else if (text.startsWith("..", index) && text[index + 2] !== "}") separated = true;
  }
  return null;
}

/** Where a quoted piece or an expansion that begins here ends; the same place when none does. */
function skipQuoted(text: string, index: number): number {
  const character = text[index];
  switch (character) {
    case "\\":
      return index + 2;
    case "'":
      return after(text, text.indexOf("'", index + 1));
    case '"':
    case "`": {
      let at = index + 1;
      while (at < text.length && text[at] !== character) at += text[at] === "\\" ? 2 : 1;
      return at + 1;
    }
    case "$": {
      const open = text[index + 1];
      if (open === "'") {
        let at = index + 2;
        while (at < text.length && text[at] !== "'") at += text[at] === "\\" ? 2 : 1;
        return at + 1;
      }
      if (open !== "{" && open !== "(") return index;
      const close = open === "{" ? "}" : ")";
      let level = 0;
      for (let at = index + 1; at < text.length; at++) {
        if (text[at] === "\\") at++;
        else if (text[at] === "'" && open === "(") at = after(text, text.indexOf("'", at + 1)) - 1;
        else if (text[at] === open) level++;
        else if (text[at] === close && --level === 0) return at + 1;
      }
      return text.length;
    }
    default:
      return index;
  }
}

function after(text: string, index: number): number {
  return index === -1 ? text.length : index + 1;
}

/** The members of `{1..3}`; none when it is no sequence, `null` when there are too many. */
function sequence(body: string, limit: number): string[] | null {
  const match = SEQUENCE.exec(body);
  if (match === null) return [];
  const [, firstNumber, lastNumber, firstLetter, lastLetter, stepText] = match;
  const numeric = firstNumber !== undefined;
  const first = numeric ? Number(firstNumber) : firstLetter.charCodeAt(0);
  const last = numeric ? Number(lastNumber) : lastLetter.charCodeAt(0);
  const step = Math.abs(Number(stepText ?? 1)) || 1;
  const count = Math.floor(Math.abs(last - first) / step) + 1;
  if (count > limit) return null;
  const padded = numeric && (/^-?0\d/.test(firstNumber) || /^-?0\d/.test(lastNumber));
  const width = padded ? Math.max(firstNumber.length, lastNumber.length) : 0;
  return Array.from({ length: count }, (_, index) => {
    const value = first + (last < first ? -1 : 1) * step * index;
    if (!numeric) return String.fromCharCode(value);
    const digits = String(Math.abs(value)).padStart(width - (value < 0 ? 1 : 0), "0");
    return value < 0 ? `-${digits}` : digits;
  });
}
