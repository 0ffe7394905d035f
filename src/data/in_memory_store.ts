import { checkedQuery, memoryItem, memoryWords } from "./memory_item.ts";
import type { MemoryItem, MemoryQuery, MemoryStore, NewMemoryItem } from "./memory_store.ts";

/** BM25's two usual parameters, as SQLite's FTS5 sets them, so that both stores rank alike. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** What a word counts that most items hold. */
const LEAST_WEIGHT = 1e-6;

/** Weights closer than this are equal. */
const PRECISION = 1e9;

interface Kept {
  readonly item: MemoryItem;
  readonly words: readonly string[];
}

/** A memory store that lives as long as its process (D6-C). Never evidence of anything. */
export class InMemoryStore implements MemoryStore {
  readonly #kept = new Map<string, Kept>();

  // deno-lint-ignore require-await -- the protocol is asynchronous, and a malformed item rejects
  async store(given: NewMemoryItem): Promise<string> {
    const item = memoryItem(given);
    this.#kept.set(item.id, { item, words: memoryWords(item.content) });
    return item.id;
  }

  retrieve(id: string): Promise<MemoryItem | null> {
    return Promise.resolve(this.#kept.get(id.toLowerCase())?.item ?? null);
  }

  // deno-lint-ignore require-await -- the protocol is asynchronous, and a malformed query rejects
  async search(given: MemoryQuery): Promise<MemoryItem[]> {
    const query = checkedQuery(given);
    if (query.words?.length === 0) return [];
    const weigh = query.words === null ? () => 0 : this.#weigher(query.words);
    return [...this.#kept.values()]
      .filter(({ item, words }) =>
        (query.words === null || query.words.every((word) => words.includes(word))) &&
        query.metadata.every(([name, value]) =>
          Object.hasOwn(item.metadata, name) && item.metadata[name] === value
        ) &&
        (query.since === null || item.createdAt >= query.since) &&
        (query.until === null || item.createdAt < query.until)
      )
      .map((kept) => ({ item: kept.item, weight: Math.round(weigh(kept) * PRECISION) }))
      .sort((left, right) =>
        right.weight - left.weight ||
        compareText(right.item.createdAt, left.item.createdAt) ||
        compareText(left.item.id, right.item.id)
      )
      .slice(0, query.limit)
      .map(({ item }) => item);
  }

  /** How much the words weigh in an item: rare words more, in a short text more. */
  #weigher(queried: readonly string[]): (kept: Kept) => number {
    const all = [...this.#kept.values()];
    const average = all.reduce((sum, { words }) => sum + words.length, 0) / all.length;
    const rarity = queried.map((word) => {
      const holding = all.filter(({ words }) => words.includes(word)).length;
      return Math.max(Math.log((all.length - holding + 0.5) / (holding + 0.5)), LEAST_WEIGHT);
    });
    return ({ words }) =>
      queried.reduce((sum, word, index) => {
        const times = words.filter((other) => other === word).length;
        const length = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * words.length / average;
        return sum + rarity[index] * times * (SATURATION + 1) / (times + SATURATION * length);
      }, 0);
  }
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
