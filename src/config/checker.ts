/**
 * Checks parts of a configuration against their schemas and turns what is wrong into problems with places and fixes.
 *
 * @module
 */

import leven from "leven";
import type { z } from "zod";
import type { ConfigurationProblem } from "./configuration_error.ts";
import { knownKeys } from "./known_keys.ts";
import type { YamlSource } from "./yaml_source.ts";

/** Collects problems while parts of the file are checked. */
export class Checker {
  readonly problems: ConfigurationProblem[] = [];
  readonly #source: YamlSource;

  constructor(source: YamlSource) {
    this.#source = source;
  }

  /** Checks a part against its schema; `null` when there are problems, which are kept. */
  check<T>(schema: z.ZodType<T>, value: unknown, path: readonly PropertyKey[]): T | null {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) this.#keep(issue, value, path);
    return null;
  }

  /** Keeps a problem at a path. */
  add(
    path: readonly PropertyKey[],
    message: string,
    fix: string | null,
    of?: "value" | "key",
  ): void {
    this.problems.push({ ...this.#source.position(path, of), message, fix });
  }

  /** Keeps a problem with a value of the wrong type. */
  addType(path: readonly PropertyKey[], value: unknown, expected: string): void {
    const fix = isPlainScalar(value) ? `put it in quotes: "${value}"` : null;
    this.add(path, `${path.map(String).join(".")} is ${show(value)}; it must be ${expected}`, fix);
  }

  /** The line of a value, or of its key. */
  line(path: readonly PropertyKey[], of?: "value" | "key"): number {
    return this.#source.position(path, of).line;
  }

  /** All problems, in the order they stand in the file. */
  sorted(): ConfigurationProblem[] {
    return [...this.problems].sort((a, b) => a.line - b.line || a.column - b.column);
  }

  #keep(issue: z.core.$ZodIssue, value: unknown, base: readonly PropertyKey[]): void {
    const path = [...base, ...issue.path];
    const name = path.map(String).join(".");
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) {
        const known = knownKeys(path);
        const where = name === "" ? "" : ` in ${name}`;
        this.add([...path, key], `unknown key \`${key}\`${where}`, suggestion(key, known), "key");
      }
      return;
    }
    const offending = valueAt(value, issue.path);
    if (issue.code === "invalid_value") {
      const words = issue.values.map(String);
      const what = offending === undefined ? "is missing" : `is ${show(offending)}`;
      const fix = typeof offending === "string"
        ? suggestion(offending, words)
        : `write ${name}: ${words[0]}`;
      this.add(path, `${name} ${what}; it must be ${orList(words)}`, fix);
      return;
    }
    if (issue.code === "invalid_type") {
      if (offending === undefined) {
        this.add(path, `${name} is missing`, `it must be ${article(issue.expected)}`);
        return;
      }
      const fix = issue.expected === "string" && isPlainScalar(offending)
        ? `put it in quotes: "${offending}"`
        : issue.expected === "array" && typeof offending === "string"
        ? `write a list: [${JSON.stringify(offending)}]`
        : null;
      const subject = name === "" ? "the file" : name;
      this.add(
        path,
        `${subject} is ${show(offending)}; it must be ${article(issue.expected)}`,
        fix,
      );
      return;
    }
    this.add(path, `${name} is ${show(offending)}: ${issue.message}`, null);
  }
}

/** How many letters may differ between what was written and what may have been meant. */
const MAX_DISTANCE = 3;

function suggestion(written: string, known: readonly string[]): string | null {
  const nearest = [...known].sort((a, b) => leven(written, a) - leven(written, b))[0];
  if (nearest === undefined) return null;
  if (
    leven(written.toLowerCase(), nearest.toLowerCase()) <=
      Math.min(MAX_DISTANCE, nearest.length - 1)
  ) {
    return `did you mean \`${nearest}\`?`;
  }
  return `known are ${known.map((word) => `\`${word}\``).join(", ")}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const step of path) current = (current as Record<PropertyKey, unknown> | undefined)?.[step];
  return current;
}

/** How much of an offending value is shown. */
const SHOWN_LENGTH = 60;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

function isPlainScalar(value: unknown): value is string | number | boolean {
  return typeof value === "number" || typeof value === "boolean";
}

function article(expected: string): string {
  switch (expected) {
    case "array":
      return "a list";
    case "object":
    case "record":
      return "a mapping";
    case "string":
      return "text";
    case "number":
      return "a number";
    default:
      return expected;
  }
}

function orList(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word}\``);
  return quoted.length === 1
    ? quoted[0]
    : `${quoted.slice(0, -1).join(", ")} or ${quoted[quoted.length - 1]}`;
}
