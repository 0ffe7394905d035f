import type { TextFilter } from "./json_text.ts";
import { SECRET_FIELD, SECRET_SHAPES } from "./secret_shapes.ts";

/** What stands in the place of a whole secret value. */
export const REDACTED = "[redacted]";

/** A cheap look for anything that could be a secret: most text holds nothing and is handed back as it is. */
const ANY_HINT = new RegExp(
  [...new Set(SECRET_SHAPES.flatMap((shape) => shape.hints))]
    .map((hint) => hint.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("|"),
  "i",
);

/** Replaces secrets of known shape in a text by `[redacted:KIND]`. Linear in the length of the text. */
export function redactText(text: string): string {
  // Nothing shorter is a secret of known shape together with its name.
  if (text.length < SHORTEST || !ANY_HINT.test(text)) return text;
  const lower = text.toLowerCase();
  let redacted = text;
  for (const { name, hints, pattern } of SECRET_SHAPES) {
    if (!hints.some((hint) => lower.includes(hint))) continue;
    redacted = redacted.replace(pattern, (...match) => {
      // The last two are the place and the whole text.
      const [, before = "", after = ""] = match.slice(0, -2);
      return `${before}[redacted:${name}]${after}`;
    });
  }
  return redacted;
}

/** Whether a field's whole text is secret, by its name (`password`, `apiKey`, `AWS_SECRET_ACCESS_KEY`). */
export function isSecretField(name: string): boolean {
  return name.length <= LONGEST_NAME && SECRET_FIELD.test(name);
}

/** The filter that keeps secrets out of stored payloads. */
export const SECRET_FILTER: TextFilter = {
  text: redactText,
  field: (name) => isSecretField(name) ? REDACTED : null,
};

/** `pwd=x` */
const SHORTEST = 5;
/** Longer than any name of a field that a person wrote. */
const LONGEST_NAME = 128;
