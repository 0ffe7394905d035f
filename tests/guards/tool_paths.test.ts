import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Arguments, Behavior } from "../../src/call.ts";
import { judgeToolPaths } from "../../src/guards/tool_paths.ts";
import { pretendedFiles, USUAL } from "./judge_line.ts";

const fs = pretendedFiles(USUAL);

async function judge(tool: string, args: Arguments, action = ""): Promise<Behavior> {
  const options = { allowed: ["/repo/app"], cwd: "/repo/app", home: "/home/u", fs };
  return (await judgeToolPaths({ tool, action, args }, options))?.behavior ?? "allow";
}

/** A tool, its arguments, and the answer. */
type Row = [string, Arguments, Behavior];

const ROWS: Record<string, Row[]> = {
  "files of the workspace are free, others are not": [
    ["reader", { path: "src/a.ts" }, "allow"],
    ["reader", { file_path: "/repo/app/src/a.ts" }, "allow"],
    ["reader", { path: "/etc/hosts" }, "deny"],
    ["editor", { file_path: "../other/a.ts" }, "deny"],
    ["editor", { path: 3 }, "deny"],
    ["editor", { path: ["a"] }, "deny"],
    ["reader", {}, "allow"],
  ],
  "secrets are the same to every tool": [
    ["reader", { path: ".env.local" }, "deny"],
    ["reader", { path: ".env.example" }, "allow"],
    ["reader", { path: "certs/server.key" }, "deny"],
    ["reader", { path: "certs/ca-cert.pem" }, "allow"],
    ["editor", { path: ".ENV" }, "deny"],
    ["search", { path: ".env", pattern: "KEY" }, "deny"],
    ["mcp__fs__read_file", { path: ".env" }, "deny"],
    ["mcp__fs__read_multiple_files", { paths: ["src/a.ts", "config/.env.production"] }, "deny"],
  ],
  "what git runs may be read and not written": [
    ["reader", { path: ".git/config" }, "allow"],
    ["editor", { path: ".git/hooks/pre-commit" }, "deny"],
    ["mcp__fs__write_file", { path: ".git/config", content: "" }, "deny"],
    ["mcp__fs__read_file", { path: ".git/config" }, "allow"],
  ],
  "a search's pattern leads somewhere too": [
    ["search", { op: "glob", pattern: "../../**/*.pem", path: "." }, "deny"],
    ["search", { op: "glob", pattern: "src/**/*.ts" }, "allow"],
    ["search", { op: "glob", pattern: "**/*.ts", path: "src" }, "allow"],
    ["search", { op: "glob", pattern: "**/../../../x/*" }, "deny"],
    ["search", { op: "glob", pattern: "/etc/*" }, "deny"],
    ["search", { op: "glob", pattern: "**/.env*" }, "deny"],
    ["search", { pattern: "../../x", path: "src" }, "allow"],
    ["search", { pattern: "KEY", glob: "../**" }, "deny"],
  ],
  "a patch names its files in its text": [
    ["editor", { patch: "*** Begin Patch\n*** Update File: src/a.ts\n@@\n" }, "allow"],
    ["editor", { patch: "*** Begin Patch\n*** Add File: ../a.ts\n+x\n" }, "deny"],
    ["editor", { input: "*** Begin Patch\n*** Delete File: .env\n" }, "deny"],
    ["editor", { patch: "*** Update File: src/a.ts\n*** Move to: ../../b.ts\n" }, "deny"],
    ["editor", { diff: "--- a/src/a.ts\n+++ b/src/a.ts\n" }, "allow"],
    ["editor", { diff: "--- /dev/null\n+++ b/../../x\n" }, "deny"],
    ["editor", { diff: "rename from a\nrename to /etc/x\n" }, "deny"],
  ],
  "a server's arguments are paths by their names": [
    ["mcp__fs__read_file", { path: "notes/a.log" }, "allow"],
    ["mcp__fs__write_file", { filePath: "/etc/x", content: "" }, "deny"],
    ["mcp__git__git_add", { repo_path: "/repo/app", files: ["../../home/u/.kube/config"] }, "deny"],
    ["mcp__x__y", { options: { outputDir: "/srv" } }, "deny"],
    ["mcp__x__y", { uri: "file:///etc/passwd" }, "deny"],
    ["mcp__x__y", { uri: "file://localhost/etc/passwd" }, "deny"],
    ["mcp__x__y", { uri: "FILE:/etc/passwd" }, "deny"],
    ["mcp__x__y", { uri: "file:///repo/app/%2e%2e/%2e%2e/etc/passwd" }, "deny"],
    ["mcp__x__y", { uri: "file:///repo/app/src/a%20b.ts#L3" }, "allow"],
    ["mcp__x__y", { url: "https://example.net/etc/passwd" }, "allow"],
    ["mcp__x__y", { path: "https://example.net/a" }, "allow"],
    ["mcp__x__y", { title: "/etc/passwd", body: "../../x" }, "allow"],
    ["mcp__git__show", { revision: "--output=/repo/app/.git/hooks/pre-commit" }, "deny"],
    ["mcp__git__show", { revision: "HEAD~1" }, "allow"],
    ["mcp__x__y", {}, "allow"],
  ],
};

describe("judgeToolPaths()", () => {
  for (const [title, rows] of Object.entries(ROWS)) {
    for (const [tool, args, behavior] of rows) {
      test(`${title}: ${behavior} ${tool} ${JSON.stringify(args)}`, async () => {
        assert.equal(await judge(tool, args), behavior);
      });
    }
  }
});
