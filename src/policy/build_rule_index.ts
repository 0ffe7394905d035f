/**
 * Builds the index of a list of rules. Apart from {@linkcode RuleMatcher}, which a hook needs at every call.
 *
 * @module
 */

import { objectRuleText } from "./object_rule.ts";
import {
  foldCase,
  INNER_KEY_LENGTH,
  type ListedRule,
  type NumberedRule,
  type RuleIndex,
  type WordNode,
} from "./rule_index.ts";
import { literalPrefix } from "./wildcard.ts";

/** Builds the index of a list of rules. */
export function buildRuleIndex(rules: readonly (string | ListedRule)[]): RuleIndex {
  const objects: NumberedRule[] = [];
  const reasons: Record<number, string> = {};
  const exact: Record<string, number[]> = Object.create(null);
  const inner: Record<string, number[]> = Object.create(null);
  const words: WordNode = {};
  const others: number[] = [];
  const patterns: string[] = [];
  for (const [number, listed] of rules.entries()) {
    const { rule, reason = null } = typeof listed === "string" ? { rule: listed } : listed;
    if (reason !== null) reasons[number] = reason;
    if (typeof rule !== "string") {
      patterns.push(objectRuleText(rule));
      objects.push({ number, rule });
      continue;
    }
    const pattern = rule;
    patterns.push(pattern);
    const prefix = literalPrefix(pattern);
    if (prefix === pattern) (exact[foldCase(pattern)] ??= []).push(number);
    else if (prefix !== "") addByWords(words, foldCase(prefix), number);
    else {
      const run = innerRun(pattern);
      if (run === null) others.push(number);
      else (inner[run] ??= []).push(number);
    }
  }
  return {
    patterns,
    ...(objects.length > 0 ? { objects } : {}),
    ...(Object.keys(reasons).length > 0 ? { reasons } : {}),
    exact,
    words,
    inner: Object.keys(inner).length > 0 ? inner : null,
    others,
  };
}

/**
 * The same index in a form of which a process that reads it from a file, and asks once, need read a part only: a line of
 * text for each first word, the word and the rest of it as JSON. No JSON text holds a tab or a line end.
 */
export function packRuleIndex(index: RuleIndex): RuleIndex {
  const { next, ...node } = index.words;
  if (next === undefined) return index;
  const lines = Object.entries(next).map(([word, rest]) =>
    `\n${JSON.stringify(word)}\t${JSON.stringify(rest)}`
  );
  return { ...index, words: { ...node, packed: `${lines.join("")}\n` } };
}

function addByWords(root: WordNode, prefix: string, number: number): void {
  let node = root;
  let start = 0;
  while (true) {
    const space = prefix.indexOf(" ", start);
    if (space === -1) break;
    node.next ??= Object.create(null) as Record<string, WordNode>;
    node = node.next[prefix.slice(start, space)] ??= {};
    start = space + 1;
  }
  const part = prefix.slice(start);
  if (part === "") (node.here ??= []).push(number);
  else {
    node.parts ??= Object.create(null) as Record<string, number[]>;
    (node.parts[part] ??= []).push(number);
    node.lengths ??= [];
    if (!node.lengths.includes(part.length)) node.lengths.push(part.length);
  }
}

/** The first characters of the first run of text that is long enough to find a pattern by. */
function innerRun(pattern: string): string | null {
  for (const run of pattern.split(/\*|\?|\[.*\]/s)) {
    // Lower-casing may lengthen a character; runs of plain letters keep their places.
    if (run.length >= INNER_KEY_LENGTH && !run.includes("[") && !run.includes("]")) {
      return foldCase(run).slice(0, INNER_KEY_LENGTH);
    }
  }
  return null;
}
