import type { WordPart } from "./facts.ts";

/** What a substitution makes of what its commands print: without the line ends at the end. */
export function withoutLastNewlines(parts: readonly WordPart[]): readonly WordPart[] {
  const last = parts[parts.length - 1];
  if (last?.kind !== "text" || !last.text.endsWith("\n")) return parts;
  let end = last.text.length;
  while (end > 0 && last.text[end - 1] === "\n") end--;
  const rest = parts.slice(0, -1);
  return end === 0
    ? withoutLastNewlines(rest)
    : [...rest, { kind: "text", text: last.text.slice(0, end) }];
}
