/**
 * A run of a wildcard pattern between two stars: characters, any-characters and sets, of fixed length.
 *
 * @module
 */

import { type CharacterSet, parseSet } from "./wildcard_set.ts";

/** A compiled segment. */
export interface Segment {
  /** How many characters it matches. */
  readonly length: number;
  /** Whether the segment matches at a place; the text is long enough there. */
  isAt(text: Uint32Array, position: number): boolean;
  /** The first place at or after `from` where the segment matches and ends at or before `end`; -1 when there is none. */
  find(text: Uint32Array, from: number, end: number): number;
}

/** One place of a segment: a code point, `null` for any character, or a set. */
type Place = number | null | CharacterSet;

/** Compiles the text between two stars. */
export function compileSegment(part: string): Segment {
  const places = placesOf(part);
  const isAt = (text: Uint32Array, position: number): boolean => {
    for (let index = 0; index < places.length; index++) {
      if (!accepts(places[index], text[position + index])) return false;
    }
    return true;
  };
  let literal = true;
  for (const place of places) if (typeof place !== "number") literal = false;
  return {
    length: places.length,
    isAt,
    find: places.length === 0
      ? (_text, from, end) => from <= end ? from : -1
      : literal
      ? literalFinder(places as number[])
      : mixedFinder(places),
  };
}

function placesOf(part: string): Place[] {
  const places: Place[] = [];
  const points = [...part];
  let index = 0;
  while (index < points.length) {
    if (points[index] === "?") {
      places.push(null);
      index++;
      continue;
    }
    if (points[index] === "[") {
      const set = parseSet(points, index);
      if (set !== null) {
        places.push(set.set);
        index = set.next;
        continue;
      }
    }
    places.push(points[index].codePointAt(0)!);
    index++;
  }
  return places;
}

function accepts(place: Place, character: number): boolean {
  if (typeof place === "number") return place === character;
  return place === null || place.has(character);
}

/** Knuth, Morris and Pratt: looks at every character of the text once. */
function literalFinder(literal: readonly number[]): Segment["find"] {
  const fallback = new Int32Array(literal.length);
  for (let index = 1, matched = 0; index < literal.length; index++) {
    while (matched > 0 && literal[index] !== literal[matched]) matched = fallback[matched - 1];
    if (literal[index] === literal[matched]) matched++;
    fallback[index] = matched;
  }
  return (text, from, end) => {
    let matched = 0;
    for (let index = from; index < end; index++) {
      while (matched > 0 && text[index] !== literal[matched]) matched = fallback[matched - 1];
      if (text[index] === literal[matched]) matched++;
      if (matched === literal.length) return index + 1 - literal.length;
    }
    return -1;
  };
}

/** Bits of a word that hold states; the 32nd is kept free so that no number is negative. */
const STATE_BITS = 31;

/** Baeza-Yates and Gonnet: keeps one bit for each place of the segment, so the work a character costs is fixed. */
function mixedFinder(places: readonly Place[]): Segment["find"] {
  const words = Math.ceil(places.length / STATE_BITS);
  const masks = new Map<number, Int32Array>();
  const maskOf = (character: number): Int32Array => {
    let mask = masks.get(character);
    if (mask === undefined) {
      mask = new Int32Array(words);
      for (let index = 0; index < places.length; index++) {
        if (accepts(places[index], character)) {
          mask[Math.floor(index / STATE_BITS)] |= 1 << (index % STATE_BITS);
        }
      }
      // Texts may hold a million different characters; the memory for them may not grow with the texts.
      if (masks.size >= MASK_LIMIT) masks.clear();
      masks.set(character, mask);
    }
    return mask;
  };
  const lastWord = words - 1;
  const lastBit = 1 << ((places.length - 1) % STATE_BITS);
  const topBit = 1 << (STATE_BITS - 1);
  const allBits = -1 >>> (32 - STATE_BITS);
  return (text, from, end) => {
    const states = new Int32Array(words);
    for (let index = from; index < end; index++) {
      const mask = maskOf(text[index]);
      let carry = 1;
      for (let word = 0; word < words; word++) {
        const next = ((states[word] << 1) | carry) & allBits & mask[word];
        carry = states[word] & topBit ? 1 : 0;
        states[word] = next;
      }
      if (states[lastWord] & lastBit) return index + 1 - places.length;
    }
    return -1;
  };
}

/** How many different characters' masks a segment remembers. */
const MASK_LIMIT = 4_096;
