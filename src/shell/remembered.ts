/**
 * Answers about texts that are remembered, in a process that asks often.
 *
 * @module
 */

/** Answers that were given before, by text. Begins as `{ asked: 0, known: null }`, which a hook can afford. */
export interface Memory<T> {
  asked: number;
  known: Map<string, T> | null;
}

/** A hook asks less often, and need not remember. */
export const ENOUGH_TO_REMEMBER = 32;
/** Lines may hold any number of texts; the memory for them may not grow with the lines. */
const LIMIT = 1_000;

/** The answer that was kept for a text. */
export function recall<T>({ known }: Memory<T>, text: string): T | undefined {
  return known === null ? undefined : known.get(text);
}

/** Keeps an answer, once enough of them were asked for, and gives it back. */
export function keep<T>(memory: Memory<T>, text: string, answer: T): T {
  if (++memory.asked <= ENOUGH_TO_REMEMBER) return answer;
  const known = memory.known ??= new Map();
  if (known.size >= LIMIT) known.clear();
  known.set(text, answer);
  return answer;
}
