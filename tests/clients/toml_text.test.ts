import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  hasInlineTable,
  hasTomlTable,
  tomlString,
  tomlValue,
  withoutTomlTable,
  withTomlValue,
} from "../../src/clients/install/toml_text.ts";

const TEXT = `# settings
model = "x" # the model
notes = """
[features]
hooks = false
"""
list = [
  "[features]",
  [1, 2],
]

[features] # switches
web = true   # on
# hooks = false

[ "a.b" ]
key = 'it''s'

[[hooks.PreToolUse]]
x = 1
`;

describe("TOML as text", () => {
  test("a value is found in its own table, not in strings, lists or comments", () => {
    assert.equal(tomlValue(TEXT, "features", "web"), "true");
    assert.equal(tomlValue(TEXT, "features", "hooks"), null);
    assert.equal(tomlValue(TEXT, "hooks.PreToolUse", "x"), "1");
  });

  test("a value is added under its header, and everything else stays", () => {
    const changed = withTomlValue(TEXT, "features", "hooks", "true");
    assert.equal(changed, TEXT.replace("# switches\n", "# switches\nhooks = true\n"));
    assert.equal(tomlValue(changed, "features", "hooks"), "true");
  });

  test("a value is changed where it stands, its comment kept", () => {
    assert.equal(
      withTomlValue(TEXT, "features", "web", "false"),
      TEXT.replace("web = true ", "web = false "),
    );
  });

  test("a new table comes at the end, after a blank line, with the file's line ends", () => {
    assert.equal(withTomlValue("a = 1", "t", "k", "2"), "a = 1\n\n[t]\nk = 2\n");
    assert.equal(withTomlValue("a = 1\r\n", "t", "k", "2"), "a = 1\r\n\r\n[t]\r\nk = 2\r\n");
    assert.equal(withTomlValue("", "t", "k", "2"), "[t]\nk = 2\n");
  });

  test("a table that was added and taken out leaves the text as it was", () => {
    for (const text of [TEXT, "", "a = 1\n", "[t]\nk = 1\n"]) {
      assert.equal(withoutTomlTable(withTomlValue(text, "new.table", "k", "1"), "new.table"), text);
    }
  });

  test("the short form of a table is seen", () => {
    assert.ok(hasInlineTable("hooks = { a = 1 }\n", "", "hooks"));
    assert.ok(hasInlineTable("hooks.state = {}\n", "", "hooks"));
    assert.ok(hasInlineTable("[hooks]\nstate = {}\n", "hooks", "state"));
    assert.ok(!hasInlineTable("[hooks.state]\n", "", "hooks"));
    assert.ok(hasTomlTable(TEXT, "features"));
    assert.ok(!hasTomlTable(TEXT, "tui"));
  });

  test("a text that was set is read back, whatever is in it", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (value) => {
      const text = withTomlValue(TEXT, "features", "name", tomlString(value));
      assert.equal(tomlValue(text, "features", "name"), tomlString(value));
      assert.equal(tomlValue(text, "features", "web"), "true");
    }));
  });
});
