/** One entry of a log. Frozen. */
export interface LogEntry {
  /** A UUID. */
  readonly id: string;
  /** When it was made, ISO 8601 in UTC. */
  readonly createdAt: string;
  /** A copy of what was logged, as JSON holds it. */
  readonly content: unknown;
}

/**
 * Makes an entry.
 *
 * @throws TypeError When JSON cannot hold the content.
 */
export function logEntry(content: unknown): LogEntry {
  const text = jsonText(content);
  return Object.freeze({
    id: crypto.randomUUID(),
    createdAt: new Date().toISOString(),
    content: JSON.parse(text),
  });
}

function jsonText(content: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(content);
  } catch (cause) {
    throw new TypeError(`Cannot log this: ${(cause as Error).message}`, { cause });
  }
  if (text === undefined) throw new TypeError(`Cannot log this: JSON has no ${typeof content}`);
  return text;
}
