import { compileWildcard, type Wildcard } from "./wildcard.ts";

/**
 * Tells whether a text matches a pattern: as they are, or both lower-cased (D1-6).
 *
 * `*` is any run of characters, `?` any one character, `[abc]`, `[a-c]` and `[!abc]` one character of a set;
 * a `[` that is not closed stands for itself. Characters are code points.
 *
 * @example
 * ```ts
 * import { matchesWildcard } from "@gatehouse/gatehouse";
 *
 * matchesWildcard("git push origin main", "git push *"); // true
 * matchesWildcard("rm a/b", "rm *"); // true: a star crosses slashes
 * ```
 */
export function matchesWildcard(text: string, pattern: string): boolean {
  let wildcard = cache.get(pattern);
  if (wildcard === undefined) {
    wildcard = compileWildcard(pattern);
    if (cache.size >= CACHE_LIMIT) cache.clear();
    cache.set(pattern, wildcard);
  }
  return wildcard.matches(text);
}

/** How many compiled patterns {@linkcode matchesWildcard} remembers. */
const CACHE_LIMIT = 1_000;
const cache = new Map<string, Wildcard>();
