/** What a new {@linkcode Element} may be given instead of fresh values. */
export interface ElementInit {
  /** An id; a random UUID when left out. */
  readonly id?: string;
  /** Seconds since the epoch; now when left out. */
  readonly createdAt?: number;
  /** Anything to keep beside it; it is not copied. */
  readonly metadata?: Record<string, unknown>;
}

/**
 * Whatever has an identity, a birth time and room for metadata (D5). Only elements are observable: the
 * observer wraps everything else in a `Signal`.
 */
export class Element {
  /** Seconds since the epoch when it was made. */
  readonly createdAt: number;
  /** Anything that was kept beside it. */
  readonly metadata: Record<string, unknown>;
  // A UUID costs more than the rest of an emission, and most elements leave the ring unread.
  #id: string | undefined;

  /** Makes an element with fresh values for what is left out. */
  constructor(init: ElementInit = {}) {
    this.#id = init.id;
    this.createdAt = init.createdAt ?? Date.now() / 1_000;
    this.metadata = init.metadata ?? {};
  }

  /** Its id, the same every time it is read. */
  get id(): string {
    return this.#id ??= crypto.randomUUID();
  }
}
