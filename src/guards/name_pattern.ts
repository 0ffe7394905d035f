import { foldName } from "./absolute_path.ts";

/**
 * Whether path parts match a pattern of parts: `**` stands for any number of parts, and in one part `*`, `?` and
 * `[…]` mean what they mean to `fnmatch`. A pattern that matches a folder matches what is in it.
 *
 * @param pattern The pattern's parts.
 * @param parts The path's parts, from where the pattern is anchored.
 */
export function matchesParts(
  pattern: readonly string[],
  parts: readonly string[],
  ignoreCase: boolean,
): boolean {
  // Most patterns end here, before anything is made for them.
  const [start] = pattern;
  if (start !== undefined && start !== "**") {
    if (parts.length === 0 || !matchesName(start, parts[0]!, ignoreCase)) return false;
  }
  // Each state is how much of the pattern is used up; a set of them makes the walk linear in the path.
  let states = new Set([0]);
  const open = (set: Set<number>): Set<number> => {
    for (const state of set) if (pattern[state] === "**") set.add(state + 1);
    return set;
  };
  if (open(states).has(pattern.length)) return true;
  for (const part of parts) {
    const next = new Set<number>();
    for (const state of states) {
      const wanted = pattern[state];
      if (wanted === undefined) continue;
      if (wanted === "**") next.add(state);
      else if (matchesName(wanted, part, ignoreCase)) next.add(state + 1);
    }
    states = open(next);
    if (states.has(pattern.length)) return true;
  }
  return false;
}

/** Whether one name matches a pattern of `*`, `?` and `[…]`; a pattern always matches its own text. */
export function matchesName(pattern: string, name: string, ignoreCase: boolean): boolean {
  if (pattern === name) return true;
  const wanted = ignoreCase ? foldName(pattern) : pattern;
  const given = ignoreCase ? foldName(name) : name;
  return mayMatch(wanted, given) && walk([...wanted], [...given]);
}

/** Whether the ends of a name speak against a pattern without `[`: a letter there must be the name's own. */
function mayMatch(pattern: string, name: string): boolean {
  if (pattern.includes("[") || pattern === "") return true;
  const first = pattern[0]!;
  const last = pattern[pattern.length - 1]!;
  return (first === "*" || first === "?" || first === name[0]) &&
    (last === "*" || last === "?" || last === name[name.length - 1]);
}

/** Whether a pattern has a sign that stands for other text. */
export function isPattern(text: string): boolean {
  return /[*?[]/.test(text);
}

/** The wildcard walk that goes back to the last star only, so its work is at most pattern times text. */
function walk(pattern: readonly string[], text: readonly string[]): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let starPosition = 0;
  while (position < text.length) {
    const step = at < pattern.length ? oneSign(pattern, at, text[position]!) : null;
    if (pattern[at] === "*") {
      star = at++;
      starPosition = position;
    } else if (step !== null && step.matches) {
      at = step.next;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++starPosition;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

function oneSign(
  pattern: readonly string[],
  at: number,
  sign: string,
): { matches: boolean; next: number } {
  const wanted = pattern[at]!;
  if (wanted === "?") return { matches: true, next: at + 1 };
  if (wanted !== "[") return { matches: wanted === sign, next: at + 1 };
  const negated = pattern[at + 1] === "!";
  const first = at + (negated ? 2 : 1);
  // A bracket right after the opening one is a member of the set.
  const end = pattern.indexOf("]", first + 1);
  if (end < 0) return { matches: sign === "[", next: at + 1 };
  let member = false;
  for (let index = first; index < end; index++) {
    const low = pattern[index]!;
    if (pattern[index + 1] === "-" && index + 2 < end) {
      const high = pattern[index + 2]!;
      member ||= low <= sign && sign <= high;
      index += 2;
    } else {
      member ||= low === sign;
    }
  }
  return { matches: member !== negated, next: end + 1 };
}
