/** How a log is kept and written (D6-B). */
export interface DataLoggerConfig {
  /** The folder of the files; relative to the current one. Default `./data/logs`. */
  readonly persistDir: string;
  /** A folder within it. Default `null`. */
  readonly subfolder: string | null;
  /** What a file's name begins with. Default `null`. */
  readonly filePrefix: string | null;
  /** How many entries the log holds before it writes them by itself; `null`, the default, is without bound. */
  readonly capacity: number | null;
  /** The format, by an adapter's key such as `.json`, which is also the file's extension. Default `.json`. */
  readonly extension: string;
  /** Whether a file's name holds the time. Default `true`. */
  readonly useTimestamp: boolean;
  /** How many random hexadecimal digits a file's name ends in, 0 to 10; `null` is none. Default 5; the document gives no reason for it. Without any, two processes may choose the same name. */
  readonly hashDigits: number | null;
  /** Whether what is left is written when the process ends by itself or by an exit; not by a signal. Default `true`. */
  readonly autoSaveOnExit: boolean;
  /** Whether entries leave the log when they have been written. Default `true`. */
  readonly clearAfterDump: boolean;
}

const DEFAULTS: DataLoggerConfig = {
  persistDir: "./data/logs",
  subfolder: null,
  filePrefix: null,
  capacity: null,
  extension: ".json",
  useTimestamp: true,
  hashDigits: 5,
  autoSaveOnExit: true,
  clearAfterDump: true,
};

/** The most random digits a name can have. */
const MAX_HASH_DIGITS = 10;

/**
 * Completes a configuration.
 *
 * @throws RangeError When a number is out of its range.
 */
export function dataLoggerConfig(given: Partial<DataLoggerConfig>): DataLoggerConfig {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const config: DataLoggerConfig = { ...DEFAULTS, ...Object.fromEntries(set) };
  const { hashDigits, capacity } = config;
  if (hashDigits !== null && !isWhole(hashDigits, 0, MAX_HASH_DIGITS)) {
    throw new RangeError(
      `Cannot use ${hashDigits} hash digits: a whole number from 0 to ${MAX_HASH_DIGITS}, or null`,
    );
  }
  if (capacity !== null && !isWhole(capacity, 1, Number.MAX_SAFE_INTEGER)) {
    throw new RangeError(
      `Cannot use the capacity ${capacity}: a whole number from 1, or null for no bound`,
    );
  }
  return Object.freeze(config);
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}
