/** A list that keeps the newest items and counts what it dropped. Adding costs the same however full it is. */
export class Ring<Item> implements Iterable<Item> {
  /** How many items are kept. */
  readonly capacity: number;
  readonly #items: Item[] = [];
  #oldest = 0;
  #dropped = 0;

  /**
   * @param capacity How many items to keep, at least 1.
   * @throws {RangeError} When `capacity` is not a whole number of at least 1.
   */
  constructor(capacity: number) {
    if (!Number.isSafeInteger(capacity) || capacity < 1) {
      throw new RangeError(
        `Cannot keep ${capacity} items: a ring needs a whole number of at least 1`,
      );
    }
    this.capacity = capacity;
  }

  /** How many items are kept now. */
  get size(): number {
    return this.#items.length;
  }

  /** How many items had to go to make room. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Adds an item; the oldest goes when there is no room. */
  push(item: Item): void {
    if (this.#items.length < this.capacity) {
      this.#items.push(item);
      return;
    }
    this.#items[this.#oldest] = item;
    this.#oldest = this.#oldest + 1 === this.capacity ? 0 : this.#oldest + 1;
    this.#dropped++;
  }

  /** The kept items, oldest first, as a new array. */
  toArray(): Item[] {
    return [...this.#items.slice(this.#oldest), ...this.#items.slice(0, this.#oldest)];
  }

  /** Visits the kept items, oldest first, as they were when the visit began. */
  [Symbol.iterator](): Iterator<Item> {
    return this.toArray()[Symbol.iterator]();
  }
}
