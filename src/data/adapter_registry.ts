import {
  type Adapter,
  AdapterError,
  type FromOptions,
  type Subject,
  type ToOptions,
} from "./adapter.ts";

/** Adapters by key: an adapter's own (`json`), or what its representation is called (`.json`). */
export class AdapterRegistry {
  readonly #adapters = new Map<string, Adapter<string>>();

  /**
   * Adds an adapter under both of its keys, and returns the registry.
   *
   * @throws AdapterError When a key is taken; `replace` takes it over.
   */
  register(adapter: Adapter<string>, options: { readonly replace?: boolean } = {}): this {
    const keys = [adapter.adapterKey, adapter.objKey];
    for (const key of keys) {
      if (this.#adapters.has(key) && options.replace !== true) {
        throw new AdapterError(
          adapter.adapterKey,
          `Cannot register the adapter ${adapter.adapterKey}: the key ${key} is taken`,
        );
      }
    }
    for (const key of keys) this.#adapters.set(key, adapter);
    return this;
  }

  /** Whether there is an adapter for a key. */
  has(key: string): boolean {
    return this.#adapters.has(key);
  }

  /**
   * The adapter for a key.
   *
   * @throws AdapterError When there is none.
   */
  get(key: string): Adapter<string> {
    const adapter = this.#adapters.get(key);
    if (adapter === undefined) {
      throw new AdapterError(
        key,
        `Cannot find an adapter for ${key}: there are ${this.list().join(", ") || "none"}`,
      );
    }
    return adapter;
  }

  /** The keys of the registered adapters, sorted. */
  list(): string[] {
    return [...new Set([...this.#adapters.values()].map((adapter) => adapter.adapterKey))].sort();
  }

  /** Makes objects by the adapter for a key; {@linkcode Adapter.fromObj}. */
  fromObj<T>(
    key: string,
    subject: Subject<T>,
    object: string,
    options: FromOptions<T> & { readonly many: true },
  ): T[];
  /** Makes one object by the adapter for a key. */
  fromObj<T>(
    key: string,
    subject: Subject<T>,
    object: string,
    options?: FromOptions<T> & { readonly many?: false },
  ): T;
  fromObj<T>(
    key: string,
    subject: Subject<T>,
    object: string,
    options: FromOptions<T> = {},
  ): T | T[] {
    const adapter = this.get(key);
    return options.many === true
      ? adapter.fromObj(subject, object, { ...options, many: true })
      : adapter.fromObj(subject, object, { ...options, many: false });
  }

  /** Makes a representation by the adapter for a key; {@linkcode Adapter.toObj}. */
  toObj<T>(
    key: string,
    subject: readonly T[],
    options: ToOptions<T> & { readonly many: true },
  ): string;
  /** Makes a representation of one object by the adapter for a key. */
  toObj<T>(
    key: string,
    subject: T,
    options?: ToOptions<T> & { readonly many?: false },
  ): string;
  toObj<T>(key: string, subject: T | readonly T[], options: ToOptions<T> = {}): string {
    const adapter = this.get(key);
    return options.many === true
      ? adapter.toObj(subject as readonly T[], { ...options, many: true })
      : adapter.toObj(subject as T, { ...options, many: false });
  }
}
