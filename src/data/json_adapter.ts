import type { Adapter } from "./adapter.ts";
import { recordAdapter } from "./record_adapter.ts";

/** JSON: one value, or with `many` an array of them. */
export const jsonAdapter: Adapter<string> = recordAdapter({
  adapterKey: "json",
  objKey: ".json",
  title: "JSON",
  readRecords(text, many) {
    const value: unknown = JSON.parse(text);
    if (!many) return [value];
    if (!Array.isArray(value)) throw new TypeError("many objects need an array");
    return value;
  },
  writeRecords(records, many) {
    const text = JSON.stringify(many ? records : records[0], null, 2);
    if (text === undefined) throw new TypeError("the data is nothing that JSON has");
    return `${text}\n`;
  },
});
