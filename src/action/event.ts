import { Element, type ElementInit } from "../signals/element.ts";

/**
 * Where an event stands in its life (D3-6).
 *
 * `pending` becomes `processing`, and that becomes `completed`, `failed` or `cancelled`. An event that never ran can be
 * `skipped` (not needed) or `aborted` (given up).
 */
export type EventStatus =
  | "pending"
  | "processing"
  | "completed"
  | "failed"
  | "skipped"
  | "cancelled"
  | "aborted";

/** What came of an event so far. Frozen; a new one takes its place whenever the status changes. */
export interface Execution {
  /** Where it stands. */
  readonly status: EventStatus;
  /** What the event gave; `null` before it completed, and when it did not. */
  readonly response: unknown;
  /** What was thrown; `null` when nothing was. */
  readonly error: unknown;
  /** Milliseconds from start to end; `null` before the end, and for what never ran. */
  readonly durationMs: number | null;
}

/** How an event is run. */
export interface InvokeOptions {
  /** Cancels the event when it is aborted. */
  readonly signal?: AbortSignal;
}

const PENDING: Execution = Object.freeze({
  status: "pending",
  response: null,
  error: null,
  durationMs: null,
});

/**
 * Something that runs once and remembers what came of it (D3-6).
 *
 * {@linkcode Event.invoke} captures what its work throws and does not throw it again: the status says `failed` and
 * `execution.error` says why. Only a cancellation, an aborted `AbortSignal`, is thrown on.
 */
export abstract class Event extends Element {
  #execution: Execution = PENDING;

  /** Makes a pending event. */
  constructor(init: ElementInit = {}) {
    super(init);
  }

  /** What came of it so far. */
  get execution(): Execution {
    return this.#execution;
  }

  /** Where it stands. */
  get status(): EventStatus {
    return this.#execution.status;
  }

  /** What it gave; `null` before it completed, and when it did not. */
  get response(): unknown {
    return this.#execution.response;
  }

  /** The work. What it throws becomes the event's error. */
  protected abstract run(options: InvokeOptions): Promise<unknown>;

  /**
   * Runs the event, once.
   *
   * When the signal is aborted the promise rejects at once, even if the work goes on; the work gets the signal to stop by.
   *
   * @returns The event itself.
   * @throws {Error} when it ran before, or was skipped or given up.
   * @throws What cancelled it, when the signal is aborted; the status is `cancelled` then.
   */
  async invoke(options: InvokeOptions = {}): Promise<this> {
    if (this.status !== "pending") {
      throw new Error(`Cannot run ${this.describe()}: it is ${this.status} already`);
    }
    this.#execution = Object.freeze({ ...PENDING, status: "processing" });
    const started = performance.now();
    const end = (status: EventStatus, outcome: { response?: unknown; error?: unknown }): void => {
      const durationMs = performance.now() - started;
      this.#execution = Object.freeze({ ...PENDING, ...outcome, status, durationMs });
    };
    try {
      options.signal?.throwIfAborted();
      const response = await settleOrAbort(this.run(options), options.signal);
      end("completed", { response: response ?? null });
    } catch (error) {
      if (options.signal?.aborted === true) {
        end("cancelled", { error });
        throw error;
      }
      end("failed", { error });
    }
    return this;
  }

  /** Marks a pending event as not needed. */
  markSkipped(): this {
    return this.#giveUp("skipped", null);
  }

  /** Gives a pending event up. @param reason Becomes its error. */
  markAborted(reason: unknown = null): this {
    return this.#giveUp("aborted", reason);
  }

  /**
   * Makes sure that it completed.
   *
   * @throws {Error} when it did not; its cause is the event's own error.
   */
  assertCompleted(): void {
    const { status, error } = this.#execution;
    if (status === "completed") return;
    const why = error === null ? "" : `: ${error instanceof Error ? error.message : String(error)}`;
    throw new Error(`Expected ${this.describe()} to be completed, it is ${status}${why}`, {
      cause: error,
    });
  }

  /** How messages name it. */
  protected describe(): string {
    return `the event ${this.id}`;
  }

  #giveUp(status: "skipped" | "aborted", error: unknown): this {
    if (this.status !== "pending") {
      throw new Error(`Cannot leave ${this.describe()} out: it is ${this.status} already`);
    }
    this.#execution = Object.freeze({ ...PENDING, status, error });
    return this;
  }
}

/** Work that does not listen to the signal is not waited for. */
async function settleOrAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(() => {});
  }
}
