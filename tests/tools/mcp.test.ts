import assert from "node:assert/strict";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ActionManager } from "../../src/action/action_manager.ts";
import { Tool } from "../../src/action/tool.ts";
import { runtime } from "../../src/runtime/current.ts";
import { connectMcpServers, type McpConnections, mcpConnector } from "../../src/tools/mcp.ts";
import { checkMcpServer, expandMcpServers, readMcpConfig } from "../../src/tools/mcp_config.ts";
import { type HttpServer, startHttpServer } from "./servers/http_server.ts";
import { stdioServer } from "./servers/stdio_entry.ts";

let folder = "";
let http: HttpServer;

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "gatehouse-mcp-")));
  http = await startHttpServer();
});

after(async () => {
  await http.close();
  await rm(folder, { recursive: true, force: true });
});

async function withTools(
  name: string,
  entry: Parameters<typeof connectMcpServers>[0][string],
  body: (manager: ActionManager, connections: McpConnections) => Promise<void>,
): Promise<void> {
  const connections = await connectMcpServers({ [name]: entry }, { cwd: folder });
  try {
    await body(new ActionManager(connections.tools), connections);
  } finally {
    await connections.close();
  }
}

for (const kind of ["stdio", "http", "sse"] as const) {
  describe(`MCP over ${kind}`, () => {
    const entry = () =>
      ({
        stdio: stdioServer(),
        http: { url: http.url, headers: { "x-key": "k" } },
        sse: { type: "sse" as const, url: http.sseUrl },
      })[kind];

    test("every tool of every page is there, with its schema, under the server's name", async () => {
      await withTools("rig", entry(), (manager) => {
        assert.deepEqual(
          [...manager.registry.keys()],
          ["echo", "fail", "facts", "wait"].map((tool) => `mcp__rig__${tool}`),
        );
        const echo = manager.registry.get("mcp__rig__echo")!;
        assert.deepEqual([...echo.requiredFields], ["text"]);
        assert.equal(echo.description, "Says what it is told");
        return Promise.resolve();
      });
    });

    test("a call gives the text, or the structured content; an error of the tool fails the call", async () => {
      await withTools("rig", entry(), async (manager) => {
        const said = await manager.invoke({ function: "mcp__rig__echo", arguments: { text: "a" } });
        assert.equal(said.response, "said a");
        const facts = await manager.invoke({ function: "mcp__rig__facts" });
        assert.deepEqual(facts.response, { answer: 42 });
        const failed = await manager.invoke({ function: "mcp__rig__fail" });
        assert.equal(failed.outcome, "failed");
        assert.match(String(failed.execution.error), /mcp__rig__fail failed: broken/);
        await assert.rejects(manager.invoke({ function: "mcp__rig__echo" }), /missing text/);
      });
    });

    test("a call that never answers ends with its time, or with the signal", async () => {
      await withTools("rig", { ...entry(), timeout: 300 }, async (manager) => {
        const late = await manager.invoke({ function: "mcp__rig__wait" });
        assert.equal(late.outcome, "failed");
        assert.match(String(late.execution.error), /timed out/i);
        const controller = new AbortController();
        const call = manager.matchTool({ function: "mcp__rig__wait" });
        const running = call.invoke({ signal: controller.signal });
        controller.abort(new Error("enough"));
        await assert.rejects(running);
        assert.equal(call.outcome, "cancelled");
      });
    });
  });
}

describe("MCP: tools configured one by one", () => {
  test("a tool connects when it is first called, tools of one server share it, and a failure is tried again", async () => {
    const connector = mcpConnector({ cwd: folder });
    const tool = (name: string, source: Record<string, unknown>) =>
      new Tool({ mcpConfig: { [name]: source }, mcpCaller: connector.call });
    const manager = new ActionManager([
      tool("echo", { ...stdioServer() }),
      tool("numbers", { ...stdioServer(), tool: "facts" }),
      tool("away", { command: "/no/such/program" }),
      tool("neither", {}),
    ]);
    const said = await manager.invoke({ function: "echo", arguments: { text: "a" } });
    assert.equal(said.response, "said a");
    assert.deepEqual((await manager.invoke({ function: "numbers" })).response, { answer: 42 });
    for (let tries = 0; tries < 2; tries += 1) {
      const away = await manager.invoke({ function: "away" });
      assert.match(String(away.execution.error), /Cannot connect to the MCP server away/);
    }
    const neither = await manager.invoke({ function: "neither" });
    assert.match(String(neither.execution.error), /give a command or a url/);
    await connector.close();
    assert.equal(
      (await manager.invoke({ function: "echo", arguments: { text: "b" } })).response,
      "said b",
    );
    await connector.close();
  });
});

