import { type ArgumentsMode, DEFAULT_ARGUMENTS_MODE, prepareSignal } from "../signals/record.ts";
import type { Signal } from "../signals/signal.ts";
import type { SignalRecord, SignalStore } from "./port.ts";
import { within } from "./within.ts";

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
  #everything = false;
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
    if (this.#waiting.length >= this.#batchSize) this.#start(false);
    else this.#wait();
  }

  /** Resolves when everything taken so far is written or given up. Never rejects. */
  async flush(): Promise<void> {
    while (this.#writing !== null || this.#waiting.length > 0) {
      this.#start(true);
      await this.#writing;
    }
  }

  /** Takes no more, and resolves when what was taken is written or given up. The store stays open. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
  }

  /** Sees to it that what waits is written after a moment, however little it is. */
  #wait(): void {
    this.#timer ??= setTimeout(() => this.#start(true), this.#delayMs);
  }

  /** @param everything Also what does not fill a batch. */
  #start(everything: boolean): void {
    this.#everything ||= everything;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
      if (this.#waiting.length > 0) this.#wait();
    });
  }

  async #writeAll(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    // While one batch is written the next one fills: small ones would cost a transaction each.
    while (this.#waiting.length >= (this.#everything ? 1 : this.#batchSize)) {
      const batch = this.#waiting.splice(0, this.#batchSize);
      if (await this.#write(batch)) this.#written += batch.length;
      else this.#lost += batch.length;
    }
    this.#everything = false;
  }

  async #write(batch: readonly SignalRecord[]): Promise<boolean> {
    try {
      const store = await within(
        this.#timeoutMs,
        "open the signal store",
        this.#store ??= this.#open(),
      );
      if (store === null) {
        // It may be there the next time.
        this.#store = null;
        return false;
      }
      await within(
        this.#timeoutMs,
        "write signals",
        store.append({ id: this.#sessionId }, batch),
      );
      return true;
    } catch {
      // A store that cannot be opened now may be there the next time.
      if (!await this.#isOpen()) this.#store = null;
      return false;
    }
  }

  async #isOpen(): Promise<boolean> {
    try {
      return await Promise.race([this.#store, null]) !== null;
    } catch {
      return false;
    }
  }
}
