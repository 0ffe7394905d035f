/**
 * From the text of a `gatehouse.yaml` to a checked, compiled file, or to errors that name line, column and fix.
 *
 * @module
 */

import leven from "leven";
import type { z } from "zod";
import { compilePolicy, type Tier, TIERS } from "../policy/compiled_policy.ts";
import { PRESETS } from "../policy/presets.ts";
import { canonicalToolName } from "../policy/tool_names.ts";
import type {
  CompiledFile,
  CompiledRules,
  DestructiveSettings,
  HookSettings,
  PathSettings,
} from "./compiled_file.ts";
import { ConfigurationError, type ConfigurationProblem } from "./configuration_error.ts";
import {
  fileSchema,
  guardSchemas,
  policySchema,
  presetSchema,
  type WrittenHook,
  type WrittenPolicy,
} from "./schema.ts";
import { readYaml, type YamlSource } from "./yaml_source.ts";

/** How long a user's hook may take when the file does not say, in seconds. */
const DEFAULT_HOOK_SECONDS = 2;

/**
 * Compiles a configuration file.
 *
 * @param bytes The file's bytes.
 * @param path The file's absolute path.
 * @param sha256 The bytes' hash.
 * @throws {ConfigurationError} with every problem found, when there is any.
 */
export function compileFile(bytes: Uint8Array, path: string, sha256: string): CompiledFile {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigurationError(path, [{
      line: 1,
      column: 1,
      message: "the file is not UTF-8 text",
      fix: "save it as UTF-8",
    }]);
  }
  const source = readYaml(text);
  if ("problems" in source) throw new ConfigurationError(path, source.problems);
  if (source.value === null || source.value === undefined) return emptyFile(path, sha256);
  const checker = new Checker(source);
  const file = checker.check(fileSchema, source.value, []);
  const value = source.value as Record<string, unknown>;
  const policy = file === null ? null : compileRules(checker, value.policy);
  const guards = (file?.guards ?? {}) as Record<string, unknown>;
  const destructive = compileDestructive(checker, guards.destructive);
  const paths = compilePaths(checker, guards.paths);
  if (checker.problems.length > 0) throw new ConfigurationError(path, checker.sorted());
  return {
    path,
    sha256,
    empty: false,
    policy,
    guards: { destructive, paths },
    hooks: (file!.hooks ?? []).map((hook, index) => compileHook(checker, hook, index)),
    onAllow: file!.onAllow ?? null,
    deadline: file!.deadline ?? null,
  };
}

function emptyFile(path: string, sha256: string): CompiledFile {
  return {
    path,
    sha256,
    empty: true,
    policy: null,
    guards: { destructive: null, paths: null },
    hooks: [],
    onAllow: null,
    deadline: null,
  };
}

/** Collects problems while parts of the file are checked. */
class Checker {
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

