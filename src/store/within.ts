import { StoreError } from "./port.ts";

/**
 * Waits for work no longer than a time limit; the work itself goes on.
 *
 * @throws {StoreError} `unreachable` when the time is up.
 */
export async function within<Value>(
  milliseconds: number,
  what: string,
  work: Promise<Value>,
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(new StoreError(`Cannot ${what}: no answer in ${milliseconds} ms`, "unreachable")),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
