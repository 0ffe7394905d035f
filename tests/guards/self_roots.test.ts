import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { movedClientFiles } from "../../src/guards/self_roots.ts";

describe("movedClientFiles()", () => {
  test("is empty when nothing is moved", () => {
    assert.deepEqual(movedClientFiles((name) => name === "HOME" ? "/home/u" : undefined), []);
    assert.deepEqual(movedClientFiles((name) => name === "CODEX_HOME" ? "" : undefined), []);
  });

  test("names what a variable has moved", () => {
    assert.deepEqual(
      movedClientFiles((name) => name === "CODEX_HOME" ? "/srv/codex" : undefined),
      ["/srv/codex/hooks.json", "/srv/codex/config.toml"],
    );
  });

  test("names what is below the home folder as a line may write it", () => {
    const variables: Record<string, string> = { HOME: "/home/u", CODEX_HOME: "/home/u/x" };
    assert.deepEqual(
      movedClientFiles((name) => variables[name]).filter((path) => path.endsWith(".toml")),
      ["/home/u/x/config.toml", "~/x/config.toml", "$HOME/x/config.toml"],
    );
  });
});
