import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { guardsDocument } from "../../scripts/docs/guards_document.ts";
import { FACT_AREAS } from "../../src/guards/destructive_facts.ts";

describe("docs/guards.md", () => {
  test("is what the tables say; write it with: bun scripts/document_guards.ts", async () => {
    const written = await readFile(new URL("../../docs/guards.md", import.meta.url), "utf8");
    assert.equal(written, guardsDocument());
  });

  test("names every rule of every table", () => {
    const text = guardsDocument();
    for (const { facts } of FACT_AREAS) {
      for (const { name } of facts) assert.ok(text.includes(`| ${name} |`), name);
    }
  });
});
