import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { ActionManager } from "../../src/action/action_manager.ts";
import { ActionRequest } from "../../src/action/action_request.ts";
import { defineTool } from "../../src/action/define_tool.ts";
import { FunctionCalling } from "../../src/action/function_calling.ts";
import { Tool } from "../../src/action/tool.ts";

const add = () =>
  new Tool({
    name: "add",
    funcCallable: ({ a, b }) => Number(a) + Number(b ?? 0),
    requestOptions: z.object({ a: z.number().describe("left"), b: z.number().default(0) }),
  });

describe("Tool: its source", () => {
  const noop = (): void => {};
  const refused: readonly [string, unknown, RegExp][] = [
    ["no source", { name: "t" }, /it has no source/],
    [
      "a function and an MCP entry",
      { name: "t", funcCallable: noop, mcpConfig: { t: {} } },
      /one of them/,
    ],
    ["an MCP configuration that is a list", { name: "t", mcpConfig: [] }, /must be a record/],
    ["an MCP configuration that is text", { name: "t", mcpConfig: "t" }, /must be a record/],
    ["no MCP entry", { name: "t", mcpConfig: {} }, /must have one entry, it has 0/],
    [
      "two MCP entries",
      { name: "t", mcpConfig: { a: {}, b: {} } },
      /must have one entry, it has 2/,
    ],
    ["an MCP entry that is no record", { name: "t", mcpConfig: { a: "x" } }, /a must be a record/],
    ["something that is no function", { name: "t", funcCallable: 3 }, /not a function/],
    ["the name that means every tool", { name: "*", funcCallable: noop }, /needs a name/],
    ["a function without a name", { funcCallable: (() => () => {})() }, /needs a name/],
  ];
  for (const [what, options, message] of refused) {
    test(`D3-1 a tool with ${what} is refused`, () => {
      assert.throws(() => new Tool(options as never), message);
    });
  }

  test("D3-1 a function alone is a source, and gives the tool its name", () => {
    function greet(): string {
      return "hello";
    }
    assert.equal(new Tool({ funcCallable: greet }).name, "greet");
  });

  test("D3-1 one MCP entry alone is a source, and is called through the connection", async () => {
    const seen: unknown[] = [];
    const tool = new Tool({
      mcpConfig: { echo: { server: "rig", tool: "echo" } },
      mcpCaller: (source, args) => {
        seen.push(source, args);
        return Promise.resolve("said");
      },
    });
    const call = await new FunctionCalling({ funcTool: tool, arguments: { text: "a" } }).invoke();
    assert.equal(call.response, "said");
    assert.deepEqual(seen, [{ server: "rig", tool: "echo" }, { text: "a" }]);
  });

  test("D3-1 an MCP tool without a connection fails and says so", async () => {
    const tool = new Tool({ mcpConfig: { echo: {} } });
    const call = await new FunctionCalling({ funcTool: tool }).invoke();
    assert.equal(call.outcome, "failed");
    assert.match(String(call.execution.error), /no connection to its MCP server/);
  });
});

