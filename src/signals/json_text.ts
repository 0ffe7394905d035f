/**
 * JSON text of any value at all: nothing throws, nothing runs away, and only the head of something long
 * is ever held in memory, while its whole length is counted.
 *
 * @module
 */

/** Levels of nesting that are written; deeper values are a mark. Readers of JSON recurse, and so do we. */
export const MAX_DEPTH = 64;

/** Values looked at before the rest is left uncounted: a second of work at most, for a value without an end. */
export const MAX_VALUES = 1_000_000;

/** Bytes counted before the rest is left uncounted: one shared long string can stand in a value many times. */
export const MAX_COUNTED_BYTES = 2 ** 30;

/** Strings longer than this are counted in pieces and only their head is written. Twice the largest payload. */
export const LONG_STRING = 32_768;

/** Changes strings on their way into the text. */
export interface TextFilter {
  /** A string's replacement. Is given at most {@linkcode LONG_STRING} characters at a time. */
  text(text: string): string;
  /** The replacement of a whole string because of the name it stands under; `null` for none. */
  field(name: string): string | null;
}

/** The text of a value, as far as it was kept. */
export interface JsonText {
  /** The text; only its head when `bytes` says more. */
  readonly head: string;
  /** UTF-8 bytes of the whole text. */
  readonly bytes: number;
  /** Whether the whole was counted: it was not beyond {@linkcode MAX_VALUES} or {@linkcode MAX_COUNTED_BYTES}. */
  readonly counted: boolean;
}

/**
 * Writes a value as JSON.
 *
 * What JSON does not know has these forms: `undefined` is left out of records and `null` elsewhere; NaN and
 * the infinities, BigInts, symbols, functions and regular expressions are strings; dates are ISO text; maps
 * are records (lists of pairs when a key is no string); sets and typed arrays are lists; bytes are
 * `{ bytes, base64 }`; errors are `{ name, message, … }`; a value with `toJSON` is what that returns; other
 * class instances are their own fields; circular references, values too deep and getters that throw are
 * marks in brackets; lone surrogates become U+FFFD.
 *
 * @param value Anything.
 * @param keep How many characters of the text are held.
 * @param filter What strings go through first.
 */
export function jsonText(value: unknown, keep: number, filter?: TextFilter): JsonText {
  const writer = new JsonWriter(keep, filter);
  writer.value(value, 0);
  return { head: writer.head, bytes: writer.bytes, counted: !writer.exhausted };
}

/** The bytes a text has in UTF-8. A lone surrogate counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    bytes += code < 0x800 || isPair(text, index, code) ? 1 : 2;
    // A pair is four bytes for two units: one more for each half.
    if (code >= 0xd800 && code < 0xdc00 && isPair(text, index, code)) {
      bytes += 1;
      index++;
    }
  }
  return bytes;
}

function isPair(text: string, index: number, code: number): boolean {
  if (code < 0xd800 || code >= 0xdc00) return false;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next < 0xe000;
}

/** Printable ASCII without quotes and backslashes: text that is its own JSON, one byte a character. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Bytes shown of a buffer: their base64 is longer than any payload. */
const SHOWN_BYTES = 16_384;

class JsonWriter {
  head = "";
  bytes = 0;
  values = 0;
  readonly #keep: number;
  readonly #filter: TextFilter | undefined;
  readonly #open: object[] = [];

  constructor(keep: number, filter: TextFilter | undefined) {
    this.#keep = keep;
    this.#filter = filter;
  }

  get exhausted(): boolean {
    return this.values > MAX_VALUES || this.bytes > MAX_COUNTED_BYTES;
  }

  value(value: unknown, depth: number): void {
    this.values++;
    if (this.exhausted) return this.#plain("null");
    switch (typeof value) {
      case "string":
        return this.#string(value);
      case "number":
        return Number.isFinite(value)
          ? this.#plain(String(value === 0 ? 0 : value))
          : this.#quoted(String(value));
      case "boolean":
        return this.#plain(value ? "true" : "false");
      case "bigint":
        return this.#bigint(value);
      case "undefined":
        return this.#plain("null");
      case "symbol":
        return this.#string(String(value));
      case "function":
        return this.#string(guarded(() => `[function ${value.name || "anonymous"}]`));
      case "object":
        return value === null ? this.#plain("null") : this.#object(value, depth);
    }
  }

