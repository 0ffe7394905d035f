/** Seeds of the four parts: any odd numbers that differ. */
const SEEDS = [0x811c9dc5, 0x1b873593, 0xcc9e2d51, 0x9e3779b1] as const;

/**
 * An id that is always the same for the same text, in the form of a UUID (version 8).
 *
 * Not for secrecy: it only lets the same event, told twice, be stored once. 122 bits, so that different texts
 * do not meet by chance.
 */
export function stableId(text: string): string {
  const parts = SEEDS.map((seed) => mixed(text, seed).toString(16).padStart(8, "0"));
  const digits = parts.join("");
  const variant = (parseInt(digits[16], 16) & 0x3 | 0x8).toString(16);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-` +
    `${variant}${digits.slice(17, 20)}-${digits.slice(20)}`;
}

/** FNV-1a over UTF-16 units, with a last mixing so that every bit depends on every unit. */
function mixed(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193 + (seed & 0xff00));
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
