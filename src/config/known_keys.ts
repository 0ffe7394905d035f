import {
  fileSchema,
  guardSchemas,
  hookSchema,
  policySchema,
  ruleSchema,
  signalsSchema,
  testSchema,
} from "./schema.ts";

/** The keys each mapping may have, by its place in the file: what an unknown key may have been meant to be. */
const KEYS: Readonly<Record<string, () => string[]>> = {
  "": () => Object.keys(fileSchema.shape),
  "policy": () => Object.keys(policySchema.shape),
  "guards": () => Object.keys(guardSchemas),
  "guards.destructive": () => Object.keys(guardSchemas.destructive.shape),
  "guards.paths": () => Object.keys(guardSchemas.paths.shape),
  "hooks.#": () => Object.keys(hookSchema.shape),
  "tests.#": () => Object.keys(testSchema.shape),
  "signals": () => Object.keys(signalsSchema.shape),
  "completion": () => Object.keys(fileSchema.shape.completion.unwrap().shape),
};

/** The keys that a mapping at a place may have; none when the place has no fixed keys. */
export function knownKeys(path: readonly PropertyKey[]): string[] {
  const place = path.map((step) => typeof step === "number" ? "#" : String(step)).join(".");
  if (/^policy\.(?:allow|deny|escalate)\.[^.]+\.#$/.test(place)) {
    return Object.keys(ruleSchema.shape);
  }
  return Object.hasOwn(KEYS, place) ? KEYS[place]() : [];
}