  #object(value: object, depth: number): void {
    if (this.#open.includes(value)) return this.#plain('"[circular]"');
    if (depth >= MAX_DEPTH) return this.#plain('"[too deep]"');
    this.#open.push(value);
    this.#opened(value, depth);
    this.#open.pop();
  }

  #opened(value: object, depth: number): void {
    let form: Form;
    try {
      // By far the most values are one of these two, and need no description first.
      if (Array.isArray(value)) return this.#list(value, depth);
      if (isPlain(value)) return this.#fields(Object.keys(value), value as Fields, depth);
      form = formOf(value);
    } catch (error) {
      return this.#string(unreadable(error));
    }
    switch (form.as) {
      case "text":
        return this.#string(form.text);
      case "value":
        return this.value(form.value, depth + 1);
      case "list":
        return this.#list(form.items, depth);
      case "fields":
        return this.#fields(form.names, form.fields, depth);
    }
  }

  #list(items: ArrayLike<unknown>, depth: number): void {
    this.#plain("[");
    const length = items.length;
    for (let index = 0; index < length && !this.exhausted; index++) {
      if (index > 0) this.#plain(",");
      let item: unknown;
      try {
        item = items[index];
      } catch (error) {
        item = unreadable(error);
      }
      this.value(item, depth + 1);
    }
    this.#plain("]");
  }

  #fields(names: readonly string[], fields: Fields, depth: number): void {
    this.#plain("{");
    let first = true;
    for (const name of names) {
      if (this.exhausted) break;
      let field: unknown;
      try {
        field = fields[name];
      } catch (error) {
        field = unreadable(error);
      }
      if (field === undefined) continue;
      if (!first) this.#plain(",");
      first = false;
      this.#quoted(name.length > LONG_STRING ? name.slice(0, LONG_STRING) : name);
      this.#plain(":");
      const replaced = typeof field === "string" ? this.#filter?.field(name) ?? null : null;
      if (replaced === null) this.value(field, depth + 1);
      else this.#quoted(replaced);
    }
    this.#plain("}");
  }

  #bigint(value: bigint): void {
    // Turning a very large integer into digits takes time that grows with its square.
    const bits = 65_536n;
    if (value >= 1n << bits || value <= -(1n << bits)) return this.#plain('"[integer too long]"');
    this.#plain(`"${value}"`);
  }

  #string(text: string): void {
    if (text.length <= LONG_STRING) {
      return this.#quoted(this.#filter === undefined ? text : this.#filter.text(text));
    }
    const cut = wordEnd(text, characterEdge(text, LONG_STRING));
    const head = text.slice(0, cut);
    this.#plain('"');
    this.#escaped(this.#filter === undefined ? head : this.#filter.text(head));
    for (let at = cut; at < text.length && !this.exhausted;) {
      const end = characterEdge(text, Math.min(at + LONG_STRING, text.length));
      // The rest is beyond what is kept: it is counted, not held.
      const piece = text.slice(at, end);
      this.bytes += PLAIN.test(piece) ? piece.length : utf8Length(escaped(piece));
      at = end;
    }
    this.#keepNoMore();
    this.#plain('"');
  }

  #quoted(text: string): void {
    if (PLAIN.test(text)) return this.#plain(`"${text}"`);
    this.#plain('"');
    this.#escaped(text);
    this.#plain('"');
  }

  #escaped(text: string): void {
    const safe = escaped(text);
    this.#append(safe);
    this.bytes += utf8Length(safe);
  }

  /** Appends ASCII text. */
  #plain(text: string): void {
    this.#append(text);
    this.bytes += text.length;
  }

  #append(text: string): void {
    if (this.head.length < this.#keep) this.head += text;
  }

  /** After a gap nothing may be appended any more. */
  #keepNoMore(): void {
    if (this.head.length < this.#keep) this.head = this.head.padEnd(this.#keep, " ");
  }
}

type Fields = Readonly<Record<string, unknown>>;

