import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { type Adapter, AdapterError } from "../../src/data/adapter.ts";
import { AdapterRegistry } from "../../src/data/adapter_registry.ts";
import { defaultAdapters } from "../../src/data/default_adapters.ts";

/** A class that is made of data and gives data, the way a subject of the document does. */
class Point {
  constructor(readonly x: number, readonly y: number) {}

  static parse(data: unknown): Point {
    const { x, y } = data as Record<string, unknown>;
    return Point.of({ x: Number(x), y: Number(y) });
  }

  static of(data: unknown, options: { shift?: number } = {}): Point {
    const { x, y } = data as { x: number; y: number };
    if (!Number.isFinite(x) || !Number.isFinite(y)) throw new TypeError("no point");
    return new Point(x + (options.shift ?? 0), y);
  }

  dump(options: { swap?: boolean } = {}): unknown {
    return options.swap ? { x: this.y, y: this.x } : { x: this.x, y: this.y };
  }

  toJSON(): unknown {
    return this.dump();
  }
}

const FORMATS = ["json", "jsonl", "csv", "yaml", "toml"];
const POINTS = [new Point(1, 2), new Point(-3, 4.5)];

/** Takes plain data as it is. */
const ANYTHING = { parse: (data: unknown) => data };

describe("the adapters", () => {
  const adapters = defaultAdapters();

  for (const key of FORMATS) {
    test(`D6-A ${key}: one object goes out and comes back`, () => {
      const text = adapters.toObj(key, POINTS[0]);
      assert.equal(typeof text, "string");
      assert.deepEqual(adapters.fromObj(key, Point, text), POINTS[0]);
    });

    test(`D6-A ${key}: many objects go out and come back`, () => {
      const text = adapters.toObj(key, POINTS, { many: true });
      assert.deepEqual(adapters.fromObj(key, Point, text, { many: true }), POINTS);
    });

    test(`D6-A ${key}: none at all are many, too`, () => {
      const text = adapters.toObj(key, [], { many: true });
      assert.deepEqual(adapters.fromObj(key, Point, text, { many: true }), []);
    });

    test(`D6-A ${key}: the adapting method is chosen by name, with options`, () => {
      const text = adapters.toObj(key, POINTS[0], {
        adaptMethod: "dump",
        adaptOptions: { swap: true },
      });
      const back = adapters.fromObj(key, Point, text, {
        adaptMethod: key === "csv" ? "parse" : "of",
        adaptOptions: { shift: 10 },
      });
      assert.deepEqual(back, key === "csv" ? new Point(2, 1) : new Point(12, 1));
    });

    test(`D6-A ${key}: the adapting method can be a function`, () => {
      const text = adapters.toObj(key, 7, { adaptMethod: (seven: number) => ({ seven }) });
      const back = adapters.fromObj(key, {}, text, {
        adaptMethod: (data: unknown) => Number((data as { seven: unknown }).seven),
      });
      assert.equal(back, 7);
    });

    test(`D6-A ${key}: a schema is a subject`, () => {
      const schema = z.object({ name: z.string(), size: z.coerce.number() });
      const text = adapters.toObj(key, [{ name: "a", size: 1 }], { many: true });
      assert.deepEqual(adapters.fromObj(key, schema, text, { many: true }), [
        { name: "a", size: 1 },
      ]);
    });

    test(`D6-A ${key}: what the subject refuses says which record it was`, () => {
      const text = adapters.toObj(key, [{ x: 1, y: 2 }, { x: "a", y: 2 }], { many: true });
      assert.throws(
        () => adapters.fromObj(key, Point, text, { many: true }),
        (error) =>
          error instanceof AdapterError && error.adapterKey === key &&
          /^Cannot make an object of record 2: no point$/.test(error.message),
      );
    });

    test(`D6-A ${key}: a method that is not there is an error`, () => {
      assert.throws(() => adapters.toObj(key, POINTS[0], { adaptMethod: "nothing" }), AdapterError);
    });

    test(`D6-A ${key}: many that is no array is an error`, () => {
      const notAnArray = POINTS[0] as unknown as Point[];
      assert.throws(() => adapters.toObj(key, notAnArray, { many: true }), AdapterError);
    });
  }

  const UNREADABLE: readonly (readonly [string, string, RegExp])[] = [
    ["json", "{", /^Cannot read JSON: /],
    ["jsonl", '{"a":1}\n{', /^Cannot read JSON Lines: line 2: /],
    ["csv", "a,b\n1\n", /^Cannot read CSV: /],
    ["csv", "a,a\n1,2\n", /^Cannot read CSV: the column "a" is there twice$/],
    ["csv", 'a\n"1\n', /^Cannot read CSV: /],
    ["yaml", "a: [", /^Cannot read YAML: /],
    ["toml", "a =", /^Cannot read TOML: /],
  ];
  for (const [key, text, message] of UNREADABLE) {
    test(`${key}: ${JSON.stringify(text)} is refused with a reason`, () => {
      assert.throws(
        () => adapters.fromObj(key, ANYTHING, text, { many: true }),
        (error) => error instanceof AdapterError && message.test(error.message),
      );
    });
  }

  test("one object is not silently taken out of several, nor out of none", () => {
    for (const key of ["jsonl", "csv"]) {
      const several = adapters.toObj(key, POINTS, { many: true });
      assert.throws(() => adapters.fromObj(key, Point, several), /it holds 2; ask for many/);
      assert.throws(() => adapters.fromObj(key, Point, ""), /it holds 0/);
    }
  });

  test("yaml: several documents are many objects", () => {
    assert.deepEqual(
      adapters.fromObj("yaml", ANYTHING, "a: 1\n---\na: 2\n", { many: true }),
      [{ a: 1 }, { a: 2 }],
    );
  });

  test("toml: null is refused, not left out", () => {
    assert.throws(
      () => adapters.toObj("toml", { a: { b: null } }),
      /TOML has no null, and a\.b is/,
    );
  });

  test("csv: a formula, a line break and a quote stay text", () => {
    const rows = [{ a: '=1+1\r\n"x"', b: "" }, { a: ",", b: "\r" }];
    const text = adapters.toObj("csv", rows, { many: true });
    assert.deepEqual(adapters.fromObj("csv", ANYTHING, text, { many: true }), rows);
  });

  test("csv: what has structure is written as JSON, and what is missing as nothing", () => {
    const text = adapters.toObj("csv", [{ a: { b: [1] } }, { c: null }], { many: true });
    assert.equal(text, 'a,c\n"{""b"":[1]}",\n,\n');
  });

  test("every table of texts survives CSV", () => {
    const table = fc.uniqueArray(fc.string({ unit: "binary", minLength: 1 }), {
      minLength: 1,
      maxLength: 4,
    }).chain((names) =>
      fc.array(
        fc.tuple(...names.map(() => fc.string({ unit: "binary" })))
          .map((values) => Object.fromEntries(names.map((name, index) => [name, values[index]]))),
        { minLength: 1, maxLength: 5 },
      )
    );
    fc.assert(fc.property(table, (rows) => {
      const text = adapters.toObj("csv", rows, { many: true });
      assert.deepEqual(adapters.fromObj("csv", ANYTHING, text, { many: true }), rows);
    }));
  });

  for (const key of ["json", "jsonl", "yaml"]) {
    test(`every list of JSON values survives ${key}`, () => {
      fc.assert(fc.property(fc.array(fc.jsonValue({ noUnicodeString: false })), (values) => {
        // Negative zero is the one number JSON cannot write.
        const expected = JSON.parse(JSON.stringify(values));
        const text = adapters.toObj(key, expected, { many: true });
        assert.deepEqual(adapters.fromObj(key, ANYTHING, text, { many: true }), expected);
      }));
    });
  }
});

describe("AdapterRegistry", () => {
  test("finds an adapter by the format's key and by the representation's", () => {
    const adapters = defaultAdapters();
    assert.deepEqual(adapters.list(), ["csv", "json", "jsonl", "toml", "yaml"]);
    assert.equal(adapters.get("json"), adapters.get(".json"));
    assert.equal(adapters.has(".csv"), true);
    assert.equal(adapters.has("xml"), false);
  });

  test("says what there is when it is asked for what is not", () => {
    assert.throws(() => defaultAdapters().get("xml"), /for xml: there are csv, json, jsonl/);
    assert.throws(() => new AdapterRegistry().get("xml"), /there are none/);
  });

  test("keeps a key for the first who takes it, unless told", () => {
    const adapters = defaultAdapters();
    const other = { ...adapters.get("json") } as Adapter<string>;
    assert.throws(() => adapters.register(other), /the key json is taken/);
    assert.equal(adapters.register(other, { replace: true }).get(".json"), other);
  });
});
