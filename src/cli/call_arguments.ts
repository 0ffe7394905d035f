import type { Arguments } from "../call.ts";
import { canonicalToolName } from "../policy/tool_names.ts";
import { UsageError } from "./command.ts";

/** Which arguments words on the command line are, tool by tool. */
const WORD_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  reader: ["path"],
  editor: ["file_path"],
  search: ["pattern", "path"],
};

/**
 * Reads a tool's arguments as people type them: one JSON object, the command line of bash, the path of a file tool, or
 * `key=value` pairs for any other tool.
 */
export function callArguments(tool: string, words: readonly string[]): Arguments {
  if (words.length === 1 && words[0].trimStart().startsWith("{") && isJson(words[0])) {
    return JSON.parse(words[0]) as Arguments;
  }
  const name = canonicalToolName(tool);
  if (name === "bash") return words.length === 0 ? {} : { command: words.join(" ") };
  const names = WORD_ARGUMENTS[name];
  if (names !== undefined) {
    if (words.length > names.length) {
      throw new UsageError(`${name} takes ${names.join(" and ")}, not ${words.length} arguments`);
    }
    return Object.fromEntries(words.map((word, index) => [names[index], word]));
  }
  return Object.fromEntries(words.map((word) => {
    const equals = word.indexOf("=");
    if (equals < 1) {
      throw new UsageError(
        `write the arguments of ${tool} as key=value or as one JSON object, not ${word}`,
      );
    }
    return [word.slice(0, equals), word.slice(equals + 1)];
  }));
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}