type Form =
  | { readonly as: "text"; readonly text: string }
  | { readonly as: "value"; readonly value: unknown }
  | { readonly as: "list"; readonly items: ArrayLike<unknown> }
  | {
    readonly as: "fields";
    readonly names: readonly string[];
    readonly fields: Fields;
  };

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** How any other object is written. May throw: proxies and getters can. */
function formOf(value: object): Form {
  const prototype = Object.getPrototypeOf(value);
  if (value instanceof Date) {
    const time = value.getTime();
    return { as: "text", text: Number.isNaN(time) ? "Invalid Date" : value.toISOString() };
  }
  if (value instanceof Error) return errorForm(value);
  if (value instanceof Map) return mapForm(value);
  if (value instanceof Set) return { as: "list", items: Array.from(firstOf(value)) };
  if (value instanceof RegExp) return { as: "text", text: String(value) };
  const bytes = bytesOf(value);
  if (bytes !== null) return bytesForm(bytes);
  if (ArrayBuffer.isView(value)) {
    return { as: "list", items: value as unknown as ArrayLike<unknown> };
  }
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    return { as: "value", value: value.valueOf() };
  }
  const toJson = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson === "function") return { as: "value", value: toJson.call(value) };
  const own = Object.keys(value);
  if (own.length > 0) return ownFields(value, own);
  const text = (value as { toString?: unknown }).toString;
  if (typeof text === "function" && text !== Object.prototype.toString) {
    return { as: "text", text: String(text.call(value)) };
  }
  return { as: "text", text: `[${prototype?.constructor?.name || "object"}]` };
}

function ownFields(value: object, names: readonly string[]): Form {
  return { as: "fields", names, fields: value as Fields };
}

function errorForm(error: Error): Form {
  const names = ["name", "message", "code", "cause", "errors"].filter((name) => name in error);
  const more = Object.keys(error).filter((name) => !names.includes(name) && name !== "stack");
  return ownFields(error, [...names, ...more]);
}

function mapForm(map: Map<unknown, unknown>): Form {
  const entries = Array.from(firstOf(map));
  if (!entries.every(([key]) => typeof key === "string")) return { as: "list", items: entries };
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [key, item] of entries) fields[key as string] = item;
  return { as: "fields", names: entries.map(([key]) => key as string), fields };
}

function* firstOf<Item>(items: Iterable<Item>): Iterable<Item> {
  let count = 0;
  for (const item of items) {
    if (count++ > MAX_VALUES) return;
    yield item;
  }
}

function bytesOf(value: object): Uint8Array | null {
  if (value instanceof Uint8Array) return value;
  if (value instanceof Uint8ClampedArray || value instanceof DataView) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (typeof SharedArrayBuffer !== "undefined" && value instanceof SharedArrayBuffer) {
    return new Uint8Array(value).slice(0, SHOWN_BYTES);
  }
  return null;
}

function bytesForm(bytes: Uint8Array): Form {
  let binary = "";
  for (const byte of bytes.subarray(0, SHOWN_BYTES)) binary += String.fromCharCode(byte);
  return { as: "value", value: { bytes: bytes.length, base64: btoa(binary) } };
}

/** JSON's escapes, without the quotes around; lone surrogates replaced. */
function escaped(text: string): string {
  return JSON.stringify(text.toWellFormed()).slice(1, -1);
}

/** An index at or just before `index` that is not between the halves of a surrogate pair. */
export function characterEdge(text: string, index: number): number {
  if (index <= 0 || index >= text.length) return index;
  return isPair(text, index - 1, text.charCodeAt(index - 1)) ? index - 1 : index;
}

/** How far back the end of a word is looked for; a secret is shorter. */
const WORD_WINDOW = 4_096;

/**
 * The end of the last whole word before `index`, so that a secret that is cut in two, and no longer looks
 * like one, is left out with its word.
 */
function wordEnd(text: string, index: number): number {
  for (let at = index; at > index - WORD_WINDOW; at--) {
    const code = text.charCodeAt(at - 1);
    if (code <= 0x20) return at;
  }
  return characterEdge(text, index - WORD_WINDOW);
}

function unreadable(error: unknown): string {
  return guarded(() => `[unreadable: ${error instanceof Error ? error.message : String(error)}]`);
}

function guarded(text: () => string): string {
  try {
    return text();
  } catch {
    return "[unreadable]";
  }
}
