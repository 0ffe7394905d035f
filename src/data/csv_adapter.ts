import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import type { Adapter } from "./adapter.ts";
import { recordAdapter } from "./record_adapter.ts";

/**
 * CSV with a header line (RFC 4180): each line is an object, each column a property.
 *
 * CSV has nothing but text: what was a number is read as its digits, and the subject has to know. Arrays and
 * objects in a cell are written as JSON, nothing (`null`, a missing property) as an empty cell.
 */
export const csvAdapter: Adapter<string> = recordAdapter({
  adapterKey: "csv",
  objKey: ".csv",
  title: "CSV",
  readRecords(text) {
    const [header, ...lines] = parse(text, { bom: true, skip_empty_lines: true });
    if (header === undefined) return [];
    requireUniqueColumns(header);
    return lines.map((line) =>
      Object.fromEntries(line.map((value, index) => [header[index], value]))
    );
  },
  writeRecords(records) {
    const columns = new Set<string>();
    for (const record of records) {
      if (typeof record !== "object" || record === null || Array.isArray(record)) {
        throw new TypeError("a line needs an object with a property for each column");
      }
      for (const name of Object.keys(record)) columns.add(name);
    }
    const names = [...columns];
    // The lines are given as arrays: a column's name may hold a dot, and is no path.
    const lines = records.map((record) =>
      names.map((name) => cell((record as Record<string, unknown>)[name]))
    );
    if (names.length === 0) return "";
    return stringify([names, ...lines], {
      quoted_match: /[\r\ufeff]/, // they would end a line, or be taken for the file's mark
      quoted_empty: names.length === 1, // an empty line is no line
    });
  },
});

function requireUniqueColumns(header: readonly string[]): void {
  const twice = header.find((name, index) => header.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new SyntaxError(`the column ${JSON.stringify(twice)} is there twice`);
  }
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "boolean":
    case "bigint":
      return String(value);
    case "object":
      return value instanceof Date ? value.toISOString() : JSON.stringify(value);
    default:
      throw new TypeError(`a cell cannot hold a ${typeof value}`);
  }
}
