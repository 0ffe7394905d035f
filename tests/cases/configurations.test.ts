import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { parse, stringify } from "yaml";
import type { Arguments, Behavior, Verdict } from "../../src/call.ts";
import { compileFile } from "../../src/config/compile_file.ts";
import type { Configuration, Layer } from "../../src/config/load_configuration.ts";
import { createJudge } from "../../src/judge/judge.ts";
import { runtime } from "../../src/runtime/current.ts";
import { pretendedFiles, type Setting, USUAL } from "../guards/judge_line.ts";

interface Case {
  id: string;
  tool: string;
  input: Arguments;
  policy: string;
  verdicts: Behavior[];
  severity: string;
}

const text = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const cases = new Map(
  text("cases.jsonl").trimEnd().split("\n").map((line) => JSON.parse(line) as Case)
    .map((one) => [one.id, one]),
);
const configurations = parse(text("configurations.yaml")) as Record<string, object[]>;
const settings = JSON.parse(text("guard_settings.json")) as Record<string, Setting>;
const elsewhere = JSON.parse(text("needs_configuration.json")) as Record<string, string>;

const HOME = "/home/u";

function configurationOf(files: readonly object[]): Configuration {
  const layers: Layer[] = files.map((file, index) => {
    const bytes = new TextEncoder().encode(stringify({ version: 1, ...file }));
    const compiled = compileFile(bytes, `/c/${index}/gatehouse.yaml`, "hash");
    return { origin: "explicit", trusted: true, file: compiled };
  });
  const folder = (name: string) => `${HOME}/${name}/gatehouse`;
  return {
    layers,
    workspace: "/repo/app",
    folders: {
      home: HOME,
      config: folder(".config"),
      state: folder(".local/state"),
      cache: folder(".cache"),
    },
    notices: [],
  };
}

async function judged(one: Case): Promise<Verdict> {
  const files = pretendedFiles({ ...USUAL, ...settings[one.id]?.layout });
  const judge = createJudge(
    { ...runtime, fs: { ...runtime.fs, ...files } },
    configurationOf(configurations[one.id]),
  );
  const { server, tool: serverTool, args, cwd, path, op: _op, tool_name: _name, ...input } =
    one.input;
  const tool = one.tool === "mcp" ? `mcp__${server}__${serverTool}` : one.tool;
  const own = one.tool === "mcp"
    ? (args ?? {}) as Arguments
    : path === undefined
    ? input
    : one.tool === "editor"
    ? { file_path: path }
    : { path };
  return await judge({
    tool,
    action: "",
    args: own,
    cwd: typeof cwd === "string" ? cwd : "/repo/app",
  });
}

describe("cases from public reports, with their policies as real configurations", () => {
  for (const id of Object.keys(configurations)) {
    const one = cases.get(id);
    test(`${id} ${one?.verdicts.join(" or ")}: ${one?.policy}`, async () => {
      assert.ok(one !== undefined);
      const verdict = await judged(one);
      assert.ok(
        one.verdicts.includes(verdict.behavior),
        `${JSON.stringify(one.input)} was judged ${verdict.behavior}: ${verdict.reason}`,
      );
    });
  }

  test("every case that the guards leave to a rule of the user has its configuration here", () => {
    const left = Object.entries(elsewhere)
      .filter(([id, why]) =>
        why.startsWith("a rule of the user") && !Object.hasOwn(configurations, id)
      )
      .map(([id]) => id);
    assert.deepEqual(left, []);
  });
});
