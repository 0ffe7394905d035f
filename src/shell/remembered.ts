/**
 * A function of texts that remembers its answers, in a process that asks often.
 *
 * @module
 */

/** A hook asks less often, and need not remember. */
export const ENOUGH_TO_REMEMBER = 32;
/** Lines may hold any number of texts; the memory for them may not grow with the lines. */
const LIMIT = 1_000;

/** The same function, which is asked once for each text that comes often. */
export function remembered<T>(tell: (text: string) => T): (text: string) => T {
  let known: Map<string, T> | undefined;
  let asked = 0;
  return (text) => {
    if (known !== undefined) {
      const before = known.get(text);
      if (before !== undefined) return before;
    }
    const answer = tell(text);
    if (++asked > ENOUGH_TO_REMEMBER) {
      known ??= new Map();
      if (known.size >= LIMIT) known.clear();
      known.set(text, answer);
    }
    return answer;
  };
}
