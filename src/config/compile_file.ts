/**
 * From the text of a `gatehouse.yaml` to a checked, compiled file, or to errors that name line, column and fix.
 *
 * @module
 */

import type { Arguments } from "../call.ts";
import { canonicalToolName } from "../policy/tool_names.ts";
import { Checker } from "./checker.ts";
import { compileDestructive, compilePaths } from "./compile_guards.ts";
import { compileRules } from "./compile_rules.ts";
import type { CompiledFile, CompiledTest, HookSettings } from "./compiled_file.ts";
import { ConfigurationError } from "./configuration_error.ts";
import { fileSchema, type WrittenHook, type WrittenTest } from "./schema.ts";
import { readYaml } from "./yaml_source.ts";

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
  const tests = (file?.tests ?? []).map((test, index) => compileTest(checker, test, index));
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
    store: file!.store ?? null,
    signalArguments: file!.signals?.arguments ?? null,
    onStop: file!.completion?.onStop ?? null,
    tests: tests.filter((test) => test !== null),
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
    store: null,
    signalArguments: null,
    onStop: null,
    tests: [],
  };
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

function compileTest(checker: Checker, test: WrittenTest, index: number): CompiledTest | null {
  const given = (["command", "path", "args"] as const).filter((key) => test[key] !== undefined);
  if (given.length > 1) {
    checker.add(["tests", index], "a test has one of `command`, `path` and `args`", null);
    return null;
  }
  const tool = canonicalToolName(test.tool);
  let args: Arguments = test.args ?? {};
  if (test.command !== undefined) args = { command: test.command };
  if (test.path !== undefined) {
    args = tool === "editor" ? { file_path: test.path } : { path: test.path };
  }
  return {
    name: test.name ?? `${tool} ${test.command ?? test.path ?? JSON.stringify(args)}`,
    tool,
    action: test.action ?? "",
    args,
    expect: test.expect,
    line: checker.line(["tests", index]),
  };
}
