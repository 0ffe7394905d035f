import type { Runtime } from "../runtime/port.ts";
import type { AdapterRegistry } from "./adapter_registry.ts";
import { type DataLoggerConfig, dataLoggerConfig } from "./data_logger_config.ts";
import { defaultAdapters } from "./default_adapters.ts";
import { dumpPath } from "./dump_path.ts";
import { type LogEntry, logEntry } from "./log_entry.ts";

/** How one dump differs from what is configured. */
export interface DumpOptions {
  /** Whether what was written is taken out of the log; as configured when left out. */
  readonly clear?: boolean;
  /** The file to write instead of a new one in the configured folder. It must not exist. */
  readonly path?: string;
}

/**
 * Keeps entries in memory and writes them to files: operational logging, configurable and mutable (D6-B).
 *
 * An entry leaves the log only after it has been written. A dump takes the entries that are there when it
 * begins and that no other dump is writing, writes them without holding anybody up, and clears those alone,
 * so that an entry that comes in meanwhile stays. A dump that fails clears nothing.
 *
 * It can be changed and cleared, so it is never evidence of anything.
 *
 * @example
 * ```ts
 * const logger = new DataLogger(runtime, { persistDir: "./logs", capacity: 100 });
 * logger.log({ what: "started" });
 * await logger.dump();
 * ```
 */
export class DataLogger {
  /** The whole configuration, defaults included. */
  readonly config: DataLoggerConfig;
  readonly #runtime: Runtime;
  readonly #adapters: AdapterRegistry;
  readonly #entries = new Map<string, LogEntry>();
  /** The ids that a dump is writing now. */
  readonly #writing = new Set<string>();
  /** The ids that a dump has written and left in the log; a dump of the logger's own does not write them again. */
  readonly #written = new Set<string>();
  /** The paths that dumps are writing now. */
  readonly #reserved = new Set<string>();
  readonly #background = new Set<Promise<unknown>>();
  #failedDumps = 0;
  #lastFailure: unknown = null;
  #takeBackExit: (() => void) | null = null;

  /**
   * Makes a logger; with `autoSaveOnExit` what is left is saved when the process ends.
   *
   * @param runtime The runtime.
   * @param config What differs from the defaults.
   * @param adapters What turns entries into text, chosen by {@linkcode DataLoggerConfig.extension}.
   * @throws RangeError When a number is out of its range.
   * @throws AdapterError When no adapter is there for the extension.
   */
  constructor(
    runtime: Runtime,
    config: Partial<DataLoggerConfig> = {},
    adapters: AdapterRegistry = defaultAdapters(),
  ) {
    this.config = dataLoggerConfig(config);
    this.#runtime = runtime;
    this.#adapters = adapters;
    adapters.get(this.config.extension);
    if (this.config.autoSaveOnExit) {
      this.#takeBackExit = runtime.env.onExit(() => this.#saveNow());
    }
  }

