import { parse, parseAllDocuments, stringify } from "yaml";
import type { Adapter } from "./adapter.ts";
import { recordAdapter } from "./record_adapter.ts";

/** YAML 1.2: one value; with `many` a sequence of them, or several documents. */
export const yamlAdapter: Adapter<string> = recordAdapter({
  adapterKey: "yaml",
  objKey: ".yaml",
  title: "YAML",
  readRecords(text, many) {
    if (!many) return [parse(text)];
    const documents = parseAllDocuments(text);
    if (!Array.isArray(documents)) return [];
    for (const document of documents) {
      if (document.errors.length > 0) throw document.errors[0];
    }
    const values: unknown[] = documents.map((document) => document.toJS());
    if (values.length !== 1) return values;
    if (!Array.isArray(values[0])) {
      throw new TypeError("many objects need a sequence, or several documents");
    }
    return values[0];
  },
  writeRecords: (records, many) => stringify(many ? records : records[0]),
});
