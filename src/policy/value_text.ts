/**
 * The text of a value in a match string, as Python's `str` writes it: rules mean the same in both.
 *
 * A whole number written with a fraction (`3.0`) is not told apart from `3`: JSON readers drop the difference.
 */
export function valueText(value: unknown): string {
  return typeof value === "string" ? value : representation(value, 0);
}

/** How deep a value is written out; deeper parts become `...`. */
const MAX_DEPTH = 100;

function representation(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) return "...";
  switch (typeof value) {
    case "string":
      return quoted(value);
    case "boolean":
      return value ? "True" : "False";
    case "number":
      return Number.isNaN(value) ? "nan" : String(value).replace("Infinity", "inf");
    case "object":
      break;
    default:
      return value === undefined ? "None" : String(value);
  }
  if (value === null) return "None";
  if (Array.isArray(value)) {
    return `[${value.map((item) => representation(item, depth + 1)).join(", ")}]`;
  }
  const entries = Object.entries(value).map(([key, item]) =>
    `${quoted(key)}: ${representation(item, depth + 1)}`
  );
  return `{${entries.join(", ")}}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = text.replace(
    /[\\\p{Cc}]/gu,
    (character) =>
      ESCAPES[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return quote + (quote === "'" ? body.replaceAll("'", "\\'") : body) + quote;
}
