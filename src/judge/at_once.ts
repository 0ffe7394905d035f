/** What is there already, or comes later. */
export type Eventual<T> = T | Promise<T>;

/**
 * Goes on with a value: at once when it is there already. A hook that judges a plain call waits for nothing then, and
 * waiting costs it more than judging.
 */
export function atOnce<T, Result>(
  value: Eventual<T>,
  goOn: (value: T) => Eventual<Result>,
): Eventual<Result> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
