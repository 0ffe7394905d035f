/** A set of characters: `[abc]`, `[a-c]`, `[!abc]`. */
export interface CharacterSet {
  /** Whether a code point is in the set. */
  has(character: number): boolean;
}

/**
 * Reads the set that opens at `open` (a `[`), by the rules of Python's `fnmatch`: a `]` in first place and a hyphen in
 * first or last place stand for themselves, a range that runs backwards is empty, a set of nothing matches nothing.
 *
 * @param points The pattern's characters.
 * @returns The set and the index after it; `null` when nothing closes it, so that the `[` stands for itself.
 */
export function parseSet(
  points: readonly string[],
  open: number,
): { set: CharacterSet; next: number } | null {
  let index = open + 1;
  if (points[index] === "!") index++;
  if (points[index] === "]") index++;
  const close = points.indexOf("]", index);
  if (close === -1) return null;
  const chunks = dropEmptyRanges(splitAtRanges(points, open + 1, close));
  const negated = chunks[0][0] === "!";
  if (negated) chunks[0].shift();
  return { set: characterSet(chunks, negated), next: close + 1 };
}

/** Splits a set's text at the hyphens that make ranges: the range runs from the end of one chunk to the start of the next. */
function splitAtRanges(points: readonly string[], start: number, end: number): string[][] {
  const chunks: string[][] = [];
  let chunkStart = start;
  let hyphen = points[start] === "!" ? start + 2 : start + 1;
  while (true) {
    hyphen = points.indexOf("-", hyphen);
    if (hyphen === -1 || hyphen >= end) break;
    chunks.push(points.slice(chunkStart, hyphen));
    chunkStart = hyphen + 1;
    hyphen += 3;
  }
  const rest = points.slice(chunkStart, end);
  if (rest.length > 0) chunks.push(rest);
  else if (chunks.length > 0) chunks[chunks.length - 1].push("-");
  return chunks.length > 0 ? chunks : [[]];
}

function dropEmptyRanges(chunks: string[][]): string[][] {
  for (let index = chunks.length - 1; index > 0; index--) {
    const from = chunks[index - 1].at(-1)!;
    const to = chunks[index][0];
    if (from.codePointAt(0)! > to.codePointAt(0)!) {
      chunks[index - 1] = [...chunks[index - 1].slice(0, -1), ...chunks[index].slice(1)];
      chunks.splice(index, 1);
    }
  }
  return chunks;
}

function characterSet(chunks: readonly string[][], negated: boolean): CharacterSet {
  const single = new Set<number>();
  const ranges: [number, number][] = [];
  for (const [index, chunk] of chunks.entries()) {
    for (const character of chunk) single.add(character.codePointAt(0)!);
    if (index > 0) {
      ranges.push([chunks[index - 1].at(-1)!.codePointAt(0)!, chunk[0].codePointAt(0)!]);
    }
  }
  return {
    has(character) {
      const inside = single.has(character) ||
        ranges.some(([from, to]) => from <= character && character <= to);
      return inside !== negated;
    },
  };
}
