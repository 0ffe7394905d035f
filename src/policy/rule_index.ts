/**
 * Finds the rules that can match a text, without walking those that cannot.
 *
 * The index is plain data, so that it can be kept in a file and used as it is read.
 *
 * @module
 */

import { keep, type Memory, recall } from "../shell/remembered.ts";
import type { ObjectRule } from "./object_rule.ts";
import { compileWildcard, type Wildcard } from "./wildcard.ts";

/** A list of patterns and where to look for which. Patterns are told by their number in the list. */
export interface RuleIndex {
  /** The patterns, in the order they are asked; an object rule stands here as it is shown. */
  readonly patterns: readonly string[];
  /** The rules that are no patterns, in order; left out when there are none. */
  readonly objects?: readonly NumberedRule[];
  /** What rules give as their reason, by number; left out when none does. */
  readonly reasons?: Readonly<Record<number, string>>;
  /** Patterns without a wildcard, by their lower-cased text. */
  readonly exact: Readonly<Record<string, readonly number[]>>;
  /** Patterns that begin with text, by the words of that text. */
  readonly words: WordNode;
  /** Patterns that begin with a wildcard and hold a run of text, by its first three characters; `null` when none do. */
  readonly inner: Readonly<Record<string, readonly number[]>> | null;
  /** Patterns with too little text to be found by: always asked. */
  readonly others: readonly number[];
}

/** An object rule and its number in the list. */
export interface NumberedRule {
  /** Its number in the list, counted from 0. */
  readonly number: number;
  /** The rule. */
  readonly rule: ObjectRule;
}

/** A rule to be indexed. */
export interface ListedRule {
  readonly rule: string | ObjectRule;
  readonly reason?: string;
}

/** Patterns whose text begins with the same whole words. */
export interface WordNode {
  /** Patterns whose leading text ends here. */
  here?: number[];
  /** Patterns whose leading text ends within the next word, by that part of the word. */
  parts?: Record<string, number[]>;
  /** How long those parts are: the lengths to look up. */
  lengths?: number[];
  /** By the next whole word. */
  next?: Record<string, WordNode>;
  /** The same as `next` in one text, for a process that asks once: see {@linkcode packRuleIndex}. */
  packed?: string;
}

/** How many characters of an inner run of text it is found by. */
export const INNER_KEY_LENGTH = 3;

function unpacked(packed: string, word: string): WordNode | undefined {
  const key = `\n${JSON.stringify(word)}\t`;
  const found = packed.indexOf(key);
  if (found === -1) return undefined;
  const start = found + key.length;
  return JSON.parse(packed.slice(start, packed.indexOf("\n", start))) as WordNode;
}

/** Answers which pattern of an index matches first. Patterns are compiled when they are first asked. */
export class RuleMatcher {
  // Not private to the language: each such name costs a hook more than a field.
  readonly index: RuleIndex;
  private readonly compiled: (Wildcard | undefined)[] = [];
  /** Looking a text up by all of it is not free: most lists have no pattern without a wildcard. */
  private readonly hasExact: boolean;
  private firstWords: Map<string, number> | undefined = undefined;
  private readonly begun: Memory<Beginning> = { asked: 0, known: null };

  constructor(index: RuleIndex) {
    this.index = index;
    this.hasExact = hasKeys(index.exact);
  }

  /**
   * Finds the first pattern of the list that matches a text.
   *
   * @param folded The text as {@linkcode foldCase} makes it, when the caller has it already.
   * @param word The first word of that, when the caller has it already.
   * @returns Its number; -1 when none matches.
   */
  firstMatch(
    text: string,
    folded: string = foldCase(text),
    word: string = firstWord(folded),
  ): number {
    const { exact, words, inner, others } = this.index;
    let first = -1;
    if (this.hasExact) first = this.earlier(own(exact, folded), text, first);
    first = this.earlier(words.here, text, first);
    const { parts, next } = this.beginning(word);
    for (const candidates of parts) first = this.earlier(candidates, text, first);
    let start = word.length + 1;
    let node: WordNode | undefined = start > folded.length ? undefined : next;
    while (node !== undefined) {
      first = this.earlier(node.here, text, first);
      if (node.parts !== undefined) {
        const space = folded.indexOf(" ", start);
        const word = folded.slice(start, space === -1 ? folded.length : space);
        for (const candidates of partsOf(node, word)) first = this.earlier(candidates, text, first);
      }
      const space = folded.indexOf(" ", start);
      if (space === -1) break;
      node = nextNode(node, folded.slice(start, space));
      start = space + 1;
    }
    if (inner !== null) {
      for (let at = 0; at + INNER_KEY_LENGTH <= folded.length; at++) {
        first = this.earlier(own(inner, folded.slice(at, at + INNER_KEY_LENGTH)), text, first);
      }
    }
    return this.earlier(others, text, first);
  }

