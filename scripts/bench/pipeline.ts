import { measure } from "mitata";
import { FunctionCalling } from "../../src/action/function_calling.ts";
import { Tool } from "../../src/action/tool.ts";
import { AgentSpec } from "../../src/agent/agent_spec.ts";
import { createAgent } from "../../src/agent/create_agent.ts";
import { composePreHooks, type PreHook } from "../../src/hooks/compose.ts";
import { runtime } from "../../src/runtime/current.ts";
import type { BenchRow } from "./row.ts";

const HOOKS = 5;
/** The two are measured by turns, so that a change of the machine's clock meets both. */
const ROUNDS = 5;
const ENOUGH_NS = 150e6;

/** A pipeline of five synchronous hooks against a loop that awaits only what is thenable; a whole governed call. */
export async function bench(): Promise<readonly BenchRow[]> {
  let seen = 0;
  const hooks: PreHook[] = Array.from(
    { length: HOOKS },
    (_, index) => (_tool, _action, args) => void (seen += index + Object.keys(args).length),
  );
  const commands = Array.from({ length: 16 }, (_, index) => ({ command: `ls -l ${index}` }));
  let turn = 0;
  const next = () => commands[turn++ & 15];
  const loop = async () => {
    let args: Record<string, unknown> = next();
    for (const hook of hooks) {
      let result: unknown = hook("bash", "", args);
      if (isThenable(result)) result = await result;
      if (typeof result === "object" && result !== null) args = result as typeof args;
    }
    return args;
  };
  const chain = composePreHooks("bash", hooks)!;
  const pipeline = () => chain(next());

  const tool = new Tool({ name: "bash", funcCallable: () => seen });
  const spec = new AgentSpec({ tools: [tool] });
  for (const hook of hooks) spec.securityPre("bash", hook);
  const branch = await createAgent(runtime, spec);
  const funcTool = branch.acts.registry.get("bash")!;
  const governed = () => new FunctionCalling({ funcTool, arguments: next() }).invoke();

  const best = { loop: Infinity, pipeline: Infinity, governed: Infinity };
  for (let round = 0; round < ROUNDS; round += 1) {
    best.loop = Math.min(best.loop, await nanoseconds(loop));
    best.pipeline = Math.min(best.pipeline, await nanoseconds(pipeline));
    best.governed = Math.min(best.governed, await nanoseconds(governed));
  }
  if (seen === 0) throw new Error("Cannot measure the pipeline: no hook ran");
  return [
    {
      name: "5 hooks, awaiting only thenables",
      measured: best.loop,
      unit: "ns",
      goal: null,
      must: null,
    },
    { name: "5 hooks, composed", measured: best.pipeline, unit: "ns", goal: null, must: null },
    {
      name: "5 hooks, composed / awaiting only thenables",
      measured: best.pipeline / best.loop,
      unit: "x",
      goal: 2,
      must: 4,
    },
    {
      name: "a governed call with 5 controls and its verdict",
      measured: best.governed,
      unit: "ns",
      goal: null,
      must: null,
    },
  ];
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null &&
    typeof (value as { then?: unknown }).then === "function";
}

async function nanoseconds(body: () => unknown): Promise<number> {
  const { p50 } = await measure(body, { min_cpu_time: ENOUGH_NS });
  return p50;
}
