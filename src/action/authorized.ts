/** Calls that `act` has asked the gate about already; asking twice would ask the user twice. */
const authorized = new WeakSet<object>();

/** Notes that the gate has allowed this one `FunctionCalling`. For `act` alone; not part of the front door. */
export function markAuthorized(call: object): void {
  authorized.add(call);
}

/** Whether the gate has allowed this call already. */
export function isAuthorized(call: object): boolean {
  return authorized.has(call);
}
