/**
 * The adapter protocol: from a representation (JSON text, CSV text, …) to objects, and back (D6-A).
 *
 * It converts and nothing else: no call is wrapped, no policy asked, nothing has a life cycle. What an
 * adapter reads or writes is never evidence of anything.
 *
 * @module
 */

/** Makes an object of plain data: a zod schema, or a class with a static method. */
export interface Subject<T> {
  /** The method that is called unless another is named. */
  parse?(data: unknown): T;
}

/** How objects are made of a representation. */
export interface FromOptions<T> {
  /** Whether the representation holds any number of objects; else it must hold exactly one. */
  readonly many?: boolean;
  /** The subject's method that takes plain data, or a function; `parse` when left out. */
  readonly adaptMethod?: string | ((data: unknown, options: AdaptOptions) => T);
  /** What the method is given besides. */
  readonly adaptOptions?: AdaptOptions;
}

/** How a representation is made of objects. */
export interface ToOptions<T> {
  /** Whether `subject` is an array of objects. */
  readonly many?: boolean;
  /** The object's method that gives plain data, or a function; `toJSON` where the object has it, else the object itself. */
  readonly adaptMethod?: string | ((subject: T, options: AdaptOptions) => unknown);
  /** What the method is given. */
  readonly adaptOptions?: AdaptOptions;
}

/** Options for an adapting method; each method knows its own. */
export type AdaptOptions = Readonly<Record<string, unknown>>;

/** Converts between one representation and objects (D6-A). Every function throws {@linkcode AdapterError}. */
export interface Adapter<Representation = unknown> {
  /** The format's name: `json`, `csv`, … */
  readonly adapterKey: string;
  /** What the representation is called where it is kept: a file name's extension, such as `.json`. */
  readonly objKey: string;
  /** Makes many objects of a representation. */
  fromObj<T>(
    subject: Subject<T>,
    object: Representation,
    options: FromOptions<T> & { readonly many: true },
  ): T[];
  /** Makes one object of a representation. */
  fromObj<T>(
    subject: Subject<T>,
    object: Representation,
    options?: FromOptions<T> & { readonly many?: false },
  ): T;
  /** Makes a representation of many objects. */
  toObj<T>(
    subject: readonly T[],
    options: ToOptions<T> & { readonly many: true },
  ): Representation;
  /** Makes a representation of one object. */
  toObj<T>(subject: T, options?: ToOptions<T> & { readonly many?: false }): Representation;
}

/** A representation that could not be read or made. */
export class AdapterError extends Error {
  /** The name of the class, as errors tell it. */
  override readonly name = "AdapterError";
  /** The adapter's key. */
  readonly adapterKey: string;

  /** Makes the error; `cause` is what the format's library said, where it said anything. */
  constructor(adapterKey: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.adapterKey = adapterKey;
  }
}
