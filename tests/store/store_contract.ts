/**
 * What every signal store promises, asked of a real backend.
 *
 * @module
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  DEFAULT_PAGE_SIZE,
  type SignalRecord,
  type SignalStore,
  StoreError,
} from "../../src/store/port.ts";

/** Where a test's store stands: opened as often as the test likes, removed at the end. */
export interface StorePlace {
  open(): Promise<SignalStore>;
  remove(): Promise<void>;
}

/** A record with an id and a payload of its own. */
export function record(id: string, more: Partial<SignalRecord> = {}): SignalRecord {
  return { id, kind: "Signal", opId: "", ts: 1_700_000_000, payload: `{"id":"${id}"}`, ...more };
}

/** Records `prefix-1` to `prefix-count`. */
export function records(prefix: string, count: number): SignalRecord[] {
  return Array.from({ length: count }, (_, index) => record(`${prefix}-${index + 1}`));
}

/** Declares the contract's tests for a backend. */
export function describeStore(
  name: string,
  place: () => Promise<StorePlace>,
  skip: string | false = false,
): void {
  const withStore = (
    title: string,
    body: (store: SignalStore, place: StorePlace) => Promise<void>,
  ): void =>
    void test(title, { skip }, async () => {
      const where = await place();
      try {
        const store = await where.open();
        try {
          await body(store, where);
        } finally {
          await store.close();
        }
      } finally {
        await where.remove();
      }
    });

  describe(`a signal store in ${name}`, () => {
    withStore("D5-9 seq is one-based and MAX(seq)+1 in each session", async (store) => {
      assert.equal(await store.append({ id: "a" }, records("a", 3)), 3);
      assert.equal(await store.append({ id: "b" }, records("b", 2)), 2);
      assert.equal(await store.append({ id: "a" }, records("c", 2)), 2);
      assert.deepEqual((await store.read("a")).map(({ seq, id }) => [seq, id]), [
        [1, "a-1"],
        [2, "a-2"],
        [3, "a-3"],
        [4, "c-1"],
        [5, "c-2"],
      ]);
      assert.deepEqual((await store.read("b")).map(({ seq }) => seq), [1, 2]);
    });

    withStore("D5-9 a page has seq > afterSeq, ascending, 500 rows by default", async (store) => {
      await store.append({ id: "a" }, records("a", 1_203));
      const first = await store.read("a");
      assert.equal(first.length, DEFAULT_PAGE_SIZE);
      assert.equal(DEFAULT_PAGE_SIZE, 500);
      const second = await store.read("a", { afterSeq: first.at(-1)!.seq });
      const third = await store.read("a", { afterSeq: second.at(-1)!.seq });
      assert.equal(third.length, 203);
      assert.deepEqual(
        [...first, ...second, ...third].map(({ seq }) => seq),
        Array.from({ length: 1_203 }, (_, index) => index + 1),
      );
      assert.deepEqual(await store.read("a", { afterSeq: 1_203 }), []);
      assert.deepEqual((await store.read("a", { afterSeq: 7, limit: 2 })).map(({ seq }) => seq), [
        8,
        9,
      ]);
      assert.deepEqual(await store.read("unknown"), []);
    });

    withStore(
      "D5-9 many handles appending to one session leave no gap and no double",
      async (store, place) => {
        const handles = [store, await place.open(), await place.open(), await place.open()];
        await Promise.all(handles.map(async (handle, index) => {
          for (let count = 0; count < 40; count++) {
            await handle.append({ id: "a" }, [record(`${index}-${count}`)]);
          }
        }));
        for (const handle of handles.slice(1)) await handle.close();
        const read = await store.read("a");
        assert.deepEqual(
          read.map(({ seq }) => seq),
          Array.from({ length: 160 }, (_, index) => index + 1),
        );
        assert.equal(new Set(read.map(({ id }) => id)).size, 160);
      },
    );

    withStore(
      "a record whose id is there already is passed over, and takes no number",
      async (store) => {
        await store.append({ id: "a" }, records("a", 2));
        assert.equal(
          await store.append({ id: "a" }, [
            record("a-2", { payload: '{"other":1}' }),
            record("new"),
            record("new"),
            record("last"),
          ]),
          2,
        );
        assert.equal(await store.append({ id: "b" }, [record("a-1")]), 0);
        assert.deepEqual((await store.read("a")).map(({ seq, id }) => [seq, id]), [
          [1, "a-1"],
          [2, "a-2"],
          [3, "new"],
          [4, "last"],
        ]);
        assert.equal((await store.read("a"))[1].payload, '{"id":"a-2"}');
      },
    );

    withStore("appending nothing writes nothing", async (store) => {
      assert.equal(await store.append({ id: "a" }, []), 0);
      assert.deepEqual(await store.sessions(), []);
    });

    withStore("D5-10 rows disappear when their session is deleted", async (store) => {
      await store.append({ id: "a" }, records("a", 3));
      await store.append({ id: "b" }, records("b", 1));
      assert.equal(await store.deleteSession("a"), true);
      assert.equal(await store.deleteSession("a"), false);
      assert.deepEqual(await store.read("a"), []);
      assert.equal((await store.stats()).signals, 1);
      assert.equal(await store.append({ id: "a" }, records("again", 1)), 1);
      assert.equal((await store.read("a"))[0].seq, 1);
    });

    withStore("D5-11 rows remain when the store is opened again", async (store, place) => {
      await store.append({ id: "a", client: "codex" }, records("a", 3));
      const again = await place.open();
      assert.equal((await again.read("a")).length, 3);
      assert.equal(await again.append({ id: "a" }, records("b", 1)), 1);
      assert.equal((await store.read("a")).at(-1)!.seq, 4);
      await again.close();
    });

    withStore("a record comes back as it was given", async (store) => {
      const given = record("a", {
        kind: "ToolDecided",
        opId: "call-7",
        ts: 1_700_000_000.125,
        payload: JSON.stringify({
          text: 'quotes " \\ \u0000 \u001b[31m \u202e é 漢 😀',
          deep: [[[1]]],
        }),
      });
      await store.append({ id: "s" }, [given]);
      assert.deepEqual({ ...(await store.read("s"))[0] }, { ...given, sessionId: "s", seq: 1 });
      assert.ok(Object.isFrozen((await store.read("s"))[0]));
    });

    withStore("NUL and lone surrogates in columns become U+FFFD", async (store) => {
      await store.append({ id: "s\0x", client: "c\0", cwd: "/a\ud800b" }, [
        record("id\0", { opId: "op\0\udc00", kind: "K\0", payload: "{}" }),
      ]);
      const [signal] = await store.read("s\0x");
      assert.deepEqual(
        [signal.id, signal.opId, signal.kind, signal.sessionId],
        ["id\ufffd", "op\ufffd\ufffd", "K\ufffd", "s\ufffdx"],
      );
      const [session] = await store.sessions();
      assert.deepEqual([session.client, session.cwd], ["c\ufffd", "/a\ufffdb"]);
      assert.equal(await store.deleteSession("s\0x"), true);
    });

    withStore("a session learns its client and folder once, and keeps them", async (store) => {
      await store.append({ id: "s", startedAt: 100 }, [record("1")]);
      assert.deepEqual(
        (await store.sessions()).map(({ client, cwd, startedAt }) => [client, cwd, startedAt]),
        [[null, null, 100]],
      );
      await store.append({ id: "s", client: "codex", cwd: "/repo", startedAt: 200 }, [record("2")]);
      await store.append({ id: "s", client: "other", cwd: "/else", startedAt: 300 }, [record("3")]);
      assert.deepEqual(
        (await store.sessions()).map(({ client, cwd, startedAt }) => [client, cwd, startedAt]),
        [["codex", "/repo", 100]],
      );
    });

    withStore(
      "sessions are listed with their calls and denials, the latest first",
      async (store) => {
        const decided = (id: string, behavior: string, ts: number) =>
          record(id, {
            kind: "ToolDecided",
            ts,
            payload: `{"tool":"bash","behavior":"${behavior}"}`,
          });
        await store.append({ id: "old", client: "codex" }, [record("1", { ts: 10 })]);
        await store.append({ id: "new", client: "claude-code", cwd: "/repo", startedAt: 20 }, [
          decided("2", "allow", 20),
          decided("3", "deny", 21),
          decided("4", "deny", 22),
          record("5", { ts: 30, payload: '{"behavior":"deny"}' }),
        ]);
        assert.deepEqual((await store.sessions()).map((session) => ({ ...session })), [
          {
            id: "new",
            client: "claude-code",
            cwd: "/repo",
            startedAt: 20,
            lastAt: 30,
            signals: 4,
            calls: 3,
            denials: 2,
          },
          {
            id: "old",
            client: "codex",
            cwd: null,
            startedAt: 10,
            lastAt: 10,
            signals: 1,
            calls: 0,
            denials: 0,
          },
        ]);
        assert.deepEqual((await store.sessions({ limit: 1 })).map(({ id }) => id), ["new"]);
        assert.deepEqual((await store.sessions({ client: "codex" })).map(({ id }) => id), ["old"]);
        assert.deepEqual((await store.sessions({ since: 15 })).map(({ id }) => id), ["new"]);
      },
    );

    withStore("a search takes every filter, and all of them together", async (store) => {
      await store.append({ id: "s" }, [
        record("aa1", {
          ts: 1,
          kind: "ToolProposed",
          opId: "c1",
          payload: '{"tool":"bash","args":{}}',
        }),
        record("aa2", {
          ts: 2,
          kind: "ToolDecided",
          opId: "c1",
          payload: '{"tool":"bash","behavior":"deny"}',
        }),
        record("ab3", {
          ts: 3,
          kind: "ToolDecided",
          opId: "c2",
          payload: '{"tool":"reader","behavior":"allow"}',
        }),
      ]);
      await store.append({ id: "t" }, [
        record("ac4", {
          ts: 4,
          kind: "ToolDecided",
          opId: "c3",
          payload: '{"tool":"bash","behavior":"allow"}',
        }),
        record("ad5", { ts: 5, payload: '{"note":"\\"tool\\":\\"bash\\""}' }),
      ]);
      const ids = async (filter: Parameters<SignalStore["search"]>[0]) =>
        (await store.search(filter)).map(({ id }) => id);
      assert.deepEqual(await ids({}), ["ad5", "ac4", "ab3", "aa2", "aa1"]);
      assert.deepEqual(await ids({ sessionId: "s" }), ["ab3", "aa2", "aa1"]);
      assert.deepEqual(await ids({ kinds: ["ToolDecided", "Signal"] }), [
        "ad5",
        "ac4",
        "ab3",
        "aa2",
      ]);
      assert.deepEqual(await ids({ kinds: [] }), []);
      assert.deepEqual(await ids({ tool: "bash" }), ["ac4", "aa2", "aa1"]);
      assert.deepEqual(await ids({ behavior: "deny" }), ["aa2"]);
      assert.deepEqual(await ids({ opId: "c1" }), ["aa2", "aa1"]);
      assert.deepEqual(await ids({ since: 3 }), ["ad5", "ac4", "ab3"]);
      assert.deepEqual(await ids({ idPrefix: "aa" }), ["aa2", "aa1"]);
      assert.deepEqual(await ids({ idPrefix: "a%" }), []);
      assert.deepEqual(
        await ids({
          tool: "bash",
          kinds: ["ToolDecided"],
          since: 2,
          behavior: "allow",
          sessionId: "t",
        }),
        ["ac4"],
      );
    });

    withStore("a search is read in pages, forwards and backwards", async (store) => {
      await store.append(
        { id: "s" },
        Array.from({ length: 25 }, (_, index) => record(`r${index}`, { ts: index })),
      );
      for (const newestFirst of [true, false]) {
        const seen: string[] = [];
        let after: { id: string; ts: number } | undefined;
        while (true) {
          const page = await store.search({}, { limit: 10, newestFirst, after });
          if (page.length === 0) break;
          seen.push(...page.map(({ id }) => id));
          after = page.at(-1)!;
        }
        const wanted = Array.from({ length: 25 }, (_, index) => `r${index}`);
        assert.deepEqual(seen, newestFirst ? wanted.reverse() : wanted);
      }
    });

    withStore("prune removes what is too old, and sessions with nothing left", async (store) => {
      await store.append({ id: "old", startedAt: 10 }, [
        record("1", { ts: 10 }),
        record("2", { ts: 20 }),
      ]);
      await store.append({ id: "both", startedAt: 10 }, [
        record("3", { ts: 30 }),
        record("4", { ts: 90 }),
      ]);
      const report = await store.prune({ maxAgeSeconds: 50, now: 100 });
      assert.deepEqual([report.signals, report.sessions], [3, 1]);
      assert.deepEqual((await store.sessions()).map(({ id }) => id), ["both"]);
      assert.equal(await store.append({ id: "both" }, [record("5")]), 1);
      assert.deepEqual((await store.read("both")).map(({ seq }) => seq), [2, 3]);
    });

    withStore(
      "prune to a size removes the oldest, gives the space back, and writing goes on",
      async (store) => {
        const payload = JSON.stringify({ filling: "x".repeat(8_000) });
        for (let batch = 0; batch < 10; batch++) {
          await store.append(
            { id: `s${batch}` },
            records(`b${batch}`, 60).map((one) => ({ ...one, payload, ts: batch })),
          );
        }
        const before = await store.stats();
        const maxBytes = Math.floor(before.bytes / 2);
        const report = await store.prune({ maxBytes });
        assert.ok(report.signals > 0);
        assert.ok(report.bytesAfter <= maxBytes * 1.1, `${report.bytesAfter} of ${maxBytes}`);
        assert.equal((await store.stats()).bytes, report.bytesAfter);
        assert.deepEqual(await store.read("s0"), []);
        assert.equal((await store.read("s9")).length, 60);
        assert.equal(await store.append({ id: "s9" }, [record("more")]), 1);
        assert.equal((await store.read("s9")).at(-1)!.seq, 61);
      },
    );

    withStore("prune of a store that is within its bounds removes nothing", async (store) => {
      await store.append({ id: "s" }, records("s", 5));
      const report = await store.prune({ maxAgeSeconds: 1e12, maxBytes: 1e12 });
      assert.deepEqual([report.signals, report.sessions], [0, 0]);
    });

    withStore("stats count sessions, signals and kinds", async (store) => {
      const empty = await store.stats();
      assert.deepEqual([empty.sessions, empty.signals, empty.oldest, empty.newest], [
        0,
        0,
        null,
        null,
      ]);
      await store.append({ id: "s" }, [
        record("1", { ts: 5, kind: "A" }),
        record("2", { ts: 7, kind: "B" }),
        record("3", { ts: 6, kind: "B" }),
      ]);
      const { bytes, ...rest } = await store.stats();
      assert.ok(bytes > 0);
      assert.deepEqual(rest, {
        backend: store.backend,
        sessions: 1,
        signals: 3,
        oldest: 5,
        newest: 7,
        kinds: [{ kind: "B", count: 2 }, { kind: "A", count: 1 }],
      });
    });

    test("many programs that open a fresh store at once make one schema", { skip }, async () => {
      const where = await place();
      try {
        const handles = await Promise.all(Array.from({ length: 6 }, () => where.open()));
        await Promise.all(
          handles.map((handle, index) => handle.append({ id: "s" }, [record(`r${index}`)])),
        );
        assert.deepEqual((await handles[0].read("s")).map(({ seq }) => seq), [1, 2, 3, 4, 5, 6]);
        for (const handle of handles) await handle.close();
      } finally {
        await where.remove();
      }
    });

    withStore(
      "a store may be closed twice, and says so when it is used afterwards",
      async (store) => {
        await store.close();
        await store.close();
        await assert.rejects(store.read("s"), StoreError);
      },
    );
  });
}