describe("Tool: its schema", () => {
  test("D3-2 without a schema one is generated from the request schema", () => {
    const tool = defineTool({
      name: "add",
      description: "Adds",
      request: z.object({ a: z.number().describe("left"), b: z.number().default(0) }),
      run: ({ a, b }) => a + b,
    });
    assert.deepEqual(tool.toolSchema, {
      type: "function",
      function: {
        name: "add",
        description: "Adds",
        parameters: {
          type: "object",
          properties: {
            a: { type: "number", description: "left" },
            b: { type: "number", default: 0 },
          },
          required: ["a"],
        },
      },
    });
  });

  test("D3-2 without schema and request schema a tool takes any arguments", () => {
    const tool = new Tool({ name: "any", funcCallable: () => 1 });
    assert.equal(tool.toolSchema.function.parameters.additionalProperties, true);
    assert.equal(tool.requiredFields.size, 0);
  });

  test("D3-2 a schema written by hand is taken in both forms", () => {
    const parameters = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    const short = new Tool({ name: "t", funcCallable: () => 1, toolSchema: parameters });
    const whole = new Tool({
      funcCallable: () => 1,
      toolSchema: { type: "function", function: { name: "t", description: "", parameters } },
    });
    assert.deepEqual(short.toolSchema, whole.toolSchema);
    assert.equal(whole.name, "t");
    assert.throws(
      () => new Tool({ name: "t", funcCallable: () => 1, toolSchema: { type: "string" } }),
      /must be a JSON schema with type "object"/,
    );
  });

  const strict = (strictFuncCall: boolean) =>
    new Tool({
      name: "t",
      funcCallable: () => 1,
      strictFuncCall,
      toolSchema: {
        type: "object",
        properties: { a: {}, b: { default: 1 }, c: {} },
        required: ["a", "b"],
      },
    });
  const cases: readonly [string, boolean, Record<string, unknown>, boolean][] = [
    ["strict: exactly the required fields", true, { a: 1, b: 2 }, true],
    ["strict: one is missing", true, { a: 1 }, false],
    ["strict: one is too many", true, { a: 1, b: 2, c: 3 }, false],
    ["strict: one is undefined", true, { a: 1, b: undefined }, false],
    ["not strict: a required field with a default may be left out", false, { a: 1 }, true],
    ["not strict: more fields are taken", false, { a: 1, c: 3 }, true],
    ["not strict: a required field without a default is missing", false, { b: 1 }, false],
  ];
  for (const [what, isStrict, args, fits] of cases) {
    test(`D3-2 ${what}: ${fits ? "fits" : "is refused"}`, () => {
      const make = () => new FunctionCalling({ funcTool: strict(isStrict), arguments: args });
      if (fits) assert.equal(make().status, "pending");
      else assert.throws(make, /Cannot call t/);
    });
  }

  test("D3-3 of an argument object only what is set goes on", () => {
    class Request {
      a = 1;
      b: number | undefined = undefined;
      method(): number {
        return 1;
      }
    }
    const tool = new Tool({ name: "t", funcCallable: () => 1 });
    const call = new FunctionCalling({ funcTool: tool, arguments: new Request() });
    assert.deepEqual(call.arguments, { a: 1 });
  });

  test("D3-3 the request schema checks the arguments, and what it gives is what is called with", async () => {
    const call = new FunctionCalling({ funcTool: add(), arguments: { a: 1, extra: true } });
    assert.deepEqual(call.arguments, { a: 1, b: 0 });
    assert.equal((await call.invoke()).response, 1);
    assert.throws(
      () => new FunctionCalling({ funcTool: add(), arguments: { a: "1" } }),
      /Cannot call add: a: .*number/,
    );
  });

  test("D3-8 empty arguments are valid only when no field is required", () => {
    assert.throws(() => new FunctionCalling({ funcTool: add() }), /Cannot call add: missing a/);
    const free = new Tool({ name: "free", funcCallable: () => 1 });
    assert.deepEqual(new FunctionCalling({ funcTool: free }).arguments, {});
  });

  test("D3-8 arguments that are no record are refused", () => {
    const free = new Tool({ name: "free", funcCallable: () => 1 });
    for (const args of [[], "text", 3]) {
      assert.throws(
        () => new FunctionCalling({ funcTool: free, arguments: args as object }),
        /must be a record/,
      );
    }
  });
});