describe("MCP: connecting", () => {
  test("the headers of the entry go with every request", async () => {
    await withTools(
      "rig",
      { url: http.url, headers: { "x-key": "secret" } },
      () => Promise.resolve(),
    );
    assert.equal(http.keys.at(-1), "secret");
  });

  test("a server that does not start is named, with what it said", async () => {
    const broken = { command: "/bin/sh", args: ["-c", "echo no such luck >&2; exit 3"] };
    await assert.rejects(
      connectMcpServers({ broken }, { cwd: folder }),
      /Cannot connect to the MCP server broken: .*; it said: no such luck/s,
    );
    await assert.rejects(
      connectMcpServers({ none: { command: "/no/such/program" } }, { cwd: folder }),
      /Cannot connect to the MCP server none/,
    );
  });

  test("when one server cannot be used the others are closed again", async () => {
    const pid = join(folder, "pid");
    const good = stdioServer();
    const wrapped = {
      command: "/bin/sh",
      args: ["-c", 'echo $$ > "$1"; shift; exec "$@"', "sh", pid, good.command, ...good.args ?? []],
      env: good.env,
    };
    await assert.rejects(
      connectMcpServers({ good: wrapped, none: { command: "/no/such/program" } }, { cwd: folder }),
    );
    const started = runtime.fs.exists(pid);
    if (started) {
      const number = Number(new TextDecoder().decode(await runtime.fs.readFile(pid)));
      await gone(number);
    }
  });

  test("a server that is switched off is passed over", async () => {
    const { tools, close } = await connectMcpServers(
      { off: { command: "/no/such/program", disabled: true } },
      { cwd: folder },
    );
    assert.equal(tools.length, 0);
    await close();
  });
});

describe("MCP: the configuration", () => {
  const write = async (data: unknown): Promise<string> => {
    const path = join(folder, `${crypto.randomUUID()}.json`);
    await writeFile(path, typeof data === "string" ? data : JSON.stringify(data));
    return path;
  };

  test("the servers of a file are read, with variables put in, and other settings passed over", async () => {
    const path = await write({
      theme: "dark",
      mcpServers: {
        a: { command: "${NO_SUCH_VARIABLE:-node}", autoApprove: ["x"] },
        b: { url: "http://x/" },
      },
    });
    const servers = await readMcpConfig(runtime, folder, path, ["a"]);
    assert.deepEqual(servers, { a: { command: "node", autoApprove: ["x"] } });
    assert.deepEqual(
      expandMcpServers(runtime, { h: { url: "http://x/", headers: { p: "${PATH}" } } }),
      { h: { url: "http://x/", headers: { p: runtime.env.get("PATH") } } },
    );
  });

  const refused: readonly [string, unknown, RegExp][] = [
    ["no JSON", "{", /Cannot read the MCP servers of/],
    ["no servers", {}, /mcpServers/],
    [
      "a variable that is not set",
      { mcpServers: { a: { command: "${NO_SUCH_VARIABLE}" } } },
      /NO_SUCH_VARIABLE.*not set/,
    ],
  ];
  for (const [what, data, message] of refused) {
    test(`a file with ${what} is refused`, async () => {
      await assert.rejects(readMcpConfig(runtime, folder, await write(data)), message);
    });
  }

  test("a name that is not in the file is refused", async () => {
    const path = await write({ mcpServers: { a: { command: "x" } } });
    await assert.rejects(
      readMcpConfig(runtime, folder, path, ["b"]),
      /Cannot use the MCP server b: .* has a/,
    );
  });

  for (
    const [what, entry] of [
      ["a command and a url", { command: "x", url: "http://x/" }],
      ["neither", {}],
      ["no record", 3],
      ["arguments that are no list", { command: "x", args: "y" }],
      ["an address that is none", { url: "nowhere" }],
    ] as const
  ) {
    test(`an entry with ${what} is refused`, () => {
      assert.throws(() => checkMcpServer("s", entry), /Cannot use the MCP server s/);
    });
  }
});

/** Waits until a process has gone. */
async function gone(pid: number): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`process ${pid} lives on`);
}
