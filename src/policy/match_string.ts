import type { Arguments } from "../call.ts";
import { valueText } from "./value_text.ts";

/** The text a policy's rules are matched against, or why there is none. */
export type MatchString =
  | { readonly text: string }
  | { readonly problem: string };

/** Builds the match string of a call (D1-4). The tool's name is canonical already. */
export function matchString(toolName: string, action: string, args: Arguments): MatchString {
  switch (toolName) {
    case "bash":
      return stringArgument(args, "command");
    case "editor":
      return stringArgument(args, "file_path");
    case "reader":
      return stringArgument(args, "path");
    case "search": {
      const pattern = stringArgument(args, "pattern");
      if ("problem" in pattern) return pattern;
      const path = stringArgument(args, "path");
      if ("problem" in path) return path;
      return { text: path.text === "" ? pattern.text : `${pattern.text} ${path.text}` };
    }
    default: {
      const texts = [action];
      for (const key in args) if (Object.hasOwn(args, key)) texts.push(valueText(args[key]));
      return { text: texts.join(" ") };
    }
  }
}

/** A missing argument is an empty text (D1-10); one that is no text cannot be matched, so it cannot be allowed. */
function stringArgument(args: Arguments, name: string): MatchString {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (value === undefined || value === null) return { text: "" };
  if (typeof value === "string") return { text: value };
  return { problem: `argument ${name} must be a string, not ${describe(value)}` };
}

function describe(value: unknown): string {
  return Array.isArray(value)
    ? "a list"
    : typeof value === "object"
    ? "a record"
    : `a ${typeof value}`;
}
