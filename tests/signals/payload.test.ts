import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, test } from "node:test";
import {
  jsonText,
  LONG_STRING,
  MAX_DEPTH,
  MAX_VALUES,
  utf8Length,
} from "../../src/signals/json_text.ts";
import { PAYLOAD_BYTE_CAP, payloadText } from "../../src/signals/payload.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** The payload of a value, read back. */
function read(value: unknown): unknown {
  const text = payloadText(value);
  assert.ok(bytesOf(text) <= PAYLOAD_BYTE_CAP);
  return JSON.parse(text);
}

class Point {
  constructor(readonly x: number, readonly y: number) {}
}
class Money {
  readonly #amount: number;
  constructor(amount: number) {
    this.#amount = amount;
  }
  toString(): string {
    return `${this.#amount} EUR`;
  }
}
class Nothing {}

const circular: Record<string, unknown> = { name: "ring" };
circular.self = circular;
const shared = { once: 1 };

const FORMS: readonly (readonly [string, unknown, unknown])[] = [
  ["null", null, null],
  ["undefined", undefined, null],
  ["undefined in a record", { a: undefined, b: 1 }, { b: 1 }],
  ["undefined in a list", [undefined, 1], [null, 1]],
  ["NaN and the infinities", [NaN, Infinity, -Infinity], ["NaN", "Infinity", "-Infinity"]],
  ["minus zero", -0, 0],
  ["a BigInt", [7n, -(2n ** 70n)], ["7", "-1180591620717411303424"]],
  ["a very long BigInt", 2n ** 100_000n, "[integer too long]"],
  ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ["an invalid date", new Date(NaN), "Invalid Date"],
  [
    "a map with text keys",
    new Map([["a", 1], ["__proto__", 2]]),
    JSON.parse('{"a":1,"__proto__":2}'),
  ],
  ["a map with other keys", new Map<unknown, unknown>([[1, "a"], [{ b: 1 }, 2]]), [[1, "a"], [{
    b: 1,
  }, 2]]],
  ["a set", new Set([1, "two"]), [1, "two"]],
  ["bytes", new Uint8Array([1, 2, 255]), { bytes: 3, base64: "AQL/" }],
  ["a buffer", new Uint8Array([1, 2, 255]).buffer, { bytes: 3, base64: "AQL/" }],
  ["numbers in a typed array", new Float64Array([0.5, NaN]), [0.5, "NaN"]],
  ["long integers in a typed array", new BigInt64Array([5n]), ["5"]],
  ["a symbol", Symbol("mark"), "Symbol(mark)"],
  ["a function", function named() {}, "[function named]"],
  ["a regular expression", /a+/g, "/a+/g"],
  ["a boxed value", [new Number(3), new String("s"), new Boolean(false)], [3, "s", false]],
  ["a class instance", new Point(1, 2), { x: 1, y: 2 }],
  ["an instance with only a text form", new Money(3), "3 EUR"],
  ["an instance with nothing to show", new Nothing(), "[Nothing]"],
  ["something with toJSON", new URL("https://example.org/a"), "https://example.org/a"],
  ["a promise", Promise.resolve(1), "[Promise]"],
  ["a record without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ["a circular reference", circular, { name: "ring", self: "[circular]" }],
  ["a value that stands twice", [shared, shared], [{ once: 1 }, { once: 1 }]],
  ["a lone surrogate", ["a\ud800b", "\udc00"], ["a\ufffdb", "\ufffd"]],
  ["a pair of surrogates", "😀", "😀"],
  ["control characters", "\u0000\u001b[0m\u202e", "\u0000\u001b[0m\u202e"],
  [
    "keys of prototypes",
    JSON.parse('{"__proto__":1,"constructor":2}'),
    JSON.parse('{"__proto__":1,"constructor":2}'),
  ],
];

describe("payloadText", () => {
  for (const [name, value, expected] of FORMS) {
    test(`D5-7 ${name} has a form of its own`, () => assert.deepEqual(read(value), expected));
  }

  test("D5-7 an error keeps name, message, code, cause and what it carries, and no stack", () => {
    const error = Object.assign(new TypeError("broken", { cause: new Error("deeper") }), {
      code: "E1",
      detail: 7,
    });
    assert.deepEqual(read(error), {
      name: "TypeError",
      message: "broken",
      code: "E1",
      cause: { name: "Error", message: "deeper" },
      detail: 7,
    });
    assert.deepEqual(read(new AggregateError([new Error("one")], "many")), {
      name: "AggregateError",
      message: "many",
      errors: [{ name: "Error", message: "one" }],
    });
  });

  test("D5-7 what throws when it is read becomes a mark, and the rest stays", () => {
    const hostile = {
      get broken(): never {
        throw new Error("no");
      },
      fine: 1,
    };
    assert.deepEqual(read(hostile), { broken: "[unreadable: no]", fine: 1 });
    assert.deepEqual(read({ toJSON: () => ({ left: 1 }) }), { toJSON: "[function toJSON]" });
    class Throws {
      toJSON(): never {
        throw new Error("refused");
      }
    }
    assert.equal(read(new Throws()), "[unreadable: refused]");
    const proxy = new Proxy({}, {
      ownKeys() {
        throw new Error("closed");
      },
    });
    assert.deepEqual(read({ proxy, fine: 1 }), { proxy: "[unreadable: closed]", fine: 1 });
    const worst = new Proxy({}, {
      getPrototypeOf() {
        throw { toString: null };
      },
    });
    assert.deepEqual(read([worst]), ["[unreadable]"]);
  });

  test("D5-7 nesting deeper than the limit is cut with a mark, without overflowing the stack", () => {
    let deep: unknown = "bottom";
    for (let level = 0; level < 20_000; level++) deep = { deep };
    let value = read(deep);
    let levels = 0;
    while (typeof value === "object") {
      value = (value as { deep: unknown }).deep;
      levels++;
    }
    assert.equal(value, "[too deep]");
    assert.equal(levels, MAX_DEPTH);
  });

  test("D5-8 a payload of exactly the cap is stored as it is, one more byte is not", () => {
    const atCap = "x".repeat(PAYLOAD_BYTE_CAP - 2);
    assert.equal(bytesOf(payloadText(atCap)), PAYLOAD_BYTE_CAP);
    assert.equal(read(atCap), atCap);
    const over = read(`${atCap}x`) as Record<string, unknown>;
    assert.deepEqual([over.truncated, over.original_bytes], [true, PAYLOAD_BYTE_CAP + 1]);
    assert.equal(PAYLOAD_BYTE_CAP, 16_384);
  });

  test("D5-8 bytes are counted, not characters, and on the serialised form", () => {
    const umlauts = "ü".repeat(9_000);
    assert.equal((read(umlauts) as { original_bytes: number }).original_bytes, 18_002);
    const quotes = '"'.repeat(8_192);
    assert.equal((read(quotes) as { original_bytes: number }).original_bytes, 16_386);
    assert.equal(read('"'.repeat(8_191)), '"'.repeat(8_191));
  });

  test("D5-8 what is cut off fills the cap, ends at a character's edge, and is the text's beginning", () => {
    for (const part of ["x", "ü", "漢", "😀", '"', "\\", "\u0001", "a😀", "\n漢"]) {
      const value = { text: part.repeat(20_000) };
      const text = payloadText(value);
      const { data, original_bytes: original } = JSON.parse(text);
      assert.ok(bytesOf(text) <= PAYLOAD_BYTE_CAP, part);
      // One character in its longest escaped form may be missing, and no more.
      assert.ok(bytesOf(text) > PAYLOAD_BYTE_CAP - 14, `${part}: ${bytesOf(text)}`);
      assert.ok(JSON.stringify(value).startsWith(data), part);
      assert.ok((data as string).isWellFormed());
      assert.equal(original, bytesOf(JSON.stringify(value)));
    }
  });

  test("a long string is counted to its end and only its head is held", () => {
    const text = `${"word ".repeat(400_000)}ü`;
    const { head, bytes, counted } = jsonText(text, PAYLOAD_BYTE_CAP);
    assert.equal(bytes, bytesOf(JSON.stringify(text)));
    assert.ok(counted);
    assert.ok(head.length <= LONG_STRING + 2);
    const { data, original_bytes: original } = read(text) as Record<string, unknown>;
    assert.equal(original, bytes);
    assert.ok(`"${text}`.startsWith(data as string));
  });

  test("a value without an end is given up, and says that it is at least so long", () => {
    const endless: unknown = new Proxy([], {
      get: (_, name) => name === "length" ? Number.MAX_SAFE_INTEGER : 7,
    });
    const found = read(endless) as Record<string, unknown>;
    assert.equal(found.original_bytes_at_least, true);
    assert.ok((found.original_bytes as number) >= MAX_VALUES);
  });

  test("D5-8 any value in, valid JSON of at most 16,384 bytes out", () => {
    const anything = fc.anything({
      withBigInt: true,
      withBoxedValues: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withSparseArray: true,
      withNullPrototype: true,
      withObjectString: true,
      withUnicodeString: true,
    } as fc.ObjectConstraints);
    const large = fc.tuple(anything, fc.string({ unit: "binary" }), fc.nat(4_000))
      .map(([value, text, times]) => ({ value, text: text.repeat(times) }));
    fc.assert(
      fc.property(fc.oneof(anything, large, fc.array(large)), (value) => {
        const text = payloadText(value);
        JSON.parse(text);
        assert.ok(bytesOf(text) <= PAYLOAD_BYTE_CAP);
        assert.ok(text.isWellFormed());
      }),
      { numRuns: 300 },
    );
  });

  test("plain JSON in comes out as JSON.stringify writes it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const wanted = JSON.stringify(value);
        if (bytesOf(wanted) > PAYLOAD_BYTE_CAP) return;
        assert.deepEqual(JSON.parse(payloadText(value)), JSON.parse(wanted.toWellFormed()));
      }),
      { numRuns: 300 },
    );
  });

  test("the length in UTF-8 is what an encoder finds", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), fc.string(), (left, right) => {
      const text = `${left}${right}\ud83d`;
      assert.equal(utf8Length(text), bytesOf(text));
    }));
  });
});