  /** The line of a value, or of its key. */
  line(path: readonly PropertyKey[], of?: "value" | "key"): number {
    return this.#source.position(path, of).line;
  }

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

function compileRules(checker: Checker, written: unknown): CompiledRules | null {
  if (written === undefined) return null;
  const lines: Record<Tier, Record<string, number[]>> = { deny: {}, allow: {}, escalate: {} };
  if (typeof written === "string") {
    const preset = checker.check(presetSchema, written, ["policy"]);
    if (preset === null) return null;
    const rules = PRESETS[preset];
    const line = checker.line(["policy"]);
    for (const tier of TIERS) {
      for (const [tool, patterns] of Object.entries(rules[tier] ?? {})) {
        lines[tier][tool] = patterns.map(() => line);
      }
    }
    return { policy: compilePolicy(rules.mode, rules), preset, line, lines };
  }
  const policy = checker.check(policySchema, written, ["policy"]);
  if (policy === null) return null;
  checkMode(checker, policy);
  for (const tier of TIERS) {
    const seen = new Map<string, string>();
    for (const [key, patterns] of Object.entries(policy[tier] ?? {})) {
      const tool = canonicalToolName(key);
      const earlier = seen.get(tool);
      if (earlier !== undefined) {
        checker.add(
          ["policy", tier, key],
          `${tier} has rules for \`${earlier}\` and for \`${key}\`, which are one tool`,
          `write all of them under \`${tool}\``,
          "key",
        );
      }
      seen.set(tool, key);
      lines[tier][tool] = patterns.map((_, index) => checker.line(["policy", tier, key, index]));
    }
  }
  const line = checker.line(policy.mode === undefined ? ["policy"] : ["policy", "mode"], "key");
  return { policy: compilePolicy(policy.mode ?? "allow_all", policy), preset: null, line, lines };
}

/** Rules that are never asked are a mistake, and a mistake that lets calls pass. */
function checkMode(checker: Checker, policy: WrittenPolicy): void {
  const tiers = TIERS.filter((tier) => policy[tier] !== undefined);
  if (tiers.length === 0 || policy.mode === "rules") return;
  const path = policy.mode === undefined ? ["policy"] : ["policy", "mode"];
  const mode = policy.mode ?? "allow_all";
  const how = policy.mode === undefined ? "the policy has no mode, which means" : "the policy has";
  checker.add(
    path,
    `${how} mode ${mode}, and in that mode its ${tiers.join(" and ")} rules are never asked`,
    policy.mode === undefined ? "add `mode: rules`" : "write `mode: rules`, or remove the rules",
    "key",
  );
}

function compileDestructive(checker: Checker, written: unknown): DestructiveSettings | null {
  const settings = compileGuard(checker, "destructive", written);
  if (settings === null) return null;
  const { enabled, value, line } = settings;
  return { enabled, mode: value.mode ?? "patterns", line };
}

function compilePaths(checker: Checker, written: unknown): PathSettings | null {
  const settings = compileGuard(checker, "paths", written);
  if (settings === null) return null;
  const { enabled, value, line } = settings;
  return {
    enabled,
    allowed: value.allowed ?? null,
    denied: value.denied ?? [],
    symlinks: value.symlinks ?? null,
    line,
  };
}

/** A guard's settings: `false` and `true` switch it off and on, a mapping switches it on with settings. */
function compileGuard<Name extends keyof typeof guardSchemas>(
  checker: Checker,
  name: Name,
  written: unknown,
): { enabled: boolean; value: z.infer<(typeof guardSchemas)[Name]>; line: number } | null {
  if (written === undefined) return null;
  const path = ["guards", name];
  const line = checker.line(path, "key");
  type Value = z.infer<(typeof guardSchemas)[Name]>;
  if (typeof written === "boolean") return { enabled: written, value: {} as Value, line };
  const schema = guardSchemas[name] as unknown as z.ZodType<Value>;
  const value = checker.check(schema, written, path);
  return value === null ? null : { enabled: true, value, line };
}

function compileHook(checker: Checker, hook: WrittenHook, index: number): HookSettings {
  return {
    name: hook.name ?? hook.command[0].split("/").pop() ?? `hook ${index + 1}`,
    tools: (hook.tools ?? ["*"]).map(canonicalToolName),
    command: hook.command,
    timeout: hook.timeout ?? DEFAULT_HOOK_SECONDS,
    line: checker.line(["hooks", index]),
  };
}

/** The keys a mapping may have, by where it stands: what an unknown key may have been meant to be. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  const place = path.map((step) => typeof step === "number" ? "#" : String(step)).join(".");
  switch (place) {
    case "":
      return Object.keys(fileSchema.shape);
    case "policy":
      return Object.keys(policySchema.shape);
    case "guards":
      return Object.keys(guardSchemas);
    case "guards.destructive":
      return Object.keys(guardSchemas.destructive.shape);
    case "guards.paths":
      return Object.keys(guardSchemas.paths.shape);
    case "hooks.#":
      return ["name", "tools", "command", "timeout"];
    default:
      return [];
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
