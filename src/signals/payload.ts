import { characterEdge, jsonText, type TextFilter, utf8Length } from "./json_text.ts";

/**
 * How long a stored payload may be, in serialised UTF-8 bytes (D5-8). The document gives the number and
 * that it bounds a row, and no reason for choosing exactly this one.
 */
export const PAYLOAD_BYTE_CAP = 16_384;

/**
 * Writes any value as valid JSON text of at most {@linkcode PAYLOAD_BYTE_CAP} UTF-8 bytes (D5-7, D5-8).
 *
 * Over the cap it is `{ truncated: true, original_bytes, data }`, which fits itself; `data` is the head of
 * the text, cut at a character's edge. A value too large to be counted also has `original_bytes_at_least`.
 * Never throws; see {@linkcode jsonText} for the form of each kind of value.
 *
 * @param value Anything.
 * @param filter What strings go through first, such as the redaction of secrets.
 */
export function payloadText(value: unknown, filter?: TextFilter): string {
  const { head, bytes, counted } = jsonText(value, PAYLOAD_BYTE_CAP, filter);
  if (bytes <= PAYLOAD_BYTE_CAP && counted) return head;
  const beginning = `{"truncated":true,"original_bytes":${bytes}${
    counted ? "" : ',"original_bytes_at_least":true'
  },"data":"`;
  const room = PAYLOAD_BYTE_CAP - beginning.length - '"}'.length;
  return `${beginning}${clipped(head, room)}"}`;
}

/** The longest head of a text whose JSON, without its quotes, is at most `room` bytes; escaped. */
function clipped(text: string, room: number): string {
  // Bisection needs a dozen looks at 16 KiB; a walk would look at each character.
  let fits = 0;
  let tooLong = Math.min(text.length, room) + 1;
  while (fits + 1 < tooLong) {
    const middle = (fits + tooLong) >> 1;
    if (utf8Length(escapedHead(text, middle)) <= room) fits = middle;
    else tooLong = middle;
  }
  return escapedHead(text, fits);
}

function escapedHead(text: string, length: number): string {
  return JSON.stringify(text.slice(0, characterEdge(text, length))).slice(1, -1);
}
