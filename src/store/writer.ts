import { type ArgumentsMode, DEFAULT_ARGUMENTS_MODE, prepareSignal } from "../signals/record.ts";
import type { Signal } from "../signals/signal.ts";
import { type SignalRecord, type SignalStore, StoreError } from "./port.ts";

/** How a {@linkcode SignalWriter} batches, bounds and redacts. */
export interface SignalWriterOptions {
  /** Signals a transaction holds. Default 100: beyond it a transaction costs more than it saves. */
  readonly batchSize?: number;
  /** Milliseconds a signal waits for others. Default 50. */
  readonly delayMs?: number;
  /** Signals that may wait; what comes beyond is dropped and counted. Default 10,000. */
  readonly bufferSize?: number;
  /** Milliseconds one write may take before it is given up. Default 5,000. */
  readonly timeoutMs?: number;
  /** What is stored of arguments and answers. Default `redacted`. */
  readonly arguments?: ArgumentsMode;
}

/** What a writer counts. */
export interface WriterCounts {
  readonly written: number;
  readonly lost: number;
}

/** Milliseconds before a write that met a busy store is tried again; doubled each time, with jitter. */
const FIRST_RETRY_MS = 20;
/** Tries before a batch is given up. */
const TRIES = 6;

/**
 * Writes the signals of one session to a store in batches, best effort: nothing here throws or rejects, the
 * buffer and the wait are bounded, and what is lost is counted (D5-6).
 *
 * A signal is prepared when it is added, so what happens to its payload afterwards changes nothing.
 */
export class SignalWriter {
  readonly #sessionId: string;
  readonly #open: () => Promise<SignalStore | null>;
  readonly #mode: ArgumentsMode;
  readonly #batchSize: number;
  readonly #delayMs: number;
  readonly #bufferSize: number;
  readonly #timeoutMs: number;
  #store: Promise<SignalStore | null> | null = null;
  #waiting: SignalRecord[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> | null = null;
  #written = 0;
  #lost = 0;
  #closed = false;

  constructor(
    sessionId: string,
    store: SignalStore | (() => Promise<SignalStore | null>),
    options: SignalWriterOptions = {},
  ) {
    this.#sessionId = sessionId;
    this.#open = typeof store === "function" ? store : () => Promise.resolve(store);
    this.#mode = options.arguments ?? DEFAULT_ARGUMENTS_MODE;
    this.#batchSize = options.batchSize ?? 100;
    this.#delayMs = options.delayMs ?? 50;
    this.#bufferSize = options.bufferSize ?? 10_000;
    this.#timeoutMs = options.timeoutMs ?? 5_000;
  }

  /** What was written and lost so far. */
  get counts(): WriterCounts {
    return { written: this.#written, lost: this.#lost };
  }

  /** Takes a signal. Never throws. */
  add(signal: Signal): void {
    if (this.#closed || this.#waiting.length >= this.#bufferSize) {
      this.#lost++;
      return;
    }
    try {
      this.#waiting.push(prepareSignal(signal, this.#mode));
    } catch {
      this.#lost++;
      return;
    }
    if (this.#waiting.length >= this.#batchSize) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), this.#delayMs);
  }

  /** Resolves when everything taken so far is written or given up. Never rejects. */
  async flush(): Promise<void> {
    while (this.#writing !== null || this.#waiting.length > 0) {
      this.#start();
      await this.#writing;
    }
  }

  /** Takes no more, and resolves when what was taken is written or given up. The store stays open. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
  }

  async #writeAll(): Promise<void> {
    // One turn of the event loop: an emitter in a tight loop fills the batch meanwhile.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#batchSize);
      if (await this.#write(batch)) this.#written += batch.length;
      else this.#lost += batch.length;
    }
  }

  async #write(batch: readonly SignalRecord[]): Promise<boolean> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      try {
        const store = await within(this.#timeoutMs, this.#store ??= this.#open());
        if (store === null) return false;
        await within(this.#timeoutMs, store.append({ id: this.#sessionId }, batch));
        return true;
      } catch (error) {
        if (!(error instanceof StoreError) || error.code !== "busy") {
          // A store that could not be opened may be there the next time.
          this.#store = null;
          return false;
        }
        const pause = FIRST_RETRY_MS * 2 ** attempt * (0.5 + Math.random());
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    return false;
  }
}

async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new StoreError(`Cannot write signals: no answer in ${milliseconds} ms`, "unreachable"),
        ),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
