import type { Adapter } from "./adapter.ts";
import { recordAdapter } from "./record_adapter.ts";

/** JSON Lines: a JSON value on each line. Empty lines are passed over. */
export const jsonLinesAdapter: Adapter<string> = recordAdapter({
  adapterKey: "jsonl",
  objKey: ".jsonl",
  title: "JSON Lines",
  readRecords(text) {
    const records: unknown[] = [];
    for (const [index, line] of text.split("\n").entries()) {
      if (line.trim() === "") continue;
      try {
        records.push(JSON.parse(line));
      } catch (cause) {
        throw new SyntaxError(`line ${index + 1}: ${(cause as Error).message}`, { cause });
      }
    }
    return records;
  },
  writeRecords(records) {
    return records.map((record) => {
      const line = JSON.stringify(record);
      if (line === undefined) throw new TypeError("the data is nothing that JSON has");
      return `${line}\n`;
    }).join("");
  },
});
