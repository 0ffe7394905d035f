/**
 * The policy's wildcard: Python's `fnmatch` (D1-6), where one star also crosses slashes and spaces.
 *
 * Compiled once; matching takes time linear in the text, whatever the pattern.
 *
 * @module
 */

import { compileSegment, type Segment } from "./wildcard_segment.ts";

/** A compiled pattern. */
export interface Wildcard {
  /** The pattern as it was written. */
  readonly pattern: string;
  /** Whether a text matches: as it is, or with text and pattern both lower-cased. */
  matches(text: string): boolean;
}

/** Compiles a pattern. Every text is a pattern, so this never fails. */
export function compileWildcard(pattern: string): Wildcard {
  const exact = compileExact(pattern);
  const lowerPattern = pattern.toLowerCase();
  const lower = lowerPattern === pattern ? exact : compileExact(lowerPattern);
  return {
    pattern,
    matches(text) {
      if (exact(text)) return true;
      const lowerText = text.toLowerCase();
      if (lower === exact && lowerText === text) return false;
      return lower(lowerText);
    },
  };
}

/** Compiles a pattern for texts of the same case. */
function compileExact(pattern: string): (text: string) => boolean {
  const parts = splitAtStars(pattern);
  if (parts.length === 1 && isLiteral(pattern)) return (text) => text === pattern;
  if (parts.length === 2 && parts[1] === "" && isLiteral(parts[0])) {
    const prefix = parts[0];
    return prefix === "" ? () => true : (text) => text.startsWith(prefix);
  }
  const segments: Segment[] = [];
  for (const part of parts) segments.push(compileSegment(part));
  return (text) => matchSegments(segments, characters(text));
}

/** The text's characters as code points. */
function characters(text: string): Uint32Array {
  if (/[\ud800-\udfff]/.test(text)) {
    return Uint32Array.from(text, (character) => character.codePointAt(0)!);
  }
  const units = new Uint32Array(text.length);
  for (let index = 0; index < text.length; index++) units[index] = text.charCodeAt(index);
  return units;
}

/**
 * Matches the segments between stars. Every segment has a fixed length, so the leftmost place for each one in turn
 * finds a match whenever there is one, and nothing is ever tried twice.
 */
function matchSegments(segments: readonly Segment[], text: Uint32Array): boolean {
  const first = segments[0];
  if (segments.length === 1) return text.length === first.length && first.isAt(text, 0);
  if (text.length < first.length || !first.isAt(text, 0)) return false;
  const last = segments[segments.length - 1];
  const end = text.length - last.length;
  let position = first.length;
  for (let index = 1; index < segments.length - 1; index++) {
    const found = segments[index].find(text, position, end);
    if (found === -1) return false;
    position = found + segments[index].length;
  }
  return position <= end && last.isAt(text, end);
}

function isLiteral(part: string): boolean {
  return !part.includes("?") && !part.includes("[");
}

/** Splits a pattern at its stars, but not at those inside a set. Neighbouring stars are one. */
function splitAtStars(pattern: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let index = 0;
  while (index < pattern.length) {
    const character = pattern[index];
    if (character === "*") {
      parts.push(pattern.slice(start, index));
      while (pattern[index] === "*") index++;
      start = index;
    } else if (character === "[") index = endOfSet(pattern, index) ?? index + 1;
    else index++;
  }
  parts.push(pattern.slice(start));
  return parts;
}

/** The index after the `]` that closes the set opened at `open`; `null` when nothing closes it. */
export function endOfSet(pattern: string, open: number): number | null {
  let index = open + 1;
  if (pattern[index] === "!") index++;
  if (pattern[index] === "]") index++;
  const close = pattern.indexOf("]", index);
  return close === -1 ? null : close + 1;
}

/** The leading part of a pattern that every matching text begins with, in any case. */
export function literalPrefix(pattern: string): string {
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === "*" || character === "?") return pattern.slice(0, index);
    if (character === "[" && endOfSet(pattern, index) !== null) return pattern.slice(0, index);
  }
  return pattern;
}