  /** The entries that are in the log, oldest first. */
  get entries(): readonly LogEntry[] {
    return [...this.#entries.values()];
  }

  /** How many dumps that the logger began by itself have failed. Their entries are still in the log. */
  get failedDumps(): number {
    return this.#failedDumps;
  }

  /** What the last of them failed with; `null` when none has. */
  get lastFailure(): unknown {
    return this.#lastFailure;
  }

  /**
   * Adds an entry. When the log is at its capacity a dump begins beside it; its failure is counted, not thrown.
   *
   * @param content Any data that JSON can hold; it is copied.
   * @throws TypeError When JSON cannot hold it: an entry that could never be written is refused at once.
   */
  log(content: unknown): LogEntry {
    const entry = logEntry(content);
    if (this.#isFull()) this.#dumpBeside();
    this.#entries.set(entry.id, entry);
    return entry;
  }

  /** Adds an entry; when the log is at its capacity, after a dump, and throws what that fails with. The entry is added all the same. */
  async alog(content: unknown): Promise<LogEntry> {
    const entry = logEntry(content);
    const dumped = this.#isFull() ? this.#write(this.#unwritten(), {}) : null;
    this.#entries.set(entry.id, entry);
    await dumped;
    return entry;
  }

  /**
   * Writes the entries to a file and returns its path; `null` when there was nothing to write.
   *
   * @throws AdapterError When the entries cannot be written in this format.
   * @throws FileSystemError When the file cannot be written.
   */
  async dump(options: DumpOptions = {}): Promise<string | null> {
    return await this.#write(this.entries, options);
  }

  /** The same as {@linkcode dump}, under the name the document gives to the asynchronous one. */
  adump(options: DumpOptions = {}): Promise<string | null> {
    return this.dump(options);
  }

  /** Takes every entry out of the log, written or not. */
  clear(): void {
    this.#entries.clear();
    this.#written.clear();
  }

  /** Resolves when the dumps that the logger began by itself have ended. */
  async settled(): Promise<void> {
    while (this.#background.size > 0) await Promise.all(this.#background);
  }

  /** Writes what is left and stops listening for the process's end. */
  async close(): Promise<void> {
    await this.settled();
    await this.#write(this.#unwritten(), {});
    this.#takeBackExit?.();
    this.#takeBackExit = null;
  }

  async #write(entries: readonly LogEntry[], options: DumpOptions): Promise<string | null> {
    // The lock of D6-B: up to the first await nothing else runs.
    const snapshot = entries.filter((entry) => !this.#writing.has(entry.id));
    if (snapshot.length === 0) return null;
    for (const entry of snapshot) this.#writing.add(entry.id);
    let path: string | null = null;
    try {
      const text = this.#text(snapshot);
      path = this.#reservePath(options.path);
      await this.#runtime.fs.makeDirectory(path.slice(0, path.lastIndexOf("/")) || "/");
      await this.#runtime.fs.writeFile(path, text);
      const clear = options.clear ?? this.config.clearAfterDump;
      for (const { id } of snapshot) {
        if (clear) this.#entries.delete(id);
        else if (this.#entries.has(id)) this.#written.add(id);
      }
      return path;
    } finally {
      for (const { id } of snapshot) this.#writing.delete(id);
      if (path !== null) this.#reserved.delete(path);
    }
  }

  /** The entries that are in no file and on the way to none. */
  #unwritten(): LogEntry[] {
    return this.entries.filter(({ id }) => !this.#written.has(id) && !this.#writing.has(id));
  }

  #isFull(): boolean {
    const { capacity } = this.config;
    return capacity !== null && this.#entries.size >= capacity &&
      this.#unwritten().length >= capacity;
  }

  #dumpBeside(): void {
    const dump = this.#write(this.#unwritten(), {}).catch((error) => this.#countFailure(error));
    this.#background.add(dump);
    dump.finally(() => this.#background.delete(dump));
  }

  #countFailure(error: unknown): void {
    this.#failedDumps++;
    this.#lastFailure = error;
  }

  #text(entries: readonly LogEntry[]): string {
    return this.#adapters.toObj(this.config.extension, entries, { many: true });
  }

  /** Takes a path where nothing stands and no other dump writes: a dump never writes over an earlier one. */
  #reservePath(wanted: string | undefined): string {
    const cwd = this.#runtime.env.cwd();
    for (let attempt = 1;; attempt++) {
      const path = wanted === undefined
        ? dumpPath(this.config, cwd, attempt)
        : wanted.startsWith("/")
        ? wanted
        : `${cwd}/${wanted}`;
      const taken = this.#runtime.fs.exists(path) || this.#reserved.has(path);
      if (!taken) {
        this.#reserved.add(path);
        return path;
      }
      if (wanted !== undefined) {
        throw new Error(`Cannot dump the log to ${path}: something is there already`);
      }
    }
  }

  /** Writes what no dump has finished writing, without waiting: the process ends. Throws nothing. */
  #saveNow(): void {
    try {
      const entries = this.entries.filter(({ id }) => !this.#written.has(id));
      if (entries.length === 0) return;
      this.#writeNow(this.#text(entries));
      this.#entries.clear();
    } catch (error) {
      this.#countFailure(error);
    }
  }

  #writeNow(text: string): void {
    const cwd = this.#runtime.env.cwd();
    for (let attempt = 1;; attempt++) {
      try {
        return this.#runtime.fs.writeNewFileNow(dumpPath(this.config, cwd, attempt), text);
      } catch (error) {
        const taken = (error as { code?: string }).code === "exists";
        if (!taken || attempt === MAX_EXIT_ATTEMPTS) throw error;
      }
    }
  }
}

/** Names that are tried at the process's end before it is let go. */
const MAX_EXIT_ATTEMPTS = 1_000;