  /** Whether a pattern of the list may match a text with this first word: most lists have none for most words. */
  mayMatch(word: string): boolean {
    const { words, inner, others } = this.index;
    if (this.hasExact || words.here !== undefined || inner !== null || others.length > 0) {
      return true;
    }
    const { parts, next } = this.beginning(word);
    return parts.length > 0 || next !== undefined;
  }

  private beginning(word: string): Beginning {
    const before = recall(this.begun, word);
    if (before !== undefined) return before;
    const { words } = this.index;
    return keep(this.begun, word, { parts: partsOf(words, word), next: nextNode(words, word) });
  }

  /** The first of some patterns that matches, when it stands before another one that does; else that other one. */
  private earlier(
    candidates: readonly number[] | undefined,
    text: string,
    first: number,
  ): number {
    if (candidates === undefined) return first;
    for (const number of candidates) {
      if (first !== -1 && number >= first) return first;
      if (this.wildcard(number).matches(text)) return number;
    }
    return first;
  }

  /** The number of the first pattern whose first word is a program's name, or that and a star; -1 when none is. */
  firstAbout(program: string): number {
    const words = this.firstWords ??= firstWordsOf(this.index.patterns);
    const bare = words.get(program) ?? -1;
    const open = words.get(`${program}*`) ?? -1;
    return bare === -1 || open === -1 ? Math.max(bare, open) : Math.min(bare, open);
  }

  private wildcard(number: number): Wildcard {
    return this.compiled[number] ??= compileWildcard(this.index.patterns[number]);
  }
}

/**
 * Folds case so that texts which match in either way have the same key. Lower-casing may depend on the letters around
 * (a final sigma), which a part of a text does not have; so those letters are folded alike.
 */
export function foldCase(text: string): string {
  const folded = text.toLowerCase();
  return folded.includes("ς") ? folded.replaceAll("ς", "σ") : folded;
}

/** The first word of a text; all of it when no other one follows. */
export function firstWord(folded: string): string {
  const space = folded.indexOf(" ");
  return space === -1 ? folded : folded.slice(0, space);
}

/** Which patterns begin with a text's first word, or with a part of it. */
interface Beginning {
  /** Patterns whose leading text ends within the word. */
  readonly parts: readonly (readonly number[])[];
  /** Where the patterns stand whose text goes on behind the word. */
  readonly next: WordNode | undefined;
}

/** The patterns whose leading text ends within the next word. */
function partsOf({ parts, lengths }: WordNode, word: string): readonly (readonly number[])[] {
  if (parts === undefined || lengths === undefined) return NO_PARTS;
  const found: (readonly number[])[] = [];
  for (const length of lengths) {
    if (length > word.length) continue;
    const candidates = own(parts, word.slice(0, length));
    if (candidates !== undefined) found.push(candidates);
  }
  return found;
}

const NO_PARTS: readonly never[] = [];

/** The first words of patterns in small letters, each with the number of the first pattern that has it. */
function firstWordsOf(patterns: readonly string[]): Map<string, number> {
  const words = new Map<string, number>();
  for (let number = 0; number < patterns.length; number++) {
    const pattern = patterns[number].toLowerCase();
    const space = pattern.indexOf(" ");
    const word = space === -1 ? pattern : pattern.slice(0, space);
    if (!words.has(word)) words.set(word, number);
  }
  return words;
}

/** Where the patterns stand whose text goes on with a word. */
function nextNode(node: WordNode, word: string): WordNode | undefined {
  const known = node.next === undefined ? undefined : own(node.next, word);
  if (known !== undefined || node.packed === undefined) return known;
  const found = unpacked(node.packed, word);
  // A process that asks more than once reads it once.
  if (found !== undefined) {
    (node.next ??= Object.create(null) as Record<string, WordNode>)[word] = found;
  }
  return found;
}

/** A key's value when the record itself has the key: records read from JSON inherit names such as `constructor`. */
function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  const value = record[key];
  // Most keys are not there: those are looked up once.
  return value !== undefined && Object.hasOwn(record, key) ? value : undefined;
}

function hasKeys(record: Readonly<Record<string, unknown>>): boolean {
  for (const key in record) if (Object.hasOwn(record, key)) return true;
  return false;
}
