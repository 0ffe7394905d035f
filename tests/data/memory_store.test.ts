import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import fc from "fast-check";
import { InMemoryStore } from "../../src/data/in_memory_store.ts";
import type { MemoryItem, MemoryStore, MemoryValue } from "../../src/data/memory_store.ts";
import { SqliteMemoryStore } from "../../src/data/sqlite_memory_store.ts";
import { runtime } from "../../src/runtime/current.ts";

type WithStore = (body: (store: MemoryStore) => Promise<void>) => Promise<void>;

async function withSqlite(body: (store: SqliteMemoryStore) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "memory-"));
  const store = await SqliteMemoryStore.open(runtime, join(folder, "memory.sqlite"));
  try {
    await body(store);
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
}

const STORES: Readonly<Record<string, WithStore>> = {
  InMemoryStore: (body) => body(new InMemoryStore()),
  SqliteMemoryStore: withSqlite,
};

const contents = (items: readonly MemoryItem[]): string[] => items.map((item) => item.content);

for (const [name, withStore] of Object.entries(STORES)) {
  describe(`the contract of a memory store: ${name}`, () => {
    test("D6-C an item that is stored can be retrieved, and its id is a UUID", () =>
      withStore(async (store) => {
        const id = await store.store({ content: "hello", metadata: { kind: "note", size: 3 } });
        assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        const item = await store.retrieve(id);
        assert.equal(item?.content, "hello");
        assert.deepEqual({ ...item?.metadata }, { kind: "note", size: 3 });
        assert.equal(new Date(item!.createdAt).toISOString(), item!.createdAt);
        assert.ok(Object.isFrozen(item) && Object.isFrozen(item!.metadata));
        assert.deepEqual(await store.retrieve(id.toUpperCase()), item);
      }));

    test("D6-C what was never stored is null", () =>
      withStore(async (store) => {
        assert.equal(await store.retrieve(crypto.randomUUID()), null);
        assert.equal(await store.retrieve("' OR 1=1 --"), null);
      }));

    test("D6-C what the caller changes afterwards is not changed in the store", () =>
      withStore(async (store) => {
        const metadata = { kind: "note" };
        const id = await store.store({ content: "x", metadata });
        metadata.kind = "changed";
        assert.equal((await store.retrieve(id))?.metadata.kind, "note");
      }));

    test("D6-C an item with the same id takes the place of the first", () =>
      withStore(async (store) => {
        const id = await store.store({ content: "first", metadata: { a: 1 } });
        assert.equal(await store.store({ id, content: "second", metadata: { b: 2 } }), id);
        assert.equal((await store.retrieve(id))?.content, "second");
        assert.deepEqual(await store.search({ text: "first" }), []);
        assert.deepEqual(await store.search({ metadata: { a: 1 } }), []);
        assert.deepEqual(contents(await store.search({ text: "second" })), ["second"]);
        assert.equal((await store.search({})).length, 1);
      }));

    test("D6-C words are found whatever their case and accents, all of them or none", () =>
      withStore(async (store) => {
        await store.store({ content: "Der Käse, der schöne КИЙ" });
        for (const text of ["käse", "KASE schone", "кий", "der der"]) {
          assert.equal((await store.search({ text })).length, 1, text);
        }
        for (const text of ["käse brot", "käs", "", "?!", "käse -schöne wurst"]) {
          assert.equal((await store.search({ text })).length, 0, text);
        }
      }));

    test("D6-C a search text is words, never a query language", () =>
      withStore(async (store) => {
        await store.store({ content: "a OR b" });
        for (
          const text of ['"', "NEAR(a b)", "a*", "content:a", "a AND", "^a", "{a}", "(", "a'b"]
        ) {
          assert.ok((await store.search({ text })).length <= 1, text);
        }
        assert.equal((await store.search({ text: '"a" OR' })).length, 1);
      }));

    test("D6-C the item in which the words weigh most comes first", () =>
      withStore(async (store) => {
        await store.store({ content: "cat dog bird fish horse cow" });
        await store.store({ content: "cat" });
        await store.store({ content: "dog and a long text about many other things and one cat" });
        for (let index = 0; index < 5; index++) await store.store({ content: `none ${index}` });
        assert.deepEqual(contents(await store.search({ text: "cat" })).slice(0, 1), ["cat"]);
      }));

    test("D6-C among equals, and without words, the newest comes first, and the limit is kept", () =>
      withStore(async (store) => {
        for (let day = 1; day <= 12; day++) {
          const date = `2026-01-${String(day).padStart(2, "0")}T00:00:00Z`;
          await store.store({ content: "same", createdAt: date, metadata: { day } });
        }
        const days = async (query: Parameters<MemoryStore["search"]>[0]) =>
          (await store.search(query)).map((item) => item.metadata.day);
        assert.deepEqual(await days({}), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
        assert.deepEqual(await days({ text: "same", limit: 2 }), [12, 11]);
        assert.deepEqual(await days({ limit: 0 }), []);
        assert.deepEqual(
          await days({ since: "2026-01-03T01:00:00+01:00", until: "2026-01-05T00:00:00Z" }),
          [4, 3],
        );
      }));

    test("D6-C metadata is compared by value and kind", () =>
      withStore(async (store) => {
        const values: readonly MemoryValue[] = ["1", 1, true, null, 0.1, 1e300, "é\"'%", false];
        for (const value of values) await store.store({ content: "x", metadata: { key: value } });
        await store.store({ content: "without" });
        for (const value of values) {
          const found = await store.search({ metadata: { key: value } });
          assert.deepEqual(found.map((item) => item.metadata.key), [value]);
        }
        assert.deepEqual(await store.search({ metadata: { "": 1 } }), []);
        assert.deepEqual(await store.search({ metadata: { key: 1, other: 1 } }), []);
      }));

    test("D6-C words, metadata and times are asked together", () =>
      withStore(async (store) => {
        await store.store({ content: "apple pie", metadata: { by: "a" }, createdAt: "2026-01-01" });
        await store.store({ content: "apple jam", metadata: { by: "b" }, createdAt: "2026-01-02" });
        const found = await store.search({
          text: "apple",
          metadata: { by: "b" },
          since: "2026-01-01",
        });
        assert.deepEqual(contents(found), ["apple jam"]);
      }));

    test("what is malformed is refused", () =>
      withStore(async (store) => {
        await assert.rejects(store.store({ id: "1", content: "x" }), /its id 1 is no UUID/);
        await assert.rejects(store.store({ content: 1 as unknown as string }), TypeError);
        await assert.rejects(store.store({ content: "\ud800" }), TypeError);
        await assert.rejects(store.store({ content: "a\0b" }), TypeError);
        await assert.rejects(store.store({ content: "x", metadata: { a: "\0" } }), TypeError);
        await assert.rejects(store.store({ content: "x", metadata: { "\0": 1 } }), TypeError);
        await assert.rejects(store.store({ content: "x", metadata: { a: NaN } }), TypeError);
        const list = { a: [] as unknown as string };
        await assert.rejects(store.store({ content: "x", metadata: list }), TypeError);
        await assert.rejects(store.store({ content: "x", createdAt: "soon" }), TypeError);
        await assert.rejects(store.search({ limit: -1 }), TypeError);
        await assert.rejects(store.search({ since: "soon" }), TypeError);
        assert.deepEqual(await store.search({}), []);
      }));

    test("a search for a thousand words is answered", () =>
      withStore(async (store) => {
        const words = Array.from({ length: 1_000 }, (_, index) => `w${index}`).join(" ");
        await store.store({ content: words });
        assert.equal((await store.search({ text: words })).length, 1);
        assert.equal((await store.search({ text: `${words} more` })).length, 0);
      }));

    test("any text and any metadata comes back as it was", () =>
      withStore(async (store) => {
        const text = fc.string({ unit: "binary" }).filter((string) => !string.includes("\0"));
        const value = fc.oneof(
          text,
          fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
          fc.boolean(),
          fc.constant(null),
        );
        await fc.assert(
          fc.asyncProperty(
            text,
            fc.dictionary(text, value),
            async (content, metadata) => {
              const id = await store.store({ content, metadata });
              const item = await store.retrieve(id);
              assert.equal(item?.content, content);
              assert.deepEqual({ ...item.metadata }, { ...metadata });
              const found = await store.search({ metadata, limit: 1_000 });
              assert.ok(found.some((other) => other.id === id));
            },
          ),
          { numRuns: 30 },
        );
      }));
  });
}

describe("SqliteMemoryStore and InMemoryStore", () => {
  test("rank alike", async () => {
    const word = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h");
    const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        fc.array(word, { minLength: 1, maxLength: 3 }),
        async (texts, words) => {
          const sqlite = await SqliteMemoryStore.open(runtime, ":memory:");
          const memory = new InMemoryStore();
          for (const [index, content] of texts.entries()) {
            const id = crypto.randomUUID();
            const createdAt = new Date(index * 1_000).toISOString();
            await sqlite.store({ id, content, createdAt });
            await memory.store({ id, content, createdAt });
          }
          const query = { text: words.join(" "), limit: 20 };
          const found = contents(await sqlite.search(query));
          sqlite.close();
          assert.deepEqual(found, contents(await memory.search(query)));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("the file of a SqliteMemoryStore", () => {
  test("is there again when it is opened again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "memory-"));
    try {
      const path = join(folder, "memory.sqlite");
      const first = await SqliteMemoryStore.open(runtime, path);
      const id = await first.store({ content: "kept" });
      first.close();
      const second = await SqliteMemoryStore.open(runtime, path);
      assert.equal((await second.retrieve(id))?.content, "kept");
      assert.deepEqual(contents(await second.search({ text: "kept" })), ["kept"]);
      second.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("can be open twice, and both see what either keeps", async () => {
    const folder = mkdtempSync(join(tmpdir(), "memory-"));
    try {
      const path = join(folder, "memory.sqlite");
      const [left, right] = await Promise.all([
        SqliteMemoryStore.open(runtime, path),
        SqliteMemoryStore.open(runtime, path),
      ]);
      await left.store({ content: "left" });
      await right.store({ content: "right" });
      assert.equal((await left.search({})).length, 2);
      assert.equal((await right.search({})).length, 2);
      left.close();
      right.close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("of a later version is refused, and left as it is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "memory-"));
    try {
      const path = join(folder, "memory.sqlite");
      const database = await runtime.sqlite.open(path, { busyTimeoutMs: 1_000 });
      database.execute("PRAGMA user_version = 99");
      database.close();
      await assert.rejects(SqliteMemoryStore.open(runtime, path), /of the later version 99/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
