/** Whether two values say the same: records and arrays by their parts, all else by identity. */
export function sameArguments(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
    return false;
  }
  const isArray = Array.isArray(left);
  if (isArray !== Array.isArray(right)) return false;
  const prototype = Object.getPrototypeOf(left);
  if (prototype !== Object.getPrototypeOf(right)) return false;
  // Dates, maps and the like have no parts to compare here, so they are the same only when they are one.
  if (!isArray && prototype !== Object.prototype && prototype !== null) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(right, name)) return false;
    const [one, other] = [left, right] as Record<string, unknown>[];
    if (!sameArguments(one[name], other[name])) return false;
  }
  return true;
}
