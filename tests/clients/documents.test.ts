import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { DOCUMENT, withTable } from "../../scripts/clients/capability_table.ts";
import { INSTALLATIONS } from "../../src/clients/install/registry.ts";

describe("docs/clients.md", () => {
  const document = readFileSync(DOCUMENT, "utf8");

  test("its table says what the code says (`bun scripts/clients/capability_table.ts` writes it)", () => {
    assert.equal(document, withTable(document));
  });

  test("it names every file that an installation writes", () => {
    for (const installation of Object.values(INSTALLATIONS)) {
      for (const scope of ["user", "project", "system"] as const) {
        const place = {
          scope,
          home: "~",
          project: ".",
          platform: "linux",
          variables: {},
          sha256: () => Promise.resolve(""),
        } as const;
        if (installation.client === "opencode" && scope === "system") continue;
        for (const path of installation.paths(place)) {
          assert.ok(document.includes(path.replace(/^\.\//, "")), path);
        }
      }
    }
  });
});
