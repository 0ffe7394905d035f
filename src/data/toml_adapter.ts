import { parse, stringify } from "smol-toml";
import type { Adapter } from "./adapter.ts";
import { recordAdapter } from "./record_adapter.ts";

/** TOML has no list at its top; many objects are the tables of this name. */
const TABLES = "items";

/** TOML 1.0: one table; with `many` the tables of the array `items`. TOML has no `null`. */
export const tomlAdapter: Adapter<string> = recordAdapter({
  adapterKey: "toml",
  objKey: ".toml",
  title: "TOML",
  readRecords(text, many) {
    const table = parse(text);
    if (!many) return [table];
    // No tables at all is an empty list: TOML cannot write one of tables.
    const tables = table[TABLES] ?? [];
    if (!Array.isArray(tables)) throw new TypeError(`many objects need an array ${TABLES}`);
    return tables;
  },
  writeRecords(records, many) {
    for (const record of records) requireTable(record);
    return stringify(many ? { [TABLES]: records } : records[0] as Record<string, unknown>);
  },
});

function requireTable(record: unknown): void {
  if (typeof record !== "object" || record === null || Array.isArray(record)) {
    throw new TypeError("TOML needs an object at its top");
  }
  refuseNull(record, []);
}

/** The library leaves `null` out without a word, and what is left out is lost. */
function refuseNull(value: unknown, path: readonly string[]): void {
  if (value === null) throw new TypeError(`TOML has no null, and ${path.join(".")} is null`);
  if (typeof value !== "object" || value instanceof Date) return;
  for (const [name, inner] of Object.entries(value)) refuseNull(inner, [...path, name]);
}
