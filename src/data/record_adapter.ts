import {
  type Adapter,
  AdapterError,
  type AdaptOptions,
  type FromOptions,
  type Subject,
  type ToOptions,
} from "./adapter.ts";

/** What one format adds to the protocol: text to plain records and back. */
export interface RecordFormat {
  readonly adapterKey: string;
  readonly objKey: string;
  /** The format's name in messages. */
  readonly title: string;
  /** Reads a text into its records. One record is an array of one. May throw anything. */
  readRecords(text: string, many: boolean): unknown[];
  /** Writes records as a text. May throw anything. */
  writeRecords(records: readonly unknown[], many: boolean): string;
}

/** Makes the adapter of a text format. */
export function recordAdapter(format: RecordFormat): Adapter<string> {
  const { adapterKey, objKey, title } = format;
  const guarded = <T>(doing: string, body: () => T): T => {
    try {
      return body();
    } catch (cause) {
      if (cause instanceof AdapterError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new AdapterError(adapterKey, `Cannot ${doing}: ${why}`, cause);
    }
  };
  function fromObj<T>(subject: Subject<T>, text: string, options: FromOptions<T> = {}): T | T[] {
    const many = options.many ?? false;
    const records = guarded(`read ${title}`, () => format.readRecords(text, many));
    const objects = records.map((record, index) =>
      guarded(`make an object of record ${index + 1}`, () => adaptFrom(subject, record, options))
    );
    if (many) return objects;
    if (objects.length !== 1) {
      throw new AdapterError(
        adapterKey,
        `Cannot read one object from ${title}: it holds ${objects.length}; ask for many`,
      );
    }
    return objects[0];
  }
  function toObj<T>(subject: T | readonly T[], options: ToOptions<T> = {}): string {
    const many = options.many ?? false;
    if (many && !Array.isArray(subject)) {
      throw new AdapterError(adapterKey, `Cannot write many objects as ${title}: not an array`);
    }
    const subjects = many ? subject as readonly T[] : [subject as T];
    const records = subjects.map((one, index) =>
      guarded(`take the data of object ${index + 1}`, () => adaptTo(one, options))
    );
    return guarded(`write ${title}`, () => format.writeRecords(records, many));
  }
  return Object.freeze({ adapterKey, objKey, fromObj, toObj }) as Adapter<string>;
}

function adaptFrom<T>(subject: Subject<T>, record: unknown, options: FromOptions<T>): T {
  const { adaptMethod = "parse", adaptOptions = {} } = options;
  if (typeof adaptMethod === "function") return adaptMethod(record, adaptOptions);
  return method<T>(subject, adaptMethod).call(subject, record, adaptOptions);
}

function adaptTo<T>(subject: T, options: ToOptions<T>): unknown {
  const { adaptMethod, adaptOptions = {} } = options;
  if (typeof adaptMethod === "function") return adaptMethod(subject, adaptOptions);
  if (adaptMethod !== undefined) {
    return method<unknown>(subject, adaptMethod).call(subject, adaptOptions);
  }
  const toJSON = (subject as { toJSON?: unknown } | null | undefined)?.toJSON;
  return typeof toJSON === "function" ? toJSON.call(subject, "") : subject;
}

function method<T>(owner: unknown, name: string): (...values: [unknown, AdaptOptions?]) => T {
  const found = (owner as Record<string, unknown> | null | undefined)?.[name];
  if (typeof found !== "function") throw new TypeError(`there is no method ${name}`);
  return found as (...values: [unknown, AdaptOptions?]) => T;
}