describe("Tool: what is written down of it", () => {
  test("D3-10 no function, processor or option of a processor is serialised", () => {
    const secret = "option-of-a-processor";
    const tool = new Tool({
      name: "t",
      description: "d",
      funcCallable: () => 1,
      requestOptions: z.object({ a: z.string() }),
      preprocessor: (args) => args,
      preprocessorKwargs: { secret },
      postprocessor: (response) => response,
      postprocessorKwargs: { secret },
      onError: () => {},
    });
    const dict = tool.toDict();
    assert.deepEqual(Object.keys(dict).sort(), [
      "createdAt",
      "description",
      "id",
      "mcpConfig",
      "metadata",
      "name",
      "strictFuncCall",
      "toolSchema",
    ]);
    assert.equal(JSON.stringify(tool).includes(secret), false);
    assert.deepEqual(JSON.parse(JSON.stringify(tool)), JSON.parse(JSON.stringify(dict)));
  });

  test("D3-10 the environment and the headers of an MCP server are not serialised either", () => {
    const tool = new Tool({ mcpConfig: { t: { command: "x", env: { TOKEN: "hush" } } } });
    assert.deepEqual(tool.toDict().mcpConfig, { t: { command: "x", env: { TOKEN: "***" } } });
  });
});

describe("ActionManager", () => {
  test("a name that is taken is an error unless it is an update", () => {
    const manager = new ActionManager([add()]);
    assert.throws(() => manager.registerTool(add()), /the name is taken/);
    const other = manager.registerTool(add(), { update: true });
    assert.equal(manager.registry.get("add"), other);
    assert.throws(
      () => manager.updateTool(new Tool({ name: "no", funcCallable: () => 1 })),
      /no tool/,
    );
    assert.equal(manager.removeTool("add"), true);
    assert.equal(manager.has("add"), false);
  });

  test("of several tools none is registered when one cannot be", () => {
    const manager = new ActionManager([add()]);
    const fresh = new Tool({ name: "fresh", funcCallable: () => 1 });
    assert.throws(() => manager.registerTools([fresh, add()]), /the name is taken/);
    assert.throws(() => manager.registerTools([fresh, fresh]), /taken twice/);
    assert.deepEqual([...manager.registry.keys()], ["add"]);
  });

  test("the schemas are listed in the order of registration", () => {
    const manager = new ActionManager([add(), new Tool({ name: "b", funcCallable: () => 1 })]);
    assert.deepEqual(manager.schemaList.map((schema) => schema.function.name), ["add", "b"]);
    assert.deepEqual(manager.schemasOf(["b"]).map((schema) => schema.function.name), ["b"]);
    assert.throws(
      () => manager.schemasOf(["c"]),
      /no tool of the name c is registered; there are add, b/,
    );
  });

  test("what is handed out as the registry cannot be used to add a tool", () => {
    const manager = new ActionManager();
    (manager.registry as Map<string, Tool>).set("add", add());
    assert.equal(manager.has("add"), false);
  });

  test("D3-8 an unknown tool fails before there is a call", async () => {
    const manager = new ActionManager([add()]);
    assert.throws(() => manager.matchTool({ function: "sub" }), /no tool of the name sub/);
    await assert.rejects(manager.invoke({ function: "sub" }), /there are add/);
  });

  test("a request is made of what a model sends, its arguments as JSON text", async () => {
    const manager = new ActionManager([add()]);
    const request = ActionRequest.fromModel("add", '{"a":1,"b":2}', "call-1");
    assert.equal((await manager.invoke(request)).response, 3);
    assert.equal(request.callId, "call-1");
    assert.deepEqual(ActionRequest.fromModel("add", "").arguments, {});
    assert.throws(() => ActionRequest.fromModel("add", "{a"), /Cannot read the arguments of add: /);
    for (const text of ["[1]", "3", "null"]) {
      assert.throws(() => ActionRequest.fromModel("add", text), /they are no record/);
    }
  });

  test("a request may be a plain record or an object", async () => {
    const manager = new ActionManager([add()]);
    assert.equal(
      (await manager.invoke({ function: "add", arguments: { a: 1, b: 2 } })).response,
      3,
    );
    await assert.rejects(manager.invoke({} as never), /function must be the name of a tool/);
    await assert.rejects(manager.invoke(null as never), /give \{ function, arguments \}/);
  });
});
